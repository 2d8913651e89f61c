/** Decides whether the day or the month comes first in a file's dates. */
import { truncate } from "../../values/fields.ts";
import { type DateOrder, type DateOrders, readDay, type Separator, USUAL_ORDERS } from "./day.ts";

export type FileDates =
	| {
			readonly kind: "orders";
			readonly orders: DateOrders;
			/**
			 * Whether some dates could be read either way and nothing decided, so that a person should see
			 * the months.
			 */
			readonly isUndecided: boolean;
			/** The months of all dates, `2026-09`, in order. */
			readonly months: readonly string[];
	  }
	/** Two cells with the same separator of which one has the day first and the other the month. */
	| { readonly kind: "contradiction"; readonly cells: readonly [string, string] };

/** Characters of a cell in a message. */
const MAX_SHOWN = 40;
/** More months aren't told. */
const MAX_MONTHS = 60;

const ORDERS = ["day-first", "month-first"] as const;
const SEPARATORS = ["/", "-", "."] as const;

type Seen = {
	/** The first cell that can be read only that way. */
	readonly proof: { [Order in DateOrder]?: string };
	/** The months of all cells, as they are read in that order. */
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

	add(cell: string): void {
		const day = readDay(cell);
		if (typeof day === "string") addMonth(this.#months, day);
		if (typeof day !== "object") return;
		const seen = this.#seen[day.separator];
		for (const order of ORDERS) addMonth(seen.months[order], day[order]);
		if (!day["month-first"]) seen.proof["day-first"] ??= truncate(cell.trim(), MAX_SHOWN);
		else if (!day["day-first"]) seen.proof["month-first"] ??= truncate(cell.trim(), MAX_SHOWN);
		else seen.isEither = true;
	}

	/** Whether any cell needs an order. */
	get isNeeded(): boolean {
		return SEPARATORS.some((separator) => {
			const { isEither, proof } = this.#seen[separator];
			return isEither || Object.keys(proof).length > 0;
		});
	}

	/**
	 * The orders so far.
	 * @param isDecimalComma whether the file has semicolons and decimal commas, as in countries that
	 * write the day first
	 */
	decide(isDecimalComma: boolean): FileDates {
		const orders: Record<Separator, DateOrder> = { ...USUAL_ORDERS };
		const months = new Set(this.#months);
		let isUndecided = false;
		for (const separator of SEPARATORS) {
			const { proof, isEither, months: found } = this.#seen[separator];
			const [day, month] = [proof["day-first"], proof["month-first"]];
			if (day !== undefined && month !== undefined)
				return { kind: "contradiction", cells: [day, month] };
			if (day !== undefined || (isDecimalComma && month === undefined))
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

/** The orders of all date cells of a file. */
export function decideDates(cells: Iterable<string>, isDecimalComma: boolean): FileDates {
	const evidence = new DateEvidence();
	for (const cell of cells) evidence.add(cell);
	return evidence.decide(isDecimalComma);
}

/** What to say about a file whose dates contradict each other. */
export const contradictionText = ([day, month]: readonly [string, string]): string =>
	`The dates in this file contradict each other: ${day} has the day first, ${month} the month. Write all of them in one way, such as 2026-09-21, and choose the file again.`;
