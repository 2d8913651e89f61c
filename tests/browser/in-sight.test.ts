/**
 * What people came for is in sight, has the focus where it should, and covers nothing: dialogs, the
 * review desk's forms, toasts, and what only some widths or browsers without a script show.
 */
import type { Locator, Page } from "@playwright/test";
import { expect, it } from "vitest";
import { daysAgo } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { insertApproved } from "../support/payouts.ts";
import { insertReceipt, insertRequest, requestId } from "../support/requests.ts";
import { dialogOn, giveSession, openStage } from "./browser.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
// Enough of them, with flags, for a long dialog and a count of two digits.
for (let number = 1; number <= 12; number++)
	await insertRequest(sql, number, "dana", { amount_cents: 9000, is_possible_duplicate: 1 });
const receipt = await insertReceipt(sql, 1, "dana");
await insertRequest(sql, 13, "dana", { receipt_id: receipt });
await insertRequest(sql, 14, "dana", { description: "Both front tires were worn. ".repeat(40) });

async function visit(who: string, width: number, height: number, javaScript = true) {
	const page = await stage.visit({ javaScript, mayRefuse: true });
	await page.setViewportSize({ width, height });
	await page.route("**/api/receipts/*", (route) =>
		route.fulfill({ contentType: "image/png", body: "" }),
	);
	await giveSession(page, who);
	return page;
}
const ADMIN = "admin@milepost.test";
const DANA = "dana@milepost.test";

/** Whether somebody can press it as the window stands, all of it. */
const isInSight = (control: Locator) =>
	control.evaluate((element) => {
		const { left, right, top, bottom } = element.getBoundingClientRect();
		const corners = [
			[left + 3, top + 3],
			[right - 3, bottom - 3],
		];
		return corners.every(([x = 0, y = 0]) => element.contains(document.elementFromPoint(x, y)));
	});
const focusOf = (page: Page) =>
	page.evaluate(() => {
		const { activeElement: focused } = document;
		return focused instanceof HTMLInputElement
			? `${focused.name}=${focused.value}`
			: (focused?.textContent ?? "");
	});

it("has both buttons of approving many in sight on a small phone", async () => {
	const page = await visit(ADMIN, 360, 640);
	const ids = Array.from({ length: 12 }, (_, at) => `ids=${requestId(at + 1)}`).join("&");
	await page.goto(`/fund-requests?dialog=bulk&${ids}`);
	for (const name of ["Cancel", /^Approve 12 requests/])
		expect(await isInSight(dialogOn(page).getByRole("button", { name })), String(name)).toBe(true);
});

it.each([
	[360, 640],
	[375, 553],
	[600, 960],
	[820, 1180],
	[1100, 700],
	[1366, 768],
])("has what sends a form of the review desk in sight, %s x %s", async (width, height) => {
	const page = await visit(ADMIN, width, height);
	await page.goto("/fund-requests?open=FR-000013");
	for (const [words, send] of [
		["Approve less...", "Approve"],
		["Reject...", "Reject"],
		["Ask...", "Ask"],
	] as const) {
		const summary = page.locator("summary", { hasText: words });
		// As low in the window as it can be pressed.
		await summary.evaluate((each) => each.scrollIntoView({ block: "end" }));
		await summary.click();
		const button = page.locator("details[open]").getByRole("button", { name: send, exact: true });
		await expect.poll(() => isInSight(button), { message: words }).toBe(true);
		// One thing at a time where the buttons stay above a phone's bottom bar: none stands under the form.
		expect(await page.getByRole("button", { name: "Approve $12.50" }).isVisible(), words).toBe(
			width >= 640 || height < 576,
		);
		await summary.click();
	}
	expect(await page.getByRole("button", { name: "Approve $12.50" }).isVisible()).toBe(true);
});

it.each([
	[`/fund-requests?dialog=reject&id=${requestId(13)}`, "reason="],
	[`/fund-requests?dialog=receipt&id=${requestId(13)}`, "Receipt"],
	["/drivers?dialog=create-admin", "email="],
	["/drivers?dialog=add-driver", "email="],
])("puts the focus of the dialog of %s on %s", async (path, focused) => {
	const page = await visit(ADMIN, 360, 640);
	await page.goto(path);
	await dialogOn(page).waitFor();
	expect(await focusOf(page)).toBe(focused);
	if (focused === "Receipt") expect(await isInSight(page.getByText("Receipt").last())).toBe(true);
});

it.each([
	[360, 640],
	[1366, 768],
])("says which request is decided above a long description, %s x %s", async (width, height) => {
	const page = await visit(ADMIN, width, height);
	for (const [kind, title] of [
		["approve", "Approve Request"],
		["reject", "Reject Request"],
	] as const) {
		await page.goto(`/fund-requests?dialog=${kind}&id=${requestId(14)}`);
		await dialogOn(page).waitFor();
		expect(await isInSight(page.getByRole("heading", { name: title }))).toBe(true);
		expect(await isInSight(dialogOn(page).getByText("FR-000014"))).toBe(true);
		expect(await focusOf(page)).toBe(title);
	}
});

it("covers no field of a refused report with its toast", async () => {
	const page = await visit(ADMIN, 360, 640);
	await page.goto("/reports");
	await page.locator("form[data-download][data-is-awake]").first().waitFor();
	await page.getByLabel("Date Range").first().selectOption("custom");
	await page.getByRole("button", { name: "Generate Report" }).click();
	await page.locator(".toast").waitFor();
	const field = page.getByLabel("Start Date");
	await expect.poll(() => focusOf(page)).toBe("startDate=");
	expect(await isInSight(field)).toBe(true);
});

/** On how many lines these words stand. */
const linesOf = (words: Locator) =>
	words.evaluate((each) => {
		const range = document.createRange();
		range.selectNodeContents(each);
		return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
	});

it("brings a faulty field into sight with room for its words, before the rest of the page is here", async () => {
	const page = await visit(ADMIN, 360, 640, false);
	await page.goto("/uber-fees");
	const form = { intent: "add", amount: "12.50", category: "service_fee", description: "" };
	const origin = new URL(page.url()).origin;
	const refused = await page.request.post("/uber-fees", { form, headers: { origin } });
	expect(refused.status()).toBe(400);
	const [arrived = "", rest] = (await refused.text()).split(
		/(?<=<select [^>]*aria-invalid.*?<\/select>)/s,
	);
	expect(rest).toContain('id="driverId-error"');
	await page.route("/uber-fees", (route) =>
		route.fulfill({ contentType: "text/html", body: arrived }),
	);
	await page.goto("/uber-fees");
	const field = page.locator("#driverId");
	await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true);
	// Its words need up to 6rem, and the bar at the bottom stands on 4.
	expect(
		await field.evaluate((each) => innerHeight - each.getBoundingClientRect().bottom),
	).toBeGreaterThanOrEqual(160);
});

it("has a driver's whole name on one line of a wide screen's requests", async () => {
	await insertRequest(sql, 15, "omar");
	await sql("update users set last_name = 'Konstantinopoulos' where first_name = 'Omar'");
	const page = await visit(ADMIN, 1920, 1080);
	await page.goto("/fund-requests");
	const row = page.getByRole("row").filter({ hasText: "FR-000015" });
	expect(await linesOf(row.getByText("Omar Konstantinopoulos"))).toBe(1);
});

it("has a flag on one line of a phone beside an amount as long as there can be", async () => {
	await insertRequest(sql, 16, "dana", { amount_cents: 10_000_000, is_possible_duplicate: 1 });
	const page = await visit(ADMIN, 360, 640);
	await page.goto("/fund-requests");
	const row = page.getByRole("row").filter({ hasText: "FR-000016" });
	expect(await linesOf(row.getByText("Possible duplicate"))).toBe(1);
});

it("keeps Find clear of the account's sign where text is twice as large", async () => {
	const page = await visit(ADMIN, 360, 640);
	await page.goto("/email");
	await page.evaluate(() => {
		document.documentElement.style.fontSize = "200%";
	});
	const [sign, find] = await Promise.all(
		["/account'] > span", "/find']"].map((link) =>
			page.locator(`header a[href='${link}`).first().boundingBox(),
		),
	);
	expect(find?.x).toBeGreaterThanOrEqual((sign?.x ?? 0) + (sign?.width ?? 0));
});

it("keeps a toast within the navigation's width on a desk, with all its words", async () => {
	const page = await visit(ADMIN, 1366, 768);
	await page.goto("/settings/webhooks");
	await page.getByLabel("URL").fill("http://localhost:9");
	await page.getByRole("button", { name: "Add webhook" }).click();
	await page.getByText("Failed to save the webhook.").waitFor();
	const [toast, navigation] = await Promise.all(
		[".toast", "nav[aria-label=Main]"].map((each) => page.locator(each).boundingBox()),
	);
	expect((toast?.x ?? 0) + (toast?.width ?? 999)).toBeLessThanOrEqual(
		(navigation?.x ?? 0) + (navigation?.width ?? 0),
	);
	expect(await isInSight(page.getByText("Failed to save the webhook."))).toBe(true);
});

it("covers no field of the offline page", async () => {
	const page = await visit(DANA, 360, 640);
	await page.goto("/offline");
	const field = page.getByLabel("Starting Odometer");
	await field.evaluate((each) => each.scrollIntoView({ block: "center" }));
	expect(await isInSight(field)).toBe(true);
	const bar = page.getByRole("button", { name: "Log Mileage" }).locator("xpath=../..");
	expect(await bar.evaluate((each) => getComputedStyle(each).position)).toBe("static");
});

it("leads to a question with a button as wide as its word", async () => {
	const ada = await stage.fleet.as("ada");
	await ada.call("POST", `/api/fund-requests/${requestId(13)}/messages`, { text: "Which van?" });
	const page = await visit(DANA, 1366, 768);
	await page.goto("/");
	const button = await page.getByRole("link", { name: "Answer" }).boundingBox();
	expect(button?.width).toBeLessThan(120);
});

it("draws the choice of a file as a button where no script does", async () => {
	const page = await visit(DANA, 360, 640, false);
	await page.goto("/requests");
	const [border, padding] = await page.getByLabel("Receipt", { exact: true }).evaluate((field) => {
		const style = getComputedStyle(field, "::file-selector-button");
		return [style.borderTopWidth, style.paddingInlineStart].map(Number.parseFloat);
	});
	expect([border, padding].every((each = 0) => each >= 1)).toBe(true);
});

it.each([360, 820])("shows a count of two digits beside its icon, %s px wide", async (width) => {
	const page = await visit(ADMIN, width, 740);
	await page.goto("/fund-requests");
	const place = page.getByRole("navigation", { name: "Main" }).getByRole("link", {
		name: "Requests",
	});
	const [pending] = await stage.fleet.sql<{ n: number }>(
		"select count(*) as n from fund_requests where status = 'pending'",
	);
	expect(pending?.n).toBeGreaterThan(9);
	const [icon, count] = await Promise.all([
		place.locator("svg").boundingBox(),
		place.getByText(`${pending?.n}`, { exact: true }).boundingBox(),
	]);
	expect(count?.x).toBeGreaterThanOrEqual((icon?.x ?? 0) + (icon?.width ?? 0) - 2);
	const flag = await page
		.locator(".requests .badge", { hasText: "Possible" })
		.first()
		.boundingBox();
	expect(flag?.height).toBeLessThan(30);
});

it("ends the figures of a phone's rows at one edge", async () => {
	await insertApproved(sql, 20, "dana", 4250);
	const page = await visit(ADMIN, 360, 740);
	await page.goto("/fund-requests?status=approved");
	const end = (of: Locator) =>
		of.evaluate((element) => {
			const words = document.createRange();
			words.selectNodeContents(element);
			return Math.round(words.getBoundingClientRect().right);
		});
	const row = page.getByRole("row").last();
	expect(await end(row.getByText("Unpaid"))).toBe(
		await end(row.locator("td[data-label='Amount']")),
	);
	await page.goto("/reports");
	const tops = await page
		.locator("dl > div:has(> dt > span + span)")
		.evaluateAll((lines) =>
			lines.map(
				(line) =>
					(line.lastElementChild?.getBoundingClientRect().top ?? 0) -
					line.getBoundingClientRect().top,
			),
		);
	expect(tops).toHaveLength(3);
	expect(Math.max(...tops)).toBeLessThan(24);
});

it("leads rows with a date of normal weight, and hides a dash that has no heading", async () => {
	await insertLog(sql, 1, "dana", daysAgo(1), 40, { gap_miles: 12 });
	const page = await visit(ADMIN, 820, 1180);
	await page.goto("/mileage-reports");
	const row = page.locator('[id^="log-"]').first();
	expect(
		await row.getByRole("rowheader").evaluate((each) => getComputedStyle(each).fontWeight),
	).toBe("400");
	expect(await row.locator("[data-label=Notes]").isVisible()).toBe(false);
	await page.setViewportSize({ width: 1366, height: 768 });
	expect(await row.locator("[data-label=Notes]").isVisible()).toBe(true);
});

it("keeps Rename and Delete beside each other on a tablet, whatever the names", async () => {
	await sql(
		"update users set first_name = 'Maximiliana-Alexandrina', last_name = ? where email = ?",
		"von Habsburg-Lothringen-Wittgensteinovskaya",
		DANA,
	);
	const page = await visit(ADMIN, 820, 1180);
	await page.goto("/drivers");
	const tops = await page
		.getByRole("table", { name: "Active Drivers" })
		.getByRole("button", { name: /^(Rename|Delete) Maximiliana/ })
		.evaluateAll((buttons) => buttons.map((each) => each.getBoundingClientRect().top));
	expect(tops).toHaveLength(2);
	expect(new Set(tops).size).toBe(1);
});
