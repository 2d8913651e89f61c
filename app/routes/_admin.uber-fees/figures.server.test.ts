/**
 * The figures of Uber Fee Management against a sum over the rows, at the moments where a date
 * begins or ends, and on unusual days of the year.
 */
import { expect, it } from "vitest";
import { dayOf, describePeriod } from "../../../tests/support/fleet-days.ts";
import {
	MOMENTS,
	money,
	monthsBack,
	openMovingFleet,
	Sums,
} from "../../../tests/support/moving-clock.ts";
import { figureStatements, figuresFrom } from "./figures.server.ts";

const bench = await openMovingFleet();
const rows = await Sums.of(bench);

it.each(MOMENTS)("%s", async (_, now) => {
	const today = dayOf(now);
	const { db, ...admin } = await bench.admin("ada", now);
	const figures = figuresFrom(await db.batch(figureStatements(admin.today)), admin);
	expect(db.cost.trips).toBe(1);

	const from = monthsBack(today, 1);
	expect(figures).toEqual({
		total: money(rows.fees),
		month: { total: money(rows.within(from, today).fees), period: describePeriod(from, today) },
		categories: [
			["commission", "commission"],
			["service fee", "service_fee"],
			["booking fee", "booking_fee"],
			["other", "other_fee"],
		].map(([category, as = ""]) => ({
			category,
			total: money(rows.sum(as)),
			entries: rows.count(as),
		})),
	});
	// Every category has fees, and they aren't all one driver's.
	for (const { entries } of figures.categories) expect(entries).toBeGreaterThan(0);
	expect(rows.by("dana").fees).toBeLessThan(rows.fees);
});

/** Where the month that ends on a date begins, by an ordinary calendar. */
it.each([
	["2024-02-28", "2024-01-29"],
	["2024-02-29", "2024-01-30"],
	["2024-03-01", "2024-02-02"],
	["2024-05-30", "2024-05-01"],
	["2024-05-31", "2024-05-01"],
	["2025-12-31", "2025-12-01"],
	["2026-01-01", "2025-12-02"],
	["2026-03-30", "2026-03-01"],
	["2026-03-31", "2026-03-01"],
	["2026-11-01", "2026-10-02"],
])("the month that ends on %s begins on %s", async (today, from) => {
	const now = MOMENTS.map(([, moment]) => moment).find((moment) => dayOf(moment) === today);
	const { db, ...admin } = await bench.admin("ada", now);
	const { month } = figuresFrom(await db.batch(figureStatements(admin.today)), admin);
	expect(month).toEqual({
		total: money(rows.within(from, today).fees),
		period: describePeriod(from, today),
	});
});
