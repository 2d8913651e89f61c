/** What the forms of this screen do. Each returns to the same filters, at the row it changed. */
import type { SubmissionResult } from "@conform-to/react";
import * as v from "valibot";
import type { RequestContext } from "../../auth/request-context.ts";
import {
	type Decision,
	decisionOutcome,
} from "../../domain/fund-requests/commands/decision.server.ts";
import { writeAboutRequest } from "../../domain/fund-requests/commands/message.server.ts";
import { processRequests } from "../../domain/fund-requests/commands/process.server.ts";
import { reopenRequest } from "../../domain/fund-requests/commands/reopen.server.ts";
import {
	isDecidedSince,
	type UndoRefusal,
	undoDecision,
	undoDecisions,
} from "../../domain/fund-requests/commands/undo.server.ts";
import { AMOUNT_TO_APPROVE } from "../../domain/fund-requests/fields.ts";
import {
	bulkApprovalInput,
	decisionForm,
	questionForm,
	reopenRequestInput,
	requestIdInput,
} from "../../domain/fund-requests/input.ts";
import { parseRequestReference } from "../../domain/fund-requests/opened.ts";
import { findRequests } from "../../domain/fund-requests/queries.server.ts";
import {
	whyNotAsked,
	whyNotDecided,
	whyNotReopened,
	whyNotUndone,
} from "../../domain/fund-requests/refusals.ts";
import {
	effectiveAmount,
	MAX_BULK_SIZE,
	rejectionNote,
	requestNumber,
} from "../../domain/fund-requests/rules.ts";
import type { RequestSearch } from "../../domain/fund-requests/search.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { messagesOf, parseForm, seenMoment, textField } from "../../http/form.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { NAMED_TOASTS, TOASTS, type Toast, withReason } from "../../messages.ts";
import { rowId } from "../../values/fields.ts";
import { formatDollars } from "../../values/money.ts";
import { type RefusalAnswer, refused } from "../../values/outcome.ts";
import { formatRequests, unknownRequests } from "./bulk.server.ts";
import { addChanged, isBefore, listUrl } from "./recently-changed.ts";

/** The answer to a post of this screen, unless it redirects. */
export type FundRequestsAnswer = {
	readonly status: number;
	readonly toast: Toast;
	/** The form as typed, with its errors. */
	readonly form?: SubmissionResult;
	/** Which of the desk's forms that is. */
	readonly about?: "approve" | "reject" | "ask";
	/** The result for each request. */
	readonly results?: readonly string[];
	/** The numbers of the requests that it decided, which its toast undoes. */
	readonly decided?: readonly number[];
};

/** The state of the form's screen: its filters, and the rows kept in place. */
export type Place = {
	readonly view: RequestSearch;
	readonly changed: readonly number[];
	/** What its toast undoes. */
	readonly undoable: readonly number[];
	/** The request that is open beside the list. */
	readonly open: string | undefined;
};
type Answer = Promise<Response | FundRequestsAnswer>;

/** Where to continue after a request changed: at its row, or at the desk with the next one. */
function goOn({ view, changed, open }: Place, request: Changed, next?: string): string {
	const { id, number } = request;
	if (open === undefined) return `${listUrl(view, [number])}#request-${id}`;
	return listUrl(view, addChanged(changed, number), {
		undo: String(number),
		open: next || requestNumber(number),
	});
}
type Changed = { readonly id: string; readonly number: number };

/** A refusal shown in the toast. */
const failed = (toast: Toast, { status, message }: RefusalAnswer): FundRequestsAnswer => ({
	status,
	toast: withReason(toast, message),
});

const isBlank = (value: unknown) => typeof value === "string" && value.trim() === "";

/** Approves or rejects the dialog's request. */
export async function processAction(
	context: RequestContext,
	admin: AdminContext,
	place: Place,
): Answer {
	const submission = await parseForm(context, decisionForm);
	const about = submission.payload.status === "rejected" ? "reject" : "approve";
	const faulty = (form: SubmissionResult): FundRequestsAnswer => {
		const toast = withReason(TOASTS.requestUpdateFailed, messagesOf(form)[0]);
		return { status: 400, toast, form, about };
	};
	// A cleared amount isn't an approval in full; a dialog without that field is.
	const isWiped = (await context.form()).getAll("approvedAmount").some(isBlank);
	if (isWiped) {
		return faulty(submission.reply({ fieldErrors: { approvedAmount: [AMOUNT_TO_APPROVE] } }));
	}
	if (submission.status !== "success") return faulty(submission.reply());
	const { id, reason, ...decided } = submission.value;
	if (decided.status === "rejected") decided.adminNotes = rejectionNote(reason, decided.adminNotes);
	const outcome = decisionOutcome((await processRequests(admin, [id], decided)).decisions[0]);
	if (outcome.ok) {
		const next =
			parseRequestReference(await textField(context, "next")) && (await textField(context, "next"));
		const words = describeDecision(outcome.value);
		return seeOther(goOn(place, outcome.value.request, next), context.settings, [
			"requestDecided",
			words,
		]);
	}
	const answer = onForm(whyNotDecided(outcome, admin));
	if (answer.field)
		return faulty(submission.reply({ fieldErrors: { [answer.field]: [answer.message] } }));
	return failed(TOASTS.requestUpdateFailed, answer);
}

/** Asks about the dialog's request. */
export async function askAction(
	context: RequestContext,
	admin: AdminContext,
	place: Place,
): Answer {
	const submission = await parseForm(context, questionForm);
	if (submission.status !== "success") {
		return {
			status: 400,
			toast: withReason(TOASTS.questionFailed, messagesOf(submission)[0]),
			form: submission.reply(),
			about: "ask",
		};
	}
	const { id, ...question } = submission.value;
	const outcome = await writeAboutRequest(admin, id, question, "form");
	if (outcome.ok) {
		const asked = { id, number: outcome.value.number };
		return seeOther(goOn(place, asked), context.settings, "questionSent");
	}
	const answer = onForm(whyNotAsked(outcome, admin));
	return { ...failed(TOASTS.questionFailed, answer), form: submission.reply(), about: "ask" };
}

/** Reopens the dialog's request. */
export async function reopenAction(
	context: RequestContext,
	admin: AdminContext,
	place: Place,
): Answer {
	const submission = await parseForm(context, reopenRequestInput);
	if (submission.status !== "success") {
		return {
			status: 400,
			toast: withReason(TOASTS.requestReopenFailed, messagesOf(submission)[0]),
			form: submission.reply(),
		};
	}
	const { id, adminNotes } = submission.value;
	const outcome = await reopenRequest(admin, id, adminNotes, await seenMoment(context));
	if (!outcome.ok) {
		const answer = onForm(whyNotReopened(outcome, admin));
		return { ...failed(TOASTS.requestReopenFailed, answer), form: submission.reply() };
	}
	const { request, isUndone } = outcome.value;
	const toast = isUndone ? "requestUndone" : "requestReopened";
	return seeOther(goOn(place, request), context.settings, toast);
}

/** Approves every selected request that is still pending, and reports on the others. */
export async function bulkAction(
	context: RequestContext,
	admin: AdminContext,
	{ view }: Place,
): Answer {
	const parsed = v.safeParse(bulkApprovalInput, { ids: (await context.form()).getAll("ids") });
	if (!parsed.success) {
		const [{ type, message }] = parsed.issues;
		if (type === "non_empty") return { status: 400, toast: TOASTS.nothingSelected };
		throw refusal({ kind: "bad-request", message }, 400);
	}
	const named = parsed.output.ids;
	const ids = named.filter((id) => v.is(rowId, id));
	const { decisions, unknown } = await processRequests(admin, ids, {
		status: "approved",
		approvedAmount: undefined,
		adminNotes: undefined,
	});
	const approved = decisions.filter(({ result }) => result === "decided");
	const decided = approved.map(({ request }) => request.number);
	const figures = figuresOf(approved);
	if (approved.length === named.length)
		return seeOther(bulkResponse(view, approved), context.settings, ["requestsApproved", figures]);
	const count = `${approved.length} of ${named.length} approved`;
	return {
		status: approved.length > 0 ? 200 : 409,
		toast:
			approved.length > 0
				? NAMED_TOASTS.requestsApproved(figures)
				: withReason(TOASTS.requestUpdateFailed, `${count}.`),
		decided,
		results: [
			approved.length > 0 ? `${count}: ${numbersOf(approved)}.` : `${count}.`,
			...decisions
				.map(decisionOutcome)
				.flatMap((outcome) => (outcome.ok ? [] : [onForm(whyNotDecided(outcome, admin)).message])),
			...unknownRequests(unknown.length + named.length - ids.length),
		],
	};
}

const numbersOf = (decisions: readonly Decision[]) =>
	decisions.map(({ request }) => requestNumber(request.number)).join(", ");

/** `3 requests approved, $37.50 in total` */
const figuresOf = (decisions: readonly Decision[]) =>
	`${formatRequests(decisions.length)} approved, ${formatDollars(decisions.reduce((sum, { request }) => sum + effectiveAmount(request), 0))} in total`;

/** `FR-000012 approved, $37.50` */
const describeDecision = ({ request }: Pick<Decision, "request">) =>
	`${requestNumber(request.number)} ${request.status}, ${formatDollars(effectiveAmount(request))}`;

/** The list at the first of the changed rows. */
function bulkResponse(view: RequestSearch, decisions: readonly Decision[]): string {
	const [first] = decisions.toSorted((one, other) => (isBefore(view, one, other) ? -1 : 1));
	const numbers = decisions.map(({ request }) => request.number);
	return `${listUrl(view, numbers)}#request-${first?.request.id}`;
}

const notUndone = (admin: AdminContext, refusal: UndoRefusal): FundRequestsAnswer =>
	failed(TOASTS.requestUndoFailed, onForm(whyNotUndone(refusal, admin)));

/** Undoes the decision in a row's form. */
export async function undoAction(
	context: RequestContext,
	admin: AdminContext,
	place: Place,
): Answer {
	const submission = await parseForm(context, requestIdInput);
	const outcome =
		submission.status === "success"
			? await undoDecision(admin, submission.value.id, await seenMoment(context))
			: refused("not-found");
	if (!outcome.ok) return notUndone(admin, outcome);
	const { request } = outcome.value;
	const { view, changed, open } = place;
	const url =
		open === undefined
			? `${listUrl(view, addChanged(changed, request.number), { undo: String(request.number) })}#request-${request.id}`
			: goOn(place, request);
	return seeOther(url, context.settings, "requestUndone");
}

/** Undoes every decision in the toast. */
export async function undoChangedAction(
	context: RequestContext,
	admin: AdminContext,
	place: Place,
): Answer {
	const { view, undoable, changed, open } = place;
	const { rows } = await admin.db.batch({ rows: findRequests(admin.db.build, "number", undoable) });
	const ids = rows.map(({ request }) => request.id).slice(0, MAX_BULK_SIZE);
	const seen = await seenMoment(context);
	const results = await undoDecisions(admin, ids, seen);
	const undone = results.filter(({ isUndone }) => isUndone);
	const [first] = undone.toSorted((one, other) => (isBefore(view, one, other) ? -1 : 1));
	if (!first) {
		const isOther = results.some((row) => isDecidedSince(row, seen));
		return notUndone(admin, refused(isOther ? "decided-since" : "not-to-undo"));
	}
	const verb = undone.length === 1 ? "is" : "are";
	const url =
		open === undefined
			? `${listUrl(view, changed)}#request-${first.request.id}`
			: goOn(place, first.request);
	return seeOther(url, context.settings, [
		"requestsUndone",
		`${formatRequests(undone.length)} ${verb}`,
	]);
}
