/** What to check about a week of 5,000 drivers, and what its page costs. */
import { expect, it } from "vitest";
import { addDays, weekdayOf } from "../../app/values/calendar-date.ts";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const today = daysAgo(0);
const WEEK = addDays(today, -((weekdayOf(today) + 6) % 7) - 7);
const HERE = `/settlements?week=${WEEK}`;
/** What 500 settlements may cost: each is read with its driver, for three kinds of checks. */
const MOST_ROWS = 6_000;

/** Published settlements of drivers with these numbers; the books of a few have changed since. */
async function insert(first: number, last: number): Promise<void> {
	const numbers = `with recursive n(i) as (select ${first} union all select i + 1 from n where i < ${last})`;
	const driver = "printf('a0000000-0000-4000-8000-%012d', i)";
	await fleet.database.batch(
		[
			`insert into users (id, role, first_name, last_name, email, approval_status, driver_number,
				created_at, applied_at, approved_at)
			${numbers} select ${driver}, 'driver', 'Driver', 'Number ' || i,
				'driver' || i || '@milepost.test', 'approved', 100 + i, 1, 1, 1 from n`,
			`insert into settlements (id, number, driver_id, week_from, status, created_at, created_by,
				carried_in_cents, result_cents, published_at, published_by)
			${numbers} select printf('ba000000-0000-4000-8000-%012d', i), i, ${driver}, '${WEEK}',
				'published', 1, '${idOf("ada")}', 0, 100, 1, '${idOf("ada")}' from n`,
			`insert or ignore into settlement_marks (driver_id, since)
			${numbers} select ${driver}, '${WEEK}' from n where i % 1250 = 0 or i = 1`,
		].map((text) => fleet.database.prepare(text)),
	);
}

async function read(path: string) {
	const { text, headers } = await ada.get(path);
	const timing = headers.get("Server-Timing") ?? "";
	expect(timing, path).toContain("1 trip,");
	const words = text
		.replace(/<script[\s\S]*?<\/script>/g, "")
		.replace(/<[^>]+>/g, " ")
		.replace(/\s+/g, " ");
	return { text, words, rows: Number(/(\d+) rows/.exec(timing)?.[1]) };
}

it("checks 5,000 settlements 500 at a time, to the last one, each time at the same cost", async () => {
	await insert(1, 500);
	const small = await read(HERE);
	expect(small.words).toContain("Driver Number 1: the books of this week changed");
	expect(small.words).not.toContain("were checked");
	await insert(501, 5_000);
	const found = new Set<string>();
	const costs: number[] = [];
	const said: string[] = [];
	for (let path = HERE; path !== ""; ) {
		const { text, words, rows } = await read(path);
		costs.push(rows);
		said.push(/[^.]* settlements [^.]*were checked[^.]*\./.exec(words)?.[0].trim() ?? "");
		for (const [, who] of words.matchAll(/Driver (Number \d+): the books/g)) found.add(`${who}`);
		const [, next = ""] = /href="([^"#]*)#checks"[^>]*>Check the next ones</.exec(text) ?? [];
		if (next === "") expect(text).toContain(`href="${HERE}#checks">Check the first ones<`);
		path = next.replaceAll("&amp;", "&");
	}
	console.log(`rows read of a week: ${small.rows} of 500, ${costs.join(", ")} of 5,000`);
	expect([...found]).toEqual([1, 1250, 2500, 3750, 5000].map((number) => `Number ${number}`));
	expect(costs).toHaveLength(10);
	expect(small.rows).toBeLessThan(MOST_ROWS);
	// The void ones, which are listed below, are looked for among all of the week.
	expect(Math.max(...costs)).toBeLessThan(MOST_ROWS + 5_000);
	expect(Math.max(...costs) - Math.min(...costs)).toBeLessThan(50);
	expect(said[0]).toContain("The first 500 settlements of the week were checked, up to ST-000500.");
	expect(said[1]).toContain("The settlements from ST-000501 to ST-001000 were checked.");
	expect(said[9]).toContain("The last settlements of the week were checked, from ST-004501.");
	for (const checked of ["0", "-1", "x", "9999999999"])
		expect((await read(`${HERE}&checked=${checked}`)).words).toContain("The first 500 settlements");
}, 120_000);
