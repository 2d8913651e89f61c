/**
 * The totals that triggers keep: equal to the sums over their rows, after any sequence of commands
 * and of plain SQL.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { some } from "../../../lab/torture/plan.ts";
import { type CastName, idOf, ZONE } from "../../../tests/support/cast.ts";
import { openBefore, openDatabase } from "../../../tests/support/database.ts";
import { insertFee } from "../../../tests/support/fees.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import {
	blocksOf,
	type Counted,
	countedRows,
	storedBlocks,
} from "../../../tests/support/totals.ts";
import { Database } from "../../db/client.server.ts";
import {
	addDays,
	type CalendarDate,
	dateIn,
	parseCalendarDate,
} from "../../values/calendar-date.ts";
import { processRequests } from "../fund-requests/commands/process.server.ts";
import { redateRequests } from "../fund-requests/commands/redate.server.ts";
import { submitRequest } from "../fund-requests/commands/submit.server.ts";
import { undoDecision } from "../fund-requests/commands/undo.server.ts";
import { withdrawRequest } from "../fund-requests/commands/withdraw.server.ts";
import { logMileage } from "../mileage/commands/log.server.ts";
import { voidMileage } from "../mileage/commands/void.server.ts";
import { addFee } from "../uber-fees/commands/add.server.ts";
import { deleteFee } from "../uber-fees/commands/delete.server.ts";
import { dateFromDayNumber } from "./blocks.ts";
import { FLEET, selectTotals, selectTotalsByDay, selectTotalsByDriver } from "./queries.server.ts";
import { recount } from "./recount.server.ts";
import { costPerMile, feeCount } from "./rules.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const TODAY = parseCalendarDate("2026-11-21");
const bench = await openDatabase("everyone", NOON);
const sql = bench.rows;
/** What releases before migration 0051 read: also blocks of 4, 64 and 1024 days, and 0 for all time. */
const EARLIER_LENGTHS = [0, 1, 4, 16, 64, 256, 1024];
const agree = async () => {
	const rows = await countedRows(sql);
	expect(await storedBlocks(sql)).toEqual(blocksOf(rows));
	expect(await storedBlocks(sql, "driver_totals")).toEqual(blocksOf(rows, EARLIER_LENGTHS));
};

const drivers = ["dana", "omar", "lena"] as const;
const pick = <Item>(items: readonly Item[], number: number): Item | undefined =>
	items[number % Math.max(items.length, 1)];

describe("are correct after any sequence", () => {
	it("of commands: log, void, submit, approve, reject, undo, withdraw, add a fee, replace it, delete it, whatever the date", async () => {
		const step = fc.record({
			kind: fc.constantFrom(
				...[
					"log",
					"log",
					"log",
					"void",
					"submit",
					"submit",
					"approve",
					"reject",
					"undo",
					"withdraw",
					"fee",
					"fee",
					"replace",
					"delete",
				],
				...["again"],
			),
			driver: fc.constantFrom(...drivers),
			daysAgo: fc.integer({ min: 0, max: 500 }),
			amount: fc.integer({ min: 1, max: 100_000 }),
			type: fc.constantFrom("gas" as const, "maintenance" as const, "other" as const),
			category: fc.constantFrom(
				"commission" as const,
				"service_fee" as const,
				"booking_fee" as const,
				"other" as const,
			),
			number: fc.nat(),
		});
		// Chance may leave a kind of step out, or without effect: this sequence has each of them, with
		// the request or fee that it takes.
		const everyKind = [
			{ kind: "log", number: 0 },
			{ kind: "again", number: 0 },
			{ kind: "void", number: 0 },
			...Array.from({ length: 6 }, () => ({ kind: "submit", number: 0 })),
			{ kind: "approve", number: 0 },
			{ kind: "reject", number: 2 },
			{ kind: "undo", number: 4 },
			{ kind: "withdraw", number: 5 },
			{ kind: "fee", number: 0 },
			{ kind: "replace", number: 0 },
			{ kind: "delete", number: 1 },
		].map((one) => ({
			...{ ...one, driver: "dana" as const, daysAgo: 1, amount: 500 },
			...{ type: "gas" as const, category: "commission" as const },
		}));
		let reading = 100_000;
		let minutes = 0;
		const logs: [CastName, string][] = [];
		const requests: [CastName, string][] = [];
		const fees: string[] = [];
		const none = "00000000-0000-4000-8000-000000000000";
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
				for (const { kind, driver, daysAgo, amount, type, category, number } of steps) {
					// Each at its own moment, up to a minute before midnight in the fleet's time zone and
					// beyond it.
					const now = NOON + 37 * 60_000 * (minutes++ % 400);
					const date = addDays(TODAY, -daysAgo);
					const admin = await bench.admin(pick(["ada", "ben"] as const, number) ?? "ada", now);
					const request = pick(requests, number);
					if (kind === "log" || kind === "again") {
						const trip = {
							date,
							startOdometer: reading,
							endOdometer: reading + (amount % 900) + 1,
							notes: undefined,
							key: `k${minutes}`,
						};
						reading = trip.endOdometer;
						const send = async () =>
							logMileage(
								await bench.driver(driver, now),
								{ ...trip, confirm: undefined, correctsId: undefined },
								"json",
							);
						const sent = await send();
						// The same submission again, as a phone resends it.
						if (kind === "again") await send();
						if (sent.ok) logs.push([driver, sent.value.log.id]);
					} else if (kind === "void") {
						const [owner, id] = pick(logs, number) ?? [driver, none];
						await voidMileage(await bench.driver(owner, now), id);
					} else if (kind === "submit") {
						const input = {
							type,
							amount,
							description: "x",
							receiptUrl: undefined,
							confirm: undefined,
							replacesId: undefined,
						};
						const sent = await submitRequest(
							await bench.driver(driver, now),
							{ ...input, key: `r${minutes}` },
							"json",
						);
						if (sent.ok) requests.push([driver, sent.value.request.id]);
					} else if (kind === "approve" || kind === "reject") {
						const ids = [
							...new Set([request?.[1] ?? none, pick(requests, number + 1)?.[1] ?? none]),
						];
						await processRequests(admin, ids, {
							status: kind === "approve" ? "approved" : "rejected",
							adminNotes: undefined,
						});
					} else if (kind === "undo") {
						const id = request?.[1] ?? none;
						await processRequests(admin, [id], { status: "approved", adminNotes: undefined });
						await agree();
						await undoDecision(admin, id);
					} else if (kind === "withdraw") {
						await withdrawRequest(
							await bench.driver(request?.[0] ?? driver, now),
							request?.[1] ?? none,
						);
					} else if (kind === "delete") {
						await deleteFee(admin, pick(fees, number) ?? none);
					} else {
						const added = await addFee(admin, {
							driverId: idOf(driver),
							category,
							amount,
							date,
							referenceNumber: undefined,
							description: undefined,
							key: undefined,
							replacesId: kind === "replace" ? pick(fees, number) : undefined,
						});
						if (added.ok) fees.push(added.value.row.fee.id);
					}
				}
				await agree();
			}),
			{ numRuns: some(25), examples: [[everyKind]] },
		);
		// The sequences must have included every kind of step.
		const [done] = await sql<Record<string, number>>(`select
			(select count(*) from mileage_logs where voided_at is not null) as voided,
			(select count(*) from fund_requests where status = 'withdrawn') as withdrawn,
			(select count(*) from fund_requests where status = 'approved') as approved,
			(select count(*) from fund_requests where status = 'rejected') as rejected,
			(select count(*) from audit_events where action like 'request.undo%') as undone,
			(select count(*) from uber_fees where deleted_at is not null) as deleted`);
		for (const [what, times] of Object.entries(done ?? {})) expect(times, what).toBeGreaterThan(0);
	});

	it("of plain SQL: inserting live or not, voiding, restoring, deleting, moving a request's date, approving less", async () => {
		const step = fc.record({
			kind: fc.constantFrom("trip", "request", "fee"),
			change: fc.constantFrom(
				...["insert", "insert", "insert off", "off", "on", "remove", "move", "approve", "lower"],
			),
			driver: fc.constantFrom("dana", "ada"),
			date: fc.integer({ min: 0, max: 3000 }).map((days) => addDays(TODAY, -days)),
			amount: fc.integer({ min: 1, max: 2000 }),
			number: fc.nat(),
		});
		let made = 900_000;
		const ids: Record<string, string[]> = { trip: [], request: [], fee: [] };
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
				for (const { kind, change, driver, date, amount, number } of steps) {
					const isOff = change === "insert off";
					const id = pick(ids[kind] ?? [], number) ?? "none";
					if (change.startsWith("insert")) {
						made += 5000;
						const owner = driver as CastName;
						if (kind === "fee")
							ids.fee?.push(
								await insertFee(sql, made, owner, date, {
									amount_cents: amount,
									is_credit: number % 3 === 0 ? 1 : 0,
									...(isOff ? { deleted_at: 1, deleted_by: idOf("ada") } : {}),
								}),
							);
						else if (kind === "request")
							ids.request?.push(
								await insertRequest(sql, made, owner, {
									amount_cents: amount,
									requested_on: date,
									...(isOff ? { status: "withdrawn", withdrawn_at: 1 } : {}),
								}),
							);
						else {
							const trip = `70000000-0000-4000-8000-${String(made).padStart(12, "0")}`;
							await sql(
								"insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash, voided_at, voided_by) values (?, ?, ?, ?, ?, 'seed', 1, 'x', ?, ?)",
								trip,
								idOf(owner),
								date,
								made,
								made + amount,
								isOff ? 1 : null,
								isOff ? idOf("ada") : null,
							);
							ids.trip?.push(trip);
						}
					} else if (change === "remove") {
						await sql(
							`delete from ${{ trip: "mileage_logs", request: "fund_requests", fee: "uber_fees" }[kind]} where id = ?`,
							id,
						);
					} else if (change === "move") {
						await sql(
							"update fund_requests set requested_on = ? where id = ?",
							date,
							pick(ids.request ?? [], number) ?? "none",
						);
					} else if (change === "approve" || change === "lower") {
						const set = change === "approve" ? ", decided_at = 1, decided_by = ?1" : "";
						await sql(
							`update fund_requests set status = 'approved', withdrawn_at = null ${set},
							approved_amount_cents = iif(?2 % 3, max(1, amount_cents - ?2), null)
							where id = ?3 and ('' = '${set}') = (status = 'approved') and ?1 <> ''`,
							idOf("ada"),
							amount,
							pick(ids.request ?? [], number) ?? "none",
						);
					} else if (kind === "request") {
						// How a release without approved amounts undoes a decision.
						const [status, moment] = change === "off" ? ["withdrawn", 1] : ["pending", null];
						await sql(
							"update fund_requests set status = ?, withdrawn_at = ?, decided_at = null, decided_by = null where id = ?",
							status,
							moment,
							id,
						);
					} else {
						const [table, verb] =
							kind === "trip" ? ["mileage_logs", "voided"] : ["uber_fees", "deleted"];
						const by = change === "off" ? idOf("ada") : null;
						await sql(
							`update ${table} set ${verb}_at = ?, ${verb}_by = ? where id = ?`,
							by && 1,
							by,
							id,
						);
					}
				}
				await agree();
			}),
			{ numRuns: some(60) },
		);
	});
});

describe("a window adds up to the rows in it", () => {
	const sumOf = (rows: readonly Counted[], as: string) =>
		rows.filter((row) => row.as === as).reduce((sum, { amount }) => sum + amount, 0);

	it("for the fleet, every driver and every date, for windows of all lengths", async () => {
		const rows = await countedRows(sql);
		const window = fc.record({
			ago: fc.integer({ min: 0, max: 600 }),
			length: fc.integer({ min: 1, max: 800 }),
		});
		await fc.assert(
			fc.asyncProperty(window, async ({ ago, length }) => {
				const to = addDays(TODAY, -ago);
				const period = { from: addDays(to, 1 - length), to };
				const inside = rows.filter(({ date }) => date >= period.from && date <= period.to);
				const { db } = await bench.admin("ada");
				const { fleet, dana, all, days } = await db.batch({
					fleet: selectTotals(FLEET, period),
					dana: selectTotals(idOf("dana"), period),
					all: selectTotalsByDriver(db.build, period),
					days: selectTotalsByDay(db.build, FLEET, period),
				});
				const expected = (some: readonly Counted[]) => ({
					miles: sumOf(some, "trip"),
					trips: some.filter(({ as }) => as === "trip").length,
					fuelCents: sumOf(some, "gas"),
					maintenanceCents: sumOf(some, "maintenance"),
					otherCents: sumOf(some, "other"),
					pendingRequests: some.filter(({ as }) => as === "pending").length,
					commissionCents: sumOf(some, "commission") - sumOf(some, "commission_credit"),
					commissionFees: some.filter(({ as }) => as.startsWith("commission")).length,
					otherFeeCents: sumOf(some, "other_fee"),
				});
				expect(fleet).toEqual([expect.objectContaining(expected(inside))]);
				expect(dana).toEqual([
					expect.objectContaining(expected(inside.filter(({ driver }) => driver === idOf("dana")))),
				]);
				for (const row of all)
					expect(row).toMatchObject(expected(inside.filter(({ driver }) => driver === row.id)));
				expect(
					days
						.filter((day) => day.trips + day.fuelRequests + feeCount(day) > 0)
						.map(({ day, miles }) => [dateFromDayNumber(day), miles]),
				).toEqual(
					[
						...new Set(
							inside
								.filter(({ as }) => !["pending", "maintenance", "other"].includes(as))
								.map(({ date }) => date),
						),
					]
						.sort()
						.map((date) => [
							date,
							sumOf(
								inside.filter((row) => row.date === date),
								"trip",
							),
						]),
				);
			}),
			{ numRuns: some(60) },
		);
	});

	it("for all time, with a row of zeros for a driver without activity", async () => {
		const rows = await countedRows(sql);
		const { db } = await bench.admin("ada");
		const { all, fleet } = await db.batch({
			all: selectTotalsByDriver(db.build),
			fleet: selectTotals(FLEET),
		});
		expect(fleet[0]?.miles).toBe(sumOf(rows, "trip"));
		const idle = all.find(({ id }) => id === idOf("ivan"));
		expect(idle).toMatchObject({ miles: 0, fuelCents: 0, isActive: false });
		expect(idle && costPerMile(idle)).toBe(0);
	});

	it("and one that ends before it begins is empty", async () => {
		const { db } = await bench.admin("ada");
		const { none } = await db.batch({
			none: selectTotals(FLEET, { from: TODAY, to: addDays(TODAY, -1) }),
		});
		expect(none[0]).toMatchObject({ miles: 0, fuelCents: 0 });
	});
});

describe("recount", () => {
	it("repairs wrong totals, and re-dates requests for another time zone", async () => {
		for (const number of [9001, 9002])
			await insertRequest(sql, number, "dana", {
				created_at: NOON,
				requested_on: number === 9001 ? "2020-01-01" : TODAY,
			});
		// It reads everything, which nothing else may do.
		const db = new Database(bench.d1);
		const operator = { role: "operator", db, now: NOON } as const;
		expect(await redateRequests(operator, ZONE)).toBeGreaterThan(0);
		await agree();
		const zone = "Asia/Tokyo";
		const moved = await redateRequests(operator, zone);
		expect(moved).toBeGreaterThan(0);
		expect(await redateRequests(operator, zone)).toBe(0);
		expect(
			await sql(
				"select actor_id, actor_role, entity, after from audit_events where entity_id = ?",
				zone,
			),
		).toEqual([
			{
				actor_id: null,
				actor_role: "command line",
				entity: "fund-requests",
				after: JSON.stringify({ requests: moved, timeZone: zone }),
			},
		]);
		for (const { created_at, requested_on } of await sql<{
			created_at: number;
			requested_on: string;
		}>("select * from fund_requests"))
			expect(requested_on).toBe(dateIn(zone, created_at));
		await agree();
		await sql("delete from block_totals where days = 16");
		await sql("update block_totals set miles = miles + 1000, trips = trips + 1 where days = 1");
		await sql(
			"insert into block_totals (driver_id, days, first_day, miles, trips) values ('nobody', 256, 0, 9, 9)",
		);
		expect(await storedBlocks(sql)).not.toEqual(blocksOf(await countedRows(sql)));
		expect(await recount(db)).toBeGreaterThanOrEqual(3);
		await agree();
	});
});

it("a release before migration 0051 finds a driver's totals by their key", async () => {
	const plan = await sql<{ detail: string }>(
		"explain query plan select sum(miles) from driver_totals where driver_id = ? and (days, first_day) in (values (64, 2460992), (4, 2461056))",
		idOf("dana"),
	);
	const read = plan.map(({ detail }) => detail).filter((step) => step.includes("block_totals"));
	expect(read.map((step) => step.split(" AND ")[0])).toEqual(
		Array(3).fill("SEARCH block_totals USING PRIMARY KEY (driver_id=?"),
	);
});

describe("migration 0004", () => {
	it("counts existing rows, and dates requests in Eastern time across both clock changes", async () => {
		const { bench, applyRest } = await openBefore("totals_by_day");
		await bench.rows(
			`insert into users (id, role, approval_status, created_at) values ('${idOf("dana")}', 'driver', 'approved', 1), ('${idOf("ada")}', 'admin', 'approved', 1)`,
		);
		// Half an hour either side of midnight and of both clock changes.
		const moments = [
			"2026-03-08T04:30Z",
			"2026-03-08T05:30Z",
			"2026-03-08T06:59Z",
			"2026-03-08T07:00Z",
			"2026-03-09T03:59Z",
			"2026-03-09T04:00Z",
			"2026-11-01T03:59Z",
			"2026-11-01T04:00Z",
			"2026-11-01T05:59Z",
			"2026-11-02T04:59Z",
			"2026-11-02T05:00Z",
			"2024-02-29T04:59Z",
			"2024-02-29T05:00Z",
			"2024-03-01T04:59Z",
			"2025-07-04T03:30Z",
		].map((text) => Date.parse(text));
		let number = 0;
		for (const moment of moments)
			await bench.rows(
				"insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source, created_at, payload_hash, replaces_id) values (?, ?, ?, 'gas', 100, 'x', 'pending', 'seed', ?, 'x', ?)",
				`r${++number}`,
				number,
				idOf("dana"),
				moment,
				number > 1 ? `r${number - 1}` : null,
			);
		await insertFee(bench.rows, 1, "dana", "2026-11-02");
		await insertFee(bench.rows, 2, "dana", "2026-11-02", {
			deleted_at: 1,
			deleted_by: idOf("ada"),
		});
		await bench.rows(
			"insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash) values ('m', ?, '2026-11-02', 1, 40, 'seed', 1, 'x')",
			idOf("dana"),
		);
		await applyRest();
		const rows = await bench.rows<{
			created_at: number;
			requested_on: CalendarDate;
			replaces_id: string | null;
		}>("select created_at, requested_on, replaces_id from fund_requests order by number");
		expect(rows.map(({ requested_on }) => requested_on)).toEqual(
			moments.map((moment) => dateIn(ZONE, moment)),
		);
		expect(rows.map(({ replaces_id }) => replaces_id)).toEqual(
			moments.map((_, index) => (index > 0 ? `r${index}` : null)),
		);
		const kept = await storedBlocks(bench.rows);
		expect(kept).toEqual(blocksOf(await countedRows(bench.rows)));
		expect(kept.length).toBeGreaterThan(30);
	});
});
