/**
 * Calendar dates of the fleet: `YYYY-MM-DD` text without a time or a zone.
 * All arithmetic is done in UTC on whole days, so no local getter, clock change or host time zone
 * can shift a date. The clock is never read here: a moment (UTC milliseconds) is always an
 * argument.
 */

declare const calendarDate: unique symbol;
/** A real day of the Gregorian calendar as `YYYY-MM-DD`, 0001-01-01 to 9999-12-31. */
export type CalendarDate = string & { readonly [calendarDate]: true };

const PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;

/** Days since 1970-01-01, or `undefined` if there is no such day (2026-02-30). */
function toEpochDay(text: string): number | undefined {
	const match = PATTERN.exec(text);
	if (!match) return undefined;
	const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
	const moment = new Date(0);
	moment.setUTCFullYear(year, month - 1, day);
	const isReal =
		moment.getUTCFullYear() === year &&
		moment.getUTCMonth() === month - 1 &&
		moment.getUTCDate() === day;
	return isReal && year > 0 ? Math.round(moment.getTime() / DAY_MS) : undefined;
}

/** @throws RangeError outside of years 1 to 9999, which four digits can't express */
function fromEpochDay(epochDay: number): CalendarDate {
	const moment = new Date(epochDay * DAY_MS);
	const text = moment.toISOString().slice(0, 10);
	const year = moment.getUTCFullYear();
	if (year < 1 || year > 9999) throw new RangeError(`Not a calendar date: ${text}`);
	return text as CalendarDate;
}

/** True for a real `YYYY-MM-DD` day; 2026-02-30, 2026-2-1 and 11/21/2026 are not. */
export function isCalendarDate(text: string): text is CalendarDate {
	return toEpochDay(text) !== undefined;
}

/**
 * The text as a calendar date.
 * @throws RangeError if there is no such day
 */
export function parseCalendarDate(text: string): CalendarDate {
	if (!isCalendarDate(text)) throw new RangeError(`Not a calendar date: ${text}`);
	return text;
}

function epochDayOf(date: CalendarDate): number {
	const day = toEpochDay(date);
	if (day === undefined) throw new RangeError(`Not a calendar date: ${date}`);
	return day;
}

/** The date `days` whole days later (or earlier, when negative). */
export function addDays(date: CalendarDate, days: number): CalendarDate {
	return fromEpochDay(epochDayOf(date) + days);
}

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
	return epochDayOf(to) - epochDayOf(from);
}

/**
 * The same day `months` months later or earlier, clamped to the month's end: 31 March minus one
 * month is 28 (or 29) February.
 */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
	const start = new Date(epochDayOf(date) * DAY_MS);
	// Not Date.UTC, which treats the years 0 to 99 as 1900 to 1999.
	const target = new Date(0);
	target.setUTCFullYear(start.getUTCFullYear(), start.getUTCMonth() + months + 1, 0);
	target.setUTCDate(Math.min(start.getUTCDate(), target.getUTCDate()));
	return fromEpochDay(Math.round(target.getTime() / DAY_MS));
}

/** January 1 of a date's year. */
export const startOfYear = (date: CalendarDate): CalendarDate =>
	parseCalendarDate(`${date.slice(0, 4)}-01-01`);

/** 0 for Sunday to 6 for Saturday. */
export function weekdayOf(date: CalendarDate): number {
	return new Date(epochDayOf(date) * DAY_MS).getUTCDay();
}

const zoneFormats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
	let format = zoneFormats.get(timeZone);
	if (!format) {
		format = new Intl.DateTimeFormat("en-US", {
			timeZone,
			calendar: "gregory",
			numberingSystem: "latn",
			hourCycle: "h23",
			year: "numeric",
			month: "2-digit",
			day: "2-digit",
			hour: "2-digit",
			minute: "2-digit",
			second: "2-digit",
		});
		zoneFormats.set(timeZone, format);
	}
	return format;
}

/** How far a zone's clocks are ahead of UTC at a moment, in milliseconds. */
function offsetAt(timeZone: string, momentMs: number): number {
	const parts: Record<string, number> = {};
	for (const { type, value } of formatFor(timeZone).formatToParts(momentMs))
		parts[type] = Number(value);
	const { year = 1970, month = 1, day = 1, hour, minute, second } = parts;
	const shown = Date.UTC(year, month - 1, day, hour, minute, second);
	return shown - Math.floor(momentMs / 1000) * 1000;
}

/**
 * Offsets at UTC midnights, by zone and day: determining one takes as long as building a whole row.
 */
const offsetsByZone = new Map<string, Map<number, number>>();
const MAX_OFFSETS = 5000;

function offsetAtMidnight(timeZone: string, epochDay: number): number {
	let offsets = offsetsByZone.get(timeZone);
	if (!offsets) {
		offsets = new Map();
		offsetsByZone.set(timeZone, offsets);
	}
	let offset = offsets.get(epochDay);
	if (offset === undefined) {
		offset = offsetAt(timeZone, epochDay * DAY_MS);
		if (offsets.size >= MAX_OFFSETS) offsets.clear();
		offsets.set(epochDay, offset);
	}
	return offset;
}

/**
 * What a zone's clocks show at a moment, as the moment when UTC's show the same. A day that starts
 * and ends with the same offset has no clock change, since no zone has two in a day.
 */
function wallClockIn(timeZone: string, momentMs: number): number {
	const epochDay = Math.floor(momentMs / DAY_MS);
	const offset = offsetAtMidnight(timeZone, epochDay);
	const isSteady = offset === offsetAtMidnight(timeZone, epochDay + 1);
	return momentMs + (isSteady ? offset : offsetAt(timeZone, momentMs));
}

/**
 * The calendar date of a moment in a time zone.
 * @param timeZone IANA name, such as `America/New_York`
 * @param momentMs UTC milliseconds
 * @throws RangeError for an unknown zone
 */
export function dateIn(timeZone: string, momentMs: number): CalendarDate {
	return fromEpochDay(Math.floor(wallClockIn(timeZone, momentMs) / DAY_MS));
}

/**
 * The first moment of a date in a zone, in UTC milliseconds. Where midnight does not exist (a
 * spring change at 00:00) it is the first moment that does; where the whole date does not exist,
 * the first moment after it.
 */
export function startOfDay(timeZone: string, date: CalendarDate): number {
	const midnightUtc = epochDayOf(date) * DAY_MS;
	// The zone's offset is at most a day either way, so the date's first moment is within that range.
	// Since 2011 no zone's date has gone backwards.
	let low = midnightUtc - DAY_MS;
	let high = midnightUtc + DAY_MS;
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if (dateIn(timeZone, middle) < date) low = middle;
		else high = middle;
	}
	return high;
}

const shown = new Intl.DateTimeFormat("en-US", {
	timeZone: "UTC",
	month: "short",
	day: "numeric",
	year: "numeric",
});
const shownLong = new Intl.DateTimeFormat("en-US", {
	timeZone: "UTC",
	weekday: "long",
	month: "long",
	day: "numeric",
	year: "numeric",
});

/** `Nov 21, 2026` */
export function formatDate(date: CalendarDate): string {
	return shown.format(epochDayOf(date) * DAY_MS);
}

/** `Saturday, November 21, 2026` */
export function formatLongDate(date: CalendarDate): string {
	return shownLong.format(epochDayOf(date) * DAY_MS);
}

/** The time of day of a moment in a zone, `2:05 PM`. */
export function formatTime(timeZone: string, momentMs: number): string {
	return formatTimeOfDay(format24HourTime(timeZone, momentMs));
}

/** `Nov 21, 2026 at 2:05 PM` in a zone. */
export function formatMoment(timeZone: string, momentMs: number): string {
	return `${formatDate(dateIn(timeZone, momentMs))} at ${formatTime(timeZone, momentMs)}`;
}

/** `2:05 PM` of `14:05` */
export function formatTimeOfDay(clock: string): string {
	const [hour = 0, minute = 0] = clock.split(":").map(Number);
	return `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`;
}

/** On a 24-hour clock, `14:05`, for columns that are short or sorted. */
export function format24HourTime(timeZone: string, momentMs: number): string {
	return new Date(wallClockIn(timeZone, momentMs)).toISOString().slice(11, 16);
}

/** `Nov 21` */
export function formatDay(date: CalendarDate): string {
	return formatDate(date).replace(/, \d+$/, "");
}

/** `Nov 21`, with the year if it isn't today's. */
export const formatRecentDay = (date: CalendarDate, today: string) =>
	date.slice(0, 4) === today.slice(0, 4) ? formatDay(date) : formatDate(date);

/** `November` */
export function formatMonth(date: CalendarDate): string {
	return formatLongDate(date).replace(/^\S+ (\S+).*$/, "$1");
}

/** `Saturday` */
export function formatWeekday(date: CalendarDate): string {
	return formatLongDate(date).replace(/,.*$/, "");
}
