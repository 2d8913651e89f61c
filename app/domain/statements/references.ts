/** Reference numbers of rows and recorded fees: when two of them are the same. */
import { type CalendarDate, formatDate } from "../../values/calendar-date.ts";
import { formatDollars } from "../../values/money.ts";
import { categoryText, type FeeCategory } from "../uber-fees/rules.ts";
import { isShortened } from "./persons.ts";

/** A live fee with a reference number. */
export type ReferredFee = {
	readonly reference: string;
	readonly driverId: string;
	readonly driver: string;
	readonly category: FeeCategory;
	/** Negative for a credit. */
	readonly cents: number;
	readonly date: CalendarDate;
};

type Row = Pick<ReferredFee, "category" | "cents" | "reference"> & {
	readonly row: number;
	readonly date: CalendarDate | null;
	/** Undefined until someone says who it is. */
	readonly driverId: string | undefined;
};

/** A reference number without what spreadsheets do to it; '' for a shortened one. */
const bareReference = (reference: string): string =>
	isShortened(reference) ? "" : reference.replace(/^0+(?=.)/, "");

/** Compares a file's rows by their reference numbers, in order. */
export class ReferenceCheck {
	readonly #rows = new Map<string, number>();

	/**
	 * Whether a row's fee is recorded, or why it may be.
	 * @param theirs the live fees with its reference number
	 */
	compare(row: Row, theirs: readonly ReferredFee[]): { isRecorded: boolean; doubt?: string } {
		const isRecorded = theirs.some(
			(other) =>
				other.category === row.category &&
				other.cents === row.cents &&
				other.date === row.date &&
				(row.driverId === undefined || other.driverId === row.driverId),
		);
		if (isRecorded || row.driverId === undefined) return { isRecorded };
		const twin = this.#twinOf(row);
		const [holder] = theirs;
		if (holder)
			return {
				isRecorded,
				doubt: `This reference number belongs to another fee: ${holder.driver}, ${categoryText(holder.category)}, ${formatDate(holder.date)}, ${formatDollars(holder.cents)}`,
			};
		return twin === undefined
			? { isRecorded }
			: {
					isRecorded,
					doubt: `The same fee as row ${twin}, whose reference number a spreadsheet may have changed`,
				};
	}

	/** An earlier row with the same fee but for what a spreadsheet did to its number. */
	#twinOf({ row, reference, driverId, category, cents, date }: Row): number | undefined {
		if (reference === "") return undefined;
		const bare = bareReference(reference);
		const [own, shortened, any] = [bare, "", null].map((number) =>
			JSON.stringify([number, driverId, category, cents, date]),
		) as [string, string, string];
		const twin = this.#rows.get(own) ?? this.#rows.get(bare === "" ? any : shortened);
		this.#rows.set(own, row);
		this.#rows.set(any, row);
		return twin;
	}
}
