/**
 * Every width from phone to desktop, and text at 200% on a phone, with all text as long as allowed
 * and a large fleet's money and miles: no text overflows its cell, no number breaks over two lines,
 * no action is cut off, no page scrolls sideways, and the navigation stands in one place. `npm run widths` checks every fortieth pixel.
 */
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { oneIn } from "../support/extent.ts";
import { feeId } from "../support/fees.ts";
import { logId } from "../support/mileage.ts";
import { gather } from "../support/payouts.ts";
import { requestId } from "../support/requests.ts";
import {
	insertPublishedWeek,
	insertThread,
	insertWeek,
	settlementId,
} from "../support/settlements.ts";
import { callStatements } from "../support/statement-calls.ts";
import { unlistedScreens } from "../support/unlisted-screens.ts";
import { giveSession, openStage } from "./browser.ts";
import { insertLargeNumbers, largeStatement } from "./large-numbers.ts";
import { findMisplaced, findWrappedActions } from "./layout-checks.ts";
import { insertLongWords } from "./long-words.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);

await insertLongWords(sql);
await insertLargeNumbers(sql);
const ada = await stage.fleet.as("ada");
const payout = await gather(ada, { requestIds: [requestId(9)] });
const week = await insertPublishedWeek(sql, 50, "dana", 10_000);
await insertThread(sql, week, "dana");
const { body: statement } = await callStatements(ada, {}, largeStatement());

const WEEK = "2026-10-05";
await insertWeek(sql, WEEK);

const EVERY = Array.from({ length: 41 }, (_, step) => 320 + 40 * step);
const isAll = process.env.MILEPOST_WIDTHS === "all";
const WIDTHS = isAll ? EVERY : [320, 360, 640, 768, 800, 1024, 1280, 1920];

const SCREENS: Readonly<Record<string, readonly string[]>> = {
	"admin@milepost.test": [
		"/",
		"/fund-requests",
		"/fund-requests?status=pending&changed=5.6",
		`/fund-requests?dialog=approve&id=${requestId(2)}`,
		"/fund-requests?open=FR-000002",
		`/fund-requests?status=pending&flag=duplicate&driver=${idOf("dana")}`,
		`/fund-requests?dialog=timeline&id=${requestId(2)}`,
		`/fund-requests?dialog=bulk&ids=${requestId(1)}&ids=${requestId(2)}&ids=${requestId(3)}&ids=${requestId(5)}`,
		"/mileage-reports?range=custom",
		`/mileage-reports?driver=${idOf("dana")}`,
		`/mileage-reports?dialog=void&id=${logId(4990)}`,
		"/uber-fees",
		`/uber-fees?dialog=delete&id=${feeId(1)}`,
		"/uber-fees/import",
		`/uber-fees/import?statement=${statement.id}`,
		"/payouts",
		"/payouts?choose=all",
		`/payouts/${payout.id}`,
		`/settlements?week=${WEEK}`,
		`/settlements/${settlementId(1)}`,
		`/settlements/${week}`,
		`/settlements/${settlementId(1)}?dialog=publish`,
		"/drivers",
		`/drivers/${idOf("omar")}`,
		"/find?q=1",
		"/drivers?dialog=add-driver",
		`/drivers?dialog=delete&id=${idOf("omar")}`,
		"/reports",
		"/reports?report=invalid&type=weekly&range=custom&startDate=2026-03-02&endDate=2026-03-01&format=pdf",
		"/audit?startDate=2026-11-02&endDate=2026-11-01",
		"/email",
		"/api/docs",
		"/api/login?fresh&returnTo=%2Faccount",
		"/settings",
		"/settings/tokens",
		"/settings/webhooks",
		`/drivers/${idOf("dana")}?dialog=agreement`,
		`/drivers/${idOf("dana")}?dialog=charge`,
		"/account",
	],
	"dana@milepost.test": [
		"/",
		"/mileage",
		`/mileage?dialog=void&id=${logId(4990)}`,
		"/requests",
		`/requests?dialog=withdraw&id=${requestId(2)}`,
		"/history",
		"/help",
		"/earnings",
		`/earnings/${week}`,
		"/offline",
		"/account",
	],
	"nina@milepost.test": ["/", "/profile"],
};

/** These receipts have no stored files. */
const answerReceipts = (page: Page) =>
	page.route("**/api/receipts/*", (route) => route.fulfill({ contentType: "image/png", body: "" }));

it("are all screens", () => {
	expect(unlistedScreens(Object.values(SCREENS).flat())).toEqual([]);
});

it.each(Object.entries(SCREENS))(
	"shows all text and every action at every width for %s",
	async (email, paths) => {
		const page = await stage.visit({ phone: false });
		await answerReceipts(page);
		await giveSession(page, email);
		const found: string[] = [];
		const places = new Set<string>();
		for (const [place, path] of paths.entries()) {
			await page.goto(path);
			for (const width of isAll ? WIDTHS : oneIn(4, WIDTHS, place)) {
				await page.setViewportSize({ width, height: 800 });
				const left = await page.evaluate(
					() => document.querySelector("nav[aria-label=Main]")?.getBoundingClientRect().x,
				);
				// The API's page and the sign-in have no navigation, nor has an applicant.
				if (left !== undefined) places.add(`${width}: ${left}`);
				for (const fault of await page.evaluate(findMisplaced))
					found.push(`${path} at ${width}: ${fault}`);
			}
		}
		expect(found).toEqual([]);
		const expected = email === "nina@milepost.test" ? 0 : WIDTHS.length;
		expect([...places].sort(), "where the navigation is").toHaveLength(expected);
	},
);

it("keeps a request's actions on one line wherever they are in columns", async () => {
	const page = await stage.visit({ phone: false });
	await giveSession(page, "admin@milepost.test");
	await page.goto("/fund-requests");
	for (const width of WIDTHS) {
		if (width < 640) continue;
		await page.setViewportSize({ width, height: 800 });
		expect(await page.evaluate(findWrappedActions), `at ${width}`).toEqual([]);
	}
});

it.each(Object.entries(SCREENS))("fits a phone with text at 200% for %s", async (email, paths) => {
	const page = await stage.visit();
	await answerReceipts(page);
	await giveSession(page, email);
	for (const path of oneIn(2, paths)) {
		if (path.includes("dialog=")) continue;
		await page.goto(path);
		await page.evaluate(() => {
			document.documentElement.style.fontSize = "200%";
		});
		const tooWide = await page.evaluate(() =>
			[...document.querySelectorAll("main *")]
				.filter(
					(element) =>
						element.getBoundingClientRect().right > document.documentElement.clientWidth + 1,
				)
				.map((element) => `${element.tagName} '${element.textContent?.trim().slice(0, 40)}'`),
		);
		const isScrolled = await page.evaluate(
			() => document.documentElement.scrollWidth > document.documentElement.clientWidth,
		);
		expect(isScrolled ? tooWide : [], path).toEqual([]);
	}
});

it("keeps a week's name, number and badges apart on a phone", async () => {
	const page = await stage.visit();
	await giveSession(page, "dana@milepost.test");
	await page.goto("/earnings");
	const row = page.getByRole("listitem").filter({ hasText: "Question sent" });
	const places = await row.evaluate((item) => {
		const rectOf = (words: string) => {
			const range = document.createRange();
			const found = [...item.querySelectorAll("a, span")].find(
				(each) => each.textContent?.trim() === words,
			);
			if (!found) throw new Error(`No '${words}'`);
			range.selectNodeContents(found);
			return range.getBoundingClientRect();
		};
		const badges = [...item.querySelectorAll(".badge")].map((each) => each.getBoundingClientRect());
		const number = rectOf("ST-000050");
		return {
			nameHeight: item.querySelector("a")?.getBoundingClientRect().height,
			isTouched: badges.some(
				({ left, top, bottom }) =>
					left < number.right + 4 && top < number.bottom && number.top < bottom,
			),
		};
	});
	expect(places.isTouched, "a badge touches the number").toBe(false);
	expect(places.nameHeight, "the week's name is on one line or two").toBeLessThan(50);
});

it("writes a trip and its miles on one line", async () => {
	const page = await stage.visit();
	await giveSession(page, "dana@milepost.test");
	await page.goto(`/earnings/${week}`);
	const row = page.locator("#trips ~ ul > li, section:has(> * #trips) li, #trips li").first();
	const bottoms = await row.evaluate((item) =>
		[item.querySelector("a"), item.children[1]].map((each) => {
			const range = document.createRange();
			range.selectNodeContents(each as Node);
			return Math.round(range.getBoundingClientRect().bottom);
		}),
	);
	expect(bottoms[0]).toBe(bottoms[1]);
});

it("ends a row with its button, on one line", async () => {
	await ada.post("/settings/tokens", {
		key: crypto.randomUUID(),
		name: "Payroll",
		scope: "read",
		days: "",
	});
	const page = await stage.visit({ phone: false });
	await giveSession(page, "admin@milepost.test");
	for (const path of ["/email", "/settings/tokens"]) {
		await page.goto(path);
		for (const width of [360, 1024, 1280, 1920]) {
			await page.setViewportSize({ width, height: 800 });
			const [end, height] = await page
				.locator("td button:visible")
				.first()
				.evaluate((button) => {
					const { right, height } = button.getBoundingClientRect();
					const table = button.closest("table")?.getBoundingClientRect();
					return [Math.round((table?.right ?? 0) - right), Math.round(height)];
				});
			expect(end, `${path} at ${width}`).toBeLessThanOrEqual(24);
			expect(height, `${path} at ${width}`).toBe(44);
		}
	}
});

it("keeps the buttons of a driver's agreement on one line", async () => {
	const page = await stage.visit({ phone: false });
	await giveSession(page, "admin@milepost.test");
	await page.goto(`/drivers/${idOf("dana")}?dialog=agreement`);
	const tops = await page
		.locator("dialog[open] .sheet-foot :is(a, button)")
		.evaluateAll((buttons) => buttons.map((each) => each.getBoundingClientRect().top));
	expect(tops).toHaveLength(3);
	expect(new Set(tops).size).toBe(1);
});
