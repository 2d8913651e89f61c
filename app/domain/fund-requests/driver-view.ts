/** A request as its driver sees it: text and dates instead of codes and moments. */

import { type CalendarDate, dateIn, formatDate, formatMoment } from "../../values/calendar-date.ts";
import { describeCapture } from "../../values/captured.ts";
import { formatDollars, toDecimal } from "../../values/money.ts";
import { describeThread } from "../messages/rules.ts";
import { receiptUrlOf } from "./input.ts";
import type { RequestWithPeople } from "./json.ts";
import { describePayment } from "./payment.ts";
import { questionBadge } from "./question-badge.ts";
import {
	askedNote,
	effectiveAmount,
	isLateRequest,
	requestNumber,
	STATUS_LABELS,
	STATUS_TONES,
	TYPE_LABELS,
} from "./rules.ts";

/** What a question calls the receipt. */
const RECEIPT_WORDS = /\b(receipt|invoice|photo|picture)s?\b/i;

type Row = RequestWithPeople & { readonly receipt: { readonly fileName: string } | null };

/** @param reader the fleet's time zone and today */
export function toRequestView(
	{ request, decider, receipt, thread, payout }: Row,
	{ timeZone, today }: { readonly timeZone: string; readonly today: CalendarDate },
) {
	const { id, status, receiptId, receiptName } = request;
	const isPending = status === "pending";
	const moment = (at: number) => formatMoment(timeZone, at);
	return {
		id,
		number: requestNumber(request.number),
		type: request.type,
		typeLabel: TYPE_LABELS[request.type],
		amount: toDecimal(request.amountCents),
		dollars: formatDollars(effectiveAmount(request)),
		/** The requested amount, if less was approved. */
		asked: askedNote(request),
		description: request.description,
		captured:
			request.capturedAt === null
				? undefined
				: describeCapture(timeZone, request.capturedAt, request.createdAt),
		spentOn: request.spentOn,
		spent: request.spentOn === null ? undefined : formatDate(request.spentOn),
		submittedOn: formatDate(dateIn(timeZone, request.createdAt)),
		status: STATUS_LABELS[status],
		tone: STATUS_TONES[status],
		isPossibleDuplicate: request.isPossibleDuplicate && isPending,
		isLate: isLateRequest(request) && isPending,
		/** `url` is absent if only a name is known: there is nothing to open. */
		receipt: receiptId
			? { name: receipt?.fileName ?? "Receipt", url: receiptUrlOf(receiptId) }
			: receiptName
				? { name: receiptName, url: undefined }
				: undefined,
		decision:
			decider && request.decidedAt !== null
				? {
						words: `${STATUS_LABELS[status]} by ${decider.firstName} ${decider.lastName} on ${moment(request.decidedAt)}`,
						note: request.adminNotes,
					}
				: undefined,
		question: questionBadge(request),
		thread: describeThread({ thread }, timeZone),
		/** Whether the last message asks for the receipt. */
		asksForReceipt: request.question === "asked" && RECEIPT_WORDS.test(thread?.at(-1)?.text ?? ""),
		/** The key of the answer form, if the driver may answer. */
		answerKey: isPending && request.question !== null ? crypto.randomUUID() : undefined,
		payment: describePayment(payout, today),
		statementUrl: payout?.status === "paid" ? `/history/payouts/${payout.id}.pdf` : undefined,
		isPending,
		takesReceipt: receiptId === null && (isPending || status === "approved"),
	};
}

export type RequestView = ReturnType<typeof toRequestView>;
