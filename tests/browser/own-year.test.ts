/** A driver downloads their own year's files, with and without JavaScript. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { beforeAll, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { oneIn } from "../support/extent.ts";
import { daysAgo, midnight } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { readCsv, readPdf, readXlsx } from "../support/report-files.ts";
import { insertRequest } from "../support/requests.ts";
import { violationsOn } from "./axe.ts";
import { giveSession, openStage } from "./browser.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
const thisYear = daysAgo(0).slice(0, 4);

beforeAll(async () => {
	await insertLog(sql, 1, "dana", "2024-02-29", 366, { notes: "Leap day" });
	await insertLog(sql, 2, "dana", "2024-03-01", 41, {
		voided_at: midnight("2024-03-02"),
		voided_by: idOf("ada"),
		void_reason: "Wrong van",
	});
	await insertRequest(sql, 1, "dana", {
		created_at: midnight("2024-12-31"),
		status: "approved",
		decided_at: 1,
		decided_by: idOf("ada"),
		amount_cents: 123_450,
	});
	await sql(
		`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 5001)
			select printf('45000000-0000-4000-8000-%012d', i), ?, '2023-05-05', i, i + 1, 'seed', 1, 'x' from n`,
		idOf("lena"),
	);
});

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

describe.each(oneIn(2, [true, false], 1))("with JavaScript: %s", (javaScript) => {
	it("chooses a year on History, downloads its four files, and stays there", async () => {
		const page = await stage.visit({ javaScript });
		await giveSession(page, "dana@milepost.test");
		await page.goto("/history?type=mileage");
		const year = page.getByLabel("Year", { exact: true });
		expect(await year.inputValue()).toBe(thisYear);
		await year.selectOption("2024");
		const log = await download(page, "Mileage Log (PDF)");
		expect(log.name).toBe("mileage-log-DRV-0001-2024.pdf");
		const { text } = await readPdf(log.bytes);
		for (const words of ["Leap day", "By an administrator: Wrong van", "Not tax advice"])
			expect(text).toContain(words);
		const workbook = await download(page, "Mileage Log (Excel)");
		expect(workbook.name).toBe("mileage-log-DRV-0001-2024.xlsx");
		expect((await readXlsx(workbook.bytes))[1]?.rows.at(-1)?.[3]).toBe(366);
		const summary = await download(page, "Year Summary (PDF)");
		expect(summary.name).toBe("year-summary-DRV-0001-2024.pdf");
		expect((await readPdf(summary.bytes)).text).toContain("$1,234.50");
		const csv = await download(page, "Year Summary (CSV)");
		expect(csv.name).toBe("year-summary-DRV-0001-2024.csv");
		expect(readCsv(csv.bytes).sections.get("Fund Requests")?.at(-1)).toEqual([
			"Total",
			"1",
			"1234.50",
			"1234.50",
			"0.00",
		]);
		expect(new URL(page.url()).search).toBe("?type=mileage");
		expect(await year.inputValue()).toBe("2024");
	});

	it("explains why there is no PDF, with links to the workbook and back", async () => {
		const page = await stage.visit({ javaScript, mayRefuse: true });
		await giveSession(page, "lena@milepost.test");
		await page.goto("/history");
		await page.getByLabel("Year", { exact: true }).selectOption("2023");
		await page.getByRole("button", { name: "Mileage Log (PDF)" }).click();
		await page.getByRole("heading", { name: "File not created" }).waitFor();
		await page.getByText("A PDF can hold up to 5,000 rows, and this log has more.").waitFor();
		if (javaScript) {
			expect(await violationsOn(page)).toEqual([]);
		}
		const [file] = await Promise.all([
			page.waitForEvent("download"),
			page.getByRole("link", { name: "Download it as Excel" }).click(),
		]);
		expect(file.suggestedFilename()).toBe("mileage-log-DRV-0003-2023.xlsx");
		await page.getByRole("link", { name: "Back to History" }).click();
		await page.getByRole("heading", { name: "Your Year" }).waitFor();
	});
});
