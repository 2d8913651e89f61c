/** Decides whether the day or the month comes first in a file's dates. */
import { truncate } from "../../values/fields.ts";
import { type DateOrder, type DateOrders, readDay, type Separator, USUAL_ORDERS } from "./day.ts";

export type FileDates =
	| {
			readonly kind: "orders";
			readonly orders: DateOrders;
			/**
			 * Whether some dates could be read either way and nothing settled it: a person should see the
			 * months.
			 */
			readonly isUndecided: boolean;
			/** The months of all dates, `2026-09`, in order. */
			readonly months: readonly string[];
	  }
	/** Two cells with the same separator of which one has the day first and the other the month. */
	| { readonly kind: "contradiction"; readonly cells: readonly [string, string] };

/** Characters of a cell in a message. */
const MAX_SHOWN = 40;
/** An amount with a decimal comma. */
const COMMA = /\d,\d{1,2}\D*$/;
/** More aren't listed. */
const MAX_MONTHS = 60;

const ORDERS = ["day-first", "month-first"] as const;
const SEPARATORS = ["/", "-", "."] as const;

type Seen = {
	/** The first cell that can be read only that way. */
	readonly proof: { [Order in DateOrder]?: string };
	/** The months of all cells, read in that order. */
	readonly months: Readonly<Record<DateOrder, Set<string>>>;
	isEither: boolean;
};

/** Collects a file's date cells; it keeps months and a few cells, however long the file is. */
export class DateEvidence {
	readonly #seen: Readonly<Record<Separator, Seen>> = {
		"/": nothing(),
		"-": nothing(),
		".": nothing(),
	};
	readonly #months = new Set<string>();
	#hasDecimalComma = false;

	/** @param separator of the file's cells: with semicolons and decimal commas days come first */
	constructor(private readonly separator: string) {}

	/** @param amounts in the same row */
	add(cell: string, amounts: readonly string[]): void {
		if (this.separator === ";") this.#hasDecimalComma ||= amounts.some((each) => COMMA.test(each));
		const day = readDay(cell);
		if (typeof day === "string") addMonth(this.#months, day);
		if (typeof day !== "object") return;
		const seen = this.#seen[day.separator];
		for (const order of ORDERS) addMonth(seen.months[order], day[order]);
		if (!day["month-first"]) seen.proof["day-first"] ??= truncate(cell.trim(), MAX_SHOWN);
		else if (!day["day-first"]) seen.proof["month-first"] ??= truncate(cell.trim(), MAX_SHOWN);
		else seen.isEither = true;
	}

	/** The orders so far; the usual ones if no cell needs one. */
	decide(): FileDates {
		const orders: Record<Separator, DateOrder> = { ...USUAL_ORDERS };
		const months = new Set(this.#months);
		let isUndecided = false;
		for (const separator of SEPARATORS) {
			const { proof, isEither, months: found } = this.#seen[separator];
			const [day, month] = [proof["day-first"], proof["month-first"]];
			if (day !== undefined && month !== undefined)
				return { kind: "contradiction", cells: [day, month] };
			if (day !== undefined || (isEither && this.#hasDecimalComma && month === undefined))
				orders[separator] = "day-first";
			else if (month !== undefined) orders[separator] = "month-first";
			else if (isEither && orders[separator] === "month-first") isUndecided = true;
			for (const each of found[orders[separator]]) months.add(each);
		}
		return { kind: "orders", orders, isUndecided, months: [...months].sort() };
	}
}

const nothing = (): Seen => ({
	proof: {},
	months: { "day-first": new Set(), "month-first": new Set() },
	isEither: false,
});

function addMonth(months: Set<string>, day: string | undefined): void {
	if (day !== undefined && months.size < MAX_MONTHS) months.add(day.slice(0, 7));
}

/** What to say about a file whose dates contradict each other. */
export const contradictionText = ([day, month]: readonly [string, string]): string =>
	`The dates in this file contradict each other: ${day} has the day first, ${month} the month. Write all of them in one way, such as 2026-09-21, and choose the file again.`;
