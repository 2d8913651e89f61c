/** Exactly how many bytes a phone has to fetch. */
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { addDays } from "../../app/values/calendar-date.ts";
import { BYTES } from "../support/budgets.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { insertRequest } from "../support/requests.ts";
import {
	insertMoney,
	insertPublishedWeek,
	insertSettlement,
	published,
} from "../support/settlements.ts";
import { openStage, signIn } from "./browser.ts";

const stage = await openStage({ isFresh: true });
const shown = (bytes: number) => bytes.toLocaleString("en-US");
const gzipped = (bytes: Uint8Array | string) => gzipSync(bytes, { level: 9 }).byteLength;

/** A page's HTML and CSS, gzipped, as fetched without JavaScript. */
async function weightOf(email: string, path: string): Promise<number> {
	const page = await stage.visit({ javaScript: false });
	await signIn(page, email);
	const answer = await page.goto(path);
	// The styles are in the document.
	expect(await page.locator('link[rel="stylesheet"]').count()).toBe(0);
	return gzipped((await answer?.body()) ?? "");
}

it(`serves /mileage with ten entries in at most ${shown(BYTES.driverPage)} bytes of HTML and CSS`, async () => {
	const client = await stage.fleet.as("dana");
	for (let each = 0; each < 5; each++) {
		await client.call("POST", "/api/mileage", {
			date: daysAgo(0),
			startOdometer: 50_000 + each * 40,
			endOdometer: 50_030 + each * 40,
			notes: `Route ${each}, with a note of a usual length`,
		});
	}
	const rows = (await client.get("/mileage")).text.match(/<tr id="log-/g)?.length ?? 0;
	expect(rows).toBeGreaterThanOrEqual(10);
	const weight = await weightOf("dana@milepost.test", "/mileage");
	console.log(`/mileage: ${weight} bytes of HTML and CSS, gzipped`);
	expect(weight).toBeGreaterThan(3000);
	expect(weight).toBeLessThanOrEqual(BYTES.driverPage);
});

it(`serves /requests with ten requests in at most ${shown(BYTES.driverPage)} bytes of HTML and CSS`, async () => {
	const client = await stage.fleet.as("dana");
	for (let each = 0; each < 10; each++) {
		await client.call("POST", "/api/fund-requests", {
			type: ["gas", "maintenance", "other"][each % 3],
			amount: `${40 + each}.50`,
			description: `Request ${each}, with a description of a usual length`,
			...(each % 2 ? { receiptUrl: `IMG_20261121_10${each}.jpg` } : {}),
		});
	}
	await stage.fleet.sql(
		"update fund_requests set status = 'rejected', decided_at = 1, decided_by = (select id from users where role = 'admin' limit 1), admin_notes = 'Please attach the invoice next time' where number % 4 = 0",
	);
	expect((await client.get("/requests")).text.match(/<li id="request-/g)).toHaveLength(10);
	const weight = await weightOf("dana@milepost.test", "/requests");
	console.log(`/requests: ${weight} bytes of HTML and CSS, gzipped`);
	expect(weight).toBeGreaterThan(6000);
	expect(weight).toBeLessThanOrEqual(BYTES.driverPage);
});

it(`serves a whole page of /history in at most ${shown(BYTES.driverPage)} bytes of HTML and CSS`, async () => {
	const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
	for (let each = 0; each < 60; each++)
		await insertLog(sql, 500 + each, "lena", daysAgo(each % 30), 40 + each);
	const client = await stage.fleet.as("lena");
	expect((await client.get("/history")).text.match(/<tr id="mileage-/g)).toHaveLength(60);
	const weight = await weightOf("lena@milepost.test", "/history");
	console.log(`/history: ${weight} bytes of HTML and CSS, gzipped`);
	expect(weight).toBeGreaterThan(6000);
	expect(weight).toBeLessThanOrEqual(BYTES.driverPage);
});

it(`serves /earnings and a full week in at most ${shown(BYTES.driverPage)} bytes of HTML and CSS`, async () => {
	const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
	const from = daysAgo(20);
	for (let week = 2; week < 20; week++)
		await insertSettlement(sql, week, "omar", daysAgo(20 + 7 * week), published(43_210 + week));
	const id = await insertPublishedWeek(sql, 50, "omar", 1, from);
	for (let day = 0; day < 7; day++) {
		const on = addDays(from, day);
		for (const platform of ["uber", "bolt"])
			await insertMoney(
				sql,
				`${platform}-${day}`,
				"omar",
				{ from: on, to: on },
				{ fare_cents: 12_345, fee_cents: -3_086, tip_cents: 210, toll_cents: 300 },
				{ platform },
			);
		for (const trip of [1, 2, 3]) await insertLog(sql, 900 + 10 * day + trip, "omar", on, 40);
	}
	const client = await stage.fleet.as("omar");
	const trips = (await client.get(`/earnings/${id}`)).text.match(/open=mileage-/g)?.length;
	expect(trips).toBeGreaterThan(21);
	const weights = [
		await weightOf("omar@milepost.test", "/earnings"),
		await weightOf("omar@milepost.test", `/earnings/${id}`),
	];
	console.log(`/earnings and a week: ${weights.join(" and ")} bytes of HTML and CSS, gzipped`);
	expect(Math.min(...weights)).toBeGreaterThan(3000);
	expect(Math.max(...weights)).toBeLessThanOrEqual(BYTES.driverPage);
});

it(`serves /drivers in at most ${shown(BYTES.adminPage)} bytes of HTML and CSS`, async () => {
	const weight = await weightOf("admin@milepost.test", "/drivers");
	console.log(`/drivers: ${weight} bytes of HTML and CSS, gzipped`);
	expect(weight).toBeGreaterThan(3000);
	expect(weight).toBeLessThanOrEqual(BYTES.adminPage);
});

it(`serves /reports in at most ${shown(BYTES.adminPage)} bytes of HTML and CSS`, async () => {
	const weight = await weightOf("admin@milepost.test", "/reports");
	console.log(`/reports: ${weight} bytes of HTML and CSS, gzipped`);
	expect(weight).toBeGreaterThan(3000);
	expect(weight).toBeLessThanOrEqual(BYTES.adminPage);
});

it(`serves a week of fifty settlements in at most ${shown(BYTES.adminPage)} bytes of HTML and CSS`, async () => {
	const { fleet } = stage;
	await fleet.sql(
		`with recursive n(i) as (select 1 union all select i + 1 from n where i < 50)
		insert into users (id, role, first_name, last_name, email, approval_status, driver_number,
			created_at, applied_at, approved_at)
		select printf('a0000000-0000-4000-8000-%012d', i), 'driver', 'Driver', 'Number ' || i,
			'driver' || i || '@milepost.test', 'approved', 9100 + i, 1, 1, 1 from n`,
	);
	await fleet.sql(
		`insert into settlements (id, number, driver_id, week_from, status, created_at, created_by)
		select 'b' || substr(id, 2), driver_number, id, '2026-10-05', 'draft', 1,
			(select id from users where role = 'admin' limit 1) from users where driver_number > 9100`,
	);
	const weight = await weightOf("admin@milepost.test", "/settlements?week=2026-10-05");
	console.log(`/settlements: ${weight} bytes of HTML and CSS, gzipped`);
	expect(weight).toBeGreaterThan(3000);
	expect(weight).toBeLessThanOrEqual(BYTES.adminPage);
});

it(`serves the review desk next to fifty requests in at most ${shown(BYTES.adminPage)} bytes of HTML and CSS, and its keys in at most ${shown(BYTES.deskScripts)} of JavaScript`, async () => {
	for (let number = 1; number <= 50; number++)
		await insertRequest(
			(query, ...values) => stage.fleet.sql(query, ...values),
			9000 + number,
			number % 2 ? "dana" : "omar",
			{ description: `Request ${number}, with a description of a usual length` },
		);
	const [list, desk] = ["/fund-requests", "/fund-requests?open=FR-009030"];
	const weights = [
		await weightOf("admin@milepost.test", list ?? ""),
		await weightOf("admin@milepost.test", desk ?? ""),
	];
	const page = await stage.visit({ phone: false });
	await signIn(page, "admin@milepost.test");
	const read = await scriptsOf(page);
	await page.goto(desk ?? "");
	await page.getByRole("button", { name: "Keyboard shortcuts (?)" }).waitFor();
	await page.waitForLoadState("networkidle");
	const total = [...(await read()).values()].reduce((sum, bytes) => sum + bytes, 0);
	console.log(`${list}, ${desk}: ${weights.join(" and ")} bytes, ${total} of JavaScript, gzipped`);
	expect(Math.max(...weights)).toBeLessThanOrEqual(BYTES.adminPage);
	expect(total).toBeLessThanOrEqual(BYTES.deskScripts);
});

/**
 * Leaves a page, whose last scripts must not count, and records those that the next one loads; the
 * returned function gives the size of each, once all are read.
 */
async function scriptsOf(page: Page): Promise<() => Promise<Map<string, number>>> {
	await page.goto("about:blank");
	const scripts: Promise<readonly [url: string, bytes: number]>[] = [];
	page.on("response", (response) => {
		if ((response.headers()["content-type"] ?? "").includes("javascript"))
			scripts.push(response.body().then((body) => [response.url(), gzipped(body)]));
	});
	return async () => new Map(await Promise.all(scripts));
}

it.each(["/", "/mileage", "/requests", "/history", "/earnings", "/account", "/help"])(
	`loads at most ${shown(BYTES.driverScripts)} bytes of JavaScript on a driver's %s, with everything awake and no React`,
	async (path) => {
		const page = await stage.visit();
		await signIn(page, "dana@milepost.test");
		const read = await scriptsOf(page);
		// The phone's part comes last of all.
		const last = page.waitForResponse(/\/phone-[\w-]+\.js$/);
		await page.goto(path);
		await last;
		await page.waitForFunction(
			() => document.querySelector("form[data-outbox-form]:not([data-is-kept])") === null,
		);
		await page.waitForLoadState("networkidle");
		const scripts = await read();
		const total = [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0);
		console.log(`${path}: ${total} bytes of JavaScript in ${scripts.size} files, gzipped`);
		expect(scripts.size).toBeGreaterThan(1);
		expect(await page.locator("[data-island]").count()).toBe(0);
		expect(total).toBeLessThanOrEqual(BYTES.driverScripts);
	},
);

it(`serves the administrator's / in at most ${shown(BYTES.adminPage)} bytes of HTML and CSS, and its chart in at most ${shown(BYTES.chartScripts)} of JavaScript`, async () => {
	for (let week = 0; week < 12; week++)
		await insertFee(
			(query, ...values) => stage.fleet.sql(query, ...values),
			100 + week,
			"dana",
			daysAgo(7 * week),
			{
				amount_cents: 3000 + 977 * week,
			},
		);
	const weight = await weightOf("admin@milepost.test", "/");
	const page = await stage.visit();
	await signIn(page, "admin@milepost.test");
	const read = await scriptsOf(page);
	await page.goto("/");
	await page.getByRole("slider").and(page.locator(":enabled")).waitFor();
	await page.waitForLoadState("networkidle");
	const scripts = await read();
	const total = [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0);
	console.log(
		`/ of an administrator: ${weight} bytes of HTML and CSS, ${total} bytes of JavaScript in ${scripts.size} files, gzipped`,
	);
	expect(weight).toBeGreaterThan(3000);
	expect(weight).toBeLessThanOrEqual(BYTES.adminPage);
	expect(total).toBeGreaterThan(20_000);
	expect(total).toBeLessThanOrEqual(BYTES.chartScripts);
});

it("shows a form completely styled after one round trip, with only the document fetched", async () => {
	const page = await stage.visit({ mayRefuse: true });
	await signIn(page, "dana@milepost.test");
	const fetched: string[] = [];
	await page.route("**/*", async (route) => {
		if (route.request().resourceType() === "document") return route.continue();
		fetched.push(new URL(route.request().url()).pathname);
		// Never answered, so nothing that waits for them would be shown.
	});
	await page.goto("/mileage", { waitUntil: "commit" });
	const field = page.getByLabel("Ending Odometer");
	await field.waitFor();
	await page.waitForFunction(
		() => performance.getEntriesByName("first-contentful-paint").length > 0,
	);
	expect(await field.evaluate((element) => getComputedStyle(element).minHeight)).not.toBe("auto");
	expect((await field.boundingBox())?.height).toBeGreaterThanOrEqual(44);
	expect(fetched.filter((path) => path.endsWith(".css"))).toEqual([]);
	await page.unrouteAll({ behavior: "ignoreErrors" });
});

it.each([
	["with a transition", true],
	["at once for people who prefer less motion", false],
])("changes from page to page %s", async (_, hasMotion) => {
	const page = await stage.visit({ hasMotion });
	await page.addInitScript(() => {
		addEventListener("pagereveal", (event) => {
			document.documentElement.dataset.moved = String(
				(event as unknown as { viewTransition: unknown }).viewTransition !== null,
			);
		});
	});
	await signIn(page, "dana@milepost.test");
	await page.goto("/mileage");
	await page.evaluate(() => location.assign("/history"));
	await page.waitForURL("**/history");
	await page.locator("html[data-moved]").waitFor({ state: "attached" });
	expect(await page.locator("html").getAttribute("data-moved")).toBe(String(hasMotion));
});
