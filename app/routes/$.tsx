/** Unknown paths, refused depending on who is asking. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { rejectUnknownRoute } from "../auth/guard.server.ts";

export const loader = (args: LoaderFunctionArgs) => rejectUnknownRoute(args);
export const action = (args: ActionFunctionArgs) => rejectUnknownRoute(args);

export default function NotFound() {
	return null;
}
