/** What is unusual about a trip, and for how long a driver can mend his own entry. */
import { type CalendarDate, showDate } from "../../values/calendar-date.ts";
import { receivedWords } from "../../values/captured.ts";
import { cursors } from "../../values/cursor.ts";
import { showMiles } from "../../values/miles.ts";

/** Where a list of trips goes on: after this one. */
export const logCursors = cursors({ drivenOn: "date", endMiles: "miles", id: "id" });
export type LogCursor = NonNullable<ReturnType<typeof logCursors.parse>>;

/** What a trip whose readings are turned round is told (docs/product.md §5). */
export const END_AFTER_START = "Ending odometer must be greater than starting odometer";
/** A longer trip is asked about on the form and flagged (docs/product.md, 'Mileage'). */
export const LONG_TRIP_MILES = 1500;
/** Milliseconds a driver can void or correct his own entry after it was received: 7 days. */
export const OWN_VOID_MS = 7 * 86_400_000;
/** Entries a driver may log in an hour: a month's backlog must pass. */
export const MOST_AN_HOUR = 300;
/** Days a mileage date may lie ahead of the fleet's today: a phone in a zone further east is not wrong. */
export const GRACE_DAYS = 1;

/** What the form asks about before it accepts a trip. */
export type Check =
	| { readonly kind: "overlap" }
	| { readonly kind: "below-last"; readonly lastEnding: number }
	| { readonly kind: "long"; readonly miles: number };

/** The question a check puts to the driver. */
export function questionOf(check: Check): string {
	switch (check.kind) {
		case "overlap":
			return "These readings overlap a trip you have already logged.";
		case "below-last":
			return `The start is below your last ending, ${showMiles(check.lastEnding)}.`;
		case "long":
			return `${showMiles(check.miles)} miles is a very long trip for one entry.`;
	}
}

export type Flags = {
	readonly gapMiles: number | null;
	readonly isOverlap: boolean;
	readonly isOutOfOrder: boolean;
	readonly isLong: boolean;
};

/** What a stored trip is flagged with, in words. */
export function flagWords({ gapMiles, isOverlap, isOutOfOrder, isLong }: Flags): string[] {
	return [
		...(gapMiles === null ? [] : [`Gap of ${showMiles(gapMiles)} mi`]),
		...(isOverlap ? ["Overlap"] : []),
		...(isOutOfOrder && !isOverlap ? ["Out of order"] : []),
		...(isLong ? ["Long trip"] : []),
	];
}

/** True while the driver who logged an entry can still void or correct it. */
export function isOwnToMend(log: { readonly createdAt: number; readonly voidedAt: number | null }, now: number): boolean {
	return log.voidedAt === null && now - log.createdAt < OWN_VOID_MS;
}

/** What a trip that was sent again is called: `Nov 21, 2026, 75 miles, 14:02`. */
export function receivedTrip(
	log: { readonly drivenOn: CalendarDate; readonly miles: number; readonly createdAt: number },
	{ timeZone, today }: { readonly timeZone: string; readonly today: CalendarDate },
): string {
	return `${showDate(log.drivenOn)}, ${showMiles(log.miles)} miles, ${receivedWords(timeZone, log.createdAt, today)}`;
}
