/** Every path that does not exist: refused as its principal is refused everywhere else. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { nowhere } from "../auth/guard.server.ts";

export const loader = (args: LoaderFunctionArgs) => nowhere(args);
export const action = (args: ActionFunctionArgs) => nowhere(args);

export default function Nowhere() {
	return null;
}
