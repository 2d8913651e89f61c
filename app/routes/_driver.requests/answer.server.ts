/** Sends a driver's answer about one of their requests. */
import type { RequestContext } from "../../auth/request-context.ts";
import { sendAnswer } from "../../domain/fund-requests/commands/send-answer.server.ts";
import { answerForm } from "../../domain/fund-requests/input.ts";
import { whyNoReceipt, whyNotSent } from "../../domain/fund-requests/refusals.ts";
import type { DriverContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { parseForm, textField, uploadedFile } from "../../http/form.server.ts";
import { TOASTS, withReason } from "../../messages.ts";
import { isRowId } from "../../values/row-id.ts";
import { backTo } from "./back-to.server.ts";
import type { RequestAnswer } from "./request-answer.ts";

export async function answerAction(
	context: RequestContext,
	driver: DriverContext,
): Promise<Response | RequestAnswer> {
	const id = await textField(context, "requestId");
	const typed = await textField(context, "text");
	const submission = await parseForm(context, answerForm);
	const file = await uploadedFile(context, ["receipt"]);
	// No page can fill in a file.
	const lost = file ? { receipt: ["Choose the receipt again."] } : {};
	const refuse = (status: number, message: string, field?: string): RequestAnswer => ({
		status,
		toast: withReason(TOASTS.answerFailed, message),
		answer: {
			id,
			text: typed,
			problems: { ...lost, [field === "receipt" ? field : "text"]: [message] },
		},
	});
	if (submission.status !== "success") {
		const { error } = submission;
		const [message = ""] = (isRowId(id) ? error?.text : error?.requestId) ?? [];
		return refuse(400, message);
	}
	const answer = submission.value;
	const outcome = await sendAnswer(driver, context.env.RECEIPTS, answer, file, "form");
	if (!outcome.ok) {
		const { status, message, field } = onForm(whyNotSent(outcome, driver));
		return refuse(status, message, field);
	}
	const { unstored } = outcome.value;
	if (!unstored) return backTo(context, id, "answerSent");
	// The text is in the thread, so the row's form is only about the receipt now.
	const { status, message } = onForm(whyNoReceipt(unstored, driver));
	return {
		status,
		toast: withReason(TOASTS.receiptFailed, `Your answer was sent. ${message}`),
		answer: { id, text: "", problems: { receipt: [message] } },
	};
}
