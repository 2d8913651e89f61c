/** What a list says on paper, where its filters aren't. */
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { formatDate } from "../../app/values/calendar-date.ts";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { insertRequest, requestId } from "../support/requests.ts";
import type { Sql } from "../support/rows.ts";
import { dialogOn, giveSession, openStage } from "./browser.ts";

const stage = await openStage();
const today = daysAgo(0);
await insertRequest((query, ...values) => stage.fleet.sql(query, ...values), 1, "dana");

/** An A4 sheet with Chromium's margins, in CSS pixels. */
const PAPER = { width: 718, height: 1047 };

async function print(path: string): Promise<Page> {
	const page = await stage.visit({ javaScript: false });
	await page.setViewportSize(PAPER);
	await giveSession(page, "admin@milepost.test");
	await page.goto(path);
	await page.emulateMedia({ media: "print" });
	return page;
}

it.each([
	[`/fund-requests?status=pending&driver=${idOf("dana")}`, "Pending · Dana Driver (DRV-0001)"],
	[`/uber-fees?driver=${idOf("dana")}`, "Dana Driver (DRV-0001) · 0 fees, $0.00"],
	["/payouts?status=paid&reference=ACH", "All drivers · Paid · reference ACH"],
	[`/audit?endDate=${today}`, `Everyone · to ${formatDate(today)}`],
	["/drivers", ""],
])("%s says whose it is, what it lists and when it was printed", async (path, listed) => {
	const page = await print(path);
	const line = ["Milepost", listed, `printed ${formatDate(today)}`].filter(Boolean).join(" · ");
	const shown = await page
		.locator(".paper-line")
		.evaluate((paper) => getComputedStyle(paper, "::before").content);
	expect(shown).toBe(JSON.stringify(line));
	await page.emulateMedia({ media: "screen" });
	expect(await page.locator(".paper-line").isVisible()).toBe(false);
});

it("shows none of the buttons above what is owed or imported", async () => {
	await insertApproved((query, ...values) => stage.fleet.sql(query, ...values), 90, "omar", 4000);
	for (const path of ["/payouts", "/payouts?choose=all", "/uber-fees/import"]) {
		const page = await print(path);
		expect(await page.locator("main .button").filter({ visible: true }).count(), path).toBe(0);
	}
});

it.each([true, false])(
	"a dialog is printed instead of its page, and without its buttons (JavaScript: %s)",
	async (javaScript) => {
		const page = await stage.visit({ javaScript });
		await page.setViewportSize(PAPER);
		await giveSession(page, "admin@milepost.test");
		await page.goto(`/fund-requests?dialog=timeline&id=${requestId(1)}`);
		const dialog = dialogOn(page, "History of FR-000001", javaScript);
		await dialog.waitFor();
		await page.emulateMedia({ media: "print" });
		expect(await dialog.isVisible()).toBe(true);
		expect(await page.locator("main > :not(dialog)").filter({ visible: true }).count()).toBe(0);
		expect(await page.locator("button").filter({ visible: true }).count()).toBe(0);
		// As long as it is, from the top of the first sheet.
		const place = await dialog.evaluate((box) => {
			const { position, maxHeight } = getComputedStyle(box);
			return { top: box.getBoundingClientRect().top, position, maxHeight };
		});
		expect(place).toEqual({ top: 0, position: "absolute", maxHeight: "none" });
	},
);

it("a dialog to fill in isn't printed, and its page is", async () => {
	const page = await stage.visit();
	await page.setViewportSize(PAPER);
	await giveSession(page, "admin@milepost.test");
	await page.goto("/drivers?dialog=add-driver");
	const dialog = dialogOn(page, "Add Driver");
	await dialog.waitFor();
	await page.emulateMedia({ media: "print" });
	expect(await dialog.isVisible()).toBe(false);
	expect(await page.getByText("Dana Driver").first().isVisible()).toBe(true);
});

it("a list of requests keeps every word of a name whole", async () => {
	const page = await print("/fund-requests");
	const name = page.getByRole("cell", { name: "Dana Driver" });
	const height = await name
		.getByText("Dana Driver")
		.evaluate((each) => each.getClientRects().length);
	expect(height).toBe(1);
});

it("lists of requests and payouts are no wider than a sheet of A4", async () => {
	const sql: Sql = (query, ...values) => stage.fleet.sql(query, ...values);
	const cents = 99_999_99;
	await insertApproved(sql, 2, "dana", cents, {
		type: "maintenance",
		amount_cents: cents + 1,
		approved_amount_cents: cents,
	});
	const ada = await stage.fleet.as("ada");
	const { id } = await gather(ada, { requestIds: [requestId(2)] });
	const paid = { status: "paid", paidOn: today, reference: "ACH 2026-0042" };
	expect((await ada.call("PUT", `/api/payouts/${id}`, paid)).status).toBe(200);
	for (const path of ["/fund-requests", "/payouts?status=paid"]) {
		const page = await print(path);
		await page.getByRole("table").first().waitFor();
		const width = await page.evaluate(() => document.documentElement.scrollWidth);
		expect(width, path).toBe(PAPER.width);
	}
});
