/**
 * The weeks of the overview: seven dates each, the last ending today, nothing lost and nothing
 * counted twice.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, parseCalendarDate } from "../../values/calendar-date.ts";
import { dayNumber } from "./blocks.ts";
import { ZERO_TOTALS } from "./rules.ts";
import { averageWeeks, groupByWeek, weeksPeriod } from "./weeks.ts";

describe.each(
	["2026-11-21", "2024-02-29", "2024-03-01", "2026-03-08", "2026-11-01", "2025-01-01"].map(
		parseCalendarDate,
	),
)("on %s", (today) => {
	it("are twelve without a gap, the last ending today", () => {
		const weeks = groupByWeek([], today);
		expect(weeks).toHaveLength(12);
		expect(weeks.at(-1)).toEqual({
			from: addDays(today, -6),
			to: today,
			miles: 0,
			fuelCents: 0,
			feeCents: 0,
		});
		expect(weeksPeriod(today)).toEqual({ from: weeks[0]?.from, to: today });
		for (const [position, { from, to }] of weeks.entries()) {
			expect(to).toBe(addDays(from, 6));
			if (position > 0) expect(from).toBe(addDays(weeks[position - 1]?.to ?? today, 1));
		}
	});

	it("include what is on their dates and nothing else", () => {
		const amount = fc.integer({ min: 0, max: 1_000_000 });
		const day = fc.record({
			ago: fc.integer({ min: -3, max: 90 }),
			fuel: amount,
			commission: amount,
			service: amount,
			booking: amount,
			other: amount,
		});
		fc.assert(
			fc.property(fc.uniqueArray(day, { selector: ({ ago }) => ago, maxLength: 94 }), (days) => {
				const rows = days.map(({ ago, fuel, commission, service, booking, other }) => ({
					...ZERO_TOTALS,
					day: dayNumber(addDays(today, -ago)),
					miles: fuel + 1,
					fuelCents: fuel,
					maintenanceCents: 5,
					pendingCents: 7,
					commissionCents: commission,
					serviceFeeCents: service,
					bookingFeeCents: booking,
					otherFeeCents: other,
				}));
				const sum = (numbers: readonly number[]) => numbers.reduce((so, next) => so + next, 0);
				for (const [position, week] of groupByWeek(rows, today).toReversed().entries()) {
					const inside = days.filter(({ ago }) => ago >= position * 7 && ago < position * 7 + 7);
					expect(week.miles).toBe(sum(inside.map(({ fuel }) => fuel + 1)));
					expect(week.fuelCents).toBe(sum(inside.map(({ fuel }) => fuel)));
					expect(week.feeCents).toBe(
						sum(
							inside.map(
								({ commission, service, booking, other }) => commission + service + booking + other,
							),
						),
					);
				}
			}),
			{ numRuns: 40 },
		);
	});
});

it.each([
	[undefined, 1],
	["2026-11-25", 1],
	["2026-11-19", 1],
	["2026-11-18", 2],
	["2026-10-29", 4],
	["2026-09-03", 12],
	["2024-01-01", 12],
	["2026-11-26", 1],
] as const)("averages over the weeks since a first entry on %s: %i", (first, weeks) => {
	expect(averageWeeks(first && parseCalendarDate(first), parseCalendarDate("2026-11-25"))).toBe(
		weeks,
	);
});
