/** Every call that does not exist. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { nowhere } from "../auth/guard.server.ts";

export const loader = (args: LoaderFunctionArgs) => nowhere(args);
export const action = (args: ActionFunctionArgs) => nowhere(args);
