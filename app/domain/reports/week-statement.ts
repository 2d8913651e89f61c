/** A driver's published week as a document: its lines, and what the platforms' statements say. */
import { formatDate } from "../../values/calendar-date.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";
import type { Terms } from "../agreements/rules.ts";
import { describeAgreement } from "../agreements/sentence.ts";
import { payoutNumber } from "../fund-requests/payment.ts";
import type { OwnMoney } from "../settlements/own.server.ts";
import { statementTotals } from "../settlements/own-week.ts";
import { STATUS_LABELS } from "../settlements/rules.ts";
import type { Settlement } from "../settlements/settlement.ts";
import { NOT_WORKED_OUT, showLines } from "../settlements/shown.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import type { Column, ReportDocument, Section } from "./document.ts";
import { type Person, personFact, type ReportMeta, reportHeader } from "./figures.ts";

const LINE_COLUMNS: readonly Column[] = [
	{ head: "Line", kind: "text", width: 52 },
	{ head: "Platform", kind: "text", width: 14 },
	{ head: "Amount", kind: "cents", width: 16 },
];
const MONEY_COLUMNS: readonly Column[] = [
	{ head: "Platform", kind: "text", width: 14 },
	{ head: "What", kind: "text", width: 52 },
	{ head: "Amount", kind: "cents", width: 16 },
];

function linesOf(settlement: Settlement, terms: Terms | undefined): Section {
	const { lines, carriedInCents } = settlement;
	const agreed = terms ? `${describeAgreement("The driver", terms)} ` : "";
	const shown = showLines(lines, () => undefined);
	return {
		title: "Lines",
		note: `${agreed}${NOT_WORKED_OUT}`,
		columns: LINE_COLUMNS,
		pages: () => [
			[
				...(carriedInCents === 0
					? []
					: [["Carried in from earlier weeks", null, carriedInCents] as const]),
				...lines.map(
					({ cents }, place) =>
						[shown[place]?.text ?? "", shown[place]?.platform ?? null, cents] as const,
				),
			],
		],
		totals: ([, , cents = 0]) => ["Result", null, cents],
		empty: "Nothing was due.",
	};
}

/** What the statements say today, with their own totals. */
function moneyOf(money: readonly OwnMoney[]): Section {
	const totals = statementTotals(money);
	const proofs = totals.map(
		({ platform, totalCents, proof }) => `${platform}: ${formatDollars(totalCents)}. ${proof}`,
	);
	return {
		title: "What the statements say",
		note: [...proofs, "As the fleet's books had it when this was generated."].join(" "),
		columns: MONEY_COLUMNS,
		pages: () => [
			totals.flatMap(({ platform, amounts }) =>
				amounts.map(({ label, cents }) => [platform, label, cents] as const),
			),
		],
		totals: ([, , cents = 0]) => ["Total", null, cents],
		empty: "No statement has money for this week.",
	};
}

/** The week's statement for its driver. */
export function weekDocument(
	settlement: Settlement,
	money: readonly OwnMoney[],
	terms: Terms | undefined,
	driver: Person,
	meta: ReportMeta,
): ReportDocument {
	const { number, week, status, payout, payableCents, carriedOutCents } = settlement;
	const paid =
		payout?.status === "paid" && payout.paidOn
			? `${formatDate(payout.paidOn)}, in payout ${payoutNumber(payout.number)}`
			: "not yet";
	return {
		...reportHeader(meta, `Week ${settlementNumber(number)}`, [
			["Driver", personFact(driver)],
			["Week", formatPeriod(week)],
			["Status", STATUS_LABELS[status]],
			["Payable", formatDollars(payableCents)],
			carriedOutCents === 0
				? ["Paid on", payableCents === 0 ? "nothing to pay" : paid]
				: ["Carried out to the next week", formatDollars(carriedOutCents)],
		]),
		sections: [linesOf(settlement, terms), moneyOf(money)],
	};
}
