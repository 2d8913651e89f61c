/**
 * The screens that rank all drivers cost the database the same with 50, 5,000 and 50,000 of them
 * (docs/decisions/0056). D1 itself counts the rows, which Server-Timing reports.
 */
import { describe, expect, it } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { dayNumber } from "../../app/domain/analytics/blocks.ts";
import { rebuildStandings } from "../../app/domain/analytics/keep-standings.server.ts";
import { ROWS_READ } from "../support/budgets.ts";
import { costOf } from "../support/cost.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const today = daysAgo(0);
await rebuildStandings(new Database(fleet.database), today);

let made = 0;
/** Inserts drivers with the totals of two dates; today's set of totals follows. */
async function growTo(drivers: number): Promise<void> {
	for (; made < drivers; made = Math.min(drivers, made + 10_000)) {
		const last = Math.min(drivers, made + 10_000);
		const numbers = `with recursive n(k) as (select ${made + 1} union all select k + 1 from n where k < ${last})`;
		const id = "printf('f0000000-0000-4000-8000-%012d', k)";
		// Exactly the blocks of days that the last test's dates need.
		const days = [3, 40].map(
			(ago) =>
				`insert into block_totals (driver_id, days, first_day, miles, trips, gas_cents, gas_requests)
				${numbers} select ${id}, 1, ${dayNumber(daysAgo(ago))}, 20 + k % 900, 1, 1500 + k * 37 % 60000, 1 from n where k % 10 > 0`,
		);
		await fleet.database.batch(
			[
				...days,
				`insert into users (id, role, first_name, last_name, driver_number, approval_status, is_active, created_at, applied_at, approved_at)
				${numbers} select ${id}, 'driver', 'Given' || k % 50, 'Name' || k, 100000 + k, 'approved', k % 9 > 0, 1, 1, 1 from n`,
			].map((text) => fleet.database.prepare(text)),
		);
	}
}

const PAGES = [
	"/",
	...["week", "month", "quarter"].map((range) => `/mileage-reports?range=${range}`),
	"/reports",
	"/api/analytics/weekly-summary",
];

async function rowsOf(path: string): Promise<number> {
	const answer = await ada.get(path);
	const { trips, rows } = costOf(answer);
	expect([path, answer.status, trips]).toEqual([path, 200, 1]);
	return rows;
}

describe("a fleet", () => {
	it("of 50, 5,000 and 50,000 drivers costs at most 600 rows on every screen", async () => {
		for (const drivers of [50, 5_000, 50_000]) {
			await growTo(drivers);
			const rows: Record<string, number> = {};
			for (const path of PAGES) rows[path] = await rowsOf(path);
			console.log(`rows read with ${made} drivers: ${JSON.stringify(rows)}`);
			for (const [path, read] of Object.entries(rows))
				expect(read, `${path} with ${made} drivers`).toBeLessThanOrEqual(ROWS_READ.screen);
		}
	});

	it("costs no more on later pages, forward and back, with every driver once", async () => {
		await growTo(5_000);
		const seen: string[] = [];
		let url = "/mileage-reports?range=week";
		const link = (text: string, words: string) =>
			new RegExp(`href="([^"#]+)[^"]*"[^>]*>${words}<`).exec(text)?.[1]?.replaceAll("&amp;", "&");
		const read = async () => {
			const { text } = await ada.get(url);
			expect(await rowsOf(url), url).toBeLessThanOrEqual(ROWS_READ.screen);
			const section = /<h2 id="performance"[\s\S]*?<\/section>/.exec(text)?.[0];
			const rows = [...(section ?? "").matchAll(/<tr id="driver-([^"]+)"/g)].map(
				([, id]) => `${id}`,
			);
			return { text: section ?? "", rows };
		};
		for (let page = 0; page < 4; page++) {
			const { text, rows } = await read();
			expect(text).toContain(`${1 + 25 * page}–${25 + 25 * page} of `);
			seen.push(...rows);
			url = link(text, "Next page") ?? "";
		}
		expect(new Set(seen).size).toBe(100);
		const { text } = await read();
		url = link(text, "Previous page") ?? "";
		expect((await read()).rows).toEqual(seen.slice(75));
	});

	it("is streamed completely by the efficiency call, active drivers first", async () => {
		await growTo(50_000);
		const { status, text } = await ada.get("/api/analytics/driver-efficiency");
		expect(status).toBe(200);
		const rows: { driverId: string }[] = JSON.parse(text);
		expect(new Set(rows.map(({ driverId }) => driverId)).size).toBe(rows.length);
		expect(rows.length).toBeGreaterThanOrEqual(50_000);
	});

	it("has the same figures for custom dates as for the standard window", async () => {
		const figures = (text: string) => text.match(/\$[\d,]+\.\d\d/g)?.slice(0, 3);
		const week = await ada.get("/mileage-reports?range=week");
		const custom = await ada.get(
			`/mileage-reports?range=custom&startDate=${daysAgo(6)}&endDate=${today}`,
		);
		expect(custom.status).toBe(200);
		expect(figures(custom.text)).toEqual(figures(week.text));
		const table = (text: string) => text.match(/<tr id="driver-[^"]+"/g);
		expect(table(custom.text)).toEqual(table(week.text));
	});
});
