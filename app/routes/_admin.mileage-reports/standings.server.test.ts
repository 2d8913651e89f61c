/**
 * The standings of drivers equal the sums over their rows at every moment: kept by triggers, built
 * in advance, late, across midnights and clock changes.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { some } from "../../../lab/torture/plan.ts";
import { type CastName, idOf, ZONE } from "../../../tests/support/cast.ts";
import { oneIn } from "../../../tests/support/extent.ts";
import { dayOf } from "../../../tests/support/fleet-days.ts";
import { MOMENTS, openMovingFleet } from "../../../tests/support/moving-clock.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import { insertRow } from "../../../tests/support/rows.ts";
import { Database } from "../../db/client.server.ts";
import { forgetStandings, keepStandings } from "../../domain/analytics/keep-standings.server.ts";
import { selectTotalsByDriver } from "../../domain/analytics/queries.server.ts";
import { costPerMile } from "../../domain/analytics/rules.ts";
import { parseSearch } from "../../domain/analytics/search.ts";
import { STANDING_WINDOWS, windowPeriod } from "../../domain/analytics/standing-windows.ts";
import { selectSet } from "../../domain/analytics/standings.server.ts";
import type { FleetSettings } from "../../domain/kernel/fleet-settings.ts";
import { logMileage } from "../../domain/mileage/commands/log.server.ts";
import { changeSettings } from "../../domain/settings/commands/change.server.ts";
import { addDays, type CalendarDate } from "../../values/calendar-date.ts";
import { lastDays } from "../../values/period.ts";
import { figureStatements, figuresFrom } from "../_admin.reports/figures.server.ts";
import { overviewFrom, overviewStatements } from "../_index/fleet-overview.server.ts";
import { rankingFrom, rankingOf, reportStatements, standingStatements } from "./report.server.ts";

const bench = await openMovingFleet();
const sql = bench.rows;
const keep = (now: number) =>
	keepStandings({ role: "system", db: new Database(bench.batches), now }, ZONE);

/** What the screens show at a moment, and whether a set was used. */
async function screensAt(now: number) {
	const { db, ...admin } = await bench.admin("ada", now);
	const { set } = await db.batch({ set: selectSet(db.build, admin.today) });
	const reports = [];
	for (const window of STANDING_WINDOWS) {
		const view = parseSearch(new URLSearchParams({ range: window }), admin.today);
		const { totals, ...kept } = await db.batch({
			totals: reportStatements(admin.today, view).totals,
			...standingStatements(admin.today, view),
		});
		reports.push(await rankingOf({ ...admin, db }, { totals }, kept, view));
	}
	const home = await overviewFrom(await db.batch(overviewStatements(admin.today)), {
		...admin,
		db,
	});
	const figures = await figuresFrom(await db.batch(figureStatements(admin.today)), {
		...admin,
		db,
	});
	return {
		isKept: set.length === 1,
		shown: {
			reports: reports.map(({ summary, page }) => ({ ...summary, rows: page.rows.map(figuresOf) })),
			top: home.top.map(({ id, miles, costCents }) => [id, miles, costCents]),
			active: home.drivers,
			driving: figures.activeDrivers,
		},
	};
}
const figuresOf = ({ id, miles, fuelCents }: { id: string; miles: number; fuelCents: number }) => [
	id,
	miles,
	fuelCents,
];

/** Expected from the rows, driver by driver. */
async function expectedAt(now: number) {
	const { db, today, settings } = await bench.admin("ada", now);
	const { thirty, ...windows } = await db.batch({
		week: selectTotalsByDriver(db.build, windowPeriod("week", today)),
		month: selectTotalsByDriver(db.build, windowPeriod("month", today)),
		quarter: selectTotalsByDriver(db.build, windowPeriod("quarter", today)),
		thirty: selectTotalsByDriver(db.build, lastDays(today, 30)),
	});
	const rankings = STANDING_WINDOWS.map((window) =>
		rankingFrom(windows[window], undefined, settings),
	);
	return {
		reports: rankings.map(({ summary, page }) => ({ ...summary, rows: page.rows.map(figuresOf) })),
		top: rankings[0]?.page.rows
			.filter(({ miles }) => miles > 0)
			.slice(0, 3)
			.map((driver) => [driver.id, driver.miles, costPerMile(driver)]),
		active: thirty.filter(({ isActive }) => isActive).length,
		driving: String(thirty.filter(({ trips }) => trips > 0).length),
	};
}

/** Compares people by what is shown, since the two ways return different columns. */
const named = ({ reports, ...others }: Awaited<ReturnType<typeof expectedAt>>) => ({
	...others,
	reports: reports.map(({ over, idle, best, ...rest }) => ({
		...rest,
		over: { ...over, first: over.first.map(figuresOf) },
		idle: { ...idle, first: idle.first.map(figuresOf) },
		best: best && figuresOf(best),
	})),
});

async function expectTrue(now: number, isKept: boolean | undefined, what: string) {
	const { shown, isKept: was } = await screensAt(now);
	expect(named(shown), what).toEqual(named(await expectedAt(now)));
	if (isKept !== undefined) expect(was, what).toBe(isKept);
}

let number = 0;
/** A trip with its own readings, at any date. */
async function logTrip(driver: CastName, date: string, miles: number) {
	number += 1;
	await insertRow(sql, "mileage_logs", {
		id: `70000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
		driver_id: idOf(driver),
		driven_on: date,
		start_miles: 9_000_000 + number,
		end_miles: 9_000_000 + number + miles,
		source: "seed",
		created_at: 1,
		payload_hash: "x",
	});
}

async function addFuel(driver: CastName, date: string, cents: number) {
	number += 1;
	await insertRequest(sql, 600_000 + number, driver, {
		amount_cents: cents,
		requested_on: date,
		...(number % 2 === 0 ? { status: "approved", decided_at: 1, decided_by: idOf("ada") } : {}),
	});
}

async function keepAll(now: number) {
	while (!(await keep(now)).isDone);
}

/** Every standing and set, without how it was built. */
const everySet = async () => ({
	standings: await sql("select * from standings order by end_day, driver_id"),
	sets: (await sql<Record<string, unknown>>("select * from standing_sets order by end_day")).map(
		({ built_to, ...set }) => set,
	),
});

/** Rows that D1 says it wrote for a driver's trip. */
async function writtenByTrip(date: CalendarDate, now: number): Promise<number> {
	let written = 0;
	const counting = {
		prepare: (query: string) => bench.batches.prepare(query),
		batch: async (list: D1PreparedStatement[]) => {
			const answers = await bench.batches.batch(list);
			for (const { meta } of answers) written += meta.rows_written;
			return answers;
		},
	} as unknown as D1Database;
	number += 1;
	const driver = { ...(await bench.driver("dana", now)), db: new Database(counting) };
	const logged = await logMileage(
		driver,
		{
			date,
			startOdometer: 9_100_000 + 30 * number,
			endOdometer: 9_100_020 + 30 * number,
			notes: undefined,
			key: `trip-${number}`,
			confirm: undefined,
			correctsId: undefined,
		},
		"json",
	);
	expect(logged.ok).toBe(true);
	return written;
}

describe("at the edges of dates", () => {
	// Each turn at another of its five moments.
	it.each(oneIn(6, MOMENTS))(
		"%s: kept from the day before, changed after midnight, and built late",
		async (_, now) => {
			const today = dayOf(now) as CalendarDate;
			// Kept by a task that ran each minute, with a trip between its last run and now.
			await keep(now - 90 * 60_000);
			await keep(now - 60_000);
			await logTrip("dana", addDays(today, -1), 40);
			await logTrip("omar", today, 25);
			await keep(now);
			await expectTrue(now, true, "every minute");
			// Built in advance, and no task has run since midnight: exact by adding up.
			await keep(now - 3 * 60_000);
			await logTrip("lena", addDays(today, -6), 12);
			await expectTrue(now, undefined, "late");
			// No task for days.
			await keep(now - 3 * 86_400_000);
			await expectTrue(now, false, "days late");
			await keepAll(now);
		},
	);
});

describe("kept by triggers", () => {
	const NOW = MOMENTS.at(-1)?.[1] ?? 0;
	const today = dayOf(NOW) as CalendarDate;

	it("equal a rebuilt set after any sequence of commands and plain SQL, for today and tomorrow", async () => {
		const step = fc.record({
			kind: fc.constantFrom(
				...["trip", "trip", "trip", "void", "fuel", "fuel", "approve", "lower", "undo", "remove"],
				...["rename", "deactivate", "activate", "reject", "leave", "keep"],
			),
			driver: fc.constantFrom("dana" as const, "omar" as const, "lena" as const, "ivan" as const),
			ago: fc.integer({ min: -1, max: 100 }),
			amount: fc.integer({ min: 1, max: 900 }),
			number: fc.nat(),
		});
		await keepAll(NOW);
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
				for (const each of steps) {
					const id = idOf(each.driver);
					const date = addDays(today, -each.ago);
					const person = (set: string, ...values: unknown[]) =>
						sql(`update users set ${set} where id = ?`, ...values, id);
					const request = (set: string, where: string) =>
						sql(
							`update fund_requests set ${set} where id in (select id from fund_requests where driver_id = ? and payout_id is null and ${where} order by id limit 1 offset ?)`,
							id,
							each.number % 3,
						);
					switch (each.kind) {
						case "trip":
							await logTrip(each.driver, date, each.amount);
							break;
						case "void":
							await sql(
								"update mileage_logs set voided_at = iif(voided_at is null, 1, null), voided_by = iif(voided_at is null, driver_id, null) where id in (select id from mileage_logs where driver_id = ? and driven_on > ? order by id limit 1 offset ?)",
								id,
								addDays(date, -30),
								each.number % 7,
							);
							break;
						case "fuel":
							await addFuel(each.driver, date, each.amount * 10);
							break;
						case "approve":
							await request(
								"status = 'approved', decided_at = 1, decided_by = driver_id",
								"status = 'pending'",
							);
							break;
						case "lower":
							await request(
								"approved_amount_cents = max(1, amount_cents - 3)",
								"status = 'approved'",
							);
							break;
						case "undo":
							await request(
								"status = 'pending', decided_at = null, decided_by = null",
								"status = 'approved'",
							);
							break;
						case "remove":
							await sql(
								"delete from mileage_logs where id in (select id from mileage_logs where driver_id = ? and id like '70000000-%' order by id limit 1)",
								id,
							);
							break;
						case "rename":
							await person("last_name = ?", `N${each.amount}`);
							break;
						case "deactivate":
							await person("is_active = 0, deactivated_at = 1");
							break;
						case "activate":
							await person("is_active = 1, deactivated_at = null");
							break;
						case "reject":
							await person(
								"approval_status = iif(approval_status = 'approved', 'rejected', 'approved')",
							);
							break;
						case "leave":
							await person("role = iif(role = 'driver', 'none', 'driver')");
							break;
						case "keep":
							await keep(NOW);
							break;
					}
				}
				await keepAll(NOW);
				const kept = await everySet();
				const db = new Database(bench.batches);
				await db.batch(forgetStandings(db));
				await keepAll(NOW);
				expect(kept).toEqual(await everySet());
			}),
			{ numRuns: some(20) },
		);
		await sql(
			"update users set role = 'driver', approval_status = 'approved' where id in (?, ?, ?, ?)",
			...(["dana", "omar", "lena", "ivan"] as const).map(idOf),
		);
		await expectTrue(NOW, undefined, "at the end");
	});

	it("are rebuilt when an administrator changes the thresholds, and summed until then", async () => {
		await keepAll(NOW);
		await expectTrue(NOW, true, "with the defaults");
		const set = (settings: Partial<FleetSettings>) =>
			bench
				.admin("ada", NOW)
				.then((admin) => changeSettings(admin, settings, { fleetName: "Milepost" }));
		const tiersAt = async () => (await screensAt(NOW)).shown.reports.map(({ tiers }) => tiers);
		const before = await tiersAt();
		await set({ excellentUnderCents: 1, goodUnderCents: 2, targetCents: 40 });
		await expectTrue(NOW, false, "at once");
		const after = await tiersAt();
		expect(after).not.toEqual(before);
		await keepAll(NOW);
		await expectTrue(NOW, true, "within minutes");
		expect(await tiersAt()).toEqual(after);
		await logTrip("dana", today, 33);
		await expectTrue(NOW, true, "with a trip more");
		// What doesn't count toward a standing leaves the sets alone.
		await set({ feeAlertOverCents: 1, fuelTargetPercent: 60, aboveTargetOverCents: 2 });
		await expectTrue(NOW, true, "with other alerts");
		await set({ excellentUnderCents: 85, goodUnderCents: 100, targetCents: 85 });
		await expectTrue(NOW, false, "back");
		await keepAll(NOW);
		await expectTrue(NOW, true, "back, within minutes");
	});

	it("are summed while a stored threshold is invalid", async () => {
		await keepAll(NOW);
		await sql("insert into settings (id, chosen) values ('fleet', ?)", '{"targetCents":"cheap"}');
		await expectTrue(NOW, false, "a text");
		await keepAll(NOW);
		await expectTrue(NOW, false, "a text, built again");
		await sql("delete from settings");
		await keepAll(NOW);
		await expectTrue(NOW, true, "none");
	});

	it("cost a trip at most 30 rows written, with tomorrow's set being built", async () => {
		await keepAll(NOW);
		expect(await sql("select state from standing_sets order by end_day")).toEqual([
			{ state: "live" },
			{ state: "built" },
		]);
		// An ordinary trip is a driver's last one, and leaves the flags of others alone.
		await sql("delete from mileage_logs where driver_id = ? and end_miles < 9000000", idOf("dana"));
		// The hourly limit isn't tested here.
		await sql("update mileage_logs set created_at = 1");
		await sql("update users set is_active = 1, deactivated_at = null where id = ?", idOf("dana"));
		await keepAll(NOW);
		// Nor are the flags that seeded trips lack, which the next trip heals.
		await writtenByTrip(today, NOW);
		const written: number[] = [];
		for (let trip = 0; trip < 20; trip++) written.push(await writtenByTrip(today, NOW));
		console.log(`rows written by a trip: ${Math.max(...written)}`);
		expect(Math.max(...written)).toBeLessThanOrEqual(30);
	});
});
