/** The contents of a nightly export, and which exports are kept. */
import * as v from "valibot";
import { addDays, type CalendarDate, parseCalendarDate } from "../../values/calendar-date.ts";

/** Where exports are in the second bucket, and the receipt files that all of them share. */
export const EXPORTS = "nightly/";
export const RECEIPTS = "receipts/";
/** Points to the newest complete export. */
export const LATEST = `${EXPORTS}latest.json`;

export const folderOf = (date: string) => `${EXPORTS}${date}/`;
export const manifestKey = (date: string) => `${folderOf(date)}manifest.json`;

/** A part of a table: the rows with numbers after the first and up to the last. */
const PART = v.object({
	path: v.string(),
	rows: v.number(),
	bytes: v.number(),
	sha256: v.string(),
	after: v.number(),
	last: v.number(),
});
export type Part = v.InferOutput<typeof PART>;

export const NIGHTLY = v.object({
	format: v.literal("nightly-1"),
	startedAt: v.string(),
	/** The moment that the export reflects. */
	endedAt: v.string(),
	migrations: v.array(v.string()),
	tables: v.array(
		v.object({ name: v.string(), columns: v.array(v.string()), parts: v.array(PART) }),
	),
	/** Every driver's all-time totals, with their columns. */
	totals: v.object({ columns: v.array(v.string()), sha256: v.string() }),
	/** Keys of receipts whose files were missing from the file store. */
	missing: v.array(v.string()),
});
export type Nightly = v.InferOutput<typeof NIGHTLY>;

export const POINTER = v.object({ date: v.string(), sha256: v.string(), startedAt: v.string() });

const DAYS = 7;
const WEEKS = 5;
const MONTHS = 12;

/**
 * Which of these dates are kept: the last 7, and the newest of each of the last 5 weeks and 12
 * months.
 */
export function keptDates(dates: readonly string[]): Set<string> {
	const newest = [...dates].sort().reverse();
	const kept = new Set(newest.slice(0, DAYS));
	const keepNewestOf = (groupOf: (date: CalendarDate) => string, most: number) => {
		const groups = new Map<string, string>();
		for (const date of newest) {
			const group = groupOf(parseCalendarDate(date));
			if (!groups.has(group)) groups.set(group, date);
		}
		for (const date of [...groups.values()].slice(0, most)) kept.add(date);
	};
	keepNewestOf((date) => addDays(date, -new Date(`${date}T00:00:00Z`).getUTCDay()), WEEKS);
	keepNewestOf((date) => date.slice(0, 7), MONTHS);
	return kept;
}
