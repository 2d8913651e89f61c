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
import type { ExportedPayout, ExportedRequest } from "./exports.ts";
import { toLines } from "./json.ts";
import { STATUS_LABELS } from "./rules.ts";

const DRIVER_COLUMNS: readonly Column[] = [
	{ head: "Driver ID", kind: "text", width: 12 },
	{ head: "Driver", kind: "text", width: 36 },
	{ head: "Requests", kind: "number", width: 12 },
	{ head: "Amount", kind: "cents", width: 16 },
];
const REQUEST_COLUMNS: readonly Column[] = [
	{ head: "Request ID", kind: "text", width: 14 },
	{ head: "Date", kind: "date", width: 14 },
	{ head: "Type", kind: "text", width: 14 },
	{ head: "Description", kind: "text", width: 40 },
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

const payment = (paidOn: CalendarDate | null, reference: string | null) =>
	[
		["Paid on", paidOn ? formatDate(paidOn) : "not yet"],
		["Reference", reference ?? "none"],
	] as const;

const sumOf = (requests: readonly ExportedRequest[]) =>
	requests.reduce((sum, { amountCents }) => sum + amountCents, 0);

const APPROVAL = {
	statement: "I approve the payment of the amounts above.",
	lines: ["Name and signature", "Date"],
} as const;

/** The complete payout, with signature lines unless it's canceled. */
export function payoutDocument(payout: ExportedPayout, meta: ReportMeta): ReportDocument {
	const lines = toLines(payout.requests);
	const drivers: Section = {
		title: "Drivers",
		columns: DRIVER_COLUMNS,
		pages: () => [
			lines.map((line) => [
				line.driverIdCode ?? NO_CODE,
				nameCell(line),
				line.requests.length,
				line.amountCents,
			]),
		],
		totals: ([, , count = 0, cents = 0]) => ["Total", null, count, cents],
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
	return {
		...reportHeader(meta, `Payout ${payoutNumber(payout.number)}`, [
			["Status", STATUS_LABELS[payout.status]],
			...payment(payout.paidOn, payout.reference),
			["Total", formatDollars(sumOf(payout.requests))],
		]),
		sections: [drivers, requests],
		...(payout.status === "cancelled" ? {} : { signature: APPROVAL }),
	};
}

/** One driver's line. */
export function statementDocument(
	payout: ExportedPayout,
	driver: Person,
	meta: ReportMeta,
): ReportDocument {
	return {
		...reportHeader(meta, `Payout Statement ${payoutNumber(payout.number)}`, [
			["Driver", personFact(driver)],
			...payment(payout.paidOn, payout.reference),
			["Total", formatDollars(sumOf(payout.requests))],
		]),
		sections: [
			{
				title: "Requests",
				columns: REQUEST_COLUMNS,
				pages: () => [
					payout.requests
						.toSorted((one, other) => one.requestNumber - other.requestNumber)
						.map(requestCells),
				],
				totals: (sums) => ["Total", null, null, null, sums.at(-1) ?? 0],
				empty: "None of your requests are in this payout.",
			},
		],
	};
}
