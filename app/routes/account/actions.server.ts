/** What the forms of this screen do. */
import { checkSender } from "../../auth/form-owner.server.ts";
import type { RequestContext } from "../../auth/request-context.ts";
import { signedOutResponse } from "../../auth/signed-out.server.ts";
import type { SelfContext } from "../../domain/kernel/context.ts";
import { chooseEmails } from "../../domain/people/commands/choose-emails.server.ts";
import { signOutDevice, signOutEverywhere } from "../../domain/people/commands/sign-out.server.ts";
import { emailChoicesInput } from "../../domain/people/email-choices.ts";
import { whyNotChosen } from "../../domain/people/refusals.ts";
import { parseForm, textField } from "../../http/form.server.ts";
import { unknownAction } from "../../http/intent.server.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast, withReason } from "../../messages.ts";

/** What a refused post answers. */
export type AccountAnswer = {
	readonly status: number;
	readonly retryAfter?: number | undefined;
	readonly toast: Toast;
};

/** Handles the posted form, by its intent. */
export async function accountAction(
	context: RequestContext,
	self: SelfContext,
): Promise<Response | AccountAnswer> {
	await checkSender(context, self);
	switch (await textField(context, "intent")) {
		case "sign-out":
			return signOutOne(context, self);
		case "sign-out-everywhere":
			await signOutEverywhere(self);
			return signedOutResponse(context);
		case "":
			return chooseAction(context, self);
		default:
			throw unknownAction();
	}
}

/** Signs out the chosen device; this one as its own button does. */
async function signOutOne(context: RequestContext, self: SelfContext): Promise<Response> {
	const ref = await textField(context, "session");
	await signOutDevice(self, ref);
	return ref === self.sessionRef
		? signedOutResponse(context)
		: seeOther("/account#devices", context.settings, "deviceSignedOut");
}

/** Saves which reminders the person wants. */
async function chooseAction(
	context: RequestContext,
	self: SelfContext,
): Promise<Response | AccountAnswer> {
	const submission =
		self.role === "admin"
			? await parseForm(context, emailChoicesInput.admin)
			: await parseForm(context, emailChoicesInput.driver);
	if (submission.status !== "success") return { status: 400, toast: TOASTS.emailsFailed };
	const outcome = await chooseEmails(self, submission.value);
	if (!outcome.ok) {
		const { status, message, retryAfter } = whyNotChosen(outcome, self);
		return { status, retryAfter, toast: withReason(TOASTS.emailsFailed, message) };
	}
	return seeOther("/account#emails", context.settings, "emailsChosen");
}
