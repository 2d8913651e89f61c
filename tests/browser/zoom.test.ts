/**
 * Every screen at 200% and 400% zoom, with text at 200%, and in forced colors: nothing is cut off
 * or overlaps, and it is visible what is focused, selected or clickable.
 */
import type { Page } from "@playwright/test";
import { beforeAll, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { oneIn } from "../support/extent.ts";
import { feeId, insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { insertLog, logId } from "../support/mileage.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { insertRequest, requestId } from "../support/requests.ts";
import { insertPublishedWeek, settlementId } from "../support/settlements.ts";
import { giveSession, openStage, signIn } from "./browser.ts";
import { findMisplaced } from "./layout-checks.ts";
import { findHidden } from "./seen-checks.ts";

const stage = await openStage();
const sql = stage.fleet.sql.bind(stage.fleet);

const SCREENS: readonly (readonly [who: string | undefined, paths: readonly string[]])[] = [
	[undefined, ["/", "/api/login", "/offline", "/nowhere"]],
	["nina@milepost.test", ["/"]],
	["nora@milepost.test", ["/"]],
	[
		"dana@milepost.test",
		[
			"/",
			"/mileage",
			`/mileage?dialog=void&id=${logId(10)}`,
			"/requests?for=Gas",
			`/requests?dialog=withdraw&id=${requestId(1)}`,
			"/history",
			`/history?open=request-${requestId(1)}`,
			"/help",
			"/earnings",
			`/earnings/${settlementId(50)}`,
			"/account",
			"/drivers",
		],
	],
	[
		"admin@milepost.test",
		[
			"/",
			"/fund-requests",
			"/fund-requests?open=FR-000001",
			`/fund-requests?dialog=approve&id=${requestId(1)}`,
			`/fund-requests?dialog=bulk&ids=${requestId(1)}&ids=${requestId(2)}`,
			"/mileage-reports?range=custom",
			"/uber-fees",
			`/uber-fees?dialog=edit&id=${feeId(1)}`,
			"/uber-fees/import",
			"/drivers",
			"/drivers?dialog=add-many",
			`/drivers/${idOf("dana")}`,
			`/drivers/${idOf("ivan")}?dialog=pseudonymize`,
			"/reports",
			"/payouts",
			"/payouts?choose=all",
			"/payouts/payout",
			"/find?q=a",
			"/audit",
			"/email",
			"/settings",
			"/account",
		],
	],
];

/** The id of the only payout. */
let payout = "";

beforeAll(async () => {
	const [one, two] = ["dana", "omar"] as const;
	await insertRequest(sql, 1, one, { is_possible_duplicate: 1, receipt_name: "pump.jpg" });
	await insertRequest(sql, 2, two, { amount_cents: 9000 });
	await insertApproved(sql, 3, one, 4250);
	const ada = await stage.fleet.as("ada");
	payout = (await gather(ada, { all: true })).id;
	await insertApproved(sql, 4, two, 1250);
	await ada.call("POST", `/api/fund-requests/${requestId(1)}/messages`, { text: "Which van?" });
	await insertLog(sql, 10, one, daysAgo(1), 40, { gap_miles: 12, notes: "Airport run" });
	await insertPublishedWeek(sql, 50, one);
	await insertFee(sql, 1, one, daysAgo(3), { category: "service_fee" });
	for (const [number, cents] of [
		[6, 239_117],
		[7, 593_620],
	] as const)
		await insertApproved(sql, number, "dana", cents);
	// Her published week is paid as well, so that it says so beside its number.
	for (const paid of [{ requestIds: [requestId(6)] }, { settlementIds: [settlementId(50)] }]) {
		const { id } = await gather(ada, paid);
		const { status } = await ada.call("PUT", `/api/payouts/${id}`, {
			status: "paid",
			paidOn: daysAgo(0),
		});
		expect(status).toBe(200);
	}
});

/** Amounts in a sentence and in a table may break where the text is twice as large. */
const isFault = (fault: string, isLarge: boolean) =>
	!isLarge || !fault.endsWith("broken over two lines");

/**
 * Breakpoints are in rem, so doubling the text on a desktop equals 200% zoom, while a phone keeps
 * its layout.
 */
const LOOKS: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
	["400%", (page) => page.setViewportSize({ width: 320, height: 256 })],
	["200%", (page) => page.setViewportSize({ width: 640, height: 400 })],
	[
		"text at 200% on a phone",
		async (page) => {
			await page.setViewportSize({ width: 360, height: 740 });
			await page.evaluate(() => {
				document.documentElement.style.fontSize = "200%";
			});
		},
	],
];

it.each(SCREENS)("is complete and visible, for %s", async (who, paths) => {
	const page = await stage.visit({ mayRefuse: true });
	await page.route("**/api/login?returnTo*", (route) => route.fulfill({ status: 204 }));
	if (who) await giveSession(page, who);
	const found: string[] = [];
	for (const [place, path] of paths.entries()) {
		await page.goto(path.replace("/payouts/payout", `/payouts/${payout}`));
		for (const [name, look] of oneIn(3, LOOKS, place)) {
			await look(page);
			for (const fault of await page.evaluate(findMisplaced))
				if (isFault(fault, name.startsWith("text"))) found.push(`${path} at ${name}: ${fault}`);
		}
		await page.evaluate(() => {
			document.documentElement.style.fontSize = "";
		});
		await page.emulateMedia({ forcedColors: "active" });
		for (const fault of await page.evaluate(findHidden))
			found.push(`${path}, colors forced: ${fault}`);
		await page.emulateMedia({ forcedColors: "none" });
	}
	expect(found).toEqual([]);
});

it.each([
	["dana@milepost.test", "/history"],
	["admin@milepost.test", "/fund-requests"],
])("covers no text on a magnified page, for %s", async (who, path) => {
	const page = await stage.visit();
	await signIn(page, who);
	await page.setViewportSize({ width: 320, height: 256 });
	await page.goto(path);
	const above = await page.evaluate(() => {
		scrollTo(0, 300);
		const places = [...document.querySelectorAll("header, nav[aria-label=Main]")];
		return places.filter((place) => {
			const { top, bottom } = place.getBoundingClientRect();
			return bottom > 0 && top < innerHeight;
		}).length;
	});
	expect(above).toBe(0);
});

it("holds what was paid and amounts of thousands, with large text and on the narrowest phone", async () => {
	const found: string[] = [];
	for (const [who, paths] of [
		["dana@milepost.test", ["/", "/requests", "/history", "/earnings"]],
		["admin@milepost.test", ["/", "/reports"]],
	] as const) {
		const page = await stage.visit({ mayRefuse: true });
		await giveSession(page, who);
		for (const path of paths) {
			await page.goto(path);
			for (const [width, size] of [
				[360, "200%"],
				[320, ""],
				[360, ""],
				[1024, ""],
			] as const) {
				await page.setViewportSize({ width, height: 740 });
				await page.evaluate((text) => {
					document.documentElement.style.fontSize = text;
				}, size);
				for (const fault of await page.evaluate(findMisplaced))
					if (isFault(fault, size !== "")) found.push(`${path} at ${width} ${size}: ${fault}`);
			}
		}
	}
	expect(found).toEqual([]);
});

it.each(["dana@milepost.test", "admin@milepost.test"])(
	"keeps every place of the bottom bar in sight with the spacing of WCAG 1.4.12, for %s",
	async (who) => {
		const page = await stage.visit();
		await giveSession(page, who);
		await page.goto("/");
		await page.setViewportSize({ width: 320, height: 640 });
		await page.evaluate(() => {
			const spacing = new CSSStyleSheet();
			spacing.replaceSync(
				"* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }",
			);
			document.adoptedStyleSheets.push(spacing);
		});
		const outside = await page
			.getByRole("navigation", { name: "Main" })
			.locator("a, summary")
			.filter({ visible: true })
			.evaluateAll((places) =>
				places
					.filter((place) => place.getBoundingClientRect().right > innerWidth)
					.map(({ textContent }) => textContent),
			);
		expect(outside).toEqual([]);
		// Nor does the bar cover the end of the page.
		await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
		const bottom = await page
			.locator("main")
			.evaluate((main) => main.lastElementChild?.getBoundingClientRect().bottom ?? 0);
		const bar = await page
			.getByRole("navigation", { name: "Main" })
			.evaluate((nav) => nav.getBoundingClientRect().top);
		expect(bottom).toBeLessThanOrEqual(bar);
	},
);
