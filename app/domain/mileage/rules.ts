/** What is unusual about a trip, and how long drivers can edit their own entries. */
import { type CalendarDate, formatDate } from "../../values/calendar-date.ts";
import { formatReceivedAt } from "../../values/captured.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { countMiles, formatMiles } from "../../values/miles.ts";
import { DRIVER_VOID_WINDOW_MS } from "../kernel/time-limits.ts";

/** The message when the readings are reversed (docs/product.md §5). */
export const END_AFTER_START = "Ending odometer must be greater than starting odometer";
/** The reason an entry is voided with when its driver logs it again: drivers give no other. */
export const CORRECTED = "Corrected";
/** The hint beside a start without a known reading. */
export const CHECK_ODOMETER = "Check your vehicle's odometer.";
/**
 * How many days a mileage date may be after the fleet's today, for a phone in a time zone further
 * east.
 */
export const GRACE_DAYS = 1;

/** A trip beside the one that is being logged. */
type TripBeside = {
	readonly drivenOn: CalendarDate;
	readonly startMiles: number;
	readonly endMiles: number;
};

/** The trips around a date: the last one before it, its own first and last, the first after it. */
export type Beside = Readonly<
	Record<"before" | "firstOfDay" | "lastOfDay" | "after", TripBeside | undefined>
>;

const place = ({ drivenOn, startMiles, endMiles }: TripBeside) =>
	`${formatDate(drivenOn)} (${formatMiles(startMiles)} to ${formatMiles(endMiles)})`;

/** Which entries are on either side of a date. */
export function describeBeside({ before, firstOfDay, lastOfDay, after }: Beside): string {
	const own =
		firstOfDay && lastOfDay
			? ` Already logged for this date: ${formatMiles(firstOfDay.startMiles)} to ${formatMiles(lastOfDay.endMiles)}.`
			: "";
	if (before && after) {
		const room = after.startMiles - before.endMiles;
		const most = own === "" && room > 0 ? `: at most ${countMiles(room)}` : "";
		return `Between your entries of ${place(before)} and ${place(after)}${most}.${own}`;
	}
	if (before) return `After your entry of ${place(before)}.${own}`;
	if (after) return `Before your entry of ${place(after)}.${own}`;
	return own.trim() || CHECK_ODOMETER;
}

/** What the form asks about before it accepts a trip. */
export type Check =
	| { readonly kind: "overlap" }
	| { readonly kind: "below-last"; readonly lastEnding: number }
	| { readonly kind: "above-next"; readonly startAfter: number; readonly on: CalendarDate }
	| { readonly kind: "long"; readonly miles: number };

/** A check's question to the driver. */
export function formatQuestion(check: Check): string {
	switch (check.kind) {
		case "overlap":
			return "These readings overlap a trip you've already logged.";
		case "below-last":
			return `The starting odometer is below your last ending reading, ${formatMiles(check.lastEnding)}.`;
		case "above-next":
			return `The ending odometer is above the start of your trip on ${formatDate(check.on)}, ${formatMiles(check.startAfter)}.`;
		case "long":
			return `${formatMiles(check.miles)} ${inUnits("miles")} is unusually long for one trip.`;
	}
}

/** `12 miles personal`, for a trip that says so. */
export const personalNote = (personalMiles: number | null): string | undefined =>
	personalMiles ? `${countMiles(personalMiles)} personal` : undefined;

export type Flags = {
	readonly gapMiles: number | null;
	readonly isOverlap: boolean;
	readonly isOutOfOrder: boolean;
	readonly isLong: boolean;
	readonly voidedAt: number | null;
};

/** The labels of a stored trip's flags; a voided one isn't judged anymore. */
export function flagLabels(log: Flags): string[] {
	const { gapMiles, isOverlap, isOutOfOrder, isLong } = log;
	if (log.voidedAt !== null) return [];
	return [
		...(gapMiles === null ? [] : [`Gap of ${formatMiles(gapMiles)} ${inUnits("mi")}`]),
		...(isOverlap ? ["Overlap"] : []),
		...(isOutOfOrder && !isOverlap ? ["Out of order"] : []),
		...(isLong ? ["Long trip"] : []),
	];
}

/** Whether the driver who logged an entry can still void or correct it. */
export function canDriverEdit(
	log: { readonly createdAt: number; readonly voidedAt: number | null },
	now: number,
): boolean {
	return log.voidedAt === null && now - log.createdAt < DRIVER_VOID_WINDOW_MS;
}

/** How a resent trip is described: `Nov 21, 2026, 75 miles, 2:02 PM`. */
export function describeTrip(
	log: { readonly drivenOn: CalendarDate; readonly miles: number; readonly createdAt: number },
	{ timeZone, today }: { readonly timeZone: string; readonly today: CalendarDate },
): string {
	return `${formatDate(log.drivenOn)}, ${countMiles(log.miles)}, ${formatReceivedAt(timeZone, log.createdAt, today)}`;
}
