/** Requests as this screen shows them, with all texts. */

import { describePaid, describePayment, payoutNumber } from "../../domain/fund-requests/payment.ts";
import type {
	DuplicateReceipt,
	ListedRequest,
	RequestRow,
} from "../../domain/fund-requests/queries.server.ts";
import { questionBadge } from "../../domain/fund-requests/question-badge.ts";
import {
	askedNote,
	effectiveAmount,
	isLateRequest,
	isUndoable,
	RECEIPT_EXPECTED_ABOVE_CENTS,
	requestNumber,
	SHORT_TYPE_LABELS,
	STATUS_LABELS,
	STATUS_TONES,
} from "../../domain/fund-requests/rules.ts";
import { describeStatus } from "../../domain/fund-requests/status-messages.ts";
import type { ReaderContext } from "../../domain/kernel/context.ts";
import { describeThread } from "../../domain/messages/rules.ts";
import { shownDriverCode } from "../../domain/people/rules.ts";
import { isAllowed } from "../../routing/routes.ts";
import { dateIn, formatDate, formatRecentDay } from "../../values/calendar-date.ts";
import { formatDollars, toDecimal } from "../../values/money.ts";

/** Not read for a dialog, which shows no flags. */
type ReadFlags = { readonly twin?: DuplicateReceipt | null; readonly isPaidByMile?: boolean };
type Row = Omit<RequestRow, keyof ReadFlags> & ReadFlags;
type Opened = Omit<ListedRequest, keyof ReadFlags> & ReadFlags;

/** A request as a row of the list. */
export function toRowView(row: Row, reader: ReaderContext) {
	const { request, driver, payout, twin, isPaidByMile = false } = row;
	const { user, now, timeZone, today } = reader;
	const askedOn = dateIn(timeZone, request.createdAt);
	return {
		id: request.id,
		number: requestNumber(request.number),
		driverId: request.driverId,
		driver: `Driver ${shownDriverCode(driver.driverNumber)}`,
		name: `${driver.firstName} ${driver.lastName}`,
		type: SHORT_TYPE_LABELS[request.type],
		description: request.description,
		amount: formatDollars(effectiveAmount(request)),
		/** For the running total of the selected rows. */
		cents: effectiveAmount(request),
		/** The requested amount, if less was approved. */
		asked: askedNote(request),
		date: formatDate(askedOn),
		/** For the list, which leaves out this year except on paper. */
		day: formatRecentDay(askedOn, today),
		status: STATUS_LABELS[request.status],
		tone: STATUS_TONES[request.status],
		isPending: request.status === "pending",
		isOwn: request.driverId === user.id,
		question: questionBadge(request),
		/** Tells its decision from a later one. */
		decidedAt: request.decidedAt,
		/** A request in a payout keeps its decision. */
		isUndoable: payout === null && isUndoable(request, user.id, now),
		/** A file, or only its name. */
		hasReceipt: request.receiptId !== null || request.receiptName !== null,
		isPossibleDuplicate: request.isPossibleDuplicate,
		isLate: isLateRequest(request),
		isPaidByMile,
		hasNoReceipt: request.receiptId === null && request.amountCents > RECEIPT_EXPECTED_ABOVE_CENTS,
		payout: payout && {
			id: payout.id,
			number: payoutNumber(payout.number),
			state: describePaid(payout, today) ?? "In payout",
			words: describePayment(payout, today) ?? `In ${payoutNumber(payout.number)}`,
		},
		isUnpaid: request.status === "approved" && payout === null,
		twin: twin ? { id: twin.id, number: requestNumber(twin.number) } : null,
	};
}

export type RowView = ReturnType<typeof toRowView>;

/** Whether it has a flag, which an administrator should see before approving it. */
export const isToCheck = (row: RowView): boolean =>
	row.isPossibleDuplicate ||
	row.isLate ||
	row.isPaidByMile ||
	row.hasNoReceipt ||
	row.twin !== null;

/** An opened request. */
export function toRequestView(row: Opened, reader: ReaderContext) {
	const { request, receipt } = row;
	const { timeZone } = reader;
	const shown = toRowView(row, reader);
	return {
		...shown,
		/** The initial value of the approval's field. */
		askedAmount: toDecimal(request.amountCents),
		spentOn: request.spentOn === null ? undefined : formatDate(request.spentOn),
		thread: describeThread(row, timeZone),
		/** Its own decider undoes it instead, while they can. */
		isReopenable:
			isAllowed(reader.role, "POST", "/fund-requests") &&
			row.payout === null &&
			(request.status === "approved" || request.status === "rejected") &&
			!shown.isOwn &&
			!shown.isUndoable,
		/** Who decided it and when, for a request that isn't pending. */
		statusSentence: describeStatus(row, timeZone),
		adminNotes: request.adminNotes,
		file:
			receipt && request.receiptId
				? {
						id: request.receiptId,
						name: receipt.fileName,
						isPdf: receipt.mediaType === "application/pdf",
					}
				: null,
		/** A receipt sent as a bare name, with nothing to open. */
		receiptName: request.receiptName,
	};
}

export type RequestView = ReturnType<typeof toRequestView>;
