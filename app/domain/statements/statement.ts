/**
 * What a ride platform's statement says, as its reader hands it on. Nothing in here holds an email
 * address, a phone number, an address or a rider: the reader never looks at those columns.
 */
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { FeeCategory } from "../uber-fees/rules.ts";

export const STATEMENT_FORMATS = [
	"uber-payments-order",
	"uber-payments-driver",
	"bolt-earnings-per-driver",
] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];
export type Platform = "uber" | "bolt";

/** The days a statement covers, both of them included. */
export type StatementPeriod = { readonly from: CalendarDate; readonly to: CalendarDate };

/** A column whose money becomes fees. */
export type FeeColumn = {
	/** As the file has it. */
	readonly name: string;
	/**
	 * What its money becomes. `rest` is Bolt's total of all fees: what the other fee columns leave of
	 * it becomes a booking fee, up to the booking fees that the row states, and otherwise `other`.
	 */
	readonly category: FeeCategory | "rest";
};

/** Why the money of a known column is no fee. */
export type NotFeeReason =
	| "total"
	| "branch"
	| "fare"
	| "earning"
	| "tip"
	| "promotion"
	| "toll"
	| "third-party"
	| "cash"
	| "payout"
	| "tax"
	| "discount"
	| "rate";
export type NotFeeColumn = { readonly name: string; readonly reason: NotFeeReason };

/** A file that is a fee statement, as far as its header and its name tell. */
export type RecognizedStatement = {
	readonly kind: "statement";
	readonly format: StatementFormat;
	readonly platform: Platform;
	/** From the file name, or as `ReadOptions` gave it; null when neither says. */
	readonly period: StatementPeriod | null;
	/** Its rows carry no date: every fee gets the last day of the period. */
	readonly isByPeriod: boolean;
	/** What has to be answered before its fees have dates. */
	readonly needs: readonly "period"[];
	/** `EUR`, `PLN`; the sign as written where its code isn't known; null when no column says. */
	readonly currency: string | null;
	readonly feeColumns: readonly FeeColumn[];
	readonly notFeeColumns: readonly NotFeeColumn[];
	/** Only the total of all fees is stated, so all of it is taken for commission. */
	readonly isAllCommission: boolean;
};

/** A file that is known to hold no fees that could be imported. */
export type RefusedFile = {
	readonly kind: "refused";
	/** What it is and which file to download instead, in one or two sentences. */
	readonly message: string;
};

/** A file that no platform's header fits: its columns can be chosen by hand. */
export type UnknownFile = {
	readonly kind: "unknown";
	/** Why it wasn't recognized, in a sentence. */
	readonly reason: string;
};

/**
 * The money of one category in one row. A charge is positive and a credit negative; 0 where a
 * row's own columns cancel out.
 */
export type StatementLine = {
	readonly kind: "line";
	/**
	 * The same line has the same key in every file that holds it, and no other line has. Null only
	 * while the period isn't known: read the file again with the answer.
	 */
	readonly key: string | null;
	/** As a spreadsheet counts, the first row of the file being 1. */
	readonly row: number;
	/** Empty where the file has no id: the driver is known by name alone. */
	readonly platformId: string;
	/** May be empty where there is an id. */
	readonly name: string;
	/** Null only while the period isn't known. */
	readonly date: CalendarDate | null;
	readonly category: FeeCategory;
	readonly cents: number;
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
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** A row that becomes no fee. Empty rows are neither listed nor counted. */
export type LeftOutRow = {
	readonly kind: "left-out";
	readonly row: number;
	readonly reason: LeftOutReason;
	/** What stands in its fee columns, a charge positive; null when that can't be read. */
	readonly cents: number | null;
};

/** A money column of which it isn't known what it is: shown, never added. */
export type UnknownColumn = {
	readonly name: string;
	/** The sum of its cells with the file's own sign. */
	readonly cents: number;
	/** Cells that hold something other than an amount. */
	readonly unreadable: number;
};

/** The last event of a file that was read to its end. */
export type StatementEnd = {
	readonly kind: "end";
	/** Rows below the header, without the empty ones. */
	readonly rows: number;
	readonly unknownColumns: readonly UnknownColumn[];
};

/** The last event of a file that can't be read to its end: what was read before counts for nothing. */
export type BrokenFile = { readonly kind: "broken"; readonly message: string };

export type StatementEvent = StatementLine | LeftOutRow | StatementEnd | BrokenFile;

export type ReadOptions = {
	/** As the person's machine names the file; the period is read from it. */
	readonly fileName: string;
	/** The answer of a person whose file name has no period; a period in the name wins. */
	readonly period?: StatementPeriod | undefined;
};

/** A file whose header was read; a statement's rows come while `events` is iterated, once. */
export type StatementReading =
	| (RecognizedStatement & { readonly events: AsyncIterable<StatementEvent> })
	| RefusedFile
	| UnknownFile;

/** A fee as it is recorded: all lines of a driver, a day and a category, added up. */
export type StatementFee = {
	readonly platformId: string;
	readonly name: string;
	readonly date: CalendarDate | null;
	readonly category: FeeCategory;
	/** Negative for a credit. */
	readonly cents: number;
	readonly isCredit: boolean;
	readonly rows: readonly number[];
};
