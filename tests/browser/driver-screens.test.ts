/** What only a browser shows of a driver's screens on a phone: heights, focus, menus, printing. */
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { untilDrafted } from "../offline/steps.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { dialogOn, giveSession, openStage, signIn } from "./browser.ts";

const stage = await openStage();
const { fleet } = stage;

const dana = await fleet.as("dana");
for (const back of [3, 2, 1])
	await dana.call("POST", "/api/mileage", {
		date: daysAgo(back),
		startOdometer: 45_000 - 80 * back,
		endOdometer: 45_080 - 80 * back,
	});
for (const [type, amount] of [
	["gas", "41.20"],
	["maintenance", "89.00"],
])
	await dana.call("POST", "/api/fund-requests", {
		type,
		amount,
		description: "A description that is longer than a line of a phone has room for",
	});

/** The heights of a list's rows. */
const heightsOf = (page: Page, rows: string) =>
	page
		.locator(rows)
		.evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().height)));

it("a row of every list takes two lines on a phone, and opens", async () => {
	const page = await stage.visit();
	await signIn(page, "dana@milepost.test");
	for (const [path, rows, count] of [
		// Flags and notes have lines of their own.
		["/mileage", 'tr[id^="log-"]', 3],
		["/requests", 'li[id^="request-"]', 2],
		["/history", 'tr[id^="mileage-"], tr[id^="request-"]', 5],
	] as const) {
		await page.goto(path);
		const heights = await heightsOf(page, rows);
		console.log(`${path}: rows of ${heights.join(", ")} px`);
		expect(heights.length, path).toBeGreaterThanOrEqual(count);
		expect(Math.min(...heights), path).toBeLessThanOrEqual(95);
		expect(Math.max(...heights), path).toBeLessThanOrEqual(path === "/mileage" ? 150 : 100);
	}
	await page.getByRole("link", { name: "Daily route logging" }).first().click();
	const trip = dialogOn(page, /^Trip on /);
	await trip.getByText("44,920 to 45,000").waitFor();
	await trip.getByRole("button", { name: "Close" }).click();
	await page.getByRole("link", { name: "maintenance request" }).click();
	await dialogOn(page, /^Request FR-/)
		.getByText("longer than a line")
		.waitFor();
	await page.keyboard.press("Escape");
	await page.waitForURL(/\/history#request-/);
	await page.goto("/requests");
	await page.locator('li[id^="request-"] summary').first().click();
	await page
		.getByRole("link", { name: /^Withdraw/ })
		.first()
		.waitFor();
});

it.each([true, false])(
	"the mileage form shows its date and driver ID, and focuses the unknown reading (JavaScript: %s)",
	async (javaScript) => {
		const page = await stage.visit({ javaScript, mayRefuse: true });
		await giveSession(page, "dana@milepost.test");
		await page.goto("/mileage");
		await page.locator("#endOdometer:focus").waitFor();
		expect(await page.evaluate("scrollY")).toBe(0);
		expect(await page.getByLabel("Date").isVisible()).toBe(true);
		expect(await page.getByLabel("Date").inputValue()).toBe(daysAgo(0));
		expect(await page.getByLabel("Driver ID").isVisible()).toBe(true);
		expect(await page.getByLabel("Driver ID").inputValue()).toBe("DRV-0001");
		await page.getByLabel("Date").fill("2001-01-01");
		// One that isn't typed follows the date, whenever the answer comes.
		await page.getByLabel("Starting Odometer").fill("45010");
		await page.getByLabel("Ending Odometer").fill("45100");
		await page.getByRole("button", { name: "Log Mileage" }).click();
		await page.locator("#date-error").waitFor();
		await expect
			.poll(() => page.getByLabel("Date").evaluate((field) => field === document.activeElement))
			.toBe(true);
		await page.getByLabel("Date").fill(daysAgo(2));
		await page.getByLabel("Starting Odometer").fill("44000");
		await page.getByLabel("Ending Odometer").fill("44010");
		await page.getByRole("button", { name: "Log Mileage" }).click();
		// The question comes first, so focus must not scroll it out of view.
		await page.locator("#questions").waitFor();
		expect(await page.locator("#questions").isVisible()).toBe(true);
		await expect.poll(() => page.evaluate("scrollY")).toBe(0);
	},
);

/** Holds back what a page loads from an address; the returned function lets it come. */
async function holdBack(page: Page, address: RegExp): Promise<() => Promise<void>> {
	let letGo = () => {};
	const isDue = new Promise<void>((resolve) => {
		letGo = resolve;
	});
	await page.route(address, async (route) => {
		await isDue;
		await route.continue();
	});
	return async () => {
		const answered = page.waitForResponse(address);
		letGo();
		await (await answered).finished();
		// Until the page has used it.
		await page.waitForTimeout(500);
	};
}
const ABOUT_A_DATE = /\/mileage\?date=/;

it("what is typed replaces a start that was offered meanwhile", async () => {
	const page = await stage.visit();
	await giveSession(page, "dana@milepost.test");
	await page.goto("/mileage");
	const letCome = await holdBack(page, ABOUT_A_DATE);
	await page.getByLabel("Date").fill(daysAgo(4));
	const start = page.getByLabel("Starting Odometer");
	await start.selectText();
	const before = await start.inputValue();
	await letCome();
	expect(await start.inputValue()).not.toBe(before);
	await page.keyboard.type("44000");
	expect(await start.inputValue()).toBe("44000");
});

it.each([
	["the answer about a date", ABOUT_A_DATE, ""],
	["a kept draft", /\/phone-/, "Typed before the page was left"],
])("%s doesn't move 'Log Mileage' away while it is pressed", async (_, late, draft) => {
	const page = await stage.visit({ phone: false, mayRefuse: true });
	await giveSession(page, "dana@milepost.test");
	await page.goto("/mileage");
	await page.locator("form[data-is-kept]").waitFor();
	await page.getByLabel("Notes").fill(draft);
	if (draft) await untilDrafted(page, draft);
	const letCome = await holdBack(page, late);
	await page.goto("/mileage");
	// The draft's page asks nothing about a date, whose answer would move the button too.
	if (draft === "") await page.getByLabel("Date").fill(daysAgo(2));
	await page.getByLabel("Starting Odometer").fill("44000");
	await page.getByLabel("Ending Odometer").fill("44010");
	const button = page.getByRole("button", { name: "Log Mileage" });
	const place = await button.boundingBox();
	if (!place) throw new Error("The button isn't shown.");
	await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
	await page.mouse.down();
	await letCome();
	expect(await button.boundingBox()).toEqual(place);
	await page.mouse.up();
	await page.locator("#questions").waitFor();
});

it("an administrator's 'More' menu closes on a tap outside it and on Escape", async () => {
	const page = await stage.visit();
	await signIn(page, "admin@milepost.test");
	const places = page.getByRole("navigation", { name: "Main" });
	const more = places.locator("summary", { hasText: "More" });
	const settings = places.getByRole("link", { name: "Settings" }).last();
	await more.click();
	await settings.waitFor();
	await page.getByRole("heading", { level: 1 }).click();
	await settings.waitFor({ state: "hidden" });
	await more.click();
	await settings.waitFor();
	await page.keyboard.press("Escape");
	await settings.waitFor({ state: "hidden" });
	expect(
		await more.evaluate((summary) => summary.closest("summary") === document.activeElement),
	).toBe(true);
});

it("help is one link away on phone and desktop, and shows its images", async () => {
	for (const phone of [true, false]) {
		const page = await stage.visit({ phone, javaScript: phone });
		await signIn(page, "dana@milepost.test");
		await page.getByRole("link", { name: "Help" }).filter({ visible: true }).click();
		await page.getByRole("heading", { level: 1, name: "Help" }).waitFor();
		for (const picture of await page.locator("main img").all()) {
			await picture.scrollIntoViewIfNeeded();
			await expect
				.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
				.toBeGreaterThan(0);
		}
	}
});

it("a printed history shows its driver and period, and no empty box for the filters", async () => {
	const page = await stage.visit();
	await giveSession(page, "dana@milepost.test");
	await page.goto("/history?type=mileage");
	// What the scripts add isn't printed either.
	await page.locator("main > [role=status]").waitFor({ state: "attached" });
	await page.emulateMedia({ media: "print" });
	await page.getByText(/^Dana Driver · DRV-0001 · Mileage Logs, .+ to .+$/).waitFor();
	const boxes = await page
		.locator("main > *")
		.evaluateAll((all) =>
			all.filter((each) => each.getClientRects().length > 0 && each.textContent?.trim() === ""),
		);
	expect(boxes).toEqual([]);
	expect(await page.getByRole("button", { name: "Apply" }).isVisible()).toBe(false);
});
