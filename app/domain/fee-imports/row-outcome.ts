/** What a row of a file with other columns becomes. */
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { FeeCategory } from "../uber-fees/rules.ts";
import type { Column } from "./rules.ts";

/** The fee in a row. */
export type PlannedFee = {
	readonly driverId: string;
	readonly category: FeeCategory;
	readonly amountCents: number;
	/** Money given back: totals subtract the amount. */
	readonly isCredit: boolean;
	readonly date: CalendarDate;
	/** Absent also for a number that a spreadsheet shortened. */
	readonly reference: string | undefined;
	readonly description: string | undefined;
};

export type RowOutcome = {
	readonly number: number;
	/** The row's cells as in the file, in the order of `COLUMNS`. */
	readonly cells: Readonly<Record<Column, string>>;
	/** The driver's name, once known. */
	readonly driver: string | undefined;
	readonly isDriverInactive: boolean;
} & (
	| {
			readonly fate: "add";
			readonly fee: PlannedFee;
			/** Why it may be recorded already under another reference number, or in another row. */
			readonly doubt?: string | undefined;
	  }
	| {
			readonly fate: "skip";
			readonly why: string;
			readonly because: SkipReason;
			/** Of rows that add up to nothing, the first one. */
			readonly isRefunded?: boolean;
			/** Null if its driver isn't found, or if it is no fee. */
			readonly fee: PlannedFee | null;
	  }
	| {
			readonly fate: "problem";
			readonly why: string;
			readonly because: readonly Problem[];
			/** Its values, if only its driver is unknown. */
			readonly fee: Omit<PlannedFee, "driverId"> | null;
	  }
);

/** Why a row without a problem adds no fee of its own. */
export type SkipReason = "recorded" | "duplicate" | "netted" | "no-fee" | "total";

/** What prevents importing a row. */
export type Problem = "driver" | "category" | "amount" | "date" | "text";
