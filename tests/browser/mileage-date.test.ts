/** The start reading follows the date of the form, with a script and without one. */
import type { Page } from "@playwright/test";
import { beforeAll, expect, it } from "vitest";
import { untilDrafted, waitUntilPrepared } from "../offline/steps.ts";
import { idOf } from "../support/cast.ts";
import { daysAgo, describeDate } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { openStage, signIn } from "./browser.ts";

const stage = await openStage();
const [earlier, later, missing] = [daysAgo(6), daysAgo(2), daysAgo(4)];

beforeAll(async () => {
	const sql = stage.fleet.sql.bind(stage.fleet);
	await sql("delete from mileage_logs where driver_id = ?", idOf("dana"));
	await insertLog(sql, 1, "dana", earlier, 100);
	await insertLog(sql, 2, "dana", later, 50);
});

const start = (page: Page) => page.getByLabel("Starting Odometer");
/** The form as it opens, once its scripts listen. */
async function open(page: Page) {
	await signIn(page, "dana@milepost.test");
	await page.goto("/mileage");
	await waitUntilPrepared(page);
	await page.getByLabel("Ending Odometer").fill("4060");
	await expect.poll(() => page.getByLabel("Calculated Miles").textContent()).toBe("10");
	await page.getByLabel("Ending Odometer").fill("");
	expect(await start(page).inputValue()).toBe("4050");
}

it("offers the reading before the date that is chosen, and keeps one that was typed", async () => {
	const page = await stage.visit();
	await open(page);
	await page.getByLabel("Date").fill(missing);
	await expect.poll(() => start(page).inputValue()).toBe("2100");
	await expect.poll(() => page.locator("main").innerText()).toContain(describeDate(earlier));
	await page.getByLabel("Ending Odometer").fill("2130");
	await expect.poll(() => page.getByLabel("Calculated Miles").textContent()).toBe("30");
	await start(page).fill("2110");
	await page.getByLabel("Date").fill(daysAgo(0));
	await expect.poll(() => page.locator("main").innerText()).toContain(describeDate(later));
	expect(await start(page).inputValue()).toBe("2110");
});

it("keeps the reading of an entry whose date is corrected", async () => {
	const sql = stage.fleet.sql.bind(stage.fleet);
	await sql("delete from mileage_logs where driver_id = ?", idOf("omar"));
	await insertLog(sql, 11, "omar", earlier, 100);
	await insertLog(sql, 12, "omar", later, 50);
	const page = await stage.visit();
	await signIn(page, "omar@milepost.test");
	await page.goto("/mileage");
	await page.getByRole("link", { name: `Correct the trip on ${describeDate(later)}` }).click();
	expect(await start(page).inputValue()).toBe("24000");
	await page.getByLabel("Date").fill(missing);
	await expect.poll(() => page.locator("main").innerText()).toContain("Between your entries of");
	expect(await start(page).inputValue()).toBe("24000");
	await page.getByRole("button", { name: "Save correction" }).click();
	await page.waitForURL(/#log-/);
	const corrected = await sql(
		"select driven_on, start_miles, end_miles from mileage_logs where driver_id = ? and corrects_id is not null",
		idOf("omar"),
	);
	expect(corrected).toEqual([{ driven_on: missing, start_miles: 24_000, end_miles: 24_050 }]);
});

it("keeps the reading that was typed into a form that came back, and replaces one it was offered", async () => {
	const page = await stage.visit({ mayRefuse: true });
	await open(page);
	await page.getByRole("button", { name: "Log Mileage" }).click();
	await page.getByText("Please fill in both odometer readings").waitFor();
	await page.getByLabel("Date").fill(missing);
	await expect.poll(() => start(page).inputValue()).toBe("2100");
	await page.getByLabel("Date").fill(daysAgo(0));
	await expect.poll(() => start(page).inputValue()).toBe("4050");
	await start(page).fill("4444");
	await page.getByRole("button", { name: "Log Mileage" }).click();
	await page.getByText("Please fill in both odometer readings").waitFor();
	await page.getByLabel("Date").fill(missing);
	await expect.poll(() => page.locator("main").innerText()).toContain("Between your entries of");
	expect(await start(page).inputValue()).toBe("4444");
});

it("opens for a day without what is half typed for today, and keeps both", async () => {
	const page = await stage.visit();
	await signIn(page, "dana@milepost.test");
	const notes = page.getByLabel("Notes");
	const type = async (words: string) => {
		await notes.fill(words);
		await untilDrafted(page, words);
	};
	const at = async (path: string) => {
		await page.goto(path);
		await waitUntilPrepared(page);
	};
	await at("/mileage");
	await type("Half typed today");
	await at(`/mileage?date=${missing}`);
	expect(await page.getByLabel("Date").inputValue()).toBe(missing);
	expect([await start(page).inputValue(), await notes.inputValue()]).toEqual(["2100", ""]);
	await type("About the day without a trip");
	await at("/mileage");
	expect(await page.getByLabel("Date").inputValue()).toBe(daysAgo(0));
	expect(await notes.inputValue()).toBe("Half typed today");
	await at(`/mileage?date=${missing}`);
	expect(await notes.inputValue()).toBe("About the day without a trip");
});

/** At once, as somebody in a hurry. */
async function leaveByLink(page: Page): Promise<void> {
	await page.getByRole("link", { name: "Dashboard" }).click();
	await page.waitForURL("/");
}

it.each([
	["a link is followed", leaveByLink],
	["the browser goes back", (page: Page) => page.goBack()],
])("keeps the last words typed before %s", async (_, leave) => {
	const page = await stage.visit();
	await open(page);
	await page.getByLabel("Notes").pressSequentially("To the airport");
	await leave(page);
	await page.goto("/mileage");
	await expect.poll(() => page.getByLabel("Notes").inputValue()).toBe("To the airport");
});

it("says what is known about the date of a form that is restored, and of one that is cleared", async () => {
	const page = await stage.visit();
	await open(page);
	await page.getByLabel("Date").fill(missing);
	await expect.poll(() => start(page).inputValue()).toBe("2100");
	await page.getByLabel("Notes").fill("Typed about that date");
	await leaveByLink(page);
	await page.goto("/mileage");
	await page.getByText("Restored what you typed on").waitFor();
	expect([await page.getByLabel("Date").inputValue(), await start(page).inputValue()]).toEqual([
		missing,
		"2100",
	]);
	await expect.poll(() => page.locator("main").innerText()).toContain("Between your entries of");
	await page.getByRole("button", { name: "Clear" }).click();
	await expect.poll(() => page.locator("main").innerText()).toContain("Your last entry ended at");
	expect([await page.getByLabel("Date").inputValue(), await start(page).inputValue()]).toEqual([
		daysAgo(0),
		"4050",
	]);
});

it("stays the form of its day when it comes back with an error", async () => {
	const page = await stage.visit({ mayRefuse: true });
	await signIn(page, "dana@milepost.test");
	await page.goto(`/mileage?date=${missing}`);
	await page.getByRole("button", { name: "Log Mileage" }).click();
	await page.getByText("Please fill in both odometer readings").waitFor();
	expect(await page.getByLabel("Date").inputValue()).toBe(missing);
	expect(await page.locator("main").innerText()).toContain("Between your entries of");
});

it("follows a date that is changed before its island listens", async () => {
	const page = await stage.visit();
	// When saving data, an island hydrates only once its form is touched: by that very change.
	await page.addInitScript(() => {
		Object.defineProperty(navigator, "connection", { value: { saveData: true } });
	});
	await signIn(page, "dana@milepost.test");
	await page.goto("/mileage");
	await page.getByLabel("Date").fill(missing);
	await expect.poll(() => start(page).inputValue()).toBe("2100");
});

it("offers no reading of another date when there is no answer, and can still be sent", async () => {
	const page = await stage.visit();
	await open(page);
	await page.evaluate(() => {
		window.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
	});
	await page.getByLabel("Date").fill(missing);
	await expect.poll(() => start(page).inputValue()).toBe("");
	await start(page).fill("2100");
	await page.getByLabel("Ending Odometer").fill("2120");
	await page.getByRole("button", { name: "Log Mileage" }).click();
	await page.waitForURL(/#log-/);
	expect(await page.locator("main").innerText()).toContain(describeDate(missing));
	const logged = await stage.fleet.sql(
		"select id from mileage_logs where driver_id = ? and driven_on = ?",
		idOf("dana"),
		missing,
	);
	expect(logged).toHaveLength(1);
	await stage.fleet.sql("delete from mileage_logs where id = ?", String(logged[0]?.id));
});

it("without a script, each day without a trip is a link to the form for that day", async () => {
	const page = await stage.visit({ javaScript: false });
	await signIn(page, "dana@milepost.test");
	await page.goto("/mileage");
	await page.getByText("Log a day without a trip").click();
	await page.getByRole("link", { name: describeDate(missing), exact: true }).click();
	expect(await page.getByLabel("Date").inputValue()).toBe(missing);
	expect(await start(page).inputValue()).toBe("2100");
});
