/** Every number of the Fleet Overview against a sum over the rows, at the moments where a date begins or ends, and on odd days of the year. */
import { describe, expect, it } from "vitest";
import { CAST, type CastName, idOf } from "../../../tests/cast.ts";
import { openDatabase } from "../../../tests/database.ts";
import { insertFee } from "../../../tests/fees.ts";
import { dayOf } from "../../../tests/fleet-days.ts";
import { insertLog } from "../../../tests/mileage.ts";
import { insertRequest } from "../../../tests/requests.ts";
import { type Counted, countedRows } from "../../../tests/totals.ts";
import { overviewFrom, overviewStatements } from "./fleet-overview.server.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
/** `YYYY-MM-DD` so many days before another, by plain arithmetic. */
const daysBefore = (date: string, days: number) => new Date(Date.parse(`${date}T00:00Z`) - days * DAY).toISOString().slice(0, 10);

/** Midnights of the fleet's zone, and the moments at which its clock changes. */
const TURNS: readonly (readonly [what: string, moment: string])[] = [
	["midnight in winter", "2026-11-22T05:00:00Z"],
	["midnight in summer", "2026-07-01T04:00:00Z"],
	["midnight before the spring change", "2026-03-08T05:00:00Z"],
	["the spring change", "2026-03-08T07:00:00Z"],
	["midnight after the spring change", "2026-03-09T04:00:00Z"],
	["midnight before the autumn change", "2026-11-01T04:00:00Z"],
	["the autumn change", "2026-11-01T06:00:00Z"],
	["midnight after the autumn change", "2026-11-02T05:00:00Z"],
	["midnight into 29 February", "2024-02-29T05:00:00Z"],
	["midnight out of 29 February", "2024-03-01T05:00:00Z"],
	["New Year", "2026-01-01T05:00:00Z"],
];

const bench = await openDatabase("everyone", Date.parse("2026-11-21T17:00:00Z"));

/** The same numbers every time. */
let state = 20_261_121;
const random = (below: number) => {
	state = (state * 48_271) % 2_147_483_647;
	return state % below;
};

const DRIVERS = ["dana", "omar", "lena", "ivan", "ines"] as const satisfies readonly CastName[];
const CATEGORIES = ["commission", "service_fee", "booking_fee", "other"] as const;
const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[random(items.length)] ?? items[0];

/** Rows on the first and the last date of every window around each turn and on the dates beside them, and some in between. */
async function fill(): Promise<void> {
	let number = 0;
	for (const [, moment] of TURNS) {
		const today = dayOf(Date.parse(moment));
		for (const ago of [-2, -1, 0, 1, 6, 7, 8, 13, 14, 20, 21, 76, 77, 83, 84, 85, ...Array.from({ length: 6 }, () => random(84))]) {
			number += 1;
			const date = daysBefore(today, ago);
			await insertLog(
				bench.rows,
				number,
				pick(DRIVERS),
				date,
				1 + random(400),
				random(8) === 0 ? { voided_at: 1, voided_by: idOf("ada") } : {},
			);
			await insertFee(bench.rows, number, pick(DRIVERS), date, {
				category: pick(CATEGORIES),
				amount_cents: 1 + random(9000),
				...(random(8) === 0 ? { deleted_at: 1, deleted_by: idOf("ada") } : {}),
			});
			// The first and the last millisecond of the date in the fleet's zone.
			const turn = Date.parse(moment) - ago * DAY;
			const created_at = [turn - 1, turn, turn + random(DAY)][random(3)] ?? turn;
			const status = pick(["approved", "approved", "approved", "pending", "rejected"]);
			await insertRequest(bench.rows, number, pick(DRIVERS), {
				created_at,
				requested_on: dayOf(created_at),
				amount_cents: 1 + random(20_000),
				type: pick(["gas", "gas", "gas", "maintenance", "other"]),
				status,
				...(status === "pending" ? {} : { decided_at: 1, decided_by: idOf("ada") }),
			});
		}
	}
}
await fill();
const rows = await countedRows(bench.rows);

const FEES = ["commission", "service_fee", "booking_fee", "other_fee"];
const sum = (some: readonly Counted[], ...as: string[]) =>
	some.filter((row) => as.includes(row.as)).reduce((so, { amount }) => so + amount, 0);
const within = (from: string, to: string) => rows.filter(({ date }) => date >= from && date <= to);

/** Three drivers of a week by miles, worked out from the rows. */
function topOf(week: readonly Counted[]) {
	return DRIVERS.map((name) => {
		const own = week.filter(({ driver }) => driver === idOf(name));
		const person: { lastName: string } = CAST[name];
		return { id: idOf(name), lastName: person.lastName, miles: sum(own, "trip"), fuel: sum(own, "gas") };
	})
		.filter(({ miles }) => miles > 0)
		.sort((one, other) => other.miles - one.miles || (one.lastName < other.lastName ? -1 : 1))
		.slice(0, 3)
		.map(({ id, miles, fuel }) => {
			// Half up, in text: the nearest number of a decimal point is not always on its right side.
			const cents = Math.floor(fuel / miles + 0.5);
			return { id, miles, costCents: cents, label: cents < 100 ? "Efficient" : "Average" };
		});
}

describe.each(TURNS)("%s, %s", (_, moment) => {
	it.each([
		["a minute before", -MINUTE],
		["a millisecond before", -1],
		["then", 0],
		["a minute after", MINUTE],
		["23:59 of that date", DAY - MINUTE],
	])("%s", async (_when, offset) => {
		const now = Date.parse(moment) + offset;
		const today = dayOf(now);
		const { db, ...admin } = await bench.admin("ada", now);
		expect(admin.today).toBe(today);
		const overview = overviewFrom(await db.batch(overviewStatements({ build: db.build, today: admin.today })), admin);
		expect(db.cost.trips).toBe(1);

		const week = within(daysBefore(today, 6), today);
		expect(overview.week).toMatchObject({
			from: daysBefore(today, 6),
			to: today,
			fuelCents: sum(week, "gas"),
			feeCents: sum(week, ...FEES),
		});
		expect(overview.week.spentCents).toBe(sum(week, "gas", ...FEES));
		expect(overview.week.moreCents).toBe(
			sum(week, "gas", ...FEES) - sum(within(daysBefore(today, 13), daysBefore(today, 7)), "gas", ...FEES),
		);
		expect(overview.weeks).toEqual(
			Array.from({ length: 12 }, (_each, position) => {
				const [from, to] = [daysBefore(today, 83 - 7 * position), daysBefore(today, 77 - 7 * position)];
				return { from, to, fuelCents: sum(within(from, to), "gas"), feeCents: sum(within(from, to), ...FEES) };
			}),
		);
		expect(overview.top.map(({ id, miles, costCents, label }) => ({ id, miles, costCents, label }))).toEqual(topOf(week));
		expect(overview.top.length).toBeGreaterThan(0);
		expect(overview).toMatchObject({
			pendingRequests: rows.filter(({ as }) => as === "pending").length,
			feeCents: sum(rows, ...FEES),
			miles: sum(rows, "trip"),
			// Dana, Omar, Łena and Inès; Nora has applied.
			drivers: 4,
			applications: 1,
		});
	});
});

it("the rows lie on the edges they are meant to test", () => {
	const today = dayOf(Date.parse("2026-11-22T05:00:00Z"));
	expect(today).toBe("2026-11-22");
	for (const ago of [-1, 0, 6, 7, 83, 84]) expect(rows.some(({ date }) => date === daysBefore(today, ago))).toBe(true);
});

it("asks nothing that looks through a whole table", async () => {
	const { db, today } = await bench.admin("ada");
	for (const [name, statement] of Object.entries(overviewStatements({ build: db.build, today }))) {
		const { sql, params } = statement.toSQL();
		const values = params.map((each) => (typeof each === "boolean" ? Number(each) : each));
		const plan = (await bench.rows<{ detail: string }>(`explain query plan ${sql}`, ...values)).map(({ detail }) => detail);
		expect(plan.filter((step) => step.startsWith("SEARCH")).length, `${name}: ${plan.join("; ")}`).toBeGreaterThan(0);
		// A count of the applications reads their own small index; the blocks of a window are a list of constants.
		const scans = plan.filter(
			(step) => step.startsWith("SCAN") && !/CONSTANT ROW|VALUES CLAUSE|USING (COVERING )?INDEX users_applications/.test(step),
		);
		expect(scans, name).toEqual([]);
	}
});
