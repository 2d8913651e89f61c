/**
 * The rows that each step of the schedule and each large write read, with a hundred times as many
 * drivers: D1 counts exactly, and whatever grows with the fleet hits D1's limits.
 */
import { describe, expect, it } from "vitest";
import { ROWS_READ } from "../../tests/support/budgets.ts";
import { idOf, ZONE } from "../../tests/support/cast.ts";
import { openDatabase } from "../../tests/support/database.ts";
import { EXTENT } from "../../tests/support/extent.ts";
import { openFileStore } from "../../tests/support/file-store.ts";
import { seedFleet } from "../../tools/seed-fleet.ts";
import { Database } from "../db/client.server.ts";
import { processRequests } from "../domain/fund-requests/commands/process.server.ts";
import type { AdminContext } from "../domain/kernel/context.ts";
import { cancelPayout } from "../domain/payouts/commands/cancel.server.ts";
import { makePayout } from "../domain/payouts/commands/make.server.ts";
import { payPayout } from "../domain/payouts/commands/pay.server.ts";
import { reopenPayout } from "../domain/payouts/commands/reopen.server.ts";
import type { Gathering } from "../domain/payouts/input.ts";
import { type Env, parseSettings } from "../env.server.ts";
import { addDays, type CalendarDate, startOfDay } from "../values/calendar-date.ts";
import { STEPS } from "./tasks.ts";

const MONDAY = "2026-11-23" as CalendarDate;
const MIDNIGHT = startOfDay(ZONE, MONDAY);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Trips of each driver in 90 days, fewer in the largest fleet; one in ten is followed by a request. */
const TRIPS = 8;
const FLEETS = EXTENT === "full" ? [50, 5000, 50_000] : [50, 5000];

describe.each(FLEETS)("with %i drivers", async (drivers) => {
	const bench = await openDatabase("everyone", MIDNIGHT, { isLarge: true });
	const store = await openFileStore();
	await seedFleet(bench.d1, {
		logs: Math.min(drivers * TRIPS, 100_000),
		drivers,
		days: 90,
		until: addDays(MONDAY, -2),
		adminId: idOf("ada"),
		untilStarts: startOfDay(ZONE, addDays(MONDAY, -2)),
	});
	const env = {
		DB: bench.d1,
		RECEIPTS: store,
		BACKUPS: store,
		APP_ORIGIN: "http://localhost",
		COOKIE_SECRET: "0123456789".repeat(4),
		FLEET_TIME_ZONE: ZONE,
	} as Env;

	/** Most rows of one trip of each task, and of one run, which may take several. */
	const trips: Record<string, number> = {};
	const runs: Record<string, number> = {};
	const busy = new Set<string>();
	let exported = 0;
	/** The database, noting the rows of a task's largest trip. */
	const watched = (task: string) =>
		({
			prepare: (query: string) => bench.d1.prepare(query),
			batch: async (list: D1PreparedStatement[]) => {
				const results = await bench.d1.batch(list);
				const read = results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
				trips[task] = Math.max(trips[task] ?? 0, read);
				return results;
			},
		}) as D1Database;
	/** Runs every minute from a moment until none has anything to do. */
	async function runFrom(moment: number): Promise<void> {
		let isBusy = true;
		for (let now = moment; isBusy && now < moment + HOUR; now += MINUTE) {
			isBusy = false;
			for (const [task, step] of STEPS) {
				const db = new Database(watched(task));
				const system = { role: "system", db, now } as const;
				await step({ env, settings: parseSettings(env), system, clock: () => now });
				runs[task] = Math.max(runs[task] ?? 0, db.cost.rows);
				if (task === "export") exported += db.cost.rows;
				if (db.cost.written === 0) continue;
				isBusy = true;
				busy.add(task);
			}
		}
	}

	it("no trip of a day's schedule reads more than 10,000 rows, but the export's, which reads each a few times", async () => {
		// Tomorrow's standings; books, sweep, seal and export; the digest and the reminders.
		for (const moment of [MIDNIGHT - 2 * HOUR + MINUTE, MIDNIGHT, MIDNIGHT + 7 * HOUR])
			await runFrom(moment);
		const above = (most: Readonly<Record<string, number>>, ...left: string[]) =>
			Object.entries(most).filter(
				([task, rows]) => rows > ROWS_READ.scheduledTrip && !left.includes(task),
			);
		expect(above(trips, "export")).toEqual([]);
		// Tomorrow's standings have to be complete at midnight, so a run takes up to 20 trips.
		expect(above(runs, "export", "standings")).toEqual([]);
		expect([...busy].sort()).toEqual(
			expect.arrayContaining(["auditSeal", "books", "export", "reminders", "standings", "sweep"]),
		);
		const tables = [
			"mileage_logs",
			"fund_requests",
			"payout_requests",
			"uber_fees",
			"users",
			"identities",
		];
		const [rows] = await bench.rows<{ count: number }>(
			`select ${tables.map((name) => `(select count(*) from ${name})`).join(" + ")} as count`,
		);
		expect(exported).toBeLessThan((rows?.count ?? 0) * 6 + 7000);
	});

	it("no payout of 500 requests reads more than 30,000, and no decision more than 150", async () => {
		const ada = await bench.admin("ada", MIDNIGHT + 12 * HOUR);
		const read: Record<string, number> = {};
		async function costOf<T>(what: string, act: (admin: AdminContext) => Promise<T>): Promise<T> {
			const db = new Database(bench.d1);
			const answer = await act({ ...ada, db });
			read[what] = db.cost.rows;
			return answer;
		}
		const make = async (what: string, gathering: Gathering) => {
			const made = await costOf(what, (admin) => makePayout(admin, gathering, undefined));
			return made.ok ? made.value.row.payout : expect.unreachable(made.reason);
		};
		const unpaid = await bench.rows<{ id: string; driver_id: string }>(
			"select id, driver_id from fund_requests where status = 'approved' and payout_id is null order by number desc limit 500",
		);
		const all = await make("payout of all", { kind: "all", shownCents: undefined });
		expect(all.requestCount).toBe(Math.min(500, unpaid.length));
		await costOf("cancel", (admin) => cancelPayout(admin, all.id));
		const named = await make("payout of named requests", {
			kind: "named",
			ids: unpaid.map(({ id }) => id),
		});
		const payment = { paidOn: MONDAY, reference: undefined };
		const paid = await costOf("pay", (admin) => payPayout(admin, named.id, payment));
		expect(paid).toMatchObject({ ok: true });
		await costOf("reopen", (admin) => reopenPayout(admin, named.id, "Wrong account"));
		await costOf("cancel again", (admin) => cancelPayout(admin, named.id));
		await make("payout of one driver", {
			kind: "driver",
			driverId: unpaid[0]?.driver_id ?? "",
			shownCents: undefined,
		});
		const pending = await bench.rows<{ id: string }>(
			"select id from fund_requests where status = 'pending' limit 500",
		);
		await costOf("decisions", (admin) =>
			processRequests(
				admin,
				pending.map(({ id }) => id),
				{ status: "approved", adminNotes: undefined },
			),
		);
		expect(Object.entries(read).filter(([, rows]) => rows > ROWS_READ.payoutOf500)).toEqual([]);
		expect((read.decisions ?? 0) / pending.length).toBeLessThan(ROWS_READ.decision);
		expect(read["payout of one driver"]).toBeLessThan(ROWS_READ.payoutOfOneDriver);
	});
});
