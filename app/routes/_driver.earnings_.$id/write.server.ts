/** Writes into the thread of a published week: its driver's question, or an administrator's answer. */
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext, DriverContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { messageInput } from "../../domain/messages/input.ts";
import { writeAboutWeek } from "../../domain/settlements/commands/message.server.ts";
import { whyNotWritten } from "../../domain/settlements/refusals.ts";
import { messagesOf, parseForm, textField } from "../../http/form.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, withReason } from "../../messages.ts";
import type { RefusedMessage } from "../../ui/message-form.tsx";

/** @param page the week's, shown afterwards */
export async function writeMessage(
	context: RequestContext,
	actor: DriverContext | AdminContext,
	id: string,
	page: string,
): Promise<Response | RefusedMessage> {
	const isDriver = actor.role === "driver";
	const text = await textField(context, "text");
	const refuse = (status: number, problem: string, retryAfter?: number): RefusedMessage => ({
		status,
		retryAfter,
		toast: withReason(isDriver ? TOASTS.questionFailed : TOASTS.answerFailed, problem),
		message: { text, problem },
	});
	const submission = await parseForm(context, messageInput);
	if (submission.status !== "success") return refuse(400, messagesOf(submission)[0] ?? "");
	const outcome = await writeAboutWeek(actor, id, submission.value, "form");
	if (outcome.ok)
		return seeOther(
			`${page}#messages`,
			context.settings,
			isDriver ? "weekQuestionSent" : "weekAnswerSent",
		);
	const { status, message, retryAfter } = onForm(whyNotWritten(outcome, actor));
	if (status === 404) throw refusal({ kind: "not-found" }, 404);
	return refuse(status, message, retryAfter);
}
