/** The times and time zones in which every `npm test` repeats the date tests. */

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

/** Quick test files whose results depend on the date, at all these times. */
const ALWAYS = ["analytics", "dashboard", "history", "mileage", "outbox-replay", "requests-recent"];

/** Those whose dates come from the same functions: at two of the times, and all in test:clocks. */
const TWICE = [
	"fee-imports",
	"fee-imports-once",
	"fund-requests-export",
	"mileage-reports-entries",
	"overview",
	"own-year",
	"reports-figures",
	"uber-fees",
];

const TWO: readonly string[] = ["at 03:00 UTC", "after the spring change"];

/** The test files that `npm test` repeats at a time. */
export const filesAt = ({ name }: Hour): string[] =>
	[...ALWAYS, ...(TWO.includes(name) ? TWICE : [])].map((file) => `tests/http/${file}.test.ts`);
