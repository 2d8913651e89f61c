/** What the form of this screen does. */
import { checkSender } from "../../auth/form-owner.server.ts";
import type { RequestContext } from "../../auth/request-context.ts";
import type { SelfContext } from "../../domain/context.ts";
import { chooseEmails } from "../../domain/users/commands/choose-emails.server.ts";
import { emailChoicesInput } from "../../domain/users/email-choices.ts";
import { parseForm } from "../../http/form.server.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast } from "../../messages.ts";

/** What a refused post answers. */
export type AccountAnswer = { readonly status: number; readonly toast: Toast };

/** Saves which reminders the person wants. */
export async function chooseAction(
	context: RequestContext,
	self: SelfContext,
): Promise<Response | AccountAnswer> {
	await checkSender(context, self);
	const submission =
		self.role === "admin"
			? await parseForm(context, emailChoicesInput.admin)
			: await parseForm(context, emailChoicesInput.driver);
	if (submission.status !== "success") return { status: 400, toast: TOASTS.emailsFailed };
	await chooseEmails(self, submission.value);
	return seeOther("/account#emails", context.settings, "emailsChosen");
}
