/**
 * What the reader returns about a ride platform's statement. None of it is an email, a phone
 * number, an address or a rider: the reader never reads those columns.
 */
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { FeeCategory } from "../uber-fees/rules.ts";
import type { ChosenColumns, Mapping } from "./columns.ts";
import type { FileDates } from "./date-orders.ts";
import type { DateOrders } from "./day.ts";
import type { RowMoney } from "./money.ts";

const STATEMENT_FORMATS = [
	"uber-payments-order",
	"uber-payments-driver",
	"bolt-earnings-per-driver",
	"columns",
] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];
/** `columns` stands for files with custom columns. */
export type Platform = "uber" | "bolt" | "columns";

/** The days a statement covers, both included. */
export type StatementPeriod = { readonly from: CalendarDate; readonly to: CalendarDate };

/** A column whose money becomes fees. */
export type FeeColumn = {
	/** The heading in the file. */
	readonly name: string;
	/**
	 * What its money becomes. `rest` is Bolt's total of all fees: the remainder after the other fee
	 * columns becomes a booking fee, up to the booking fees in the row, and otherwise `other`.
	 */
	readonly category: FeeCategory | "rest";
};

/** Why the money of a known column isn't a fee. */
export const NOT_FEE_REASONS = [
	"total",
	"branch",
	"fare",
	"earning",
	"tip",
	"promotion",
	"toll",
	"third-party",
	"cash",
	"payout",
	"tax",
	"discount",
	"rate",
] as const;
export type NotFeeReason = (typeof NOT_FEE_REASONS)[number];
export type NotFeeColumn = { readonly name: string; readonly reason: NotFeeReason };

/** A fee statement, as far as its header and name tell. */
export type RecognizedStatement = {
	readonly kind: "statement";
	readonly format: StatementFormat;
	readonly platform: Platform;
	/** From the file name or `ReadOptions`; null if neither has it. */
	readonly period: StatementPeriod | null;
	/** Whether its rows have no date: every fee gets the last day of the period. */
	readonly isByPeriod: boolean;
	/** What has to be answered before its fees have dates. */
	readonly needs: readonly "period"[];
	/**
	 * `EUR`, `PLN`; the sign as written if its code isn't known; null if neither headings nor amounts
	 * say.
	 */
	readonly currency: string | null;
	readonly feeColumns: readonly FeeColumn[];
	readonly notFeeColumns: readonly NotFeeColumn[];
	/** Whether only the total of all fees is stated, so that all of it counts as commission. */
	readonly isAllCommission: boolean;
	/** For a file with custom columns. */
	readonly columns?: ChosenColumns;
};

/** A known file without fees that could be imported. */
export type RefusedFile = {
	readonly kind: "refused";
	/** What it is and which file to download instead, in one or two sentences. */
	readonly message: string;
};

/** A file that no platform's header matches, and that isn't a table either. */
export type UnknownFile = {
	readonly kind: "unknown";
	/** Why it wasn't recognized, as a sentence. */
	readonly reason: string;
};

/**
 * The money of one category in one row. A charge is positive and a credit negative; 0 if a row's
 * own columns cancel out.
 */
export type StatementLine = {
	readonly kind: "line";
	/**
	 * The same line has the same key in every file, and no other line has it. Null only until the
	 * period is known: read the file again with the answer.
	 */
	readonly key: string | null;
	/** The row number in a spreadsheet, from 1. */
	readonly row: number;
	/** Empty if the file has no id: the driver is known only by name. */
	readonly platformId: string;
	/** May be empty if there is an id. */
	readonly name: string;
	/** Null only while the period isn't known. */
	readonly date: CalendarDate | null;
	readonly category: FeeCategory;
	readonly cents: number;
	/** For a file with custom columns, where each row is a fee. */
	readonly reference?: string | undefined;
	readonly description?: string | undefined;
};

/** A line that other downloads may have had: its row says it is zero. */
export type AbsentLine = Omit<StatementLine, "kind" | "key" | "cents"> & {
	readonly kind: "absent";
	readonly key: string;
};

/** A row that was added up, whatever became of its fees. */
export type MoneyRow = RowMoney & {
	readonly kind: "money";
	readonly row: number;
	/** Whose money it is; null for the fleet's own, nobody's, and what was read before. */
	readonly whose: {
		/** The same row has the same key in every file; null while the period isn't known. */
		readonly key: string | null;
		readonly platformId: string;
		readonly name: string;
		/** The days that it counts in; null while the period isn't known. */
		readonly period: StatementPeriod | null;
	} | null;
};

export const LEFT_OUT_REASONS = [
	"payout",
	"organisation",
	"no-fee",
	"duplicate",
	"no-driver",
	"unreadable-amount",
	"unreadable-date",
	"total",
	"repeated-header",
	"other-block",
	"no-category",
	"unreadable",
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** A row that becomes no fee. Empty rows are neither listed nor counted. */
export type LeftOutRow = {
	readonly kind: "left-out";
	readonly row: number;
	readonly reason: LeftOutReason;
	/** The sum of its fee columns, a charge positive; null if it can't be read. */
	readonly cents: number | null;
	/** What is wrong with its cell, as a sentence. */
	readonly why?: string | undefined;
};

/** A money column of unknown meaning: shown, never added. */
export type UnknownColumn = {
	readonly name: string;
	/** The sum of its cells with the file's own sign. */
	readonly cents: number;
	/** Cells that aren't an amount. */
	readonly unreadable: number;
};

/**
 * The last event of a file that was read to its end. Its columns include those of headers further
 * down.
 */
export type StatementEnd = {
	readonly kind: "end";
	/** Non-empty rows below the header. */
	readonly rows: number;
	readonly unknownColumns: readonly UnknownColumn[];
	/** How its dates are written, judging by all of them. */
	readonly dates: FileDates;
} & Pick<RecognizedStatement, "currency" | "feeColumns" | "notFeeColumns" | "isAllCommission">;

/** The last event of a file that can't be read to its end: earlier events don't count. */
export type BrokenFile = { readonly kind: "broken"; readonly message: string };

export type StatementEvent =
	| StatementLine
	| AbsentLine
	| LeftOutRow
	| MoneyRow
	| StatementEnd
	| BrokenFile;

export type ReadOptions = {
	/** The file's name on the person's machine; the period is read from it. */
	readonly fileName: string;
	/** A person's answer if the file name has no period; a period in the name takes precedence. */
	readonly period?: StatementPeriod | undefined;
	/** The orders of its dates, if an earlier reading found unusual ones. */
	readonly orders?: DateOrders | undefined;
	/** For a file with custom columns: its hash, and its columns as chosen or remembered. */
	readonly fileTag?: string;
	readonly chosen?: Mapping | undefined;
	readonly recall?: (head: readonly string[]) => Promise<Mapping | undefined>;
};

/** A file whose header was read; a statement's rows arrive while `events` is iterated, once. */
export type StatementReading =
	| (RecognizedStatement & { readonly events: AsyncIterable<StatementEvent> })
	| RefusedFile
	| UnknownFile;
