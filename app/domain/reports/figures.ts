/**
 * How totals stand in the tables of reports: the same figures, in the same order and with the same
 * words, in all of them.
 */
import { dateIn, formatDate, formatTime } from "../../values/calendar-date.ts";
import { centsPerMile } from "../../values/money.ts";
import type { Period } from "../../values/period.ts";
import { costPerMile, feeCents, type Totals, ZERO_TOTALS } from "../analytics/rules.ts";
import type { AuthenticatedContext } from "../context.ts";
import { displayName, formatDriverCode } from "../users/rules.ts";
import type { Cell, Column, ReportDocument } from "./document.ts";
import { formatPeriod } from "./rules.ts";

/** Where, when and for whom a report is made. */
export type ReportMeta = {
	readonly fleet: string;
	readonly timeZone: string;
	/** UTC milliseconds. */
	readonly madeAt: number;
	/** `Nov 21, 2026, 2:05 PM` in the fleet's zone. */
	readonly madeAtWords: string;
	readonly madeFor: string;
};

/** @param fleet what the fleet is called */
export function reportMeta(
	{ user, now, timeZone }: Pick<AuthenticatedContext, "user" | "now" | "timeZone">,
	fleet: string,
): ReportMeta {
	const madeAtWords = `${formatDate(dateIn(timeZone, now))}, ${formatTime(timeZone, now)}`;
	return { fleet, timeZone, madeAt: now, madeAtWords, madeFor: displayName(user) };
}

/** The frame of every report: its facts, without its sections. */
export function reportHeader(
	occasion: ReportMeta,
	title: string,
	about: ReportDocument["facts"],
): Omit<ReportDocument, "sections"> {
	const { fleet, timeZone, madeAt, madeAtWords, madeFor } = occasion;
	return {
		title,
		facts: [
			["Fleet", fleet],
			...about,
			["Time zone", timeZone],
			["Made", madeAtWords],
			["Made for", madeFor],
		],
		author: fleet,
		madeAt,
	};
}

/** The facts of a report over a period. */
export const periodFacts = (period: Period, before?: Period): ReportDocument["facts"] => [
	["Period", formatPeriod(period)],
	...(before ? ([["Compared with", formatPeriod(before)]] as const) : []),
];

/** What the screens call the sum of both: fuel and Uber fees. Other requests stand beside it. */
export const SPEND_NOTE =
	"Total Spend is fuel and Uber fees, as on the screens. Fuel and other requests are approved ones, by the date they were asked for.";

/** Trips to cost per mile, as `toFigures` fills them. */
export const FIGURE_COLUMNS: readonly Column[] = [
	{ head: "Trips", kind: "number", width: 7 },
	{ head: "Miles", kind: "number", width: 10 },
	{ head: "Fuel", kind: "cents", width: 12 },
	{ head: "Uber Fees", kind: "cents", width: 12 },
	{ head: "Total Spend", kind: "cents", width: 13 },
	{ head: "Other Requests", kind: "cents", width: 12 },
	{ head: "Cost per Mile", kind: "cents", width: 9 },
];

/** Approved requests that are not fuel, in cents. */
export const otherRequestCents = ({ maintenanceCents, otherCents }: Totals) =>
	maintenanceCents + otherCents;

export function toFigures(totals: Totals): Cell[] {
	const fees = feeCents(totals);
	const { trips, miles, fuelCents } = totals;
	return [
		trips,
		miles,
		fuelCents,
		fees,
		fuelCents + fees,
		otherRequestCents(totals),
		costPerMile(totals),
	];
}

/**
 * The line under `FIGURE_COLUMNS`, from the sums of what stands above; a cost per mile is worked
 * out anew.
 */
export function figuresTotal(sums: readonly number[], first: number): Cell[] {
	const [trips = 0, miles = 0, fuel = 0, fees = 0, spend = 0, other = 0] = sums.slice(first);
	return [trips, miles, fuel, fees, spend, other, centsPerMile(fuel, miles)];
}

/** Several windows as one. */
export function sumTotals(all: readonly Totals[]): Totals {
	const sum: Record<string, number> = { ...ZERO_TOTALS };
	for (const each of all)
		for (const name of Object.keys(ZERO_TOTALS))
			sum[name] = (sum[name] ?? 0) + each[name as keyof Totals];
	return sum as Totals;
}

/**
 * What the fleet has beyond its approved drivers: people who have lost their role, with the history
 * they left.
 */
export function totalsOutsideDrivers(
	fleet: Totals,
	drivers: readonly Totals[],
): Totals | undefined {
	const listed: Record<string, number> = { ...sumTotals(drivers) };
	const rest = Object.fromEntries(
		Object.entries(fleet).map(([name, value]) => [name, value - (listed[name] ?? 0)]),
	) as Totals;
	return Object.values(rest).some((value) => value !== 0) ? rest : undefined;
}

type Person = {
	readonly firstName: string;
	readonly lastName: string;
	readonly driverNumber: number | null;
};
/** The cells that name a driver. */
export const driverCells = (person: Person): Cell[] => [
	formatDriverCode(person.driverNumber) ?? "N/A",
	displayName({ ...person, email: null }),
];
export const FORMER: readonly Cell[] = ["", "People who are no longer drivers"];

export const DRIVER_COLUMNS: readonly Column[] = [
	{ head: "Driver ID", kind: "text", width: 10 },
	{ head: "Driver", kind: "text", width: 24 },
];

/**
 * How much `now` differs from `before`, in tenths of a percent; null where there was nothing
 * before.
 */
export function percentChange(now: number, before: number): number | null {
	return before > 0 ? Math.floor((2000 * (now - before) + before) / (2 * before)) : null;
}
