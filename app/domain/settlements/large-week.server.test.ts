/**
 * The rows that each step of a week reads and writes, with a hundred times as many drivers: D1 counts
 * them exactly. Each settlement is read and written a few times, and no step grows with the fleet,
 * with what it published before, or with the emails that wait.
 */
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertLargeWeek } from "../../../tests/support/large-week.ts";
import { Database } from "../../db/client.server.ts";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import type { AdminContext } from "../kernel/context.ts";
import { makePayout } from "../payouts/commands/make.server.ts";
import { payPayout } from "../payouts/commands/pay.server.ts";
import { draftWeek } from "./commands/draft.server.ts";
import { publishSettlements } from "./commands/publish.server.ts";

const NOW = Date.UTC(2026, 10, 25, 6);
const HOUR = 3_600_000;
const WEEK = { from: parseCalendarDate("2026-11-16"), to: parseCalendarDate("2026-11-22") };
const PAYMENT = { paidOn: parseCalendarDate("2026-11-25"), reference: undefined };

type Step = readonly [read: number, written: number];

/** Rows read and written by the largest trip of each kind of step: 200 drafts, or 500 settlements. */
const COSTS: Readonly<Record<50 | 5000, Readonly<Record<string, Step>>>> = {
	50: { draft: [906, 650], publish: [3_461, 1_573], gather: [1_596, 459], pay: [1_964, 818] },
	// A draft's hourly limit counts the 5,000 changes of its own request.
	5000: {
		draft: [13_196, 2_600],
		publish: [34_495, 15_750],
		gather: [17_523, 5_009],
		pay: [21_537, 9_008],
	},
};
/** Ids are random, and a search for one may read its neighbor. */
const NEIGHBORS = 20;

describe.each([50, 5000] as const)("with %i drivers", async (drivers) => {
	const bench = await openDatabase("everyone", NOW, { isLarge: true });
	await insertLargeWeek(bench.d1, [1, drivers], WEEK.from);
	const steps: Record<string, Step[]> = {};
	let hours = 0;
	/**
	 * Notes the trips of a step, an hour after the previous one: each change counts what its author
	 * changed in the last hour, up to the limit.
	 */
	async function step<T>(what: string, act: (admin: AdminContext) => Promise<T>): Promise<T> {
		const trips = steps[what] ?? [];
		steps[what] = trips;
		const watched = {
			prepare: (query: string) => bench.d1.prepare(query),
			batch: async (list: D1PreparedStatement[]) => {
				const results = await bench.d1.batch(list);
				const sum = (rows: "rows_read" | "rows_written") =>
					results.reduce((total, { meta }) => total + meta[rows], 0);
				trips.push([sum("rows_read"), sum("rows_written")]);
				return results;
			},
		} as D1Database;
		const admin = await bench.admin("ada", NOW + ++hours * HOUR);
		return act({ ...admin, db: new Database(watched) });
	}

	it("drafts, publishes and pays a week in steps of the same cost", async () => {
		const drafted = await step("draft", (admin) => draftWeek(admin, WEEK));
		expect(drafted).toEqual({ ok: true, value: { made: drivers } });
		const drafts = await bench.rows<{ id: string }>("select id from settlements order by number");
		for (let at = 0; at < drivers; at += 500) {
			const ids = drafts.slice(at, at + 500).map(({ id }) => id);
			const published = await step("publish", (admin) => publishSettlements(admin, ids, {}));
			expect(published).toMatchObject({ ok: true });
		}
		let paid = 0;
		for (;;) {
			const made = await step("gather", (admin) =>
				makePayout(admin, { kind: "all", shownCents: undefined }, undefined),
			);
			if (!made.ok) break;
			const { payout } = made.value.row;
			paid += payout.settlementCount ?? 0;
			expect(await step("pay", (admin) => payPayout(admin, payout.id, PAYMENT))).toMatchObject({
				ok: true,
			});
		}
		// Every tenth driver's cash leaves nothing to pay.
		expect(paid).toBe(drivers * 0.9);
		expect(Object.keys(steps)).toEqual(Object.keys(COSTS[drivers]));
		for (const [what, [read, written]] of Object.entries(COSTS[drivers])) {
			const trips = steps[what] ?? [];
			expect(Math.max(...trips.map((trip) => trip[1])), what).toBe(written);
			const most = Math.max(...trips.map((trip) => trip[0]));
			expect(Math.abs(most - read), `${what} read ${most}`).toBeLessThan(NEIGHBORS);
		}
	}, 300_000);
});
