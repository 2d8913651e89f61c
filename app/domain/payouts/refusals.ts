/** The messages when a payout isn't made or changed. */
import { formatDate, formatMoment } from "../../values/calendar-date.ts";
import { KEY_REUSED } from "../../values/fields.ts";
import { formatDollars } from "../../values/money.ts";
import { payoutNumber } from "../fund-requests/payment.ts";
import { requestNumber } from "../fund-requests/rules.ts";
import { describeStatus } from "../fund-requests/status-messages.ts";
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import { STATUS_LABELS as SETTLEMENT_LABELS } from "../settlements/rules.ts";
import type { Settlement } from "../settlements/settlement.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import type { CancelRefusal } from "./commands/cancel.server.ts";
import type { InTheWay, MakeRefusal } from "./commands/make.server.ts";
import type { PayRefusal } from "./commands/pay.server.ts";
import type { ReopenRefusal } from "./commands/reopen.server.ts";
import type { FullPayoutRow } from "./rows.server.ts";
import { countParts, STATUS_LABELS } from "./rules.ts";

/** How many requests and settlements a message names; the lists beside it have them all. */
const MAX_NAMED = 10;

const NO_SUCH_PAYOUT = {
	status: 404,
	message: "Payout not found",
	onForm: { message: "Payout not found." },
} as const;

/** `PO-000001 was paid by Ben Backup on Nov 21, 2026 at 2:05 PM.` */
export function describePayout({ payout, payer, canceller }: FullPayoutRow, timeZone: string) {
	const number = payoutNumber(payout.number);
	if (payout.status === "open") return `${number} is open.`;
	const person = payout.status === "paid" ? payer : canceller;
	const at = formatMoment(timeZone, payout.paidAt ?? payout.cancelledAt ?? payout.createdAt);
	return `${number} was ${STATUS_LABELS[payout.status].toLowerCase()} by ${person.firstName} ${person.lastName} on ${at}.`;
}

/** The requests that prevent a payout, each with the reason. */
function blocking({ requests, unknown }: InTheWay, timeZone: string) {
	return [
		...requests.map((row) => ({
			id: row.request.id,
			requestNumber: requestNumber(row.request.number),
			reason: describeStatus(row, timeZone),
		})),
		...unknown.map((id) => ({
			id,
			requestNumber: null,
			reason: "Fund request not found.",
		})),
	];
}

/** `ST-000001 is in PO-000003.`, or why else it can't be paid. */
function describeSettlement({ number, status, payout, payableCents }: Settlement): string {
	const name = settlementNumber(number);
	if (payout) return `${name} is in ${payoutNumber(payout.number)}.`;
	if (status === "published" && payableCents <= 0) return `${name} has nothing to pay.`;
	return `${name} is ${status === "draft" ? "a draft" : SETTLEMENT_LABELS[status].toLowerCase()}.`;
}

/** The settlements that prevent a payout, each with the reason. */
const blockingWeeks = ({ settlements, unknownSettlements }: InTheWay) => [
	...settlements.map((each) => ({
		id: each.id,
		number: settlementNumber(each.number),
		reason: describeSettlement(each),
	})),
	...unknownSettlements.map((id) => ({ id, number: null, reason: "Settlement not found." })),
];

export const whyNotMade = answersIn<ReasonsOf<MakeRefusal>>({
	"key-reused": () => ({
		status: 422,
		message: KEY_REUSED,
		onForm: {
			status: 409,
			message:
				"This form already created a different payout. Select the button again to create this one.",
		},
	}),
	"no-such-driver": () => ({
		status: 400,
		message: "Driver not found",
		field: "driverId",
	}),
	"nothing-unpaid": () => ({
		status: 409,
		message: "Nothing is approved and unpaid, so there is nothing to pay.",
	}),
	changed: ({ cents, ...found }) => ({
		status: 409,
		message: `What's unpaid has changed: now it's ${countParts(found)}, ${formatDollars(cents)}. Nothing was created. Check the list, then select the button again.`,
	}),
	"in-the-way": (details, { timeZone }) => {
		const requests = blocking(details, timeZone);
		const settlements = blockingWeeks(details);
		const list = [...requests, ...settlements];
		const named = [...new Set(list.slice(0, MAX_NAMED).map(({ reason }) => reason))].join(" ");
		const more = list.length > MAX_NAMED ? ` And ${list.length - MAX_NAMED} more.` : "";
		return {
			status: 409,
			message: `No payout was created: ${list.length} of ${details.asked} can't be paid. ${named}${more}`,
			requests,
			...(settlements.length > 0 ? { settlements } : {}),
		};
	},
});

export const whyNotPaid = answersIn<ReasonsOf<PayRefusal>>({
	"not-found": () => NO_SUCH_PAYOUT,
	"not-open": (row, { timeZone }) => ({ status: 409, message: describePayout(row, timeZone) }),
	"own-line": ({ payout }) => ({
		status: 409,
		message: `${payoutNumber(payout.number)} includes your own ${payout.settlementCount > 0 ? "requests or settlements" : "requests"}. Another administrator has to mark it as paid.`,
	}),
	"too-early": ({ newestOn, isWeek }) => ({
		status: 400,
		message: isWeek
			? `It can't be paid before the last day of its latest week, ${formatDate(newestOn)}`
			: `It can't be paid before its newest request, of ${formatDate(newestOn)}`,
		field: "paidOn",
	}),
});

export const whyNotCancelled = answersIn<ReasonsOf<CancelRefusal>>({
	"not-found": () => NO_SUCH_PAYOUT,
	"not-open": (row, { timeZone }) => ({ status: 409, message: describePayout(row, timeZone) }),
});

export const whyNotReopened = answersIn<ReasonsOf<ReopenRefusal>>({
	"not-found": () => NO_SUCH_PAYOUT,
	"not-paid": (row, { timeZone }) => ({ status: 409, message: describePayout(row, timeZone) }),
	"paid-since": ({ payout }) => ({
		status: 409,
		message: `${payoutNumber(payout.number)} was paid again since this page was opened. Nothing was changed.`,
	}),
	"reason-needed": () => ({
		status: 400,
		message: "Give a reason: its drivers will get it by email",
		field: "reason",
	}),
	told: () => ({
		status: 409,
		message: "It can no longer be reopened silently: the reason is emailed to its drivers",
		field: "reason",
	}),
});

/** Why a canceled payout has no bills. */
export const nothingToBill = (number: number) => ({
	status: 409,
	message: `${payoutNumber(number)} is canceled, so there is nothing to bill.`,
});
