/** A payout's export files: their columns, and a row for each line or request. */

import { addDays, type CalendarDate } from "../../values/calendar-date.ts";
import type { CsvCell } from "../../values/csv.ts";
import { toDecimal } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";
import { type PayoutStatus, payoutNumber } from "../fund-requests/payment.ts";
import { type RequestType, requestNumber, SHORT_TYPE_LABELS } from "../fund-requests/rules.ts";
import type { FleetSettings } from "../kernel/fleet-settings.ts";
import { NO_CODE, shownDriverCode } from "../people/rules.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import {
	type PaidParts,
	type PaidRequest,
	type PaidSettlement,
	type PayoutLine,
	toLines,
} from "./json.ts";
import { BILL_FORMATS, STATUS_LABELS } from "./rules.ts";

/** A request of a payout, as the files need it. */
export type ExportedRequest = PaidRequest & {
	readonly type: RequestType;
	readonly description: string;
	readonly requestedOn: CalendarDate;
};
/** A payout with its requests and settlements. */
export type ExportedPayout = PaidParts<ExportedRequest> & {
	readonly number: number;
	readonly status: PayoutStatus;
	readonly paidOn: CalendarDate | null;
	readonly reference: string | null;
	/** The date it was made, in the fleet's time zone. */
	readonly madeOn: CalendarDate;
};

export const EXPORT_FORMATS = ["drivers", "requests", "xero", "quickbooks"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
const BILLS: ReadonlySet<ExportFormat> = new Set(BILL_FORMATS);
/**
 * The files that a payout has. A canceled one has no bills: its requests are billed with their next
 * payout.
 */
export const exportFormatsOf = (status: PayoutStatus): readonly ExportFormat[] =>
	EXPORT_FORMATS.filter((format) => status !== "cancelled" || !BILLS.has(format));
/** The label of a file's link. */
export const EXPORT_LABELS: Readonly<Record<ExportFormat, string>> = {
	drivers: "By driver",
	requests: "By request",
	xero: "Xero bills",
	quickbooks: "QuickBooks bills",
};

type Line = PayoutLine<ExportedRequest>;
type Export = {
	readonly head: readonly string[];
	readonly rows: (
		payout: ExportedPayout,
		codes: Pick<
			FleetSettings,
			"accountCode" | "settlementAccountCode" | "taxType" | "quickbooksTaxCode"
		>,
	) => CsvCell[][];
	/** Accounting programs would read the mark as part of the first column's name. */
	readonly hasByteOrderMark: boolean;
};

/** The name of a file of a payout. */
export const exportFileName = (number: number, format: ExportFormat) =>
	`payout-${payoutNumber(number)}-${format}.csv`;

/**
 * Bills are numbered by payout and driver, so each number is one bill; QuickBooks allows 21
 * characters.
 */
export const billNumber = (
	payout: { readonly number: number },
	{ driverId, driverIdCode }: Pick<Line, "driverId" | "driverIdCode">,
) => `${payoutNumber(payout.number)}-${driverIdCode ?? driverId.slice(0, 8)}`;
/** When it was paid, or made if it isn't paid yet. */
const billedOn = ({ paidOn, madeOn }: ExportedPayout) => paidOn ?? madeOn;
/** Puts text on one line: an import would read a line break as another row. */
const describe = ({ requestNumber: number, type, description }: ExportedRequest) =>
	`${requestNumber(number)} ${SHORT_TYPE_LABELS[type]}: ${description}`.replace(/\s+/g, " ");
/** A vendor's name as QuickBooks accepts it: no colon, quotation mark or tab, at most 100 characters. */
const vendorName = (name: string) =>
	[...name.replace(/[:"\s]+/g, " ").trim()].slice(0, 100).join("").trim();
/** `11/21/2026` */
const american = (date: CalendarDate) => date.replace(/^(\d+)-(\d+)-(\d+)$/, "$2/$3/$1");

/** The last day of a settlement's week. */
export const lastDayOf = ({ weekFrom }: PaidSettlement) => addDays(weekFrom, 6);
/** `Nov 9 to Nov 15, 2026` */
export const weekOf = (settlement: PaidSettlement) =>
	formatPeriod({ from: settlement.weekFrom, to: lastDayOf(settlement) });

/** A row for every request and every settlement, in the order of the lines. */
const perPart = (
	payout: ExportedPayout,
	ofRequest: (request: ExportedRequest, line: Line) => CsvCell[],
	ofSettlement: (settlement: PaidSettlement, line: Line) => CsvCell[],
) =>
	toLines(payout).flatMap((line) => [
		...line.requests.map((each) => ofRequest(each, line)),
		...line.settlements.map((each) => ofSettlement(each, line)),
	]);

/** A part's words on a bill, and the account it is booked to. */
type Booked = { readonly words: string; readonly cents: number; readonly account: string };

/** A row of a bill for every request and every settlement. */
function perBooking(
	payout: ExportedPayout,
	codes: Pick<FleetSettings, "accountCode" | "settlementAccountCode">,
	row: (booked: Booked, line: Line) => CsvCell[],
) {
	return perPart(
		payout,
		(request, line) =>
			row(
				{
					...{ words: describe(request), cents: request.amountCents },
					account: codes.accountCode,
				},
				line,
			),
		(settlement, line) =>
			row(
				{
					words: `${settlementNumber(settlement.settlementNumber)} Settlement: ${weekOf(settlement)}`,
					cents: settlement.amountCents,
					account: codes.settlementAccountCode,
				},
				line,
			),
	);
}

/** Each file's columns and rows; those for accounting are in docs/decisions/0038. */
export const EXPORTS: Readonly<Record<ExportFormat, Export>> = {
	drivers: {
		head: [
			...["Payout", "Status", "Paid on", "Reference", "Driver ID", "Driver", "Requests", "Amount"],
			"Settlements",
		],
		rows: (payout) =>
			toLines(payout).map((line) => [
				payoutNumber(payout.number),
				STATUS_LABELS[payout.status],
				payout.paidOn,
				payout.reference,
				line.driverIdCode ?? NO_CODE,
				line.name,
				String(line.requests.length),
				toDecimal(line.amountCents),
				String(line.settlements.length),
			]),
		hasByteOrderMark: true,
	},
	requests: {
		head: [
			"Payout",
			"Status",
			"Paid on",
			"Reference",
			"Driver ID",
			"Driver",
			"Request ID",
			"Type",
			"Description",
			"Date",
			"Amount",
		],
		rows: (payout) => {
			const row = (
				line: Line,
				{ driverNumber, amountCents }: ExportedRequest | PaidSettlement,
				number: string,
				words: readonly CsvCell[],
			): CsvCell[] => [
				payoutNumber(payout.number),
				STATUS_LABELS[payout.status],
				payout.paidOn,
				payout.reference,
				shownDriverCode(driverNumber),
				line.name,
				number,
				...words,
				toDecimal(amountCents),
			];
			return perPart(
				payout,
				(each, line) =>
					row(line, each, requestNumber(each.requestNumber), [
						SHORT_TYPE_LABELS[each.type],
						each.description,
						each.requestedOn,
					]),
				(each, line) =>
					row(line, each, settlementNumber(each.settlementNumber), [
						...["Settlement", weekOf(each), lastDayOf(each)],
					]),
			);
		},
		hasByteOrderMark: true,
	},
	xero: {
		head: [
			"ContactName",
			"InvoiceNumber",
			"InvoiceDate",
			"DueDate",
			"Description",
			"Quantity",
			"UnitAmount",
			"AccountCode",
			"TaxType",
		],
		rows: (payout, { taxType, ...codes }) =>
			perBooking(payout, codes, ({ words, cents, account }, line) => [
				line.name,
				billNumber(payout, line),
				billedOn(payout),
				billedOn(payout),
				words,
				"1",
				toDecimal(cents),
				account,
				taxType,
			]),
		hasByteOrderMark: false,
	},
	quickbooks: {
		head: [
			"Bill No",
			"Vendor",
			"Bill Date",
			"Due Date",
			"Memo",
			"Account",
			"Line Description",
			"Line Amount",
			"Line Tax Code",
		],
		rows: (payout, { quickbooksTaxCode, ...codes }) =>
			perBooking(payout, codes, ({ words, cents, account }, line) => [
				billNumber(payout, line),
				vendorName(line.name),
				american(billedOn(payout)),
				american(billedOn(payout)),
				`Payout ${payoutNumber(payout.number)}`,
				account,
				words,
				toDecimal(cents),
				quickbooksTaxCode,
			]),
		hasByteOrderMark: false,
	},
};
