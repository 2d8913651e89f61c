/** Downloading reports as an administrator, with and without JavaScript. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { oneIn } from "../support/extent.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { readCsv, readPdf, readXlsx } from "../support/report-files.ts";
import { giveSession, openStage } from "./browser.ts";

const stage = await openStage();
const today = daysAgo(0);

async function open(javaScript: boolean, more = {}): Promise<Page> {
	const page = await stage.visit({ javaScript, ...more });
	await giveSession(page, "admin@milepost.test");
	await page.goto("/reports");
	if (javaScript) await awake(page);
	return page;
}
const awake = (page: Page) => page.locator("form[data-quick][data-is-awake]").last().waitFor();

/** The name and bytes of the file that a button downloads. */
async function download(page: Page, button: string): Promise<{ name: string; bytes: Uint8Array }> {
	const [file] = await Promise.all([
		page.waitForEvent("download"),
		page.getByRole("button", { name: button }).click(),
	]);
	return {
		name: file.suggestedFilename(),
		bytes: new Uint8Array(await readFile(await file.path())),
	};
}
const done = (page: Page) =>
	page.getByText("Report generated and downloaded successfully").waitFor();

it("tells the end of a report that is asked for before its script has come", async () => {
	const page = await stage.visit({ mayRefuse: true });
	await giveSession(page, "admin@milepost.test");
	let isHere = () => {};
	const arrival = new Promise<void>((resolve) => {
		isHere = resolve;
	});
	await page.route(/report-download/, async (route) => {
		await arrival;
		await route.continue();
	});
	await page.goto("/reports");
	const file = page.waitForEvent("download");
	await page.getByRole("button", { name: "Monthly CSV Export" }).click();
	await page.getByRole("button", { name: "Generating..." }).click();
	isHere();
	expect((await file).suggestedFilename()).toBe(`fleet-report-${today}.csv`);
	await done(page);
	await page.getByRole("button", { name: "Monthly CSV Export" }).waitFor();
});

it.each([
	["can't be loaded", { status: 404 }],
	["breaks off", { contentType: "text/javascript", body: "export default function (" }],
])("downloads a report by its form where the script %s", async (_, script) => {
	const page = await stage.visit({ mayRefuse: true });
	await giveSession(page, "admin@milepost.test");
	await page.route(/report-download/, (route) => route.fulfill(script));
	await page.goto("/reports");
	expect((await download(page, "Monthly CSV Export")).name).toBe(`fleet-report-${today}.csv`);
});

describe.each(oneIn(2, [true, false], 1))("with JavaScript: %s", (javaScript) => {
	it("generates a report of custom dates on A4, the quick reports and a mileage log", async () => {
		const page = await open(javaScript);
		await page.getByLabel("Report Type").selectOption("expense");
		await page.getByLabel("Date Range").selectOption("custom");
		await page.getByLabel("Start Date").fill("2026-01-01");
		await page.getByLabel("End Date").fill("2026-01-31");
		await page.locator("#report-paper").selectOption("a4");
		const report = await download(page, "Generate Report");
		expect(report.name).toBe(`fleet-report-${today}.pdf`);
		const { text } = await readPdf(report.bytes);
		expect(text).toContain("Expense Analysis");
		expect(text).toContain("Jan 1, 2026 to Jan 31, 2026");
		if (javaScript) await done(page);

		const quick = await download(page, "Monthly CSV Export");
		expect(quick.name).toBe(`fleet-report-${today}.csv`);
		expect(readCsv(quick.bytes).facts[0]).toEqual(["Monthly Summary"]);
		const excel = await download(page, "Driver Performance Excel");
		expect((await readXlsx(excel.bytes)).map(({ name }) => name)).toContain("By Driver and Day");

		await page.locator("#driverId").selectOption(idOf("dana"));
		await page.locator("#log-year").fill(today.slice(0, 4));
		const log = await download(page, "Download Mileage Log");
		expect(log.name).toBe(`mileage-log-DRV-0001-${today.slice(0, 4)}.pdf`);
		expect((await readPdf(log.bytes)).text).toContain("Dana Driver (DRV-0001)");
		// The page hasn't changed, and is ready for the next report.
		await expect
			.poll(() => page.getByRole("button", { name: "Download Mileage Log" }).isEnabled())
			.toBe(true);
		expect(new URL(page.url()).pathname).toBe("/reports");
	});

	it("explains invalid dates, keeps the form and downloads nothing", async () => {
		const page = await open(javaScript, { mayRefuse: true });
		let downloads = 0;
		page.on("download", () => downloads++);
		await page.getByLabel("Date Range").selectOption("custom");
		await page.getByLabel("Start Date").fill("2026-03-02");
		await page.getByLabel("End Date").fill("2026-03-01");
		await page.getByLabel("Format").selectOption("csv");
		await page.getByRole("button", { name: "Generate Report" }).click();
		// Above the form; the field, which has the focus, says it too.
		await page
			.getByRole("paragraph")
			.filter({ hasText: /^The start date must be on or before the end date$/ })
			.first()
			.waitFor();
		await page.getByText("Failed to generate report").waitFor();
		await expect.poll(() => page.getByLabel("Start Date").inputValue()).toBe("2026-03-02");
		expect(await page.getByLabel("Start Date").getAttribute("aria-invalid")).toBe("true");
		await expect.poll(() => page.getByLabel("Date Range").inputValue()).toBe("custom");
		expect(downloads).toBe(0);
		// Corrected, it is generated.
		await page.getByLabel("Start Date").fill("2026-03-01");
		expect((await download(page, "Generate Report")).name).toBe(`fleet-report-${today}.csv`);
		if (javaScript) {
			await done(page);
			expect(await page.getByLabel("Start Date").getAttribute("aria-invalid")).toBeNull();
			await expect.poll(() => page.getByText("must be on or before").count()).toBe(0);
		}
	});
});

describe("the island", () => {
	it("shows once that a report is being generated, and starts a quick one after 100 ms", async () => {
		const page = await open(true);
		const asked: number[] = [];
		const bodies: unknown[] = [];
		let pressed = 0;
		let release = () => {};
		const gate = new Promise<void>((pass) => {
			release = pass;
		});
		await page.route("**/api/reports/generate", async (route) => {
			asked.push(performance.now());
			bodies.push(route.request().postDataJSON());
			await gate;
			await route.continue();
		});
		// It is there before it says anything, or a screen reader wouldn't announce it.
		expect(await page.getByRole("status").allTextContents()).toContain("");
		pressed = performance.now();
		await page.getByRole("button", { name: "Weekly PDF Report" }).click();
		await page.getByRole("status").filter({ hasText: "Generating the report..." }).waitFor();
		// While one is generated, no other can start.
		await page.getByRole("button", { name: "Generating..." }).click({ force: true });
		await page.getByRole("button", { name: "Generate Report" }).click();
		const arrived = page.waitForEvent("download");
		release();
		await arrived;
		await done(page);
		expect(asked).toHaveLength(1);
		expect((asked[0] ?? 0) - pressed).toBeGreaterThanOrEqual(100);
		// The week starts on Sunday, and the request has the four fields of docs/product.md §7.
		const sunday = new Date(Date.parse(today) - new Date(today).getUTCDay() * 86_400_000)
			.toISOString()
			.slice(0, 10);
		expect(bodies).toMatchObject([
			{ type: "weekly", format: "pdf", startDate: sunday, endDate: today },
		]);
		await expect.poll(() => page.getByText("Generating the report...").count()).toBe(0);
	});

	it("takes no other page for a report", async () => {
		const page = await open(true);
		await page.route("**/api/reports/generate", (route) =>
			route.fulfill({ contentType: "text/html", body: "<h1>Welcome to our Wi-Fi</h1>" }),
		);
		const files: unknown[] = [];
		page.on("download", (file) => files.push(file));
		await page.getByRole("button", { name: "Generate Report" }).click();
		await page.getByText("The report couldn't be downloaded.").waitFor();
		await page.getByText("Failed to generate report").waitFor();
		expect(files).toEqual([]);
	});

	it("shows the server's message, and goes to sign-in when the session has ended", async () => {
		const page = await open(true, { mayRefuse: true });
		await page.route("**/api/reports/generate", (route) =>
			route.fulfill({
				status: 429,
				contentType: "application/json",
				body: '{"message":"Too many reports"}',
			}),
		);
		await page.getByRole("button", { name: "Generate Report" }).click();
		await page.getByRole("alert").filter({ hasText: "Too many reports" }).first().waitFor();
		await page.getByText("Failed to generate report").waitFor();
		await page.unroute("**/api/reports/generate");
		await page.context().clearCookies();
		// Awaited from before it is there: the browser can't be asked about a page that is being left.
		const isSaid = page.getByText("You are logged out. Logging in again...").waitFor();
		await page.getByRole("button", { name: "Generate Report" }).click();
		await isSaid;
		await page.waitForURL(
			(url) => url.pathname === "/api/login" && url.searchParams.get("returnTo") === "/reports",
		);
	});
});

it("prints its figures without its forms' headings", async () => {
	const page = await open(false);
	await page.emulateMedia({ media: "print" });
	const printed = page.getByRole("heading", { level: 2 }).filter({ visible: true });
	expect(await printed.allTextContents()).toEqual([
		"Summary Statistics",
		"Expense Breakdown",
		"Performance Trends",
	]);
});
