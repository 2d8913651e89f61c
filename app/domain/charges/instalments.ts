/**
 * A charge's instalments: one a week, the first in the week of its date. Each is its part in whole
 * cents, and the last has the cents left over.
 */
import { type CalendarDate, daysBetween, formatRecentDay } from "../../values/calendar-date.ts";
import { formatDollars } from "../../values/money.ts";
import { settlementWeek } from "../statements/settlement-week.ts";
import type { Charge } from "./rules.ts";

export type Instalment = {
	/** From 1 to the number of its charge's instalments. */
	readonly number: number;
	/** Plus for the driver, negative against them. */
	readonly cents: number;
};

type Divided = Pick<Charge, "chargedOn" | "amountCents" | "direction" | "instalments">;

/** A week's place among the charge's weeks, from 0. */
function placeOf(
	{ chargedOn }: Pick<Charge, "chargedOn">,
	weekFrom: CalendarDate,
	weekStartsOn: number,
): number {
	return Math.floor(daysBetween(settlementWeek(chargedOn, weekStartsOn).from, weekFrom) / 7);
}

/**
 * What is due of a charge in a week; nothing before its first or after its last.
 * @param weekFrom the first day of the week
 * @param weekStartsOn the weekday of that day, 0 for Sunday
 */
export function instalmentIn(
	charge: Divided,
	weekFrom: CalendarDate,
	weekStartsOn: number,
): Instalment | undefined {
	const { amountCents, direction, instalments } = charge;
	const place = placeOf(charge, weekFrom, weekStartsOn);
	if (place < 0 || place >= instalments) return undefined;
	const part = Math.floor(amountCents / instalments);
	const cents = place === instalments - 1 ? amountCents - part * place : part;
	return { number: place + 1, cents: direction === "for" ? cents : -cents };
}

/** How many instalments are due in a day's week or later. */
export function instalmentsLeft(
	charge: Divided,
	today: CalendarDate,
	weekStartsOn: number,
): number {
	const { from } = settlementWeek(today, weekStartsOn);
	const place = placeOf(charge, from, weekStartsOn);
	return Math.max(0, charge.instalments - Math.max(0, place));
}

/**
 * When it is due, in words: `4 weekly installments of $62.50, the first in the week of Nov 16,
 * 3 left`, or for a single one `in the week of Nov 16`.
 * @param today says how many are left
 */
export function describeInstalments(
	charge: Divided,
	today: CalendarDate,
	weekStartsOn: number,
): string {
	const { chargedOn, instalments } = charge;
	const { from } = settlementWeek(chargedOn, weekStartsOn);
	const week = `in the week of ${formatRecentDay(from, today)}`;
	if (instalments === 1) return week;
	const each = formatDollars(Math.abs(instalmentIn(charge, from, weekStartsOn)?.cents ?? 0));
	const left = instalmentsLeft(charge, today, weekStartsOn);
	return `${instalments} weekly installments of ${each}, the first ${week}, ${left === 0 ? "none" : left} left`;
}
