/** A payout as a document: a complete one to sign, and one driver's statement. */
import { type CalendarDate, formatDate } from "../../values/calendar-date.ts";
import { formatDollars } from "../../values/money.ts";
import { payoutNumber } from "../fund-requests/payment.ts";
import { requestNumber, SHORT_TYPE_LABELS } from "../fund-requests/rules.ts";
import { formatDriverCode, NO_CODE } from "../people/rules.ts";
import {
	type Column,
	type ReportDocument,
	type Row,
	type Section,
	typedCell,
} from "../reports/document.ts";
import { type Person, personFact, type ReportMeta, reportHeader } from "../reports/figures.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import { type ExportedPayout, type ExportedRequest, weekOf } from "./exports.ts";
import { type PaidSettlement, sumOf, toLines } from "./json.ts";
import { STATUS_LABELS } from "./rules.ts";

const DRIVER_COLUMNS: readonly Column[] = [
	{ head: "Driver ID", kind: "text", width: 12 },
	{ head: "Driver", kind: "text", width: 36 },
	{ head: "Requests", kind: "number", width: 12 },
	{ head: "Settlements", kind: "number", width: 12 },
	{ head: "Amount", kind: "cents", width: 16 },
];
const REQUEST_COLUMNS: readonly Column[] = [
	{ head: "Request ID", kind: "text", width: 14 },
	{ head: "Date", kind: "date", width: 14 },
	{ head: "Type", kind: "text", width: 14 },
	{ head: "Description", kind: "text", width: 40 },
	{ head: "Amount", kind: "cents", width: 14 },
];

const SETTLEMENT_COLUMNS: readonly Column[] = [
	{ head: "Settlement", kind: "text", width: 14 },
	{ head: "Week", kind: "text", width: 30 },
	{ head: "Amount", kind: "cents", width: 14 },
];

const nameCell = ({ name, driverIdCode }: { name: string; driverIdCode: string | null }) =>
	typedCell(name, driverIdCode);
const requestCells = (request: ExportedRequest): Row => [
	requestNumber(request.requestNumber),
	request.requestedOn,
	SHORT_TYPE_LABELS[request.type],
	typedCell(request.description, formatDriverCode(request.driverNumber)),
	request.amountCents,
];

const settlementCells = (settlement: PaidSettlement): Row => [
	settlementNumber(settlement.settlementNumber),
	weekOf(settlement),
	settlement.amountCents,
];

const payment = (paidOn: CalendarDate | null, reference: string | null) =>
	[
		["Paid on", paidOn ? formatDate(paidOn) : "not yet"],
		["Reference", reference ?? "none"],
	] as const;

const totalOf = ({ requests, settlements }: ExportedPayout) => sumOf(requests) + sumOf(settlements);

const APPROVAL = {
	statement: "I approve the payment of the amounts above.",
	lines: ["Name and signature", "Date"],
} as const;

/** The section of each kind that the payout has; the requests' if it has neither. */
const filledOf = (payout: ExportedPayout, requests: Section, settlements: Section) => [
	...(payout.requests.length > 0 || payout.settlements.length === 0 ? [requests] : []),
	...(payout.settlements.length > 0 ? [settlements] : []),
];

/** The complete payout, with signature lines unless it's canceled. */
export function payoutDocument(payout: ExportedPayout, meta: ReportMeta): ReportDocument {
	const lines = toLines(payout);
	const hasSettlements = payout.settlements.length > 0;
	const drivers: Section = {
		title: "Drivers",
		columns: DRIVER_COLUMNS.filter(({ head }) => hasSettlements || head !== "Settlements"),
		pages: () => [
			lines.map((line) => [
				line.driverIdCode ?? NO_CODE,
				nameCell(line),
				line.requests.length,
				...(hasSettlements ? [line.settlements.length] : []),
				line.amountCents,
			]),
		],
		totals: ([, , ...sums]) => ["Total", null, ...sums.map((sum) => sum ?? 0)],
		empty: "This payout is empty.",
	};
	const requests: Section = {
		title: "Requests",
		columns: [{ head: "Driver", kind: "text", width: 30 }, ...REQUEST_COLUMNS],
		pages: () => [
			lines.flatMap((line) => line.requests.map((each) => [nameCell(line), ...requestCells(each)])),
		],
		totals: (sums) => ["Total", null, null, null, null, sums.at(-1) ?? 0],
		group: { columns: 1 },
		empty: "This payout is empty.",
	};
	const settlements: Section = {
		title: "Settlements",
		columns: [{ head: "Driver", kind: "text", width: 30 }, ...SETTLEMENT_COLUMNS],
		pages: () => [
			lines.flatMap((line) =>
				line.settlements.map((each) => [nameCell(line), ...settlementCells(each)]),
			),
		],
		totals: (sums) => ["Total", null, null, sums.at(-1) ?? 0],
		group: { columns: 1 },
		empty: "This payout is empty.",
	};
	return {
		...reportHeader(meta, `Payout ${payoutNumber(payout.number)}`, [
			["Status", STATUS_LABELS[payout.status]],
			// A canceled payout will never be paid.
			...(payout.status === "cancelled" ? [] : payment(payout.paidOn, payout.reference)),
			["Total", formatDollars(totalOf(payout))],
		]),
		sections: [drivers, ...filledOf(payout, requests, settlements)],
		...(payout.status === "cancelled" ? {} : { signature: APPROVAL }),
	};
}

const ownSettlements = (settlements: readonly PaidSettlement[]): Section => ({
	title: "Settlements",
	columns: SETTLEMENT_COLUMNS,
	pages: () => [
		settlements
			.toSorted((one, other) => one.settlementNumber - other.settlementNumber)
			.map(settlementCells),
	],
	totals: (sums) => ["Total", null, sums.at(-1) ?? 0],
	empty: "None of your settlements are in this payout.",
});

/** One driver's line. */
export function statementDocument(
	payout: ExportedPayout,
	driver: Person,
	meta: ReportMeta,
): ReportDocument {
	const requests: Section = {
		title: "Requests",
		columns: REQUEST_COLUMNS,
		pages: () => [
			payout.requests
				.toSorted((one, other) => one.requestNumber - other.requestNumber)
				.map(requestCells),
		],
		totals: (sums) => ["Total", null, null, null, sums.at(-1) ?? 0],
		empty: "None of your requests are in this payout.",
	};
	return {
		...reportHeader(meta, `Payout Statement ${payoutNumber(payout.number)}`, [
			["Driver", personFact(driver)],
			...payment(payout.paidOn, payout.reference),
			["Total", formatDollars(totalOf(payout))],
		]),
		sections: filledOf(payout, requests, ownSettlements(payout.settlements)),
	};
}
