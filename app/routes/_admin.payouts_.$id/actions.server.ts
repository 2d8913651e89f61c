/** What the forms of a payout's page do. */
import type { SubmissionResult } from "@conform-to/react";
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { payPayout } from "../../domain/payouts/commands/pay.server.ts";
import { paymentInput, reopenPayoutInput } from "../../domain/payouts/input.ts";
import { whyNotCancelled, whyNotPaid, whyNotReopened } from "../../domain/payouts/refusals.ts";
import { messagesOf, parseForm, seenMoment } from "../../http/form.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast, withReason } from "../../messages.ts";
import type { RefusalAnswer } from "../../values/outcome.ts";

/** What a refused post of this page answers. */
export type PayoutAnswer = {
	readonly status: number;
	readonly toast: Toast;
	/** The form as typed, with its errors. */
	readonly form?: SubmissionResult;
};
type Answer = Promise<Response | PayoutAnswer>;

/** A refusal shown in the toast; for an unknown payout, a 404. */
function failed(toast: Toast, { status, message }: RefusalAnswer): PayoutAnswer {
	if (status === 404) throw refusal({ kind: "not-found" }, 404);
	return { status, toast: withReason(toast, message) };
}

/** Also at the field that it is about, in the form as typed. */
function failedField(
	submission: {
		readonly reply: (options: { fieldErrors: Record<string, string[]> }) => SubmissionResult;
	},
	toast: Toast,
	answer: RefusalAnswer,
): PayoutAnswer {
	const { field, message } = answer;
	return {
		...failed(toast, answer),
		...(field ? { form: submission.reply({ fieldErrors: { [field]: [message] } }) } : {}),
	};
}

const firstProblem = (form: SubmissionResult) => messagesOf(form)[0];

/** Marks the payout paid. */
export async function payAction(context: RequestContext, admin: AdminContext, id: string): Answer {
	const submission = await parseForm(context, paymentInput(admin.today));
	if (submission.status !== "success") {
		const form = submission.reply();
		return { status: 400, toast: withReason(TOASTS.payoutPayFailed, firstProblem(form)), form };
	}
	const outcome = await payPayout(admin, id, submission.value);
	if (outcome.ok) return seeOther(`/payouts/${id}`, context.settings, "payoutPaid");
	return failedField(submission, TOASTS.payoutPayFailed, onForm(whyNotPaid(outcome, admin)));
}

/** Cancels the payout. */
export async function cancelAction(
	context: RequestContext,
	admin: AdminContext,
	id: string,
): Answer {
	const { cancelPayout } = await import("../../domain/payouts/commands/cancel.server.ts");
	const outcome = await cancelPayout(admin, id);
	return outcome.ok
		? seeOther(`/payouts/${id}`, context.settings, "payoutCancelled")
		: failed(TOASTS.payoutCancelFailed, onForm(whyNotCancelled(outcome, admin)));
}

/** Reopens the payout. */
export async function reopenAction(
	context: RequestContext,
	admin: AdminContext,
	id: string,
): Answer {
	const submission = await parseForm(context, reopenPayoutInput);
	if (submission.status !== "success") {
		const form = submission.reply();
		return { status: 400, toast: withReason(TOASTS.payoutReopenFailed, firstProblem(form)), form };
	}
	const { reopenPayout } = await import("../../domain/payouts/commands/reopen.server.ts");
	const { reason, isSilent } = submission.value;
	const seen = await seenMoment(context);
	const outcome = await reopenPayout(admin, id, reason, isSilent === "on", seen);
	if (outcome.ok) return seeOther(`/payouts/${id}`, context.settings, "payoutReopened");
	const answer = onForm(whyNotReopened(outcome, admin));
	return {
		form: submission.reply(),
		...failedField(submission, TOASTS.payoutReopenFailed, answer),
	};
}
