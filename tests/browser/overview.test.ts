/** The Fleet Overview in a browser: the chart drawn over the page, and the page without it. */
import type { Page } from "@playwright/test";
import { beforeAll, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo, describePeriod } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { insertRequest } from "../support/requests.ts";
import { giveSession, openStage } from "./browser.ts";

const stage = await openStage();
const week = (number: number) => describePeriod(daysAgo(7 * number + 6), daysAgo(7 * number));

/** Fuel and fees in dollars for the week that many weeks ago. */
const fuel = (number: number) => 100 + 10 * number;
const fees = (number: number) => 50 + number;

beforeAll(async () => {
	const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
	for (let number = 0; number < 12; number++) {
		const day = daysAgo(7 * number + 3);
		const decided = {
			status: "approved",
			decided_at: 1,
			decided_by: idOf("ada"),
			requested_on: day,
		};
		await insertRequest(sql, number + 1, "dana", { ...decided, amount_cents: 100 * fuel(number) });
		await insertFee(sql, number + 1, "omar", day, { amount_cents: 100 * fees(number) });
		await insertLog(sql, number + 1, "dana", day, 100 + number);
	}
});

async function overview(page: Page): Promise<void> {
	await giveSession(page, "admin@milepost.test");
	await page.goto("/");
}

/** The number of pixels of each opaque color in the drawing. */
const colorsOf = (page: Page) =>
	page.evaluate(() => {
		const canvas = document.querySelector("canvas");
		// Reads a copy, because reading the canvas itself changes how the browser stores it.
		const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
		if (!canvas || !context) return {};
		context.canvas.width = canvas.width;
		context.canvas.height = canvas.height;
		context.drawImage(canvas, 0, 0);
		const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
		const counts: Record<string, number> = {};
		for (let dot = 0; dot < data.length; dot += 4)
			if (data[dot + 3] === 255) {
				const key = `${data[dot]},${data[dot + 1]},${data[dot + 2]}`;
				counts[key] = (counts[key] ?? 0) + 1;
			}
		return counts;
	});
const LIGHT = { fuel: "18,86,184", fees: "198,93,0" };
const DARK = { fuel: "125,179,255", fees: "240,145,58" };

describe("with JavaScript", () => {
	it.each(["phone", "desktop"])(
		"draws twelve weeks that respond to keys and pointer, on a %s",
		async (device) => {
			const page = await stage.visit({ phone: device === "phone" });
			await page.addInitScript(() =>
				document.addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
					console.error(violatedDirective),
				),
			);
			await overview(page);
			const slider = page.getByRole("slider", { name: "Week" });
			await slider.and(page.locator(":enabled")).waitFor();
			await expect.poll(() => page.getByText("Loading chart data...").count()).toBe(0);
			await expect.poll(async () => (await colorsOf(page))[LIGHT.fees] ?? 0).toBeGreaterThan(1000);
			const colors = await colorsOf(page);
			// Bar lengths match: fuel is more than fees in every week.
			expect(colors[LIGHT.fuel]).toBeGreaterThan(colors[LIGHT.fees] ?? 0);

			const says = (number: number) =>
				`${week(number)}: fuel expenses $${fuel(number)}.00, Uber fees $${fees(number)}.00, total spend $${fuel(number) + fees(number)}.00`;
			const reads = async (number: number) => {
				await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe(says(number));
				expect(
					(await page.locator("[data-island] dd").allTextContents()).map((text) => text.trim()),
				).toEqual([
					`$${fuel(number)}.00`,
					`$${fees(number)}.00`,
					`$${fuel(number) + fees(number)}.00`,
				]);
			};
			await reads(0);
			await slider.focus();
			await page.keyboard.press("ArrowLeft");
			await reads(1);
			await page.keyboard.press("Home");
			await reads(11);
			const plot = page.locator(".u-over");
			await plot.scrollIntoViewIfNeeded();
			const box = await plot.boundingBox();
			if (!box) throw new Error("the plot has no bounding box");
			await page.mouse.move(box.x + (box.width * 6.5) / 12, box.y + box.height / 2);
			await reads(5);
			expect(
				await page.evaluate(
					() => document.documentElement.scrollWidth - document.documentElement.clientWidth,
				),
			).toBe(0);
		},
	);

	it("cuts off a week that would make the others unreadable, and says what it stands for", async () => {
		const page = await stage.visit();
		const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
		const fee = await insertFee(sql, 99, "omar", daysAgo(10), { amount_cents: 5_000_000 });
		await overview(page);
		await page.getByText(/^Cut off: .+ \(\$50,161\.00\)\.$/).waitFor();
		await expect.poll(async () => (await colorsOf(page))[LIGHT.fuel] ?? 0).toBeGreaterThan(1000);
		await sql("update uber_fees set deleted_at = 1, deleted_by = ? where id = ?", idOf("ada"), fee);
	});

	it("follows the page's color scheme and width", async () => {
		const page = await stage.visit({ phone: false });
		await overview(page);
		await page.getByRole("slider").and(page.locator(":enabled")).waitFor();
		expect((await colorsOf(page))[DARK.fuel]).toBeUndefined();
		await page.emulateMedia({ colorScheme: "dark" });
		await expect.poll(async () => (await colorsOf(page))[DARK.fuel] ?? 0).toBeGreaterThan(1000);
		const dark = await colorsOf(page);
		expect(dark[DARK.fees]).toBeGreaterThan(1000);
		expect(dark[LIGHT.fuel]).toBeUndefined();
		const wide = (await page.locator("canvas").boundingBox())?.width ?? 0;
		await page.setViewportSize({ width: 360, height: 740 });
		const width = async () => (await page.locator("canvas").boundingBox())?.width ?? 0;
		await expect.poll(width).toBeLessThan(330);
		expect(await width()).toBeGreaterThan(250);
		expect(wide).toBeGreaterThan(400);
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
		await expect.poll(async () => (await colorsOf(page))[DARK.fuel] ?? 0).toBeGreaterThan(500);
	});

	it("tells the colors of its two kinds apart where the system's colors are forced", async () => {
		const page = await stage.visit({ phone: false });
		await page.emulateMedia({ forcedColors: "active" });
		await overview(page);
		const colors = await page
			.locator("[data-island=spend-chart] dt > [aria-hidden]")
			.evaluateAll((swatches) => swatches.map((each) => getComputedStyle(each).backgroundColor));
		expect(colors).toHaveLength(2);
		expect(new Set([...colors, "rgb(255, 255, 255)"]).size).toBe(3);
	});

	it("fetches the chart's code for this page only", async () => {
		const page = await stage.visit();
		const fetched: string[] = [];
		page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
		await overview(page);
		await page.getByRole("slider").and(page.locator(":enabled")).waitFor();
		const isOfChart = (path: string) => /spend-/.test(path);
		const names = new Set(
			fetched.filter(isOfChart).map((path) => path.replace(/-[\w-]{8}\./, ".")),
		);
		expect([...names].sort()).toEqual([
			"/assets/spend-chart.css",
			"/assets/spend-chart.js",
			"/assets/spend-drawing.js",
		]);
		for (const path of ["/uber-fees", "/fund-requests", "/drivers"]) {
			fetched.length = 0;
			await page.goto(path);
			await page.waitForLoadState("networkidle");
			expect(fetched.filter(isOfChart), path).toEqual([]);
		}
	});

	it("says so when the chart can't be loaded, and shows the numbers", async () => {
		const page = await stage.visit({ mayRefuse: true });
		await page.route("**/assets/spend-drawing*", (route) => route.fulfill({ status: 404 }));
		await overview(page);
		await page
			.getByText("The chart couldn't be loaded. See the table below for the figures.")
			.waitFor();
		await expect.poll(() => page.getByText("Loading chart data...").count()).toBe(0);
		await page.getByText("Show as table").first().click();
		expect(
			await page
				.getByRole("row")
				.filter({ hasText: week(11) })
				.textContent(),
		).toContain(`$${fuel(11)}.00`);
	});

	it.each(["saves data", "couldn't load the chart's code"])(
		"offers the chart where the browser %s, and draws it when asked",
		async (why) => {
			const page = await stage.visit({ mayRefuse: true });
			const isSaving = why === "saves data";
			let isGone = !isSaving;
			if (isSaving)
				await page.addInitScript(() =>
					Object.defineProperty(navigator, "connection", { value: { saveData: true } }),
				);
			await page.route("**/assets/spend-chart-*.js", (route) =>
				isGone ? route.fulfill({ status: 404 }) : route.continue(),
			);
			await overview(page);
			const show = page.getByRole("button", { name: "Show chart" });
			await show.waitFor();
			expect(await page.getByText("Loading chart data...").isVisible()).toBe(false);
			await show.focus();
			if (isGone) {
				await page.keyboard.press("Enter");
				await expect
					.poll(() => show.evaluate((each) => each === document.activeElement))
					.toBe(true);
			}
			isGone = false;
			const before = (await page.locator("[data-island]").boundingBox())?.height;
			await page.keyboard.press("Enter");
			await page.getByRole("slider").and(page.locator(":enabled")).waitFor();
			await page.keyboard.press("Tab");
			expect(
				await page
					.locator("[data-island]")
					.evaluate((each) => each.contains(document.activeElement)),
			).toBe(true);
			expect(await page.getByText("Loading chart data...").count()).toBe(0);
			expect(await show.count()).toBe(0);
			expect((await page.locator("[data-island]").boundingBox())?.height).toBe(before);
		},
	);

	it("says that the chart is loading until it is drawn", async () => {
		const page = await stage.visit();
		let arrive = () => {};
		const held = new Promise<void>((resolve) => {
			arrive = resolve;
		});
		await page.route("**/assets/spend-drawing*", async (route) => {
			await held;
			await route.continue();
		});
		await overview(page);
		const height = async () => (await page.locator("[data-island]").boundingBox())?.height;
		await expect.poll(() => page.getByText("Loading chart data...").isVisible()).toBe(true);
		const before = await height();
		arrive();
		await page.getByRole("slider").and(page.locator(":enabled")).waitFor();
		// Nothing below it moved.
		expect(await height()).toBe(before);
	});
});

describe("without JavaScript", () => {
	it("shows the week's bars and numbers, the table, and no loading message", async () => {
		const page = await stage.visit({ javaScript: false });
		await overview(page);
		const spend = page.getByRole("region", { name: "Weekly Spend Trends" });
		const text = (await spend.innerText()).replace(/\s+/g, " ");
		expect(text).toContain("Total Spend $150.00");
		expect(text).toContain("Fuel Expenses $100.00 67% of total");
		expect(text).toContain("Uber Fees $50.00 33% of total");
		await expect.poll(() => page.getByText("Loading chart data...").isVisible()).toBe(false);
		await expect.poll(() => page.getByRole("slider").count()).toBe(0);
		const [long, short] = await spend
			.locator("svg rect:nth-child(2)")
			.evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
		expect((short ?? 0) / (long ?? 1)).toBeCloseTo(33 / 67, 2);
		const miles = page.getByRole("region", { name: "Miles and Cost" });
		const pointed = miles.locator("svg g text").nth(4);
		expect(await pointed.isVisible()).toBe(false);
		await miles.locator("svg g").nth(4).hover();
		expect(await pointed.isVisible()).toBe(true);
		expect(await pointed.textContent()).toMatch(/^107 mi, \$\d\.\d\d per mile$/);
		expect(await miles.locator("svg > text").first().isVisible()).toBe(false);
		await page.getByText("Show as table").first().click();
		for (let number = 0; number < 12; number++)
			expect(
				await page
					.getByRole("row")
					.filter({ hasText: week(number) })
					.textContent(),
			).toContain(`$${fuel(number)}.00$${fees(number)}.00`);
	});
});
