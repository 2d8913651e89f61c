/** The times and time zones in which the date tests are repeated. */
import { EXTENT } from "./extent.ts";

export type Hour = {
	readonly name: string;
	/** The start time for the tests and their Workers. */
	readonly start: string;
	/** The machine's time zone. */
	readonly zone: string;
};

/**
 * New York's date is a day behind UTC's in the first, and the same in the second. The others are
 * the days of clock changes and a leap day.
 */
export const HOURS: readonly Hour[] = [
	{ name: "at 03:00 UTC", start: "2026-11-22T03:00:00Z", zone: "America/Los_Angeles" },
	{ name: "at 23:30 UTC on January 1", start: "2027-01-01T23:30:00Z", zone: "Asia/Kathmandu" },
	{ name: "after the spring change", start: "2027-03-14T07:30:00Z", zone: "Pacific/Kiritimati" },
	{ name: "after the autumn change", start: "2026-11-01T06:30:00Z", zone: "UTC" },
	{ name: "on February 29", start: "2028-02-29T17:00:00Z", zone: "Asia/Kathmandu" },
];

/** The times of `npm test`; the others are in `npm run test:full`. */
const USUAL: readonly string[] = ["at 03:00 UTC", "after the spring change"];

/** The test files whose results depend most on the date. */
const DATED = ["analytics", "dashboard", "history", "mileage", "outbox-replay", "requests-recent"];

/** Files whose dates come from the same functions. */
const ALSO_DATED = [
	"fee-imports",
	"fee-imports-once",
	"fund-requests-export",
	"mileage-reports-entries",
	"overview",
	"own-year",
	"reports-figures",
	"uber-fees",
];

/** The test files that are repeated at a time; none when only some files are tested. */
export function filesAt({ name }: Hour): string[] {
	const usual = EXTENT === "usual" && USUAL.includes(name) ? DATED : [];
	const files = EXTENT === "full" ? [...DATED, ...ALSO_DATED] : usual;
	return files.map((file) => `tests/http/${file}.test.ts`);
}
