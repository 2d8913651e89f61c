/**
 * Treats a file with custom columns as a statement: which of its rows become fees and which don't.
 * The API returns it in the same form as a platform's statement.
 */
import type { CalendarDate } from "../../values/calendar-date.ts";
import { parseAmount } from "../statements/amount.ts";
import type { FeeState } from "../statements/plan.ts";
import type { LeftOutReason, StatementPeriod } from "../statements/statement.ts";
import type { FeeCategory } from "../uber-fees/rules.ts";
import type { PlannedFee, Problem, RowOutcome } from "./row-outcome.ts";
import type { Column } from "./rules.ts";

/** The fee in a row. */
export type RowFee = {
	readonly row: number;
	/** The file's name for the driver. */
	readonly name: string;
	/** Null until someone says who it is. */
	readonly driverId: string | null;
	readonly isDriverInactive: boolean;
	readonly category: FeeCategory;
	readonly amountCents: number;
	readonly isCredit: boolean;
	readonly date: CalendarDate;
	readonly reference: string | undefined;
	readonly description: string | undefined;
	readonly state: FeeState;
	/** Why it may be recorded already: the fee that is the same, or has its reference number. */
	readonly doubt: string | undefined;
};

export type RowLeftOut = {
	readonly row: number;
	readonly reason: LeftOutReason | "no-category" | "unreadable";
	/** Null if it can't be read. */
	readonly cents: number | null;
};

export type ColumnsPlan = {
	/** The column of each value, by the file's own headings. */
	readonly columns: Readonly<Partial<Record<Column, string>>>;
	/** Rows below the headings, without empty ones. */
	readonly rows: number;
	readonly period: StatementPeriod | null;
	readonly needs: readonly ("drivers" | "overlap")[];
	readonly fees: readonly RowFee[];
	readonly leftOut: readonly RowLeftOut[];
	/** Fees that were refunded in full. */
	readonly netted: readonly RowFee[];
	/** The months of its dates, if nothing tells whether the day or the month comes first. */
	readonly months: readonly string[];
};

/** Why a row is left out: the first problem that choosing a driver doesn't solve. */
const REASONS: readonly (readonly [Problem, RowLeftOut["reason"]])[] = [
	["amount", "unreadable-amount"],
	["date", "unreadable-date"],
	["category", "no-category"],
	["text", "unreadable"],
	["driver", "no-driver"],
];

const reasonOf = (problems: readonly Problem[]) =>
	REASONS.find(([problem]) => problems.includes(problem))?.[1] ?? "unreadable";

/** A fee that an earlier import of the very same file has added, without a reference number. */
export type AddedFee = Pick<
	PlannedFee,
	"driverId" | "category" | "amountCents" | "isCredit" | "date"
>;

const keyOf = ({ driverId, category, amountCents, isCredit, date }: AddedFee) =>
	[driverId, category, amountCents, isCredit, date].join("\n");

/**
 * The rows as fees. A row without a reference number is matched with what an earlier import of the
 * same file added, each fee once.
 */
export function splitRows(
	rows: readonly RowOutcome[],
	added: readonly AddedFee[],
	possibleDuplicates: ReadonlyMap<number, string>,
): Pick<ColumnsPlan, "fees" | "leftOut" | "netted"> {
	const counts = new Map<string, number>();
	for (const fee of added) counts.set(keyOf(fee), (counts.get(keyOf(fee)) ?? 0) + 1);
	const wasAdded = (fee: PlannedFee): boolean => {
		const count = fee.reference === undefined ? (counts.get(keyOf(fee)) ?? 0) : 0;
		if (count > 0) counts.set(keyOf(fee), count - 1);
		return count > 0;
	};
	const fees: RowFee[] = [];
	const leftOut: RowLeftOut[] = [];
	const netted: RowFee[] = [];
	for (const row of rows) {
		const base = {
			row: row.number,
			name: row.cells.driver,
			isDriverInactive: row.isDriverInactive,
			doubt: undefined,
		};
		const cents = parseAmount(row.cells.amount);
		const isBefore =
			row.fate === "add" ? wasAdded(row.fee) : row.fate === "skip" && row.because === "recorded";
		if (row.fate !== "problem" && row.fee && isBefore)
			fees.push({ ...base, ...row.fee, state: "imported-before" });
		else if (row.fate === "add") {
			const doubt = possibleDuplicates.get(row.number);
			fees.push({ ...base, ...row.fee, state: "ready", doubt });
		} else if (row.fate === "skip") {
			const { because, fee } = row;
			if (because !== "netted")
				leftOut.push({
					...{ row: row.number, cents },
					reason: because === "recorded" ? "duplicate" : because,
				});
			else if (fee && row.isRefunded) netted.push({ ...base, ...fee, state: "ready" });
		} else if (row.fee) fees.push({ ...base, ...row.fee, driverId: null, state: "no-driver" });
		else leftOut.push({ row: row.number, reason: reasonOf(row.because), cents });
	}
	return { fees, leftOut, netted };
}
