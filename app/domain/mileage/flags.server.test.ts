/**
 * A trip's flags follow from its driver's entries that aren't voided: sequences of logging,
 * voiding, correcting and back-dating are compared with plain arithmetic.
 */
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { half } from "../../../lab/torture/plan.ts";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertLog } from "../../../tests/support/mileage.ts";
import { migrationFiles } from "../../../tools/migrate.ts";
import { addDays, type CalendarDate, parseCalendarDate } from "../../values/calendar-date.ts";
import { logMileage } from "./commands/log.server.ts";
import { voidMileage } from "./commands/void.server.ts";
import { voidMileageAsAdmin } from "./commands/void-as-admin.server.ts";
import { listDriverEntries, listFlaggedEntries } from "./review.server.ts";
import { flagLabels } from "./rules.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const TODAY = parseCalendarDate("2026-11-21");
const bench = await openDatabase("everyone", NOON);

const healing =
	migrationFiles().find(({ name }) => name.endsWith("_flags_of_today.sql"))?.statements ?? [];

/** A trip that isn't voided, as the model has it; `at` counts up in the order of recording. */
type Trip = {
	readonly id: string;
	readonly on: string;
	readonly start: number;
	readonly end: number;
	readonly at: number;
	readonly corrects: Trip | undefined;
};

const byDay = (one: Trip, other: Trip) => {
	if (one.on !== other.on) return one.on < other.on ? -1 : 1;
	return one.end - other.end || (one.id < other.id ? -1 : 1);
};

/** The labels that each trip should have, by id. */
function judge(trips: readonly Trip[]): Record<string, string[]> {
	const row = [...trips].sort(byDay);
	return Object.fromEntries(
		row.map((trip, place) => {
			const [before, after] = [row[place - 1], row[place + 1]];
			const gap = before ? trip.start - before.end : 0;
			const isOverlap = row.some(
				(other) => other !== trip && other.start < trip.end && other.end > trip.start,
			);
			const joins = trip.start === before?.end || trip.end === after?.start;
			const isInPlace = trip.corrects && after && byDay(trip.corrects, after) < 0;
			const isLate = after?.on === trip.on && after.at < trip.at && !isInPlace && !joins;
			const isOutOfOrder = gap < 0 || (after !== undefined && trip.end > after.start) || isLate;
			const labels = [
				...(gap > 0 ? [`Gap of ${gap} mi`] : []),
				...(isOverlap ? ["Overlap"] : []),
				...(isOutOfOrder && !isOverlap ? ["Out of order"] : []),
			];
			return [trip.id, labels];
		}),
	);
}

type Entered = { readonly on: CalendarDate; readonly start: number; readonly end: number };
let clock = NOON;
beforeEach(async () => {
	await bench.rows("delete from archived_years");
	await bench.rows("update mileage_logs set corrects_id = null where corrects_id is not null");
	await bench.rows("delete from mileage_logs");
	clock = NOON;
});

/** Logs a trip; undefined if it is refused. */
async function log({ on, start, end }: Entered, correctsId?: string) {
	clock += 1000;
	const outcome = await logMileage(
		await bench.driver("dana", clock),
		{
			date: on,
			startOdometer: start,
			endOdometer: end,
			notes: undefined,
			key: undefined,
			confirm: undefined,
			correctsId,
		},
		"json",
	);
	return outcome.ok ? outcome.value.log.id : undefined;
}

const WHOLE = { from: addDays(TODAY, -700), to: addDays(TODAY, 1) };
/** Every unvoided entry's labels; the fleet's list must have exactly the flagged ones. */
async function stored(): Promise<Record<string, string[]>> {
	const { db } = await bench.admin("ada");
	const { entries, flagged } = await db.batch({
		entries: listDriverEntries(db.build, idOf("dana"), WHOLE, 1000),
		flagged: listFlaggedEntries(db.build, WHOLE, 1000),
	});
	const live = entries.filter((entry) => entry.log.voidedAt === null);
	const said = Object.fromEntries(live.map((entry) => [entry.log.id, flagLabels(entry.log)]));
	expect(flagged.map((entry) => entry.log.id).sort()).toEqual(
		Object.keys(said)
			.filter((id) => said[id]?.length)
			.sort(),
	);
	return said;
}

const day = (ago: number) => addDays(TODAY, -ago);
const trip = (ago: number, start: number, end: number): Entered => ({ on: day(ago), start, end });
/** The labels of the entries that aren't voided, by their readings. */
async function labels(): Promise<Record<string, string[]>> {
	const said = await stored();
	const rows = await bench.rows<{ id: string; place: string }>(
		"select id, start_miles || '-' || end_miles as place from mileage_logs where voided_at is null",
	);
	return Object.fromEntries(rows.map(({ id, place }) => [place, said[id] ?? []]));
}

describe("a trip's flags", () => {
	it("are gone from an overlapped trip once the other is voided", async () => {
		const first = await log(trip(3, 100, 200));
		await log(trip(3, 150, 250));
		expect(await labels()).toEqual({ "100-200": ["Overlap"], "150-250": ["Overlap"] });
		await voidMileage(await bench.driver("dana", clock), first ?? "");
		expect(await labels()).toEqual({ "150-250": [] });
	});

	it("are gone once a gap is filled in, on its own day or on the next trip's", async () => {
		for (const ago of [2, 1]) {
			await bench.rows("delete from mileage_logs");
			await log(trip(3, 1000, 1100));
			await log(trip(1, 1200, 1300));
			expect(await labels()).toEqual({ "1000-1100": [], "1200-1300": ["Gap of 100 mi"] });
			await log(trip(ago, 1100, 1200));
			expect(await labels()).toEqual({ "1000-1100": [], "1100-1200": [], "1200-1300": [] });
		}
	});

	it("are gone from the next day's trip once the typo before it is corrected", async () => {
		await log(trip(4, 1000, 1100));
		const typo = await log(trip(3, 1100, 1510));
		await log(trip(2, 1150, 1200));
		expect(await labels()).toEqual({
			"1000-1100": [],
			"1100-1510": ["Overlap"],
			"1150-1200": ["Overlap"],
		});
		await log(trip(3, 1100, 1150), typo);
		expect(await labels()).toEqual({ "1000-1100": [], "1100-1150": [], "1150-1200": [] });
	});

	it("come to the neighbors of a trip that an administrator voids", async () => {
		await log(trip(3, 1000, 1100));
		const middle = await log(trip(2, 1100, 1180));
		await log(trip(1, 1180, 1200));
		await voidMileageAsAdmin(await bench.admin("ada", clock), {
			id: middle ?? "",
			reason: "Not driven",
		});
		expect(await labels()).toEqual({ "1000-1100": [], "1180-1200": ["Gap of 80 mi"] });
	});

	it("tell a trip that was remembered later from one below the day's readings", async () => {
		await log(trip(1, 1000, 1050));
		await log(trip(0, 1100, 1150));
		await log(trip(0, 1050, 1100));
		expect(await labels()).toEqual({ "1000-1050": [], "1050-1100": [], "1100-1150": [] });
		await log(trip(0, 1170, 1190));
		await log(trip(0, 1155, 1165));
		expect(await labels()).toMatchObject({
			"1155-1165": ["Gap of 5 mi", "Out of order"],
			"1170-1190": ["Gap of 5 mi"],
		});
	});

	it("aren't those of a late trip on one that is corrected in its place", async () => {
		const first = await log(trip(0, 1000, 1050));
		await log(trip(0, 1050, 1100));
		const second = await log(trip(0, 1000, 1040), first);
		await log(trip(0, 1005, 1045), second);
		expect(await labels()).toEqual({ "1005-1045": [], "1050-1100": ["Gap of 5 mi"] });
	});

	it("of entries in a closed year stay as they were", async () => {
		const old = await log({ on: parseCalendarDate("2024-12-30"), start: 100, end: 200 });
		await bench.rows("insert into archived_years (year, closed_at) values (2024, 1)");
		const late = await log({ on: parseCalendarDate("2025-01-02"), start: 150, end: 250 });
		expect(await stored()).toEqual({ [old ?? ""]: [], [late ?? ""]: ["Overlap"] });
		await bench.d1.batch(healing.map((statement) => bench.d1.prepare(statement)));
		expect(await stored()).toEqual({ [old ?? ""]: [], [late ?? ""]: ["Overlap"] });
	});

	it("change in no other driver's entries", async () => {
		await insertLog(bench.rows, 1, "omar", TODAY, 10, { start_miles: 100, end_miles: 110 });
		await log(trip(0, 90, 120));
		expect(await labels()).toEqual({ "90-120": [], "100-110": [] });
	});

	it("keep what the setting said about a long trip when it was logged", async () => {
		await log(trip(2, 1000, 2600));
		await log(trip(1, 2600, 2650));
		const long = "select is_long from mileage_logs order by start_miles";
		expect(await bench.rows(long)).toEqual([{ is_long: 1 }, { is_long: 0 }]);
		await log(trip(3, 900, 950));
		expect(await labels()).toMatchObject({ "1000-2600": ["Gap of 50 mi", "Long trip"] });
	});

	it("are the model's after any sequence of logging, voiding, correcting and back-dating", async () => {
		const entered = fc.record({
			ago: fc.integer({ min: 0, max: 4 }),
			start: fc.integer({ min: 0, max: 24 }),
			length: fc.integer({ min: 1, max: 6 }),
		});
		const step = fc.oneof(
			{ weight: 5, arbitrary: fc.record({ kind: fc.constant("log" as const), entered }) },
			{
				weight: 2,
				arbitrary: fc.record({
					kind: fc.constantFrom("void" as const, "void-as-admin" as const),
					which: fc.nat(30),
				}),
			},
			{
				weight: 2,
				arbitrary: fc.record({ kind: fc.constant("correct" as const), which: fc.nat(30), entered }),
			},
		);
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
				await bench.rows(
					"update mileage_logs set corrects_id = null where corrects_id is not null",
				);
				await bench.rows("delete from mileage_logs");
				let live: Trip[] = [];
				for (const each of steps) {
					const chosen = each.kind === "log" ? undefined : live[each.which % (live.length || 1)];
					if (each.kind !== "log" && !chosen) continue;
					if (each.kind === "log" || each.kind === "correct") {
						const { ago, start, length } = each.entered;
						const next = trip(ago, start * 10, (start + length) * 10);
						const id = await log(next, chosen?.id);
						if (!id) continue;
						live = live.filter((other) => other !== chosen);
						live.push({ ...next, id, at: clock, corrects: chosen });
					} else if (chosen) {
						const { ok } =
							each.kind === "void"
								? await voidMileage(await bench.driver("dana", clock), chosen.id)
								: await voidMileageAsAdmin(await bench.admin("ada", clock), {
										id: chosen.id,
										reason: "Wrong",
									});
						expect(ok).toBe(true);
						live = live.filter((other) => other !== chosen);
					}
					expect(await stored()).toEqual(judge(live));
				}
				// The migration does the same to rows that an earlier release flagged.
				await bench.rows(`update mileage_logs set gap_miles = nullif(rowid % 3, 0),
					is_overlap = rowid % 2, is_out_of_order = rowid / 2 % 2`);
				await bench.d1.batch(healing.map((statement) => bench.d1.prepare(statement)));
				expect(await stored()).toEqual(judge(live));
			}),
			{ numRuns: half(20), interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true },
		);
	});
});
