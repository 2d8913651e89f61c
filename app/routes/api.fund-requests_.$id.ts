/** PUT /api/fund-requests/{id} (docs/product.md §7): an administrator's decision. */
import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import { asAdmin } from "../auth/guard.server.ts";
import { processRequests } from "../domain/fund-requests/commands/process.server.ts";
import { processRequestInput } from "../domain/fund-requests/input.ts";
import { requestJson } from "../domain/fund-requests/json.ts";
import { NO_SUCH_REQUEST, refusalWords } from "../domain/fund-requests/standing-words.ts";
import { received } from "../http/json.server.ts";
import { apiRefusal } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await asAdmin(args);
	const input = received(args.context, processRequestInput);
	const { decisions } = await processRequests(admin, [args.params.id ?? ""], input);
	const decision = decisions[0];
	if (!decision) throw apiRefusal(404, NO_SUCH_REQUEST);
	if (decision.result !== "decided") throw apiRefusal(409, refusalWords(decision, admin.timeZone));
	return json(requestJson(decision));
}
