/** Reference numbers of rows and recorded fees: when two of them are the same. */
import type { CalendarDate } from "../../values/calendar-date.ts";
import { isIdentifier } from "../statements/persons.ts";
import type { FeeCategory } from "../uber-fees/rules.ts";

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

/** Whether a spreadsheet kept only the beginning of a number: `9.01E+18`. */
export const isShortened = (reference: string): boolean =>
	/^\d/.test(reference) &&
	/e\+?\d+$/i.test(reference) &&
	!isIdentifier(reference.replace(",", "."));

/** A reference number as it would be without what spreadsheets do to it; '' for a shortened one. */
export const bareReference = (reference: string): string =>
	isShortened(reference) ? "" : reference.replace(/^0+(?=.)/, "");

/** What a row says, as far as it can be read. */
type Fee = {
	readonly [Each in "driverId" | "category" | "date"]: ReferredFee[Each] | undefined;
} & { readonly cents: number | null };

/**
 * Whether a row's fee is recorded already, and otherwise the fee that has its reference number.
 * @param theirs the live fees with that number
 */
export function compareReference(fee: Fee, theirs: readonly ReferredFee[]) {
	const isRecorded = theirs.some(
		(other) =>
			other.category === fee.category &&
			other.cents === fee.cents &&
			other.date === fee.date &&
			(fee.driverId === undefined || other.driverId === fee.driverId),
	);
	return { isRecorded, holder: isRecorded ? undefined : theirs[0] };
}
