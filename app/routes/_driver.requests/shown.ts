/** A request as its driver sees it: words and dates instead of codes and moments. */
import { receiptUrlOf } from "../../domain/fund-requests/input.ts";
import type { RequestWithPeople } from "../../domain/fund-requests/json.ts";
import { requestNumber, STATUS_LABELS, STATUS_TONES, TYPE_LABELS } from "../../domain/fund-requests/rules.ts";
import { dateIn, showDate, showTime } from "../../values/calendar-date.ts";
import { capturedWords } from "../../values/captured.ts";
import { decimalOf, dollars } from "../../values/money.ts";

type Row = RequestWithPeople & { readonly receipt: { readonly fileName: string } | null };

/** @param timeZone the fleet's */
export function shownRequest({ request, decider, receipt }: Row, timeZone: string) {
	const { id, status, receiptId, receiptName } = request;
	const isPending = status === "pending";
	const moment = (at: number) => `${showDate(dateIn(timeZone, at))} at ${showTime(timeZone, at)}`;
	return {
		id,
		number: requestNumber(request.number),
		type: request.type,
		typeLabel: TYPE_LABELS[request.type],
		amount: decimalOf(request.amountCents),
		dollars: dollars(request.amountCents),
		description: request.description,
		captured: request.capturedAt === null ? undefined : capturedWords(timeZone, request.capturedAt, request.createdAt),
		submittedOn: showDate(dateIn(timeZone, request.createdAt)),
		status: STATUS_LABELS[status],
		tone: STATUS_TONES[status],
		isPossibleDuplicate: request.isPossibleDuplicate && isPending,
		/** `url` is absent when only a name is known: there is nothing to open. */
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
		isPending,
		takesReceipt: receiptId === null && (isPending || status === "approved"),
	};
}

export type ShownRequest = ReturnType<typeof shownRequest>;
