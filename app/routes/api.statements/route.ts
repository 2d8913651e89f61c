/** POST /api/statements: previews and imports a platform's statement. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	// Few requests need it, so it isn't loaded when the Worker starts.
	const { answerCall } = await import("./answer.server.ts");
	return answerCall(args.context, admin);
}
