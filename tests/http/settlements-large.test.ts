/**
 * What the screens of a week cost with a hundred times as many drivers, and that they still name each
 * thing to check: D1 itself counts the rows, which Server-Timing reports.
 */
import { describe, expect, it } from "vitest";
import { addDays } from "../../app/values/calendar-date.ts";
import { ROWS_READ } from "../support/budgets.ts";
import { idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { monday } from "../support/fleet-days.ts";
import { insertLargeWeek, largeDriver, numbered } from "../support/large-week.ts";
import { type Client, openFleet } from "../support/worker.ts";

const WEEK = monday(1);
const HERE = `/settlements?week=${WEEK}`;

async function read(client: Client, path: string) {
	const answer = await client.get(path);
	const { trips, rows } = costOf(answer);
	expect([path, answer.status, trips]).toEqual([path, 200, 1]);
	const words = answer.text
		.replace(/<script[\s\S]*?<\/script>/g, "")
		.replace(/<[^>]+>/g, " ")
		.replace(/\s+/g, " ");
	return { words, rows };
}
/** The numbers of the drivers of whom a page says something, each sentence of which stands twice. */
const named = (words: string, what: string) => {
	const found = words.matchAll(new RegExp(`Driver Number (\\d+): ${what}`, "g"));
	return [...new Set([...found].map(([, number]) => Number(number)))];
};

describe.each([50, 5000])("a week of %i drivers", async (size) => {
	const fleet = await openFleet();
	const ada = await fleet.as("ada");
	// Four steps of 5,000 would be more than one person may change in an hour.
	const ben = await fleet.as("ben");
	const run = (...statements: string[]) =>
		fleet.database.batch(statements.map((text) => fleet.database.prepare(text)));
	const ids = async (more: string) => {
		const { results } = await fleet.database
			.prepare(`select id from settlements where ${more} order by number`)
			.all<{ id: string }>();
		return results.map(({ id }) => id);
	};
	await insertLargeWeek(fleet.database, [1, size], WEEK);
	const driver = await fleet.client().signIn("driver7@milepost.test");
	const isLarge = size > 100;

	it("costs what any other does, and names each thing to check", async () => {
		const made = await ada.post("/settlements", { intent: "draft", week: WEEK });
		expect(made.status).toBe(303);
		const drafts = await ids("status = 'draft'");
		expect(drafts).toHaveLength(size);
		const [, , , , , , own] = drafts;
		const screen = await read(ada, HERE);
		expect(screen.words).toContain(isLarge ? "Settlements More than 100" : "Settlements 50");
		expect(screen.words).not.toContain("To check first");
		const costs = [
			screen.rows,
			(await read(ada, `/settlements/${own}`)).rows,
			(await read(driver, "/earnings")).rows,
		];
		for (let at = 0; at < size; at += 500) {
			const body = { ids: drafts.slice(at, at + 500), status: "published" };
			expect((await ada.call("PUT", "/api/settlements", body)).status).toBe(200);
		}
		costs.push(
			(await read(ada, HERE)).rows,
			(await read(ada, `/settlements/${own}`)).rows,
			(await read(driver, "/earnings")).rows,
			(await read(driver, `/earnings/${own}`)).rows,
		);
		// Those of the screen are of a page of 50, and of 50 or 101 settlements that are counted.
		// A page of one settlement has read a row less in some runs, and what is added up is in one
		// block of totals or, on some dates, two.
		const usual = [isLarge ? 559 : 498, 30, 15, isLarge ? 508 : 449, 35, 15, 33];
		for (const [at, rows] of costs.entries())
			expect(Math.abs(rows - (usual[at] ?? 0)), costs.join()).toBeLessThanOrEqual(2);
		expect(Math.max(...costs)).toBeLessThan(ROWS_READ.screen);

		// Weeks whose books changed: a few among all, and all.
		const changed = [1, 25, size];
		const list = changed.map((number) => `('${largeDriver(number)}', '${WEEK}')`).join();
		await run(`insert into settlement_marks (driver_id, since) values ${list}`);
		const few = await read(ada, HERE);
		expect(named(few.words, "the books of this week changed")).toEqual(changed);
		await run(`insert or ignore into settlement_marks (driver_id, since)
			${numbered(1, size)} select printf('a0000000-0000-4000-8000-%012d', i), '${WEEK}' from n`);
		const many = await read(ada, HERE);
		expect(many.words).toContain("The books of more settlements changed.");
		expect(few.rows).toBeLessThan(ROWS_READ.screen);
		expect(many.rows).toBeLessThan(ROWS_READ.weekWithChecks);
		// Those of drivers without a settlement are looked at, too, and may leave no room for others.
		await run(`insert into settlement_marks (driver_id, since)
			${numbered(1, 40)} select printf('f0000000-0000-4000-8000-%012d', i), '${addDays(WEEK, 1)}' from n`);
		const others = await read(ada, HERE);
		expect(others.words).toContain(
			"Only 40 of the drivers whose books changed were checked. None of their settlements for this week has changed.",
		);
		expect(others.rows).toBeLessThan(ROWS_READ.weekWithChecks);
		// What changed in a week before is looked for in this one.
		await run("delete from settlement_marks where driver_id like 'f%'");
		await run(`update settlement_marks set since = '${addDays(WEEK, -7)}'`);
		const earlier = await read(ada, HERE);
		expect(earlier.words).toContain(
			"Only 20 of the drivers whose books changed were checked. None",
		);
		expect(earlier.rows).toBeLessThan(ROWS_READ.weekWithChecks);
		await run("delete from settlement_marks");

		// Rows that are left out.
		const wrong = (which: string, key: string, proof: string, from: string) =>
			`insert into statement_money select import_id, '${key} ' || row_key, 1, driver_id, platform, format,
				row_number, ${from}, counts_to, '${proof}', fare_cents, fee_cents, tip_cents, promotion_cents,
				other_earning_cents, toll_cents, tax_cents, third_party_cents, cash_cents, transfer_cents,
				null, null from statement_money where row_key in (${which})`;
		await run(
			wrong("'week 3'", "unproven", "unproven", "counts_from"),
			wrong("'week 40'", "across", "proven", "date(counts_from, '-1 day')"),
		);
		const some = await read(ada, HERE);
		expect(named(some.words, "row \\d+ of payments_driver.csv doesn.*?t add up")).toEqual([3]);
		expect(named(some.words, "the days of row \\d+ of payments_driver.csv lie in")).toEqual([40]);
		expect(some.rows).toBeLessThan(ROWS_READ.screen);
		await run(
			`delete from statement_money where row_key in ('unproven week 3', 'across week 40')`,
			wrong(
				"select row_key from statement_money where row_key like 'week %' limit 300",
				"all",
				"unproven",
				"counts_from",
			),
		);
		const lots = await read(ada, HERE);
		expect(lots.words).toContain("More rows are left out.");
		expect(lots.rows).toBeLessThan(ROWS_READ.weekWithChecks);
		await run(
			`update statement_money set driver_id = '${idOf("dana")}' where row_key like 'all %'`,
		);
		const strangers = await read(ada, HERE);
		expect(strangers.words).toContain(
			"40 were checked, none of a driver with a settlement this week.",
		);
		expect(strangers.rows).toBeLessThan(ROWS_READ.weekWithChecks);
		await run(
			"delete from statement_money where row_key like 'all %'",
			"delete from settlement_marks",
		);

		// Drafts without an agreement, beside as many void settlements.
		const published = await ids("status = 'published'");
		for (let at = 0; at < size; at += 500) {
			const body = { ids: published.slice(at, at + 500), status: "void" };
			expect((await ben.call("PUT", "/api/settlements", body)).status).toBe(200);
		}
		const lacking = [size - 2, size - 1, size];
		await run(
			`delete from agreements where driver_id >= '${largeDriver(size - 2)}'
				and driver_id like 'a0000000-%'`,
		);
		await ada.post("/settlements", { intent: "draft", week: WEEK });
		const first = await read(ada, HERE);
		expect(named(first.words, "money came in, but no agreement covers")).toEqual(lacking);
		expect(first.words).toContain("Driver Number 50");
		expect(first.rows).toBeLessThan(ROWS_READ.screen);
		const agreed = await ada.call("POST", "/api/agreements", {
			driverId: largeDriver(size),
			from: WEEK,
		});
		expect(agreed.status, agreed.text).toBe(201);
		const later = await ada.call("POST", "/api/agreements", {
			driverId: largeDriver(size - 1),
			from: addDays(WEEK, 7),
		});
		expect(later.status, later.text).toBe(201);
		const then = await read(ada, HERE);
		expect(named(then.words, "money came in, but no agreement covers")).toEqual(
			lacking.slice(0, 2),
		);
		await run("delete from agreements where driver_id like 'a0000000-%'");
		await run(
			"delete from settlements where status = 'draft'",
			`insert into settlements (id, number, driver_id, week_from, status, created_at, created_by)
			select id || '-', number + ${size * 3}, driver_id, week_from, 'draft', 1, created_by
			from settlements where status = 'void'`,
		);
		const most = await read(ada, HERE);
		expect(most.words).toContain("More drivers have money and no agreement.");
		expect(most.rows).toBeLessThan(ROWS_READ.weekWithChecks);
		// Those without money are looked at, too, and may leave no room for others.
		await run("delete from statement_money");
		const none = await read(ada, HERE);
		const unseen =
			"Only 100 of the drafts without an agreement were checked for money. None of them has any.";
		expect(none.words.includes(unseen)).toBe(isLarge);
		expect(none.rows).toBeLessThan(ROWS_READ.weekWithChecks);
	});
});
