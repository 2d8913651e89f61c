import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, daysBetween, parseCalendarDate } from "../../values/calendar-date.ts";
import { BLOCK_DAYS, coverPeriod, dateFromDayNumber, dayNumber } from "./blocks.ts";

const day = (text: string) => parseCalendarDate(text);

describe("the blocks of a window", () => {
	const anyWindow = (most: number) =>
		fc
			.record({
				first: fc.integer({ min: 0, max: 3_000_000 }),
				length: fc.integer({ min: 1, max: most }),
			})
			.map(({ first, length }) => {
				const from = addDays(day("0001-01-01"), first);
				return { from, to: addDays(from, length - 1) };
			});

	it("cover every date of the window once, in order", () => {
		fc.assert(
			fc.property(anyWindow(5000), ({ from, to }) => {
				let next = dayNumber(from);
				for (const { days, firstDay } of coverPeriod({ from, to })) {
					expect(firstDay).toBe(next);
					expect(firstDay % days).toBe(0);
					expect(BLOCK_DAYS).toContain(days);
					next += days;
				}
				expect(next).toBe(dayNumber(to) + 1);
			}),
		);
	});

	it("are at most 23 for a year of 366 dates, wherever it begins, and at most 33 for ten years", () => {
		const most = (length: number) => {
			let found = 0;
			// The pattern repeats with the longest block.
			for (let first = 0; first < 1024; first++) {
				const from = addDays(day("2026-01-01"), first);
				found = Math.max(found, coverPeriod({ from, to: addDays(from, length - 1) }).length);
			}
			return found;
		};
		for (let length = 1; length <= 366; length += 5)
			expect(most(length), String(length)).toBeLessThanOrEqual(23);
		expect(most(366)).toBeLessThanOrEqual(23);
		expect(most(3653)).toBeLessThanOrEqual(33);
	});

	it("are empty for a window that ends before it starts", () => {
		expect(coverPeriod({ from: day("2026-11-21"), to: day("2026-11-20") })).toEqual([]);
	});
});

it("numbers dates as SQLite's julianday does, and back", () => {
	expect(dayNumber(day("2000-01-01"))).toBe(2_451_545);
	for (const text of ["0001-01-01", "1969-12-31", "1970-01-01", "2024-02-29", "9999-12-31"]) {
		expect(dateFromDayNumber(dayNumber(day(text)))).toBe(text);
		expect(dayNumber(day(text)) - dayNumber(day("1970-01-01"))).toBe(
			daysBetween(day("1970-01-01"), day(text)),
		);
	}
});
