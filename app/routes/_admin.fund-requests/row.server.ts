/** A request as this screen shows it, with all texts. */
import type { AdminContext } from "../../domain/context.ts";
import type { DuplicateReceipt, ListedRequest } from "../../domain/fund-requests/queries.server.ts";
import {
	askedNote,
	effectiveAmount,
	isUndoable,
	RECEIPT_EXPECTED_ABOVE_CENTS,
	requestNumber,
	SHORT_TYPE_LABELS,
	STATUS_LABELS,
	STATUS_TONES,
} from "../../domain/fund-requests/rules.ts";
import { describeStatus } from "../../domain/fund-requests/status-messages.ts";
import { describeThread, questionBadge } from "../../domain/fund-requests/thread.ts";
import { describePayment, payoutNumber } from "../../domain/payouts/rules.ts";
import { formatDriverCode } from "../../domain/users/rules.ts";
import { dateIn, formatDate } from "../../values/calendar-date.ts";
import { formatDollars, toDecimal } from "../../values/money.ts";

export function toRequestView(
	{ twin, ...row }: Omit<ListedRequest, "twin"> & { twin?: DuplicateReceipt | null },
	admin: AdminContext,
) {
	const { request, driver, receipt } = row;
	const { user, now, timeZone } = admin;
	const code = formatDriverCode(driver.driverNumber);
	return {
		id: request.id,
		number: requestNumber(request.number),
		driverId: request.driverId,
		driver: code ? `Driver ${code}` : "Driver",
		name: `${driver.firstName} ${driver.lastName}`,
		type: SHORT_TYPE_LABELS[request.type],
		amount: formatDollars(effectiveAmount(request)),
		/** For the running total of the selected rows. */
		cents: effectiveAmount(request),
		/** The requested amount, if less was approved. */
		asked: askedNote(request),
		/** The initial value of the approval's field. */
		askedAmount: toDecimal(request.amountCents),
		date: formatDate(dateIn(timeZone, request.createdAt)),
		status: STATUS_LABELS[request.status],
		tone: STATUS_TONES[request.status],
		description: request.description,
		isPending: request.status === "pending",
		isOwn: request.driverId === user.id,
		question: questionBadge(request),
		thread: describeThread(row, timeZone),
		/** A request in a payout keeps its decision. */
		isUndoable: row.payout === null && isUndoable(request, user.id, now),
		/** Its own decider undoes it instead, while they can. */
		isReopenable:
			row.payout === null &&
			(request.status === "approved" || request.status === "rejected") &&
			request.driverId !== user.id &&
			!isUndoable(request, user.id, now),
		/** Who decided it and when, for a request that isn't pending. */
		standing: describeStatus(row, timeZone),
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
		isPossibleDuplicate: request.isPossibleDuplicate,
		hasNoReceipt: request.receiptId === null && request.amountCents > RECEIPT_EXPECTED_ABOVE_CENTS,
		payout: row.payout && {
			id: row.payout.id,
			words: describePayment(row.payout, admin.today) ?? `In ${payoutNumber(row.payout.number)}`,
		},
		twin: twin ? { id: twin.id, number: requestNumber(twin.number) } : null,
	};
}

export type RequestView = ReturnType<typeof toRequestView>;
