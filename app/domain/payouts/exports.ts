/** A payout's export files: their columns, and a row for each line or request. */

import type { CalendarDate } from "../../values/calendar-date.ts";
import type { CsvCell } from "../../values/csv.ts";
import { toDecimal } from "../../values/money.ts";
import { type PayoutStatus, payoutNumber } from "../fund-requests/payment.ts";
import { type RequestType, requestNumber, SHORT_TYPE_LABELS } from "../fund-requests/rules.ts";
import type { FleetSettings } from "../kernel/fleet-settings.ts";
import { NO_CODE, shownDriverCode } from "../people/rules.ts";
import { type PaidRequest, type PayoutLine, toLines } from "./json.ts";
import { STATUS_LABELS } from "./rules.ts";

/** A request of a payout, as the files need it. */
export type ExportedRequest = PaidRequest & {
	readonly type: RequestType;
	readonly description: string;
	readonly requestedOn: CalendarDate;
};
/** A payout with its requests. */
export type ExportedPayout = {
	readonly number: number;
	readonly status: PayoutStatus;
	readonly paidOn: CalendarDate | null;
	readonly reference: string | null;
	/** The date it was made, in the fleet's time zone. */
	readonly madeOn: CalendarDate;
	readonly requests: readonly ExportedRequest[];
};

export const EXPORT_FORMATS = ["drivers", "requests", "xero", "quickbooks"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
/** The files that an accounting program imports. */
export const BILL_FORMATS = ["xero", "quickbooks"] as const satisfies readonly ExportFormat[];
const BILLS: ReadonlySet<ExportFormat> = new Set(BILL_FORMATS);
/**
 * The files that a payout has. A canceled one has no bills: its requests are billed with the payout
 * that they are in next.
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
		codes: Pick<FleetSettings, "accountCode" | "taxType" | "quickbooksTaxCode">,
	) => CsvCell[][];
	/** Accounting programs would read the mark as part of the first column's name. */
	readonly hasByteOrderMark: boolean;
};

/** The name of a file of a payout. */
export const exportFileName = (number: number, format: ExportFormat) =>
	`payout-${payoutNumber(number)}-${format}.csv`;

const nameOf = ({ firstName, lastName }: PaidRequest) => `${firstName} ${lastName}`.trim();

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

/** A row for every request, in the order of the lines. */
const perRequest = (
	payout: ExportedPayout,
	row: (request: ExportedRequest, line: Line) => CsvCell[],
) => toLines(payout.requests).flatMap((line) => line.requests.map((each) => row(each, line)));

/** Each file's columns and rows; those for accounting are in docs/decisions/0038. */
export const EXPORTS: Readonly<Record<ExportFormat, Export>> = {
	drivers: {
		head: ["Payout", "Status", "Paid on", "Reference", "Driver ID", "Driver", "Requests", "Amount"],
		rows: (payout) =>
			toLines(payout.requests).map((line) => [
				payoutNumber(payout.number),
				STATUS_LABELS[payout.status],
				payout.paidOn,
				payout.reference,
				line.driverIdCode ?? NO_CODE,
				line.name,
				String(line.requests.length),
				toDecimal(line.amountCents),
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
		rows: (payout) =>
			perRequest(payout, (request) => [
				payoutNumber(payout.number),
				STATUS_LABELS[payout.status],
				payout.paidOn,
				payout.reference,
				shownDriverCode(request.driverNumber),
				nameOf(request),
				requestNumber(request.requestNumber),
				SHORT_TYPE_LABELS[request.type],
				request.description,
				request.requestedOn,
				toDecimal(request.amountCents),
			]),
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
		rows: (payout, { accountCode, taxType }) =>
			perRequest(payout, (request, line) => [
				line.name,
				billNumber(payout, line),
				billedOn(payout),
				billedOn(payout),
				describe(request),
				"1",
				toDecimal(request.amountCents),
				accountCode,
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
		rows: (payout, { accountCode, quickbooksTaxCode }) =>
			perRequest(payout, (request, line) => [
				billNumber(payout, line),
				vendorName(line.name),
				american(billedOn(payout)),
				american(billedOn(payout)),
				`Payout ${payoutNumber(payout.number)}`,
				accountCode,
				describe(request),
				toDecimal(request.amountCents),
				quickbooksTaxCode,
			]),
		hasByteOrderMark: false,
	},
};
