/** Which years can be archived. */
import { expect, it } from "vitest";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { lastDayOf, latestToArchive } from "./rules.ts";

it("keeps this year and last year, on every day of this one", () => {
	for (const today of ["2026-01-01", "2026-11-24", "2026-12-31"])
		expect(latestToArchive(today as CalendarDate)).toBe(2024);
});

it("ends a year on December 31", () => {
	expect(lastDayOf(2024)).toBe("2024-12-31");
});
