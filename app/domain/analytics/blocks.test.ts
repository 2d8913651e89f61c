import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, daysBetween, parseCalendarDate } from "../../values/calendar-date.ts";
import { BLOCK_DAYS, coverPeriod, dateFromDayNumber, dayNumber, isTakenOff } from "./blocks.ts";

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

	it("count every date of the window once and no other, if those to be taken off are", () => {
		fc.assert(
			fc.property(anyWindow(5000), ({ from, to }) => {
				const [first, last] = [dayNumber(from), dayNumber(to)];
				// How often each date from 256 before the window to 256 after it is counted.
				const counted = new Array<number>(last - first + 513).fill(0);
				for (const block of coverPeriod({ from, to })) {
					const { days, firstDay } = block;
					expect(firstDay % days).toBe(0);
					expect(BLOCK_DAYS).toContain(days);
					for (let day = firstDay; day < firstDay + days; day++)
						counted[day - first + 256] =
							(counted[day - first + 256] ?? 0) + (isTakenOff(block, { from, to }) ? -1 : 1);
				}
				const isCounted = (at: number) => at >= 256 && at <= last - first + 256;
				expect(counted.findIndex((times, at) => times !== +isCounted(at))).toBe(-1);
			}),
		);
	});

	it("are at most 15 for 30 dates, 32 for a year or less and 45 for ten years, wherever they begin", () => {
		const most = (length: number) => {
			let found = 0;
			// The pattern repeats with the longest block.
			for (let first = 0; first < 256; first++) {
				const from = addDays(day("2026-01-01"), first);
				found = Math.max(found, coverPeriod({ from, to: addDays(from, length - 1) }).length);
			}
			return found;
		};
		expect(most(30)).toBe(15);
		let longest = 0;
		for (let length = 1; length <= 366; length++) longest = Math.max(longest, most(length));
		expect(longest).toBe(32);
		for (const length of [3653, 3600, 3500]) expect(most(length)).toBeLessThanOrEqual(45);
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
