/** The demo fleet's drivers, and what its parts share. */
import { settlementWeek } from "../app/domain/statements/settlement-week.ts";
import { addDays, type CalendarDate } from "../app/values/calendar-date.ts";
import type { Period } from "../app/values/period.ts";
import { CAST, idOf, type Seed } from "../tests/support/cast.ts";

export type Row = Seed[number][1][number];
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const WEEKS = 12;

/** The id of a row of the demo fleet. */
export const demoId = (kind: number, number: number) =>
	`5${kind}000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
/** A number from 0 to 1 that looks random but is the same in each run. */
export const vary = (seed: number) => Math.abs((Math.sin(seed * 12.9898) * 43_758.5453) % 1);

export type DemoDriver = {
	readonly id: string;
	readonly firstName: string;
	readonly lastName: string;
	/** Miles on a working day. */
	readonly usual: number;
	/** Cents of fuel per mile. */
	readonly perMile: number;
	/** The reading after the last trip. */
	readonly reading: number;
};

const known = (name: "dana" | "omar" | "lena", usual: number, perMile: number, reading: number) => {
	const { firstName, lastName } = CAST[name];
	return { id: idOf(name), firstName, lastName, usual, perMile, reading };
};
/** Those who are only in the demo fleet. */
export const NEW: readonly DemoDriver[] = (
	[
		["Marcus", "Bell", 142, 61, 28_410],
		["Priya", "Raman", 118, 74, 37_266],
		["Sofia", "Alvarez", 131, 96, 47_902],
		["Tom", "Whitaker", 97, 112, 54_338],
		["Grace", "Osei", 164, 68, 67_519],
	] as const
).map(([firstName, lastName, usual, perMile, reading], number) => ({
	...{ id: demoId(0, number), firstName, lastName, usual, perMile, reading },
}));
/** By first name, in the order of their numbers. */
export const DRIVERS: readonly DemoDriver[] = [
	known("dana", 62, 58, 46_283),
	known("omar", 41, 88, 89_377),
	known("lena", 96, 79, 21_905),
	...NEW,
];
export const driverId = (firstName: string): string => {
	const found = DRIVERS.find((driver) => driver.firstName === firstName);
	if (!found) throw new Error(`The demo fleet has no ${firstName}`);
	return found.id;
};

/** The platform's id of a driver: the cast's are those of `platformDriverRows`. */
export const uberId = (number: number) =>
	`d3a0c1de-000${number + 1}-4c6e-9d10-5a8b7c6d000${number < 3 ? number + 1 : 4}`;

/** What the fleet's moments and dates are relative to. */
export type Clock = {
	readonly now: number;
	readonly zone: string;
	readonly today: CalendarDate;
	/** A moment of a date, in hours after its start. */
	readonly at: (day: CalendarDate, hours: number) => number;
	readonly dayOf: (moment: number) => CalendarDate;
};

/** The weekday that weeks start on by default. */
const MONDAY = 1;

/** A week that is over; 1 is the last one. */
export function weekAgo({ today }: Pick<Clock, "today">, ago: number): Period {
	const from = addDays(settlementWeek(today, MONDAY).from, -7 * ago);
	return { from, to: addDays(from, 6) };
}
