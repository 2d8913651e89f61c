/** The text of the weekly digest. */
import { type CalendarDate, formatDate, formatDay } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { formatMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import type { Period } from "../../values/period.ts";
import { feeCents, type Totals } from "../analytics/rules.ts";
import { reportPath } from "../analytics/search.ts";

/** Flags are counted up to this many. */
export const MAX_FLAGS = 100;

/** The figures in the digest. */
export type DigestFigures = {
	readonly pendingRequests: number;
	readonly pendingCents: number;
	/** When the oldest pending request came in. */
	readonly oldestOn: CalendarDate | undefined;
	/** Last week, as in the reports. */
	readonly period: Period;
	readonly week: Totals;
	/** Flagged trips of that week. */
	readonly flaggedTrips: number;
	/** Pending requests that may be duplicates. */
	readonly possibleDuplicates: number;
};

const countedFlags = (count: number, noun: string) =>
	count > MAX_FLAGS ? `More than ${MAX_FLAGS} ${noun}s` : pluralize(count, noun);

/**
 * The digest after its salutation.
 * @param origin where people sign in
 * @returns nothing if no request is pending and nothing happened last week
 */
export function digestText(
	figures: DigestFigures,
	origin: string,
): { readonly subject: string; readonly body: string } | undefined {
	const { pendingRequests, pendingCents, oldestOn, week, period } = figures;
	const { flaggedTrips, possibleDuplicates } = figures;
	const isQuiet = Object.values(week).every((sum) => sum === 0);
	if (pendingRequests === 0 && isQuiet) return undefined;
	const requests = `${origin}/fund-requests?status=pending`;
	const entries = `${origin}${reportPath(period)}#entries`;
	const waiting = pluralize(pendingRequests, "request");
	const oldest = oldestOn ? ` The oldest came in on ${formatDate(oldestOn)}.` : "";
	const flags = [
		...(flaggedTrips > 0 ? [`${countedFlags(flaggedTrips, "flagged trip")}: ${entries}`] : []),
		...(possibleDuplicates > 0
			? [
					`${countedFlags(possibleDuplicates, "possible duplicate request")}: ${requests}&flag=duplicate`,
				]
			: []),
	];
	const parts = [
		pendingRequests === 0
			? ["No requests are waiting."]
			: [
					`${waiting} awaiting a decision, ${formatDollars(pendingCents)} total.${oldest}`,
					requests,
				],
		[
			`Last week, ${formatDay(period.from)} to ${formatDate(period.to)}:`,
			`${inUnits("Miles")}: ${formatMiles(week.miles)}`,
			`Fuel: ${formatDollars(week.fuelCents)}`,
			`Uber fees: ${formatDollars(feeCents(week))}`,
		],
		...(flags.length > 0 ? [["To look at:", ...flags]] : []),
		[`You get this email on Mondays. Turn it off: ${origin}/account`],
	];
	return {
		subject: `Your week: ${pendingRequests === 0 ? "nothing is" : waiting} waiting`,
		body: parts.map((lines) => lines.join("\n")).join("\n\n"),
	};
}
