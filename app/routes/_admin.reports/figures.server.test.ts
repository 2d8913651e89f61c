/**
 * Every figure of Reports & Analytics against a sum over the rows, at the moments where a date
 * begins or ends, and on unusual days of the year.
 */
import { expect, it } from "vitest";
import { insertFee } from "../../../tests/support/fees.ts";
import { dayOf, describePeriod } from "../../../tests/support/fleet-days.ts";
import {
	DRIVERS,
	daysBefore,
	grouped,
	MOMENTS,
	money,
	openMovingFleet,
	quotient,
	Sums,
} from "../../../tests/support/moving-clock.ts";
import { figureStatements, figuresFrom } from "./figures.server.ts";

const bench = await openMovingFleet();
const rows = await Sums.of(bench);

async function figuresAt(now: number) {
	const { db, ...admin } = await bench.admin("ada", now);
	const figures = await figuresFrom(await db.batch(figureStatements(admin.today)), {
		...admin,
		db,
	});
	expect(db.cost.trips).toBe(1);
	return figures;
}

it.each(MOMENTS)("%s", async (_, now) => {
	const today = dayOf(now);
	const dates = (days: number) => [daysBefore(today, days - 1), today] as const;
	const words = (days: number) => describePeriod(...dates(days));
	const [week, month, weeks] = [
		rows.within(...dates(7)),
		rows.within(...dates(30)),
		rows.within(...dates(84)),
	];
	const spent = week.fuel + week.fees;
	const fuelPercent = quotient(100 * week.fuel, spent);
	expect(await figuresAt(now)).toEqual({
		windows: { week: words(7), month: words(30), weeks: `12 weeks, ${words(84)}` },
		fuel: money(week.fuel),
		fees: money(week.fees),
		spend: money(spent),
		shares: { fuel: fuelPercent, fees: 100 - fuelPercent },
		miles: grouped(month.miles),
		activeDrivers: String(DRIVERS.filter((name) => month.by(name).count("trip") > 0).length),
		averageSpend: money(quotient(weeks.fuel + weeks.fees, 12)),
		perMile: money(month.perMile),
		isAboveTarget: month.perMile > 100,
		aboveTargetOver: "$1.00",
		targetRatio: "70:30",
	});
});

it("are zero for a fleet in which nothing happened in any window", async () => {
	expect(await figuresAt(Date.parse("2023-07-01T04:00:00Z"))).toMatchObject({
		fuel: "$0.00",
		fees: "$0.00",
		spend: "$0.00",
		shares: { fuel: 0, fees: 0 },
		miles: "0",
		activeDrivers: "0",
		averageSpend: "$0.00",
		perMile: "$0.00",
		isAboveTarget: false,
	});
});

it("the sampled moments cover both sides of the target and of the number of drivers", async () => {
	const seen = [];
	for (const [, now] of MOMENTS) seen.push(await figuresAt(now));
	expect(new Set(seen.map(({ isAboveTarget }) => isAboveTarget))).toEqual(new Set([true, false]));
	expect(new Set(seen.map(({ activeDrivers }) => activeDrivers)).size).toBeGreaterThan(1);
});

it("average the weeks since the first entry that counts", async () => {
	for (const table of ["request_messages", "fund_requests", "mileage_logs", "uber_fees"])
		await bench.rows(`delete from ${table}`);
	const now = Date.parse("2026-11-21T17:00:00Z");
	// A mistyped month that was corrected, and this week's fee.
	await insertFee(bench.rows, 1, "dana", "2026-01-20", { amount_cents: 12_000 });
	await bench.rows("delete from uber_fees");
	await insertFee(bench.rows, 2, "dana", "2026-11-20", { amount_cents: 12_000 });
	expect(await figuresAt(now)).toMatchObject({
		averageSpend: "$120.00",
		windows: { weeks: "1 week, Nov 15 to Nov 21, 2026" },
	});
});
