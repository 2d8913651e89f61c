/**
 * A Monday's work, with every click counted: importing a statement of known drivers, approving ten
 * requests and paying them.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Locator } from "@playwright/test";
import { beforeEach, expect, it } from "vitest";
import { CAST, idOf, platformDriverRows } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { oneIn } from "../support/extent.ts";
import { deletePayouts } from "../support/payouts.ts";
import { insertRequest } from "../support/requests.ts";
import { insertRow } from "../support/rows.ts";
import { openStage, signIn } from "./browser.ts";

const stage = await openStage();
const sql = stage.fleet.sql.bind(stage.fleet);
const [NAME = ""] = readdirSync("docs/samples");
const FILE = readFileSync(`docs/samples/${NAME}`);
/** The most clicks that it may take. */
const MAX_CLICKS = 12;

beforeEach(async () => {
	await deletePayouts(sql);
	for (const table of [
		"uber_fees",
		"statement_lines",
		"statement_money",
		"fee_imports",
		"platform_drivers",
	])
		await sql(`delete from ${table}`);
	for (const row of platformDriverRows(currentTime()))
		await insertRow(sql, "platform_drivers", row);
	for (let number = 1; number <= 10; number++)
		await insertRequest(sql, number, (["dana", "omar", "lena"] as const)[number % 3] ?? "dana", {
			amount_cents: 1000 + number,
		});
});

it.each(
	oneIn(3, [
		["on a desktop", { javaScript: true, phone: false }],
		["on a desktop without JavaScript", { javaScript: false, phone: false }],
		["on a phone", { javaScript: true, phone: true }],
		["on a phone without JavaScript", { javaScript: false, phone: true }],
	] as const),
)("takes at most 12 clicks, %s", async (_, options) => {
	const page = await stage.visit(options);
	await signIn(page, CAST.ada.email);
	await page.goto("/uber-fees/import");
	let clicks = 0;
	const click = async (target: Locator) => {
		clicks += 1;
		await target.click();
	};

	clicks += 1;
	await page
		.getByLabel("CSV file")
		.setInputFiles({ name: NAME, mimeType: "text/csv", buffer: FILE });
	await click(page.getByRole("button", { name: "Show preview" }));
	await click(page.getByRole("button", { name: /^Import / }));
	await page.getByText(/\d+ Uber fees imported successfully/).waitFor();

	await click(page.getByRole("link", { name: /^(Fund )?Requests/ }).first());
	const all = page.getByRole(options.javaScript ? "checkbox" : "link", { name: "Select all" });
	await click(all);
	await click(page.getByRole("button", { name: /^Bulk Approve/ }));
	await click(page.getByRole("button", { name: "Approve 10 requests" }));
	await page.getByText("Fund request updated successfully", { exact: true }).waitFor();

	if (options.phone) await click(page.locator("nav summary", { hasText: "More" }));
	await click(page.getByRole("link", { name: "Payouts", exact: true }).last());
	await click(page.getByRole("button", { name: "Create payout of $100.55" }));
	await click(page.getByRole("button", { name: "Mark $100.55 as paid" }));
	await page.getByText("Payout paid", { exact: true }).waitFor();
	console.log(`Monday, ${_}: ${clicks} clicks`);
	expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);

	expect(
		await sql(
			`select count(*) as n, sum(amount_cents) as cents from fund_requests
			join payouts on payouts.id = payout_id where payouts.status = 'paid'`,
		),
	).toEqual([{ n: 10, cents: 10_055 }]);
	const driver = await stage.visit(options);
	await signIn(driver, CAST.dana.email);
	await driver.goto("/requests");
	const own = await sql<{ n: number }>(
		"select count(*) as n from fund_requests where driver_id = ?",
		idOf("dana"),
	);
	await expect
		.poll(() => driver.getByText(/^Paid \w+ \d+ · PO-000001$/).count())
		.toBe(own[0]?.n ?? -1);
});
