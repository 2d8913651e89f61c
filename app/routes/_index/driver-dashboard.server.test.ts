/**
 * Every number of the Driver Dashboard against a sum over the rows, at the moments where a date
 * begins or ends, and on unusual days of the year.
 */
import { expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { dayOf, midnight } from "../../../tests/support/fleet-days.ts";
import { insertLog } from "../../../tests/support/mileage.ts";
import {
	daysBefore,
	lineOf,
	linesOf,
	MOMENTS,
	openMovingFleet,
	quotient,
	Sums,
	sorted,
	toQueryContext,
	unordered,
} from "../../../tests/support/moving-clock.ts";
import { dashboardFrom, dashboardStatements } from "./driver-dashboard.server.ts";

const bench = await openMovingFleet();
const rows = await Sums.of(bench);

async function dashboardOf(name: "dana" | "omar", now: number) {
	const driver = await bench.driver(name, now);
	const dashboard = dashboardFrom(
		await driver.db.batch(dashboardStatements(toQueryContext(driver))),
		driver,
	);
	expect(driver.db.cost.trips).toBe(1);
	return dashboard;
}

it.each(MOMENTS)("the figures, %s", async (_, now) => {
	const today = dayOf(now);
	const [weekStart, monthStart] = [daysBefore(today, 6), daysBefore(today, 29)];
	for (const name of ["dana", "omar"] as const) {
		const weekMiles = rows.within(weekStart, today).by(name).miles;
		const monthCents = rows.within(monthStart, today).by(name).sum("gas", "maintenance", "other");
		expect(await dashboardOf(name, now), name).toMatchObject({
			week: { from: weekStart, to: today },
			month: { from: monthStart, to: today },
			weekMiles,
			pending: rows.by(name).count("pending"),
			monthCents,
			averageCents: quotient(monthCents, weekMiles),
		});
	}
});

it("Recent Activity is the newest three requests and two trips until then", async () => {
	// From the last moment to the first, later rows are removed: the newest rows are around midnight.
	const ever = await linesOf(bench, "dana");
	for (const [what, now] of MOMENTS.toSorted(([, one], [, other]) => other - one)) {
		const today = dayOf(now);
		await bench.rows(
			"delete from fund_requests where driver_id = ? and created_at > ?",
			idOf("dana"),
			now,
		);
		await bench.rows(
			"delete from mileage_logs where driver_id = ? and driven_on > ?",
			idOf("dana"),
			today,
		);
		const requests = ever.requests.filter(({ order }) => order <= now);
		const logs = ever.logs.filter(({ date }) => date <= today);
		const expected = sorted([...requests.slice(0, 3), ...logs.slice(0, 2)]).map(unordered);
		expect(expected.map(({ kind }) => kind).sort(), what).toEqual([
			"mileage",
			"mileage",
			"request",
			"request",
			"request",
		]);
		const { recent } = await dashboardOf("dana", now);
		expect(recent.map(lineOf), what).toEqual(expected);
		// Also when only the first millisecond of today has passed.
		expect(
			recent.some(({ date }) => date === today),
			what,
		).toBe(true);
	}
});

it("a driver without activity has zeros", async () => {
	const now = midnight("2026-07-01");
	await bench.rows("delete from fund_requests where driver_id = ?", idOf("omar"));
	await bench.rows("delete from mileage_logs where driver_id = ?", idOf("omar"));
	expect(await dashboardOf("omar", now)).toMatchObject({
		weekMiles: 0,
		pending: 0,
		monthCents: 0,
		averageCents: 0,
		recent: [],
	});
});

it("names the last reading however many entries of that day were voided", async () => {
	const now = Date.parse("2026-07-01T17:00:00Z");
	await bench.rows("delete from mileage_logs where driver_id = ?", idOf("omar"));
	const log = (number: number, end: number, columns: object = {}) =>
		insertLog(bench.rows, number, "omar", "2026-07-01", 50, { end_miles: end, ...columns });
	await log(90_001, 45_292, { start_miles: 45_242 });
	for (const [number, end] of [
		[90_002, 45_299],
		[90_003, 45_992],
	] as const)
		await log(number, end, {
			...{ start_miles: end - 50, voided_at: now, voided_by: idOf("omar") },
			void_reason: "Typed wrongly",
		});
	expect((await dashboardOf("omar", now)).lastEnding?.endMiles).toBe(45_292);
});
