import { describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { AccessLost, openDatabase } from "../../../tests/support/database.ts";
import { addDays, parseCalendarDate } from "../../values/calendar-date.ts";
import type { DriverContext } from "../kernel/context.ts";
import { logMileage } from "./commands/log.server.ts";
import { voidMileage } from "./commands/void.server.ts";
import type { LogMileage } from "./input.ts";
import { selectPurposes } from "./queries.server.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const TODAY = parseCalendarDate("2026-11-21");
const bench = await openDatabase("everyone", NOON);
await bench.d1.prepare("delete from mileage_logs").run();

const trip = (start: number, end: number, more: Partial<LogMileage> = {}): LogMileage => ({
	date: TODAY,
	startOdometer: start,
	endOdometer: end,
	notes: undefined,
	key: undefined,
	confirm: undefined,
	correctsId: undefined,
	...more,
});
const totals = async () =>
	(
		await bench.rows<{ miles: number; trips: number }>(
			"select miles, trips from block_totals where driver_id = '' and days = 256",
		)
	)[0];

const log = async (driver: DriverContext, start: number, end: number) => {
	const outcome = await logMileage(driver, trip(start, end), "form");
	if (!outcome.ok) throw new Error(outcome.reason);
	return outcome.value.log;
};
/** Dana, with two trips today. */
async function dana(): Promise<DriverContext> {
	const driver = await bench.driver("dana");
	await log(driver, 1000, 1050);
	await log(driver, 1075, 1100);
	return driver;
}

describe("logMileage", () => {
	it("stores the trip, its audit row and the totals", async () => {
		const outcome = await logMileage(
			await bench.driver("dana"),
			trip(1000, 1050, { notes: "Airport" }),
			"form",
		);
		expect(outcome).toMatchObject({
			ok: true,
			value: {
				isReplay: false,
				log: {
					miles: 50,
					drivenOn: "2026-11-21",
					notes: "Airport",
					gapMiles: null,
					isOverlap: false,
				},
			},
		});
		expect(await totals()).toEqual({ miles: 50, trips: 1 });
		const [event] = await bench.rows<{ actor_id: string; after: string }>(
			"select actor_id, after from audit_events where action = 'mileage.log'",
		);
		expect(event?.actor_id).toBe(idOf("dana"));
		expect(JSON.parse(event?.after ?? "")).toEqual({ date: "2026-11-21", start: 1000, end: 1050 });
	});

	it("keeps its purpose and what of it was personal, which the audit and a resend know too", async () => {
		const driver = await bench.driver("dana");
		const said = { key: "a", purpose: "Airport", personalMiles: 12 };
		expect(await logMileage(driver, trip(1000, 1050, said), "json")).toMatchObject({
			ok: true,
			value: { isReplay: false, log: { purpose: "Airport", personalMiles: 12, miles: 50 } },
		});
		expect(await totals()).toEqual({ miles: 50, trips: 1 });
		const [event] = await bench.rows<{ after: string }>(
			"select after from audit_events where action = 'mileage.log'",
		);
		expect(JSON.parse(event?.after ?? "")).toMatchObject({ start: 1000, personal: 12 });
		expect(await logMileage(driver, trip(1000, 1050, said), "outbox")).toMatchObject({
			value: { isReplay: true },
		});
		for (const other of [{ purpose: "Depot" }, { personalMiles: 13 }, { personalMiles: 0 }])
			expect(
				await logMileage(driver, trip(1000, 1050, { ...said, ...other }), "outbox"),
			).toMatchObject({ ok: false, reason: "key-reused" });
	});

	it("offers the last five purposes, latest first, each once and none of a voided trip", async () => {
		const driver = await bench.driver("dana");
		const words = ["A", "B", "Airport", "C", "A", "Depot", "E", "Gone"];
		for (const [each, purpose] of words.entries()) {
			const start = 1000 + 100 * each;
			const now = driver.now + each;
			const made = await logMileage(
				{ ...driver, now },
				trip(start, start + 50, { purpose }),
				"json",
			);
			if (made.ok && purpose === "Gone") await voidMileage(driver, made.value.log.id);
		}
		const { db, user } = driver;
		const { purposes } = await db.batch({ purposes: selectPurposes(user.id, {}) });
		expect(purposes.map(({ purpose }) => purpose)).toEqual(["E", "Depot", "A", "C", "Airport"]);
	});

	it("refuses an exact duplicate from every source, until the first is voided", async () => {
		const driver = await bench.driver("dana");
		const { id } = await log(driver, 1000, 1050);
		for (const source of ["form", "json"] as const)
			expect(await logMileage(driver, trip(1000, 1050), source)).toMatchObject({
				ok: false,
				reason: "already-logged",
			});
		expect((await voidMileage(driver, id)).ok).toBe(true);
		expect((await logMileage(driver, trip(1000, 1050), "form")).ok).toBe(true);
		expect(await totals()).toEqual({ miles: 50, trips: 1 });
	});

	it("notes a gap and does not ask about it", async () => {
		const driver = await bench.driver("dana");
		await log(driver, 1000, 1050);
		expect(await log(driver, 1075, 1100)).toMatchObject({ gapMiles: 25 });
	});

	it.each([
		["an overlap", trip(1080, 1120), "overlap"],
		["a start below the last ending", trip(500, 600), "below-last"],
		["more than 1,500 miles", trip(1100, 2601), "long"],
	])("asks about %s on a form, then stores and flags it once confirmed", async (_, input, kind) => {
		const driver = await dana();
		const asked = await logMileage(driver, input, "form");
		if (asked.ok || asked.reason !== "check") throw new Error("it was not asked about");
		expect(asked.details.checks.map((check) => check.kind)).toContain(kind);
		const other = await logMileage(
			driver,
			{ ...input, notes: "changed since", confirm: asked.details.confirm },
			"form",
		);
		expect(other).toMatchObject({ ok: false, reason: "check" });
		const taken = await logMileage(driver, { ...input, confirm: asked.details.confirm }, "form");
		if (!taken.ok) throw new Error(taken.reason);
		const { log } = taken.value;
		expect({ overlap: log.isOverlap, "below-last": log.isOutOfOrder, long: log.isLong }[kind]).toBe(
			true,
		);
	});

	it("does not ask at 1,500 miles exactly", async () => {
		expect((await log(await dana(), 1100, 2600)).isLong).toBe(false);
	});

	it("asks by the limit that an administrator has set, and judges earlier entries by the old one", async () => {
		const driver = await dana();
		const short = { ...driver, settings: { ...driver.settings, longTripMiles: 200 } };
		const long = { ...driver, settings: { ...driver.settings, longTripMiles: 3000 } };
		expect(await logMileage(short, trip(1100, 1301), "form")).toMatchObject({
			reason: "check",
			details: { checks: [{ kind: "long", miles: 201 }] },
		});
		const edge = await log(short, 1100, 1300);
		expect(edge.isLong).toBe(false);
		await voidMileage(driver, edge.id);
		expect((await log(long, 1100, 4100)).isLong).toBe(false);
		const inside = await logMileage(short, trip(4050, 4090), "form");
		expect(inside).toMatchObject({ reason: "check" });
		if (inside.ok || inside.reason !== "check") return expect.unreachable();
		expect(inside.details.checks.map((check) => check.kind)).toContain("overlap");
	});

	it("accepts and flags entries from the JSON API", async () => {
		const driver = await dana();
		const outcome = await logMileage(driver, trip(1080, 1120), "json");
		if (!outcome.ok) throw new Error(outcome.reason);
		expect(outcome.value.log).toMatchObject({
			isOverlap: true,
			isOutOfOrder: true,
			source: "json",
		});
	});

	it("accepts a back-dated trip that fits, judged by the entries before that day", async () => {
		const driver = await dana();
		const outcome = await logMileage(driver, trip(900, 950, { date: addDays(TODAY, -3) }), "form");
		expect(outcome).toMatchObject({
			ok: true,
			value: { log: { gapMiles: null, isOutOfOrder: false } },
		});
		const crossing = await logMileage(driver, trip(990, 999, { date: addDays(TODAY, -2) }), "form");
		expect(crossing).toMatchObject({
			ok: true,
			value: { log: { gapMiles: 40, isOutOfOrder: false } },
		});
	});

	it("asks about a back-dated trip that doesn't fit before the next one", async () => {
		const driver = await bench.driver("lena");
		const back = (ago: number, start: number, end: number) =>
			trip(start, end, { date: addDays(TODAY, -ago) });
		await logMileage(driver, back(5, 100, 150), "json");
		await logMileage(driver, back(3, 200, 250), "json");
		const asked = await logMileage(driver, back(4, 260, 270), "form");
		expect(asked).toMatchObject({
			reason: "check",
			details: { checks: [{ kind: "above-next", startAfter: 200, on: addDays(TODAY, -3) }] },
		});
		expect(await logMileage(driver, back(4, 140, 190), "form")).toMatchObject({
			details: { checks: [{ kind: "overlap" }, { kind: "below-last", lastEnding: 150 }] },
		});
		expect(await logMileage(driver, back(4, 150, 200), "form")).toMatchObject({ ok: true });
		const { confirm = "" } = !asked.ok && asked.reason === "check" ? asked.details : {};
		expect(await logMileage(driver, { ...back(4, 260, 270), confirm }, "form")).toMatchObject({
			ok: true,
			value: { log: { isOutOfOrder: true, gapMiles: 60 } },
		});
	});

	it("asks about a trip below the day's readings, but not about one that fills the day in", async () => {
		const driver = await bench.driver("lena");
		await logMileage(driver, trip(1000, 1050), "json");
		expect(await logMileage(driver, trip(900, 950), "form")).toMatchObject({
			details: { checks: [{ kind: "below-last", lastEnding: 1050 }] },
		});
		expect(await logMileage(driver, trip(950, 1000), "form")).toMatchObject({ ok: true });
	});

	it("returns the first result for a resubmission, and refuses its key with other values", async () => {
		const driver = await bench.driver("omar");
		const first = await logMileage(driver, trip(10, 20, { key: "submission-1" }), "form");
		const again = await logMileage(driver, trip(10, 20, { key: "submission-1" }), "form");
		if (!first.ok || !again.ok) throw new Error("refused");
		expect(again.value).toEqual({ log: first.value.log, isReplay: true });
		expect(await logMileage(driver, trip(20, 30, { key: "submission-1" }), "form")).toMatchObject({
			ok: false,
			reason: "key-reused",
		});
		expect(
			(await logMileage(await bench.driver("lena"), trip(10, 20, { key: "submission-1" }), "form"))
				.ok,
		).toBe(true);
	});

	it("refuses more than 300 in an hour", async () => {
		await bench.d1.batch(
			Array.from({ length: 300 }, (_, each) =>
				bench.d1
					.prepare(
						"insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash) values (?, ?, '2026-01-01', ?, ?, 'json', ?, '')",
					)
					.bind(
						crypto.randomUUID(),
						idOf("lena"),
						100_000 + each * 2,
						100_001 + each * 2,
						NOON - 1000,
					),
			),
		);
		expect(
			await logMileage(await bench.driver("lena"), trip(200_000, 200_001), "json"),
		).toMatchObject({ ok: false, reason: "too-many" });
		expect(
			(
				await logMileage(
					await bench.driver("lena", NOON + 3_600_001),
					trip(200_000, 200_001),
					"json",
				)
			).ok,
		).toBe(true);
	});

	it("refuses a driver deactivated after the guard admitted them", async () => {
		const driver = await bench.driver("omar");
		await bench.d1.prepare("update users set is_active = 0 where id = ?").bind(idOf("omar")).run();
		await expect(logMileage(driver, trip(30, 40), "form")).rejects.toThrow(AccessLost);
	});
});

describe("correcting", () => {
	it("voids the old entry and logs the new one in one step, even when only the notes change", async () => {
		const driver = await bench.driver("omar");
		const wrong = await log(driver, 20, 29);
		const right = await logMileage(
			driver,
			trip(20, 29, { notes: "To the depot", correctsId: wrong.id }),
			"form",
		);
		expect(right).toMatchObject({
			ok: true,
			value: { log: { correctsId: wrong.id, notes: "To the depot" } },
		});
		const [old] = await bench.rows<{ voided_at: number; void_reason: string }>(
			"select voided_at, void_reason from mileage_logs where id = ?",
			wrong.id,
		);
		expect(old).toEqual({ voided_at: NOON, void_reason: "Corrected" });
		expect(await logMileage(driver, trip(21, 29, { correctsId: wrong.id }), "form")).toMatchObject({
			ok: false,
			reason: "not-to-correct",
		});
	});

	it("leaves the old entry alone when the new one is refused", async () => {
		const driver = await bench.driver("omar");
		await log(driver, 10, 20);
		const { id: correctsId } = await log(driver, 20, 29);
		expect(await logMileage(driver, trip(5, 8, { correctsId }), "form")).toMatchObject({
			ok: false,
			reason: "check",
		});
		expect(await logMileage(driver, trip(10, 20, { correctsId }), "form")).toMatchObject({
			ok: false,
			reason: "already-logged",
		});
		expect(
			await bench.rows("select 1 from mileage_logs where id = ? and voided_at is null", correctsId),
		).toHaveLength(1);
	});

	it("does not reach another driver's entry", async () => {
		const { id: correctsId } = await log(await bench.driver("omar"), 20, 29);
		const outcome = await logMileage(
			await bench.driver("dana"),
			trip(5000, 5001, { correctsId }),
			"form",
		);
		expect(outcome).toMatchObject({ ok: false, reason: "not-to-correct" });
		expect(await bench.rows("select 1 from mileage_logs where start_miles = 5000")).toHaveLength(0);
	});
});

describe("voidMileage", () => {
	it("refuses an entry of another driver, one already voided, and one after seven days", async () => {
		const driver = await bench.driver("dana");
		const { id } = await log(driver, 3000, 3010);
		expect(await voidMileage(await bench.driver("omar"), id)).toMatchObject({
			reason: "not-found",
		});
		expect(await voidMileage(driver, crypto.randomUUID())).toMatchObject({ reason: "not-found" });
		expect(await voidMileage(await bench.driver("dana", NOON + 7 * 86_400_000), id)).toMatchObject({
			reason: "too-late",
		});
		expect((await voidMileage(await bench.driver("dana", NOON + 7 * 86_400_000 - 1), id)).ok).toBe(
			true,
		);
		expect(await voidMileage(driver, id)).toMatchObject({ reason: "already-voided" });
		expect(
			await bench.rows(
				"select 1 from audit_events where action = 'mileage.void' and entity_id = ?",
				id,
			),
		).toHaveLength(1);
	});
});
