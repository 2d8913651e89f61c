/**
 * Every number of the Fleet Overview against a sum over the rows, at the moments where a date
 * begins or ends, and on unusual days of the year.
 */
import { expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { insertFee } from "../../../tests/support/fees.ts";
import { dayOf } from "../../../tests/support/fleet-days.ts";
import {
	DRIVERS,
	daysBefore,
	fullName,
	MOMENTS,
	openMovingFleet,
	Sums,
} from "../../../tests/support/moving-clock.ts";
import { writeStatement } from "../../db/client.server.ts";
import { overviewFrom, overviewStatements } from "./fleet-overview.server.ts";

const bench = await openMovingFleet();
const rows = await Sums.of(bench);

/** A week's top three drivers by miles, from the rows. */
function topOf(week: Sums) {
	return DRIVERS.map((name) => ({ name, own: week.by(name) }))
		.filter(({ own }) => own.miles > 0)
		.sort((one, other) => other.own.miles - one.own.miles || other.own.fuel - one.own.fuel)
		.slice(0, 3)
		.map(({ name, own }) => ({
			id: idOf(name),
			name: fullName(name),
			miles: own.miles,
			costCents: own.perMile,
			label: own.perMile < 100 ? "Efficient" : "Average",
		}));
}

it.each(MOMENTS)("%s", async (_, now) => {
	const today = dayOf(now);
	const { db, ...admin } = await bench.admin("ada", now);
	expect(admin.today).toBe(today);
	const overview = await overviewFrom(await db.batch(overviewStatements(admin.today)), {
		...admin,
		db,
	});
	expect(db.cost.trips).toBe(1);

	const week = rows.within(daysBefore(today, 6), today);
	const before = rows.within(daysBefore(today, 13), daysBefore(today, 7));
	expect(overview.week).toMatchObject({
		from: daysBefore(today, 6),
		to: today,
		fuelCents: week.fuel,
		feeCents: week.fees,
		spentCents: week.fuel + week.fees,
		moreCents: week.fuel + week.fees - before.fuel - before.fees,
	});
	expect(overview.weeks).toEqual(
		Array.from({ length: 12 }, (_each, position) => {
			const [from, to] = [
				daysBefore(today, 83 - 7 * position),
				daysBefore(today, 77 - 7 * position),
			];
			const own = rows.within(from, to);
			return { from, to, miles: own.miles, fuelCents: own.fuel, feeCents: own.fees };
		}),
	);
	expect(
		overview.top.map(({ id, name, miles, costCents, label }) => ({
			id,
			name,
			miles,
			costCents,
			label,
		})),
	).toEqual(topOf(week));
	expect(overview.top.length).toBeGreaterThan(0);
	expect(overview).toMatchObject({
		pendingRequests: rows.count("pending"),
		feeCents: rows.fees,
		miles: rows.miles,
		// Dana, Omar, Łena and Inès; Nora has applied.
		drivers: 4,
		applications: 1,
	});
});

it("scans no table", async () => {
	const { today } = await bench.admin("ada");
	for (const [name, statement] of Object.entries(overviewStatements(today))) {
		const { sql, params } = writeStatement(statement).getQuery();
		const values = params.map((each) => (typeof each === "boolean" ? Number(each) : each));
		const plan = (await bench.rows<{ detail: string }>(`explain query plan ${sql}`, ...values)).map(
			({ detail }) => detail,
		);
		expect(
			plan.filter((step) => step.startsWith("SEARCH")).length,
			`${name}: ${plan.join("; ")}`,
		).toBeGreaterThan(0);
		// Counting the applications reads their own small index; a window's blocks are a list of
		// constants.
		const scans = plan.filter(
			(step) =>
				step.startsWith("SCAN") &&
				!/CONSTANT ROW|VALUES CLAUSE|USING (COVERING )?INDEX users_applications/.test(step),
		);
		expect(scans, name).toEqual([]);
	}
});

it("the weeks begin with the fleet's first entry, whatever it is", async () => {
	for (const table of ["request_messages", "fund_requests", "mileage_logs", "uber_fees"])
		await bench.rows(`delete from ${table}`);
	const now = Date.parse("2026-11-21T17:00:00Z");
	const weeksSince = async (date: string, number: number) => {
		await insertFee(bench.rows, number, "dana", date);
		// Refunded at once, so that sums don't show it.
		await insertFee(bench.rows, number + 1, "dana", date, { is_credit: 1 });
		const { db, ...admin } = await bench.admin("ada", now);
		const found = await db.batch(overviewStatements(admin.today));
		return (await overviewFrom(found, { ...admin, db })).weeks.map(({ from }) => from);
	};
	expect(await weeksSince("2026-11-10", 1)).toEqual(["2026-11-08", "2026-11-15"]);
	expect(await weeksSince("2026-03-10", 3)).toHaveLength(12);
});
