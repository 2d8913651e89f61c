/** The profile form of the gates: a driver's own name, until the application is decided. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { checkSender } from "../auth/form-owner.server.ts";
import { rejectUnknownRoute, requireUser } from "../auth/guard.server.ts";
import { gateRefusal } from "../auth/refuse.server.ts";
import { onForm } from "../domain/kernel/refusal-table.ts";
import { completeProfile } from "../domain/people/commands/complete-profile.server.ts";
import { PERSON_FIELDS } from "../domain/people/fields.ts";
import { profileInput } from "../domain/people/input.ts";
import { whyNotCompleted } from "../domain/people/refusals.ts";
import { parseForm } from "../http/form.server.ts";
import { refusal } from "../http/refusal.ts";
import { seeOther } from "../http/toast.server.ts";
import { TOASTS, withReason } from "../messages.ts";

export const loader = (args: LoaderFunctionArgs) => rejectUnknownRoute(args);

/** What is wrong with a name: none of our forms shows it to administrators. */
function whyNotNamed(faults: Readonly<Record<string, string[] | null>>): string {
	const { firstName, lastName } = PERSON_FIELDS;
	for (const [name, { label, missing }] of Object.entries({ firstName, lastName })) {
		const other = faults[name]?.find((fault) => fault !== missing);
		if (other) return `${label}: ${other}.`;
	}
	return "First and last name are required.";
}

export async function action(args: ActionFunctionArgs) {
	const { self } = await requireUser(args);
	await checkSender(args.context, self);
	const submission = await parseForm(args.context, profileInput);
	if (submission.status !== "success") {
		const { error } = submission.reply();
		if (self.standing === "admin")
			throw refusal({ kind: "bad-request", message: whyNotNamed(error ?? {}) }, 400);
		throw gateRefusal(args.context, { kind: self.standing, user: self.user }, 400, {
			form: submission.reply(),
			toast: TOASTS.profileFailed,
		});
	}
	const outcome = await completeProfile(self, submission.value);
	if (outcome.ok) return seeOther("/", args.context.settings, "profileUpdated");
	const { status, message, retryAfter } = onForm(whyNotCompleted(outcome, self));
	if (retryAfter === undefined)
		return seeOther("/", args.context.settings, ["profileRefused", message]);
	const headers = { "Retry-After": String(retryAfter) };
	if (self.standing === "admin") throw refusal({ kind: "unavailable", message }, status, headers);
	const toast = withReason(TOASTS.profileFailed, message);
	const form = submission.reply();
	const principal = { kind: self.standing, user: self.user };
	throw gateRefusal(args.context, principal, status, { form, toast }, headers);
}

export default function Profile() {
	return null;
}
