/**
 * Every screen with its errors and dialogs, in a fleet that has something for each of them, and the
 * pages on which people visit them.
 */
import type { Page } from "@playwright/test";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { feeId, insertFee } from "../support/fees.ts";
import { daysAgo, earlierToday } from "../support/fleet-days.ts";
import { insertLog, logId } from "../support/mileage.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { insertReceipt, insertRequest, requestId } from "../support/requests.ts";
import {
	insertPublishedWeek,
	insertThread,
	insertWeek,
	settlementId,
} from "../support/settlements.ts";
import { dialogOn, giveSession, openStage } from "./browser.ts";

export type Screen = readonly [
	who: string | undefined,
	path: string,
	act?: (page: Page) => Promise<unknown>,
	/** What the act leads to, without a script too, whose tree has a file. */
	outcome?: string,
];

/** Clicks the first link or button with this name and waits for its dialog. */
async function openDialog(page: Page, name: RegExp) {
	await page.getByRole("link", { name }).or(page.getByRole("button", { name })).first().click();
	await dialogOn(page).waitFor();
}

/** For the tests of one file, which share them. */
export async function openScreens(options: Parameters<typeof openStage>[0] = {}) {
	const stage = await openStage(options);
	const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
	// The oldest, whenever the others are inserted.
	const approved = await insertApproved(sql, 900, "omar", 1234, {
		created_at: earlierToday() - 60_000,
	});
	const payout = await gather(await stage.fleet.as("ada"), { requestIds: [approved] });
	/** A week with drafts, and what to check about it. */
	const WEEK = "2026-10-05";
	await insertWeek(sql, WEEK);
	const week = await insertPublishedWeek(sql, 50, "dana");
	await insertThread(sql, week, "dana");
	const [one, two] = [await insertReceipt(sql, 1, "dana"), await insertReceipt(sql, 11, "omar")];
	await insertRequest(sql, 1, "dana", { receipt_id: one, is_possible_duplicate: 1 });
	await insertRequest(sql, 2, "omar", {
		receipt_id: two,
		status: "approved",
		decided_at: currentTime(),
		decided_by: idOf("ada"),
	});
	await insertLog(sql, 1, "dana", daysAgo(1), 40, {
		gap_miles: 12,
		is_long: 1,
		notes: "Airport run",
	});
	await insertLog(sql, 2, "dana", daysAgo(2), 40, {
		voided_at: 1,
		voided_by: idOf("ada"),
		void_reason: "Wrong van",
	});
	await insertFee(sql, 1, "dana", "2026-11-02", {
		category: "service_fee",
		reference_number: "UB-2026-001",
	});
	await insertRequest(sql, 3, "omar", { receipt_name: "a name.jpg", amount_cents: 9000 });

	const screens: readonly Screen[] = [
		[undefined, "/"],
		[undefined, "/api/login"],
		[undefined, "/mileage?stay"],
		[undefined, "/nowhere"],
		[undefined, "/offline"],
		["nina@milepost.test", "/"],
		[
			"nina@milepost.test",
			"/",
			async (page) => {
				for (const label of ["First Name", "Last Name"]) await page.getByLabel(label).fill(" ");
				await page.getByRole("button", { name: "Complete Profile" }).click();
				await page.locator("[aria-invalid=true]").first().waitFor();
			},
			"refused",
		],
		["nina@milepost.test", "/profile"],
		["admin@milepost.test", "/api/docs"],
		["nora@milepost.test", "/"],
		["rex@milepost.test", "/"],
		["dana@milepost.test", "/"],
		["dana@milepost.test", "/mileage"],
		[
			"dana@milepost.test",
			"/mileage",
			async (page) => {
				await page.getByLabel("Starting Odometer").fill("10");
				await page.getByLabel("Ending Odometer").fill("5");
				await page.getByRole("button", { name: "Log Mileage" }).click();
				await page.locator("#problems").waitFor();
			},
			"refused",
		],
		["dana@milepost.test", "/mileage", (page) => openDialog(page, /^Void/)],
		["lena@milepost.test", "/requests"],
		[
			"dana@milepost.test",
			"/requests",
			async (page) => {
				await page.getByRole("button", { name: "Submit Request" }).click();
				await page.getByRole("alert").filter({ hasText: "Please fill in" }).last().waitFor();
			},
			"refused",
		],
		[
			"dana@milepost.test",
			"/requests",
			async (page) => {
				await page.getByLabel("Request Type").selectOption("gas");
				await page.getByLabel("Amount").fill("45.50");
				await page
					.getByLabel("Description")
					.fill(`Fuel ${await page.getByRole("listitem").count()}`);
				await page.getByRole("button", { name: "Submit Request" }).click();
				await page.getByText("Fund request submitted successfully").waitFor();
				await page.locator('[id^="request-"] summary').first().click();
				await page.getByText("Add receipt").first().click();
			},
		],
		[
			"dana@milepost.test",
			"/requests",
			async (page) => {
				await page.locator('[id^="request-"] summary').first().click();
				await openDialog(page, /^Withdraw/);
			},
		],
		["dana@milepost.test", "/history"],
		["dana@milepost.test", "/history", (page) => openDialog(page, /^Daily route logging/)],
		["dana@milepost.test", "/help"],
		["dana@milepost.test", "/earnings"],
		["dana@milepost.test", `/earnings/${week}`, (page) => page.getByText("By day").click()],
		["dana@milepost.test", "/history?type=requests&range=week"],
		["lena@milepost.test", "/history?type=requests"],
		["dana@milepost.test", "/drivers"],
		["admin@milepost.test", "/"],
		[
			"admin@milepost.test",
			"/",
			async (page) => {
				for (const table of await page.getByText("Show as table").all()) await table.click();
				await page.getByRole("slider").and(page.locator(":enabled")).waitFor();
			},
		],
		["admin@milepost.test", "/drivers"],
		["admin@milepost.test", `/drivers/${idOf("dana")}`],
		["admin@milepost.test", "/find?q=1"],
		["admin@milepost.test", "/find?q=Qwerty"],
		["admin@milepost.test", "/drivers?dialog=add-driver"],
		["admin@milepost.test", "/drivers?dialog=create-admin"],
		["admin@milepost.test", "/drivers", (page) => openDialog(page, /^Delete/)],
		["admin@milepost.test", "/fund-requests"],
		["admin@milepost.test", "/fund-requests?status=rejected"],
		[
			"admin@milepost.test",
			"/fund-requests?flag=no-receipt&open=FR-000001",
			async (page) => {
				// Closed again before the other is opened, since a phone shows one at a time.
				for (const label of ["Reject...", "Reject...", "Ask..."])
					await page.locator("summary", { hasText: label }).click();
			},
			"unfolded",
		],
		["admin@milepost.test", `/fund-requests?dialog=approve&id=${requestId(1)}`],
		["admin@milepost.test", `/fund-requests?dialog=receipt&id=${requestId(1)}`],
		["admin@milepost.test", `/fund-requests?dialog=timeline&id=${requestId(2)}`],
		[
			"admin@milepost.test",
			`/fund-requests?dialog=reject&id=${requestId(1)}`,
			async (page) => {
				await page.getByLabel("Admin Notes (Optional)").fill("x".repeat(2001));
				await page.getByRole("button", { name: "Reject", exact: true }).click();
				await page.getByText("Use 2000 characters or fewer").first().waitFor();
			},
			"refused",
		],
		["admin@milepost.test", "/mileage-reports"],
		[
			"admin@milepost.test",
			`/mileage-reports?driver=${idOf("dana")}&range=custom&startDate=2026-11-01`,
		],
		[
			"admin@milepost.test",
			`/mileage-reports?dialog=void&id=${logId(1)}`,
			async (page) => {
				await page.getByRole("button", { name: "Void entry" }).click();
				await page.getByText("Enter a reason", { exact: true }).waitFor();
			},
			"refused",
		],
		["admin@milepost.test", "/reports"],
		[
			"admin@milepost.test",
			"/reports?report=invalid&type=weekly&range=custom&startDate=2026-03-02&endDate=2026-03-01&format=pdf#generate",
		],
		[
			"admin@milepost.test",
			"/reports",
			async (page) => {
				await page.locator("form[data-quick][data-is-awake]").last().waitFor();
				await page.getByRole("button", { name: "Weekly PDF Report" }).click();
				await page.getByText("Report generated and downloaded successfully").waitFor();
			},
		],
		[
			"admin@milepost.test",
			"/reports",
			async (page) => {
				await page.locator("form[data-quick][data-is-awake]").last().waitFor();
				await page.getByLabel("Date Range").selectOption("custom");
				await page.getByRole("button", { name: "Generate Report" }).click();
				await page.getByText("Select a start date").first().waitFor();
			},
		],
		["admin@milepost.test", "/uber-fees"],
		["admin@milepost.test", "/uber-fees/import"],
		[
			"admin@milepost.test",
			"/uber-fees/import",
			async (page) => {
				const statement =
					"driver,category,amount,date,reference\nDRV-0001,other,1,2026-01-01,\nDRV-0999,tips,x,y,UB-2026-002";
				await page.getByLabel("CSV file").setInputFiles({
					name: "fees.csv",
					mimeType: "text/csv",
					buffer: Buffer.from(statement),
				});
				await page.getByRole("button", { name: "Show preview" }).click();
				await page.locator("#left-out").waitFor();
			},
			"preview",
		],
		["admin@milepost.test", "/audit"],
		["admin@milepost.test", "/email"],
		["admin@milepost.test", "/payouts"],
		["admin@milepost.test", `/payouts/${payout.id}`],
		["admin@milepost.test", `/settlements?week=${WEEK}`],
		["admin@milepost.test", `/settlements/${settlementId(1)}`],
		["admin@milepost.test", `/settlements/${week}`],
		["admin@milepost.test", `/settlements/${settlementId(1)}?dialog=void`],
		["admin@milepost.test", "/settings"],
		["admin@milepost.test", "/settings/tokens"],
		["admin@milepost.test", "/settings/webhooks"],
		["admin@milepost.test", `/drivers/${idOf("dana")}?dialog=agreement`],
		["admin@milepost.test", `/drivers/${idOf("dana")}?dialog=charge`],
		["dana@milepost.test", "/account"],
		["admin@milepost.test", `/uber-fees?replace=${feeId(1)}`],
		["admin@milepost.test", `/uber-fees?dialog=edit&id=${feeId(1)}`],
		["admin@milepost.test", `/uber-fees?dialog=delete&id=${feeId(1)}`],
		[
			"admin@milepost.test",
			"/uber-fees",
			async (page) => {
				await page.getByRole("button", { name: "Add Uber Fee" }).click();
				await page.locator("#problems").waitFor();
			},
			"refused",
		],
	];

	const pages = new Map<string, Promise<Page>>();
	/** The page on which a person's screens are visited, with a script or without. */
	function pageOf(who: string | undefined, javaScript: boolean): Promise<Page> {
		const key = `${who} ${javaScript}`;
		const known = pages.get(key) ?? open(who, javaScript);
		pages.set(key, known);
		return known;
	}
	async function open(who: string | undefined, javaScript: boolean, isKept = true) {
		const phone = !who?.startsWith("admin");
		const page = await stage.visit({ javaScript, mayRefuse: true, isKept, phone });
		// The receipts have rows but no stored files.
		await page.route("**/api/receipts/*", (route) =>
			route.fulfill({ contentType: "image/png", body: "" }),
		);
		if (who) await giveSession(page, who);
		return page;
	}
	return { stage, screens, pageOf, open };
}
