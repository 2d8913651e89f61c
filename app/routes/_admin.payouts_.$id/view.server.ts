/** What the page of one payout shows: its lines with their requests, and its actions. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../../auth/guard.server.ts";
import { payoutNumber } from "../../domain/fund-requests/payment.ts";
import { requestNumber, SHORT_TYPE_LABELS } from "../../domain/fund-requests/rules.ts";
import {
	billNumber,
	EXPORT_LABELS,
	exportFormatsOf,
	lastDayOf,
	weekOf,
} from "../../domain/payouts/exports.ts";
import { toLines } from "../../domain/payouts/json.ts";
import {
	findPayout,
	listBilledBefore,
	selectPaidRequests,
} from "../../domain/payouts/queries.server.ts";
import { describePayout } from "../../domain/payouts/refusals.ts";
import type { FullPayoutRow } from "../../domain/payouts/rows.server.ts";
import { countParts, isUndoable, STATUS_LABELS, STATUS_TONES } from "../../domain/payouts/rules.ts";
import { displayName, NO_CODE } from "../../domain/people/rules.ts";
import { settlementNumber } from "../../domain/statements/settlement-week.ts";
import { refusal } from "../../http/refusal.ts";
import { toViewer } from "../../ui/viewer.ts";
import { formatDate, formatMoment } from "../../values/calendar-date.ts";
import { formatDollars } from "../../values/money.ts";

const DIALOGS = ["cancel", "reopen"] as const;

/** Everything the page shows, in one trip to the database. */
export async function payoutView(args: LoaderFunctionArgs) {
	const id = args.params.id ?? "";
	const asked = new URL(args.request.url).searchParams.get("dialog");
	const { reader, found, requests, billedBefore } = await requireReader(args, ({ build }) => ({
		found: findPayout(build, id),
		requests: selectPaidRequests(build, id),
		billedBefore: listBilledBefore(build, id),
	}));
	const [row] = found;
	if (!row) throw refusal({ kind: "not-found" }, 404);
	const { payout, creator, settlements } = row;
	const { status } = payout;
	const dialog = DIALOGS.find(
		(name) => name === asked && status === (name === "cancel" ? "open" : "paid"),
	);
	/** A payout's bills that are in the fleet's books if they were imported. */
	const downloadedBills = ({ payout, billsDownloadedAt, ...parts }: FullPayoutRow) =>
		billsDownloadedAt === null
			? undefined
			: {
					payout: payoutNumber(payout.number),
					downloadedAt: formatMoment(reader.timeZone, billsDownloadedAt),
					bills: toLines(parts).map((line) => billNumber(payout, line)),
				};
	const isOwn = [...requests, ...settlements].some(({ driverId }) => driverId === reader.user.id);
	const parts = {
		requests: payout.requestCount - payout.settlementCount,
		settlements: payout.settlementCount,
	};
	return {
		viewer: toViewer(reader),
		today: reader.today,
		/** The latest of its requests' dates and its weeks' last days: it can't have been paid earlier. */
		newestOn: [
			...requests.map(({ requestedOn }) => requestedOn),
			...settlements.map(lastDayOf),
		].reduce((newest, day) => (day > newest ? day : newest), ""),
		id,
		number: payoutNumber(payout.number),
		status,
		statusLabel: STATUS_LABELS[status],
		tone: STATUS_TONES[status],
		total: formatDollars(payout.totalCents),
		drivers: payout.driverCount,
		...parts,
		/** `3 requests and 1 settlement` */
		parts: countParts(parts),
		made: `Created by ${displayName({ ...creator, email: null })} on ${formatMoment(reader.timeZone, payout.createdAt)}`,
		/** Who paid or cancelled it, and when. */
		statusSentence: status === "open" ? undefined : describePayout(row, reader.timeZone),
		paidOn: payout.paidOn && formatDate(payout.paidOn),
		reference: payout.reference,
		/** Tells its payment from a later one. */
		paidAt: String(payout.paidAt ?? ""),
		/** Someone else has to pay it. */
		isOwn,
		isUndoable: status === "paid" && isUndoable(payout, reader.user.id, reader.now),
		dialog,
		/** What a cancellation leaves in the books: this payout's bills, if they were downloaded. */
		ownBills: downloadedBills(row),
		/** The canceled payouts' bills to be voided because of this page's requests. */
		billsToVoid: [...billedBefore, ...(status === "cancelled" ? [row] : [])].flatMap(
			(each) => downloadedBills(each) ?? [],
		),
		lines: toLines({ requests, settlements }).map((line) => ({
			id: line.driverId,
			code: line.driverIdCode ?? NO_CODE,
			name: line.name,
			amount: formatDollars(line.amountCents),
			requests: line.requests.map((request) => ({
				id: request.requestId,
				number: requestNumber(request.requestNumber),
				type: SHORT_TYPE_LABELS[request.type],
				description: request.description,
				date: formatDate(request.requestedOn),
				amount: formatDollars(request.amountCents),
			})),
			settlements: line.settlements.map((settlement) => ({
				id: settlement.settlementId,
				number: settlementNumber(settlement.settlementNumber),
				week: weekOf(settlement),
				amount: formatDollars(settlement.amountCents),
			})),
		})),
		exports: exportFormatsOf(status).map((format) => ({
			href: `/payouts/${id}/export.csv?format=${format}`,
			label: EXPORT_LABELS[format],
		})),
	};
}

export type PayoutData = Awaited<ReturnType<typeof payoutView>>;
