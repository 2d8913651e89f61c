/** What the forms of this screen do. */
import type { RequestContext } from "../../auth/request-context.ts";
import { addReceipt } from "../../domain/fund-requests/commands/add-receipt.server.ts";
import {
	type SubmitRefusal,
	submitRequest,
} from "../../domain/fund-requests/commands/submit.server.ts";
import { withdrawRequest } from "../../domain/fund-requests/commands/withdraw.server.ts";
import {
	receiptReference,
	receiptUrlOf,
	requestIdInput,
	submitRequestInput,
} from "../../domain/fund-requests/input.ts";
import {
	whyNoReceiptAdded,
	whyNotSubmitted,
	whyNotWithdrawn,
} from "../../domain/fund-requests/refusals.ts";
import { describeRequest } from "../../domain/fund-requests/rules.ts";
import type { DriverContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { saveReceiptRow } from "../../domain/receipts/commands/keep.server.ts";
import type { StoredFile } from "../../domain/receipts/commands/receipt-row.server.ts";
import { ownReceipt } from "../../domain/receipts/queries.server.ts";
import {
	type RefusalWords,
	refusalSentence,
	whyNotStored,
} from "../../domain/receipts/refusals.ts";
import { storeUpload, storeUploadFor } from "../../domain/receipts/upload.server.ts";
import { messagesOf, parseForm, textField, uploadedFile } from "../../http/form.server.ts";
import { seeOther, type ToastRef } from "../../http/toast.server.ts";
import { TOASTS, type Toast, withReason } from "../../messages.ts";
import { type RefusalAnswer, refused } from "../../values/outcome.ts";
import { listUrl } from "./address.ts";
import { answerAction } from "./answer.server.ts";
import { backTo } from "./back-to.server.ts";
import type { KeptReceipt, RequestAnswer } from "./request-answer.ts";

/** Handles the posted form; a form without an intent submits a request. */
export async function requestAction(
	context: RequestContext,
	driver: DriverContext,
): Promise<Response | RequestAnswer> {
	switch (await textField(context, "intent")) {
		case "answer":
			return answerAction(context, driver);
		case "withdraw":
			return withdrawAction(context, driver);
		case "add-receipt":
			return addReceiptAction(context, driver);
		default:
			return submitAction(context, driver);
	}
}

/** Submits the form's request. An unacceptable file never prevents the request. */
async function submitAction(
	context: RequestContext,
	driver: DriverContext,
): Promise<Response | RequestAnswer> {
	const submission = await parseForm(context, submitRequestInput(driver.today));
	const chosen = await uploadedFile(context, ["receipt"]);
	const upload =
		chosen &&
		(await storeUpload(
			context.env.RECEIPTS,
			driver,
			chosen,
			(await textField(context, "key")) || undefined,
		));
	const file = upload?.ok ? upload.value : undefined;
	const unstored = upload && !upload.ok ? upload.details.words : undefined;
	if (submission.status !== "success") {
		const kept = await receiptKept(context, driver, file, unstored);
		return {
			status: 400,
			toast: TOASTS.requestFailed,
			form: submission.reply(),
			problems: [...messagesOf(submission), ...kept.problems],
			fileProblems: kept.problems,
			receipt: kept.receipt,
		};
	}
	const outcome = await submitRequest(driver, submission.value, "form", file);
	if (outcome.ok) {
		const { request, isReplay, quota, hasNamed } = outcome.value;
		const words = quota ?? unstored;
		// A correction has the receipt of what it replaces until it gets its own; a form that was refused
		// has the one that it was first sent with.
		const keepsOld = chosen !== undefined && hasNamed;
		const toast: ToastRef = keepsOld
			? request.replacesId
				? "requestReplacedWithOldReceipt"
				: "requestSubmittedWithOldReceipt"
			: isReplay
				? ["receivedBefore", describeRequest(request, driver)]
				: words
					? "requestSubmittedWithoutReceipt"
					: request.replacesId
						? "requestReplaced"
						: "requestSubmitted";
		const about = {
			receipt: words,
			has: keepsOld ? "previous" : undefined,
			of: words && request.id,
		};
		return seeOther(listUrl(about, `request-${request.id}`), context.settings, toast);
	}
	const kept = await receiptKept(context, driver, file, unstored);
	const said = refusedSubmission(driver, outcome);
	return {
		form: submission.reply(),
		receipt: kept.receipt,
		...said,
		problems: [...said.problems, ...kept.problems],
		fileProblems: kept.problems,
	};
}

/** The messages of a refused submission, and what its form contains next. */
function refusedSubmission(
	driver: DriverContext,
	outcome: SubmitRefusal,
): RequestAnswer & { readonly problems: readonly string[] } {
	const { status, message } = onForm(whyNotSubmitted(outcome, driver));
	if (outcome.reason === "ask-again") {
		const toast = { tone: "info", title: "Check this request" } as const;
		return { status, toast, problems: [], confirm: outcome.details.confirm, question: message };
	}
	return {
		status,
		toast: TOASTS.requestFailed,
		problems: [message],
		needsNewKey: outcome.reason === "key-reused",
		isFresh: outcome.reason === "not-to-replace",
		...(outcome.reason === "no-such-receipt" ? { receipt: undefined } : {}),
	};
}

/**
 * What happens to the receipt of a form that is shown again: the file that came with it, or the one
 * it already referred to.
 */
async function receiptKept(
	context: RequestContext,
	driver: DriverContext,
	file: StoredFile | undefined,
	unstored: RefusalWords | undefined,
): Promise<{ receipt: KeptReceipt | undefined; problems: readonly string[] }> {
	const kept = file && (await saveReceiptRow(driver, file));
	if (kept?.ok) {
		const { id, fileName } = kept.value.row;
		return { receipt: { url: receiptUrlOf(id), name: fileName }, problems: [] };
	}
	const words = kept ? kept.details.words : unstored;
	const problems = words
		? [`The receipt wasn't saved. ${refusalSentence(words, driver.settings.receiptMegabytes)}`]
		: [];
	const named = receiptReference(await textField(context, "receiptUrl"));
	if (named?.kind !== "file")
		return { receipt: named?.name ? { url: named.name, name: named.name } : undefined, problems };
	const { rows } = await driver.db.batch({ rows: ownReceipt(driver, named.id) });
	return {
		receipt: rows[0] && { url: receiptUrlOf(rows[0].id), name: rows[0].fileName },
		problems,
	};
}

/** A refusal shown in the toast. */
const failed = (toast: Toast, { status, message }: RefusalAnswer): RequestAnswer => ({
	status,
	toast: withReason(toast, message),
});

/** Withdraws the request of a row's form. */
async function withdrawAction(
	context: RequestContext,
	driver: DriverContext,
): Promise<Response | RequestAnswer> {
	const submission = await parseForm(context, requestIdInput);
	const outcome =
		submission.status === "success"
			? await withdrawRequest(driver, submission.value.id)
			: refused("not-found");
	if (outcome.ok) return backTo(context, outcome.value.id, "requestWithdrawn");
	return failed(TOASTS.requestWithdrawFailed, onForm(whyNotWithdrawn(outcome, driver)));
}

/** Adds the receipt of a row's form to its request. */
async function addReceiptAction(
	context: RequestContext,
	driver: DriverContext,
): Promise<Response | RequestAnswer> {
	const refusedReceipt = (refusal: Parameters<typeof whyNoReceiptAdded>[0]) =>
		failed(TOASTS.receiptFailed, onForm(whyNoReceiptAdded(refusal, driver)));
	const submission = await parseForm(context, requestIdInput);
	if (submission.status !== "success") return refusedReceipt(refused("not-found"));
	const { id } = submission.value;
	const rowProblem = (status: number, problem: string): RequestAnswer => ({
		status,
		toast: TOASTS.receiptFailed,
		row: { id, problem },
	});
	const chosen = await uploadedFile(context, ["receipt"]);
	if (!chosen) return rowProblem(400, "Choose a receipt first.");
	const upload = await storeUploadFor(id, context.env.RECEIPTS, driver, chosen);
	if (!upload.ok) {
		if (upload.reason === "unwanted") return refusedReceipt(upload);
		const { status, message } = onForm(whyNotStored(upload, driver));
		return rowProblem(status, message);
	}
	const outcome = await addReceipt(driver, id, upload.value);
	if (outcome.ok) return backTo(context, id, "receiptAdded");
	if (outcome.reason !== "quota") return refusedReceipt(outcome);
	const { status, message } = onForm(whyNoReceiptAdded(outcome, driver));
	return rowProblem(status, message);
}
