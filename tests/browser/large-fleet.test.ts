/**
 * Choosing a driver in a small and in a large fleet, at every screen size, with and without
 * JavaScript.
 */
import type { Locator, Page } from "@playwright/test";
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { oneIn } from "../support/extent.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { giveSession, openStage } from "./browser.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
const WAYS = [360, 768, 1024, 1280].flatMap((width) =>
	[true, false].map((javaScript) => [width, javaScript] as const),
);

async function visitAt(width: number, javaScript: boolean, path: string): Promise<Page> {
	const page = await stage.visit({ javaScript, phone: width < 640, mayRefuse: true });
	await page.setViewportSize({ width, height: 800 });
	await giveSession(page, "admin@milepost.test");
	await page.goto(path);
	return page;
}

const milesOf = (page: Page) =>
	page
		.locator("dl > div")
		.filter({ hasText: "Total Miles Driven" })
		.locator("dd span")
		.first()
		.textContent();
const feeDrivers = async () =>
	(
		await stage.fleet.sql<{ name: string }>(
			"select first_name || ' ' || last_name as name from uber_fees join users on users.id = driver_id",
		)
	).map(({ name }) => name);

async function fillFee(page: Page): Promise<void> {
	await page.getByLabel("Fee Category").selectOption("service_fee");
	await page.getByLabel("Amount").fill("12.50");
	await page.getByLabel("Description").fill("Kept");
}
/** Types into the search and leaves it, which closes the suggestions: they could cover a button. */
async function typeAndLeave(search: Locator, text: string): Promise<void> {
	await search.fill(text);
	await search.blur();
}
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

beforeEach(async () => {
	await sql("delete from uber_fees");
	await sql("delete from mileage_logs where driver_id like '70000000-%'");
	await sql("delete from users where id like '70000000-%'");
});

describe("three drivers", () => {
	it.each(oneIn(3, WAYS, 0))(
		"are chosen from a list, at %i px (JavaScript: %s)",
		async (width, javaScript) => {
			const reports = await visitAt(width, javaScript, "/mileage-reports");
			const fleet = await milesOf(reports);
			await reports
				.getByLabel("Driver", { exact: true })
				.selectOption({ label: "Omar Okafor (DRV-0002)" });
			await press(reports, "Apply");
			await reports.getByRole("heading", { name: "Entries for Omar Okafor" }).waitFor();
			expect(await milesOf(reports)).not.toBe(fleet);
			const fees = await visitAt(width, javaScript, "/uber-fees");
			await fees
				.getByLabel("Driver", { exact: true })
				.selectOption({ label: "Omar Okafor (DRV-0002)" });
			await fillFee(fees);
			await press(fees, "Add Uber Fee");
			await fees.getByText("Uber fee added successfully").waitFor();
			expect(await feeDrivers()).toEqual(["Omar Okafor"]);
		},
	);

	it("filter fees again after the same filter was applied twice", async () => {
		const page = await visitAt(1280, true, "/uber-fees");
		const filter = page
			.locator("form")
			.filter({ has: page.getByRole("button", { name: "Apply" }) });
		const choose = (label: string) => filter.getByLabel("Fees of").selectOption({ label });
		await choose("Omar Okafor (DRV-0002)");
		await press(page, "Apply");
		await page.waitForURL(`**/uber-fees?*${idOf("omar")}*`);
		// It leads to the same place on the same page, so nothing is loaded.
		await press(page, "Apply");
		await choose("Dana Driver (DRV-0001)");
		await press(page, "Apply");
		await page.waitForURL(`**/uber-fees?*${idOf("dana")}*`);
	});
});

describe("150 drivers", () => {
	beforeEach(async () => {
		await sql(`insert into users (id, role, first_name, last_name, approval_status, driver_number, created_at)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 150)
			select printf('70000000-0000-4000-8000-%012d', i), 'driver', 'Zed', 'Zimmer' || i, 'approved', 100 + i, 1 from n`);
		await sql(
			`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
				values ('70000000-0000-4000-8000-000000009999', '70000000-0000-4000-8000-000000000001', ?, 10, 4331, 'seed', 1, 'x')`,
			daysAgo(1),
		);
	});

	it.each(oneIn(3, WAYS, 1))(
		"are filtered by a full name at once, and never by an ambiguous one, at %i px (JavaScript: %s)",
		async (width, javaScript) => {
			const page = await visitAt(width, javaScript, "/mileage-reports");
			const fleet = await milesOf(page);
			const search = page.locator("#driverSearch");
			await typeAndLeave(search, "Zed Zim");
			await press(page, "Apply");
			await page
				.getByText(
					"The figures below aren't filtered yet. They're for all drivers. Select one below, then choose Apply.",
				)
				.waitFor();
			expect(await milesOf(page)).toBe(fleet);
			expect(await page.getByLabel("All drivers").isChecked()).toBe(true);
			// Ten other names start with it.
			await typeAndLeave(search, "Zed Zimmer1");
			await press(page, "Apply");
			await page.getByRole("heading", { name: "Entries for Zed Zimmer1 (DRV-0101)" }).waitFor();
			expect(await milesOf(page)).toBe("4,321");
			expect(
				await page
					.getByRole("table", { name: /^Driver Performance/ })
					.locator("tbody tr")
					.count(),
			).toBe(1);
			if (javaScript) await expect.poll(() => search.inputValue()).toBe("Zed Zimmer1 (DRV-0101)");
			else
				expect(await page.getByRole("radio", { name: "Zed Zimmer1 (DRV-0101)" }).isChecked()).toBe(
					true,
				);
			expect(await page.getByRole("link", { name: "Export Report" }).getAttribute("href")).toBe(
				"/mileage-reports/export.csv?driver=70000000-0000-4000-8000-000000000001",
			);
		},
	);

	it.each(oneIn(3, WAYS, 2))(
		"are charged by full name, and have to be selected otherwise, at %i px (JavaScript: %s)",
		async (width, javaScript) => {
			const page = await visitAt(width, javaScript, "/uber-fees");
			const search = page.locator("#driverSearch");
			for (const [typed, words] of [
				["Qwerty", 'No matches for "Qwerty". Nothing was added.'],
				[
					"Zed Zim",
					"Enter more of the name to narrow the list. Select one below. Nothing was added.",
				],
			] as const) {
				await search.fill(typed);
				await fillFee(page);
				await press(page, "Add Uber Fee");
				const said = page.locator("#driverSearch-error").getByText(words);
				await said.waitFor();
				await expect
					.poll(() => search.evaluate((field) => field === document.activeElement))
					.toBe(true);
				const isSeen = await said.evaluate((element) => {
					const { left, top, bottom } = element.getBoundingClientRect();
					return [top + 2, bottom - 2].every((y) =>
						element.contains(document.elementFromPoint(left + 5, y)),
					);
				});
				expect(isSeen, typed).toBe(true);
				expect(await search.inputValue()).toBe(typed);
				expect(await page.getByLabel("Fee Category").inputValue()).toBe("service_fee");
				expect([
					await page.getByLabel("Amount").inputValue(),
					await page.getByLabel("Description").inputValue(),
				]).toEqual(["12.50", "Kept"]);
				expect(await feeDrivers()).toEqual([]);
			}
			await typeAndLeave(search, "Zed Zimmer1");
			await press(page, "Add Uber Fee");
			await page.getByText("Uber fee added successfully").waitFor();
			expect(await feeDrivers()).toEqual(["Zed Zimmer1"]);
		},
	);

	it("are suggested while typing, for keyboard and mouse, and the latest response wins", async () => {
		const page = await visitAt(1280, true, "/mileage-reports");
		const search = page.getByRole("combobox", { name: "Find driver" });
		await search.focus();
		await expect.poll(() => search.getAttribute("aria-expanded")).toBe("false");
		const asked: string[] = [];
		// The first response arrives after the last.
		let letGo = () => {};
		const last = new Promise<void>((pass) => {
			letGo = pass;
		});
		let tellSent = () => {};
		const sent = new Promise<void>((pass) => {
			tellSent = pass;
		});
		await page.route("**/api/people?*", async (route) => {
			const text = new URL(route.request().url()).searchParams.get("search") ?? "";
			asked.push(text);
			const response = await route.fetch();
			if (text === "zim") await last;
			// The page may have given it up.
			await route.fulfill({ response }).catch(() => undefined);
			if (text === "zim") tellSent();
		});
		await search.fill("zim");
		await expect.poll(() => asked).toEqual(["zim"]);
		await search.pressSequentially("mer15");
		const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
		await expect.poll(() => options.count()).toBe(2);
		letGo();
		await sent;
		await page.evaluate(
			() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
		);
		expect(await options.count()).toBe(2);
		expect(asked.at(-1)).toBe("zimmer15");
		expect(asked.length).toBeLessThan(5);
		expect(await page.getByRole("status").allTextContents()).toContain('2 matches for "zimmer15".');
		await search.press("ArrowDown");
		await search.press("ArrowDown");
		const active = page.locator(`[id="${await search.getAttribute("aria-activedescendant")}"]`);
		expect(await active.textContent()).toBe("Zed Zimmer150 (DRV-0250)");
		expect(await active.getAttribute("aria-selected")).toBe("true");
		await search.press("Escape");
		expect(await search.getAttribute("aria-expanded")).toBe("false");
		await search.press("ArrowUp");
		await search.press("Enter");
		expect(await search.inputValue()).toBe("Zed Zimmer150 (DRV-0250)");
		expect(new URL(page.url()).search).toBe("");
		await search.press("Enter");
		await page.getByRole("heading", { name: "Entries for Zed Zimmer150 (DRV-0250)" }).waitFor();
		await expect.poll(() => search.inputValue()).toBe("Zed Zimmer150 (DRV-0250)");
		await search.fill("");
		await search.fill("zed zimmer1");
		await page.getByRole("option", { name: "Zed Zimmer1 (DRV-0101)", exact: true }).click();
		await press(page, "Apply");
		await page.getByRole("heading", { name: "Entries for Zed Zimmer1 (DRV-0101)" }).waitFor();
		expect(await milesOf(page)).toBe("4,321");
		await search.fill("");
		await press(page, "Apply");
		await page
			.getByRole("heading", { name: "Entries for all drivers" })
			.or(page.getByText("No flagged entries"))
			.first()
			.waitFor();
		expect(new URL(page.url()).searchParams.get("driver")).toBeNull();
	});

	it("aren't suggested for a text that they don't answer", async () => {
		const page = await visitAt(1280, true, "/mileage-reports");
		const search = page.getByRole("combobox", { name: "Find driver" });
		const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
		const suggest = async () => {
			await search.fill("zimmer15");
			await expect.poll(() => options.count()).toBe(2);
		};
		const expectNone = async () => {
			await expect.poll(() => options.count()).toBe(0);
			await search.press("ArrowDown");
			expect(await search.getAttribute("aria-expanded")).toBe("false");
			expect(await page.getByText("matches for").count()).toBe(0);
		};
		await suggest();
		await page.route("**/api/people?*", (route) => route.fulfill({ status: 429, body: "" }));
		await search.fill("dana");
		await expectNone();
		await page.unroute("**/api/people?*");
		await suggest();
		// Left before there is an answer.
		await page.route("**/api/people?*", () => undefined);
		const asked = page.waitForRequest("**/api/people?*");
		await search.fill("dana");
		await asked;
		await search.blur();
		await search.focus();
		await expectNone();
	});

	it("are found for what was typed before a password manager changed the box", async () => {
		// React tells its own console of what it finds changed, so not `visit`.
		const context = await stage.browser.newContext({ baseURL: stage.fleet.origin });
		const page = await context.newPage();
		await giveSession(page, "admin@milepost.test");
		let letGo = () => {};
		const gate = new Promise<void>((pass) => {
			letGo = pass;
		});
		await page.route("**/assets/**", async (route) => {
			await gate;
			await route.continue();
		});
		await page.goto("/mileage-reports", { waitUntil: "commit" });
		const search = page.locator("#driverSearch");
		await search.fill("zimmer1");
		await search.evaluate((field) =>
			field.insertAdjacentElement("afterend", document.createElement("password-button")),
		);
		letGo();
		await page.locator("[data-island=person-search][data-is-awake]").waitFor();
		await page.keyboard.type("5");
		await page.getByText('2 matches for "zimmer15".').waitFor({ state: "attached" });
		await context.close();
	});
});
