/** PUT /api/profile: one's own name, until the application is decided. */
import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import { requireUser } from "../auth/guard.server.ts";
import { completeProfile } from "../domain/people/commands/complete-profile.server.ts";
import { profileInput } from "../domain/people/input.ts";
import { userJson } from "../domain/people/json.ts";
import { whyNotCompleted } from "../domain/people/refusals.ts";
import { parseJson } from "../http/json.server.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { self } = await requireUser(args);
	const outcome = await completeProfile(self, parseJson(args.context, profileInput));
	return outcome.ok ? json(userJson(outcome.value)) : refusedCall(whyNotCompleted(outcome, self));
}
