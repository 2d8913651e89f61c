/** A row's charges, by category. */
import { readAmount } from "../../values/amount-text.ts";
import { whyNoAmount } from "../../values/money-input.ts";
import type { FeeCategory } from "../uber-fees/rules.ts";
import { parseAmount } from "./amount.ts";
import type { FeeGroup, Layout } from "./layout.ts";

/** The amount of a fee; null if it can't be read, or is stated twice with different values. */
function amountOf({ columns }: FeeGroup, cells: readonly string[]): number | null {
	let found = 0;
	for (const column of columns) {
		const cents = parseAmount(cells[column] ?? "#");
		if (cents === null || (cents !== 0 && found !== 0 && cents !== found)) return null;
		if (cents !== 0) found = cents;
	}
	return found;
}

/**
 * The part of a remainder that booking fees explain: at most their amount, and with the same sign.
 */
function bookingPart(rest: number, booking: number): number {
	return booking >= 0 ? Math.min(Math.max(rest, 0), booking) : Math.max(Math.min(rest, 0), booking);
}

/**
 * A row's charges in cents, with credits negative, in the categories it has; null if one of its fee
 * columns can't be read. A row shorter than its fee columns was truncated, and one with values
 * beyond the header is misaligned.
 */
export function chargesIn(
	cells: readonly string[],
	{ fees, rest, sign, header }: Layout,
): ReadonlyMap<FeeCategory, number> | null {
	if (cells.length > header.length && cells.slice(header.length).some((text) => text.trim() !== ""))
		return null;
	const charges = new Map<FeeCategory, number>();
	let stated = 0;
	const add = (category: FeeCategory, cents: number) => {
		if (cents !== 0) charges.set(category, (charges.get(category) ?? 0) + cents);
	};
	for (const group of fees) {
		const amount = amountOf(group, cells);
		if (amount === null) return null;
		stated += amount;
		add(group.category, sign * amount);
	}
	if (!rest) return charges;
	const all = parseAmount(cells[rest.all] ?? "#");
	const booking = rest.booking === undefined ? 0 : parseAmount(cells[rest.booking] ?? "#");
	if (all === null || booking === null) return null;
	// A missing total isn't a total of 0.
	if ((cells[rest.all] ?? "").trim() === "") return charges;
	const left = all - stated;
	const toBooking = bookingPart(left, booking);
	add("booking_fee", toBooking);
	add("other", left - toBooking);
	return charges;
}

/** Both numbers that an unreadable row's charge can mean, if it can mean two. */
export function whyUnreadable(cells: readonly string[], { fees, rest }: Layout) {
	const columns = [
		...fees.flatMap((group) => group.columns),
		...(rest ? [rest.all, rest.booking ?? -1] : []),
	];
	const texts = columns.map((column) => (cells[column] ?? "").trim());
	const ambiguous = texts.find((text) => readAmount(text).kind === "ambiguous");
	return ambiguous === undefined ? undefined : whyNoAmount(ambiguous);
}
