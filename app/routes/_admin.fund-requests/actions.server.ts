/** What the forms of this screen do. Each goes back to the same filters, at the row it changed. */
import type { SubmissionResult } from "@conform-to/react";
import * as v from "valibot";
import { refusal } from "../../auth/refusal.ts";
import type { AdminContext } from "../../domain/context.ts";
import type { Decision } from "../../domain/fund-requests/commands/decision.server.ts";
import { processRequests } from "../../domain/fund-requests/commands/process.server.ts";
import { undoDecision } from "../../domain/fund-requests/commands/undo.server.ts";
import { processRequestInput, requestIdInput } from "../../domain/fund-requests/input.ts";
import { MOST_AT_ONCE, requestNumber } from "../../domain/fund-requests/rules.ts";
import { NO_SUCH_REQUEST, refusalWords } from "../../domain/fund-requests/standing-words.ts";
import type { RequestContext } from "../../http/context.server.ts";
import { submitted } from "../../http/form.server.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast } from "../../messages.ts";
import { rowId } from "../../values/fields.ts";

/** What a post of this screen answers when there is more to say than that it worked. */
export type FundRequestsAnswer = {
	readonly status: number;
	readonly toast: Toast;
	/** The dialog's form as typed, and what is wrong with it. */
	readonly form?: SubmissionResult;
	/** What became of each request. */
	readonly results?: readonly string[];
};

const processForm = v.object({ ...requestIdInput.entries, ...processRequestInput.entries });

const notFound = (toast: Toast): FundRequestsAnswer => ({ status: 404, toast: { ...toast, text: `${NO_SUCH_REQUEST}.` } });

/**
 * Approves or rejects the request of the dialog.
 * @param here the address without its dialog
 */
export async function processAction(context: RequestContext, admin: AdminContext, here: string): Promise<Response | FundRequestsAnswer> {
	const submission = await submitted(context, processForm);
	if (submission.status !== "success") {
		const problems = Object.values(submission.error ?? {}).flatMap((messages) => messages ?? []);
		return { status: 400, toast: { ...TOASTS.requestUpdateFailed, text: problems[0] }, form: submission.reply() };
	}
	const { id, ...decided } = submission.value;
	const decision = (await processRequests(admin, [id], decided)).decisions[0];
	if (!decision) return notFound(TOASTS.requestUpdateFailed);
	if (decision.result === "decided") return seeOther(`${here}#request-${id}`, context.settings, "requestUpdated");
	return { status: 409, toast: TOASTS.requestUpdateFailed, results: [refusalWords(decision, admin.timeZone)] };
}

/** Approves every ticked request that is still pending, and says what became of the others. */
export async function bulkAction(context: RequestContext, admin: AdminContext, here: string): Promise<Response | FundRequestsAnswer> {
	const named = [...new Set((await context.form()).getAll("ids"))];
	if (named.length === 0) return { status: 400, toast: TOASTS.nothingSelected };
	if (named.length > MOST_AT_ONCE) throw refusal({ kind: "bad-request", message: `At most ${MOST_AT_ONCE} requests at once.` }, 400);
	const ids = named.filter((id) => typeof id === "string").filter((id) => v.is(rowId, id));
	const { decisions, unknown } = await processRequests(admin, ids, { status: "approved", adminNotes: undefined });
	const approved = decisions.filter(({ result }) => result === "decided");
	if (approved.length === named.length) return seeOther(here, context.settings, "requestUpdated");
	const strangers = unknown.length + named.length - ids.length;
	return {
		status: approved.length > 0 ? 200 : 409,
		toast: approved.length > 0 ? TOASTS.requestUpdated : TOASTS.requestUpdateFailed,
		results: [
			`${approved.length} of ${named.length} approved${approved.length > 0 ? `: ${numbersOf(approved)}.` : "."}`,
			...decisions.filter(({ result }) => result !== "decided").map((decision) => refusalWords(decision, admin.timeZone)),
			...(strangers > 0 ? [`${strangers} of the ticked requests ${strangers === 1 ? "does" : "do"} not exist.`] : []),
		],
	};
}

const numbersOf = (decisions: readonly Decision[]) => decisions.map(({ request }) => requestNumber(request.number)).join(", ");

/** Takes back the decision of a row's form. */
export async function undoAction(context: RequestContext, admin: AdminContext, here: string): Promise<Response | FundRequestsAnswer> {
	const submission = await submitted(context, requestIdInput);
	const outcome = submission.status === "success" ? await undoDecision(admin, submission.value.id) : undefined;
	if (outcome?.ok) return seeOther(`${here}#request-${outcome.value.request.id}`, context.settings, "requestUndone");
	if (!outcome || outcome.reason === "not-found") return notFound(TOASTS.requestUndoFailed);
	return {
		status: 409,
		toast: { ...TOASTS.requestUndoFailed, text: "A decision can be taken back for 10 minutes, by whoever made it." },
	};
}
