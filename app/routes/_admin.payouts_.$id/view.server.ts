/** What the page of one payout shows: its lines with their requests, and its actions. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { requestNumber, SHORT_TYPE_LABELS } from "../../domain/fund-requests/rules.ts";
import { showMoment } from "../../domain/fund-requests/status-messages.ts";
import { EXPORT_LABELS, exportFormatsOf } from "../../domain/payouts/exports.ts";
import { toLines } from "../../domain/payouts/json.ts";
import { findPayout, selectPaidRequests } from "../../domain/payouts/queries.server.ts";
import { describePayout } from "../../domain/payouts/refusals.ts";
import {
	isUndoable,
	payoutNumber,
	STATUS_LABELS,
	STATUS_TONES,
} from "../../domain/payouts/rules.ts";
import { displayName } from "../../domain/users/rules.ts";
import { refusal } from "../../http/refusal.ts";
import { toViewer } from "../../ui/viewer.ts";
import { formatDate } from "../../values/calendar-date.ts";
import { formatDollars } from "../../values/money.ts";

const DIALOGS = ["cancel", "reopen"] as const;

/** Everything the page shows, in one trip to the database. */
export async function payoutView(args: LoaderFunctionArgs) {
	const id = args.params.id ?? "";
	const asked = new URL(args.request.url).searchParams.get("dialog");
	const { admin, found, requests } = await requireAdmin(args, ({ build }) => ({
		found: findPayout(build, id),
		requests: selectPaidRequests(build, id),
	}));
	const [row] = found;
	if (!row) throw refusal({ kind: "not-found" }, 404);
	const { payout, creator } = row;
	const { status } = payout;
	const dialog = DIALOGS.find(
		(name) => name === asked && status === (name === "cancel" ? "open" : "paid"),
	);
	const isOwn = requests.some(({ driverId }) => driverId === admin.user.id);
	return {
		viewer: toViewer(admin),
		today: admin.today,
		id,
		number: payoutNumber(payout.number),
		status,
		statusLabel: STATUS_LABELS[status],
		tone: STATUS_TONES[status],
		total: formatDollars(payout.totalCents),
		drivers: payout.driverCount,
		requests: payout.requestCount,
		made: `Created by ${displayName({ ...creator, email: null })} on ${showMoment(admin.timeZone, payout.createdAt)}`,
		/** Who paid or cancelled it, and when. */
		statusSentence: status === "open" ? undefined : describePayout(row, admin.timeZone),
		paidOn: payout.paidOn && formatDate(payout.paidOn),
		reference: payout.reference,
		/** Someone else has to pay it. */
		isOwn,
		isUndoable: status === "paid" && isUndoable(payout, admin.user.id, admin.now),
		dialog,
		lines: toLines(requests).map((line) => ({
			id: line.driverId,
			code: line.driverIdCode,
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
		})),
		exports: exportFormatsOf(status).map((format) => ({
			href: `/payouts/${id}/export.csv?format=${format}`,
			label: EXPORT_LABELS[format],
		})),
	};
}

export type PayoutData = Awaited<ReturnType<typeof payoutView>>;
