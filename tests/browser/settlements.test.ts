/** A week of many drivers, checked one by one and published, by keyboard alone. */
import { beforeAll, expect, it } from "vitest";
import { addDays } from "../../app/values/calendar-date.ts";
import { times } from "../support/extent.ts";
import { monday } from "../support/fleet-days.ts";
import { insertWeek, settlementId } from "../support/settlements.ts";
import { dialogOn, giveSession, openStage } from "./browser.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
/** The first day of the last whole week. */
const FROM = monday(1);
/** In `npm run test:full` as many as a page holds. */
const DRIVERS = times("SETTLED_DRIVERS", 10, 50);

beforeAll(async () => {
	await insertWeek(sql, addDays(FROM, -7));
	const numbers = "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)";
	const person = "printf('a0000000-0000-4000-8000-%012d', i)";
	await sql(
		`insert into users (id, role, first_name, last_name, email, approval_status, driver_number,
			created_at, applied_at, approved_at)
		${numbers} select ${person}, 'driver', 'Driver', 'Number ' || i, 'driver' || i || '@milepost.test',
			'approved', 100 + i, 1, 1, 1 from n`,
		DRIVERS,
	);
	await sql(
		`insert into charges (id, driver_id, kind, charged_on, amount_cents, direction, instalments,
			created_at, created_by, payload_hash)
		${numbers} select printf('b0000000-0000-4000-8000-%012d', i), ${person}, 'bonus', ?, 100 * i, 'for', 1,
			1, (select id from users where role = 'admin' limit 1), 'x' from n`,
		DRIVERS,
		FROM,
	);
	const ada = await stage.fleet.as("ada");
	const drafts = await ada.post("/settlements", { intent: "draft", week: FROM });
	expect(drafts.status).toBe(303);
});

it("checks each driver of a week with one key, and publishes them all", async () => {
	const page = await stage.visit({ phone: false });
	await giveSession(page, "admin@milepost.test");
	await page.goto(`/settlements?week=${FROM}`);
	await page.getByRole("button", { name: "Keyboard shortcuts" }).waitFor();
	const count = await page.getByRole("checkbox", { name: /^Select ST-/ }).count();
	expect(count).toBeGreaterThanOrEqual(DRIVERS);
	const drafts = async () => {
		const [all] = await stage.fleet.sql<{ count: number }>(
			"select count(*) as count from settlements where week_from = ? and status = 'draft'",
			FROM,
		);
		return all?.count ?? 0;
	};
	// Those of the next page stay drafts.
	const others = (await drafts()) - count;
	const start = performance.now();
	let keys = 0;
	const press = async (key: string) => {
		keys += 1;
		await page.keyboard.press(key);
	};
	const visited = new Set<string>();
	await press("j");
	for (let each = 1; each <= count; each++) {
		await page.waitForFunction(
			(seen) => location.pathname.startsWith("/settlements/") && !seen.includes(location.pathname),
			[...visited],
		);
		await page.getByRole("button", { name: "Keyboard shortcuts" }).waitFor();
		visited.add(new URL(page.url()).pathname);
		if (each < count) await press("j");
	}
	await press("Escape");
	await page.waitForURL(/\/settlements\?week=/);
	await page.getByLabel("Select all").focus();
	await press("Space");
	await page.getByRole("button", { name: `Publish (${count})` }).waitFor();
	await press("Tab");
	await press("Enter");
	await page.getByText(`Published`, { exact: true }).first().waitFor();
	expect(keys).toBeLessThanOrEqual(count + 4);
	const seconds = (performance.now() - start) / 1000;
	console.log(`${count} drivers checked: ${keys} keystrokes, ${seconds.toFixed(1)} s`);
	expect(await drafts()).toBe(others);
});

it("moves back, asks before A publishes, and lists its keys", async () => {
	const page = await stage.visit({ phone: false });
	await giveSession(page, "admin@milepost.test");
	await page.goto(`/settlements/${settlementId(1)}`);
	await page.getByRole("button", { name: "Keyboard shortcuts" }).waitFor();
	await page.keyboard.press("?");
	for (const what of ["Next driver of the week", "Publish", "Back to the week"])
		await dialogOn(page, "Keyboard shortcuts").getByText(what, { exact: true }).waitFor();
	await page.keyboard.press("?");
	await page.keyboard.press("j");
	await page.waitForURL(`**/settlements/${settlementId(2)}`);
	await page.getByRole("button", { name: "Keyboard shortcuts" }).waitFor();
	await page.keyboard.press("k");
	await page.waitForURL(`**/settlements/${settlementId(1)}`);
	await page.getByRole("button", { name: "Keyboard shortcuts" }).waitFor();
	await page.keyboard.press("a");
	await dialogOn(page, "Publish ST-000001?").waitFor();
	await page.keyboard.press("Escape");
	await page.waitForURL((url) => url.search === "");
	const [row] = await stage.fleet.sql<{ status: string }>(
		"select status from settlements where number = 1",
	);
	expect(row?.status).toBe("draft");
});
