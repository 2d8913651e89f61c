/** Mileage Reports & Analytics in a browser: the same jobs with and without JavaScript. */
import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { oneIn } from "../support/extent.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { insertLog, logId } from "../support/mileage.ts";
import { insertRequest } from "../support/requests.ts";
import { dialogOn, openStage, signIn } from "./browser.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);

beforeEach(async () => {
	for (const table of ["fund_requests", "mileage_logs"]) await sql(`delete from ${table}`);
	await insertRequest(sql, 1, "dana", {
		status: "approved",
		decided_at: currentTime(),
		decided_by: idOf("ada"),
		amount_cents: 12_000,
	});
	await insertLog(sql, 1, "dana", daysAgo(0), 120, { gap_miles: 340, notes: "Airport run" });
	await insertLog(sql, 2, "omar", daysAgo(1), 1900, { is_long: 1, is_overlap: 1 });
	await insertLog(sql, 3, "omar", daysAgo(20), 80);
});

describe.each(oneIn(2, [true, false]))("with JavaScript: %s", (javaScript) => {
	it("chooses a period and a driver, exports, and voids an entry that the driver then sees with its reason", async () => {
		const page = await stage.visit({ javaScript, phone: false, mayRefuse: true });
		await signIn(page, "admin@milepost.test");
		await page
			.getByRole("navigation", { name: "Main" })
			.getByRole("link", { name: "Mileage Reports" })
			.click();
		const table = page.getByRole("table", { name: /Driver Performance Analysis/ });
		await expect
			.poll(() => table.getByRole("row", { name: /Omar Okafor/ }).textContent())
			.toContain("1,980");
		// Nothing else is labeled with this word, not even a link to a driver of that name.
		expect(await page.getByLabel("Driver").count()).toBe(1);
		// The date fields appear once a custom range is selected.
		await expect.poll(() => page.getByLabel("Start Date").isVisible()).toBe(false);
		await page.getByLabel("Date Range").selectOption("Custom Range");
		await page.getByLabel("Start Date").fill(daysAgo(2));
		await page.getByRole("button", { name: "Apply" }).click();
		await page.getByText("Enter both a start date and an end date.").waitFor();
		await expect.poll(() => page.getByLabel("Start Date").inputValue()).toBe(daysAgo(2));
		await page.getByLabel("End Date").fill(daysAgo(0));
		await page.getByRole("button", { name: "Apply" }).click();
		await page.getByText("Enter both a start date").waitFor({ state: "detached" });
		await expect
			.poll(() => table.getByRole("row", { name: /Omar Okafor/ }).textContent())
			.toContain("1,900");
		await page
			.getByText(
				"Dana Driver (DRV-0001) averages $1.00 per mile, $0.15 over the $0.85 target: $18.00 in extra fuel",
			)
			.waitFor();
		await page.getByText("2 entries are flagged").waitFor();

		const waiting = page.waitForEvent("download");
		await page.getByRole("link", { name: "Export Report" }).click();
		const download = await waiting;
		expect(download.suggestedFilename()).toBe(`mileage-report-${daysAgo(0)}.csv`);
		expect(await readFile(await download.path(), "utf8")).toContain(
			"Omar Okafor,DRV-0002,1900,0.00,0.00,Excellent",
		);

		await page.getByRole("link", { name: /^Void Omar Okafor's trip/ }).click();
		const dialog = dialogOn(page, "Void this entry?", javaScript);
		await dialog.getByText("4,000 to 5,900, 1,900 miles").waitFor();
		await dialog.getByRole("button", { name: "Void entry" }).click();
		await dialog.getByText("Enter a reason", { exact: true }).waitFor();
		await dialog.getByLabel("Reason").fill("The readings are another van's");
		await dialog.getByRole("button", { name: "Void entry" }).click();
		await page.getByText("It stays in the history but isn't counted.").waitFor();
		await dialog.waitFor({ state: "detached" });
		expect(page.url()).toContain(
			`range=custom&startDate=${daysAgo(2)}&endDate=${daysAgo(0)}#entries`,
		);
		await expect
			.poll(() => table.getByRole("row", { name: /Omar Okafor/ }).textContent())
			.toContain("No miles");

		await page.getByRole("link", { name: "DRV-0002", exact: true }).click();
		await page.getByText("Reason: The readings are another van's").waitFor();
		await page.getByLabel("Driver").selectOption("Dana Driver (DRV-0001)");
		await page.getByLabel("Date Range").selectOption("This Week");
		await page.getByRole("button", { name: "Apply" }).click();
		await page.getByRole("heading", { name: "Entries for Dana Driver (DRV-0001)" }).waitFor();
		await page.getByRole("link", { name: "Show flagged only" }).click();
		await page.getByRole("link", { name: "Show all entries" }).waitFor();
		await page.getByText("Gap of 340 mi").waitFor();

		const driver = await stage.visit({ javaScript });
		await signIn(driver, "omar@milepost.test");
		for (const [path, words] of [
			["/mileage", "Administrator's reason"],
			["/history", "Administrator's reason"],
		] as const) {
			await driver.goto(path);
			await driver.getByText(`${words}: The readings are another van's`).waitFor();
		}
	});
});

it("closes the dialog with Cancel or Escape, and returns to the row and the filters", async () => {
	const page = await stage.visit({ phone: false });
	await signIn(page, "admin@milepost.test");
	const path = `/mileage-reports?range=week`;
	for (const leave of ["Escape", "Cancel"]) {
		await page.goto(`${path}&dialog=void&id=${logId(1)}`);
		const dialog = dialogOn(page, "Void this entry?");
		await dialog.waitFor();
		if (leave === "Escape") await page.keyboard.press("Escape");
		else await dialog.getByRole("button", { name: "Cancel" }).click();
		await page.waitForURL(`${stage.fleet.origin}${path}#log-${logId(1)}`);
	}
	expect(await sql("select 1 from mileage_logs where voided_at is not null")).toEqual([]);
});

it("fits a phone and a desktop", async () => {
	await insertLog(sql, 4, "lena", daysAgo(0), 1999, {
		gap_miles: 9_000_000,
		is_overlap: 1,
		is_out_of_order: 1,
		is_long: 1,
		notes: "x".repeat(300),
	});
	await insertLog(sql, 5, "lena", daysAgo(0), 5, {
		voided_at: 1,
		voided_by: idOf("ada"),
		void_reason: "y".repeat(500),
	});
	await insertRequest(sql, 2, "lena", {
		status: "approved",
		decided_at: 1,
		decided_by: idOf("ada"),
		amount_cents: 10_000_000,
	});
	const page = await stage.visit();
	await signIn(page, "admin@milepost.test");
	for (const query of [
		"",
		"?range=custom",
		`?driver=${idOf("lena")}`,
		`?dialog=void&id=${logId(4)}`,
	]) {
		await page.goto(`/mileage-reports${query}`);
		for (const width of [360, 1280]) {
			await page.setViewportSize({ width, height: 740 });
			const where = `${query} at ${width}`;
			const [wide, room] = await page.evaluate(() => [
				document.documentElement.scrollWidth,
				document.documentElement.clientWidth,
			]);
			expect(wide, where).toBeLessThanOrEqual(room ?? 0);
			const cut = await page
				.locator("table")
				.evaluateAll(
					(tables) =>
						tables.filter(
							({ parentElement: box }) => box !== null && box.scrollWidth > box.clientWidth,
						).length,
				);
			expect(cut, where).toBe(0);
		}
	}
});
