/**
 * A driver's and an administrator's jobs by keyboard alone: after each step the focus is where they
 * would look next, and it is never lost after a form.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { beforeAll, expect, it } from "vitest";
import { CAST, type CastName, platformDriverRows } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { insertApproved } from "../support/payouts.ts";
import { insertRequest } from "../support/requests.ts";
import { insertRow } from "../support/rows.ts";
import { dialogOn, openStage } from "./browser.ts";
import { nameOfDownload } from "./firefox.ts";
import { KeyboardUser } from "./keyboard-user.ts";

const stage = await openStage({ isFresh: true });
const { fleet } = stage;
const sql = fleet.sql.bind(fleet);

const photo = {
	name: "pump.jpg",
	mimeType: "image/jpeg",
	buffer: readFileSync("tests/fixtures/receipts/baseline.jpg"),
};
const [sample = ""] = readdirSync("docs/samples");
const statement = {
	name: sample,
	mimeType: "text/csv",
	buffer: readFileSync(`docs/samples/${sample}`),
};

/** A link in the navigation. */
const placeOf = (page: Page, name: RegExp) =>
	page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).first();
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const inDialog = (page: Page, name: string | RegExp) =>
	dialogOn(page).getByRole("button", { name });

/** Signs in from the landing screen; the focus is then on the portal's main part. */
async function enter(who: CastName, phone: boolean): Promise<KeyboardUser> {
	const page = await stage.visit({ phone, mayRefuse: true });
	const user = new KeyboardUser(page);
	await page.goto("/");
	await user.press(page.getByRole("button", { name: "Sign In" }), phone ? "Enter" : "Space");
	await page.waitForURL(/login/);
	await user.type(page.getByLabel("Email"), CAST[who].email);
	await page.keyboard.press("Enter");
	await user.expectFocus(page.locator("main").filter({ hasText: /Dashboard|Overview/ }));
	return user;
}

/** Follows a link in the navigation. */
async function goTo(user: KeyboardUser, name: RegExp, path: string): Promise<void> {
	await user.press(placeOf(user.page, name));
	await user.page.waitForURL((url) => url.pathname === path);
}

beforeAll(async () => {
	for (const row of platformDriverRows(currentTime()))
		await insertRow(sql, "platform_drivers", row);
});

it("logs a trip, submits a request with a receipt, answers a question and reads the history", async () => {
	const user = await enter("dana", true);
	const { page } = user;
	await user.press(page.getByRole("main").getByRole("link", { name: "Log Daily Mileage" }));
	await user.expectFocus(page.getByLabel("Ending Odometer"));
	const start = Number(await page.getByLabel("Starting Odometer").inputValue());
	await page.keyboard.type(String(start + 75));
	await page.keyboard.press("Enter");
	await user.expectFocus(
		page
			.locator("tr")
			.filter({ hasText: String(start + 75).slice(-3) })
			.first(),
	);

	await goTo(user, /^Fund Requests/, "/requests");
	await user.press(page.getByRole("link", { name: "Gas" }));
	await user.expectFocus(page.getByLabel("Amount"));
	await page.keyboard.type("45.50");
	await user.choose(page.getByLabel("Choose file"), photo);
	await user.expectFocus(page.getByLabel("Change"));
	await user.press(button(page, "Submit Request"));
	const request = page.locator("li").filter({ hasText: "$45.50" });
	await user.expectFocus(request);

	const [row] = await sql<{ id: string }>("select id from fund_requests where amount_cents = 4550");
	const ada = await fleet.as("ada");
	await ada.call("POST", `/api/fund-requests/${row?.id}/messages`, { text: "Which van?" });
	await goTo(user, /^Dashboard/, "/");
	await user.press(page.getByRole("link", { name: "Answer", exact: true }));
	await user.expectFocus(page.getByRole("heading", { name: "Recent Requests" }));
	await user.type(page.getByLabel("Your answer"), "The white one");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await user.expectFocus(request);
	await request.getByText("Answered", { exact: true }).waitFor();

	await goTo(user, /^History/, "/history");
	await user.reach(page.getByLabel("Type"));
	await page.keyboard.type("Fund");
	await user.press(button(page, "Apply"));
	await page.waitForURL(/type=requests/);
	await user.expectFocus(button(page, "Apply"));
	await user.press(page.getByRole("link", { name: "gas request" }));
	await user.expectFocus(dialogOn(page).getByRole("link", { name: "pump.jpg" }));
	await page.keyboard.press("Escape");
	await user.expectFocus(page.locator("tr").filter({ hasText: "gas request" }));
});

it("approves a driver, then decides requests one by one and in bulk", async () => {
	for (const table of ["request_messages", "fund_requests"]) await sql(`delete from ${table}`);
	for (const number of [1, 2, 3, 4, 5])
		await insertRequest(sql, number, number % 2 ? "omar" : "lena", {
			amount_cents: 1000 * number,
			receipt_name: "a.jpg",
		});
	const user = await enter("ada", false);
	const { page } = user;
	await goTo(user, /^Driver Management/, "/drivers");
	await user.press(button(page, "Approve Nora Newcomer"));
	await user.expectFocus(page.locator("tr").filter({ hasText: "Nora Newcomer" }));

	await goTo(user, /^Fund Requests/, "/fund-requests");
	const opened = (number: string) => page.locator("#opened").filter({ hasText: number });
	const openSection = (words: string) => page.locator("summary", { hasText: words });
	await user.press(page.getByRole("link", { name: "FR-000001", exact: true }));
	await user.expectFocus(opened("FR-000001"));
	await user.press(button(page, "Approve $10.00"));
	await user.expectFocus(opened("FR-000005"));
	await user.press(openSection("Approve less..."));
	await user.expectFocus(openSection("Approve less..."));
	await user.type(page.getByLabel("Amount to approve"), "60");
	await page.keyboard.press("Enter");
	await page.getByText("Enter at most the").first().waitFor();
	await user.expectFocus(page.getByLabel("Amount to approve"));
	await user.type(page.getByLabel("Amount to approve"), "40");
	await user.type(page.getByLabel("Reason for Approving Less").first(), "Without the snacks");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await user.expectFocus(opened("FR-000004"));
	await user.press(openSection("Ask..."));
	await user.type(page.getByRole("textbox", { name: "Question" }), "Which van?");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await page.getByText("Question sent").waitFor();
	await user.expectFocus(opened("FR-000004"));
	await user.press(openSection("Reject..."));
	await page.keyboard.press("Tab");
	await user.expectFocus(page.locator("input[name=reason]:checked"));
	await page.keyboard.press("Enter");
	await user.expectFocus(opened("FR-000003"));
	await user.press(button(page, "Undo the decision").first());
	await user.expectFocus(opened("FR-000004"));

	await page.goto("/fund-requests?status=pending");
	await user.press(page.getByRole("checkbox", { name: "Select all" }), "Space");
	await user.press(button(page, "Bulk Approve (3)"));
	// It is read from its title, which the largest of the flagged requests follow.
	await user.expectFocus(page.locator("#bulk-title"));
	await user.press(inDialog(page, "Approve 3 requests"));
	await user.expectFocus(page.locator("tr").filter({ hasText: "FR-000004" }));
	expect(await sql("select status, count(*) as n from fund_requests group by status")).toEqual([
		{ status: "approved", n: 5 },
	]);
});

it("records a fee, imports a statement and pays what is owed", async () => {
	await insertApproved(sql, 1, "omar", 1250);
	const user = await enter("ada", false);
	const { page } = user;
	await goTo(user, /^Uber Fees/, "/uber-fees");
	await user.reach(page.getByLabel("Driver", { exact: true }));
	await page.keyboard.type("Dana");
	await user.reach(page.getByLabel("Fee Category"));
	await page.keyboard.type("Serv");
	await user.type(page.getByLabel("Amount"), "12.50");
	await page.keyboard.press("Enter");
	await user.expectFocus(page.locator("tr").filter({ hasText: "$12.50" }).first());
	await user.press(page.getByRole("button", { name: /^Delete the/ }));
	await user.expectFocus(inDialog(page, "Cancel"));
	await user.press(inDialog(page, "Delete"));
	await user.expectFocus(page.getByRole("heading", { name: "Uber Fees", exact: true }));

	await page.keyboard.press("Tab");
	await user.press(button(page, "Import a statement"));
	await user.expectFocus(page.locator("main").filter({ hasText: "Import Uber Fees" }));
	await user.choose(page.getByLabel("CSV file"), statement);
	await user.expectFocus(page.getByLabel("CSV file"));
	await user.press(button(page, "Show preview"));
	await user.expectFocus(page.locator("main").filter({ hasText: "Uber statement" }));
	await user.press(button(page, /^Import \d+ fees/));
	await user.expectFocus(page.locator("tr").filter({ hasText: sample }));

	await goTo(user, /^Payouts/, "/payouts");
	await user.press(button(page, /^Create payout of/));
	await user.expectFocus(page.locator("main").filter({ hasText: "Mark as paid" }));
	await user.type(page.getByLabel("Reference"), "ACH 42");
	await page.keyboard.press("Enter");
	await page.getByText("Payout paid", { exact: true }).waitFor();
	await user.expectFocus(page.locator("main"));
	await user.press(button(page, "Undo the payment"));
	await page.getByText("Payout reopened").waitFor();
	await user.expectFocus(page.locator("main"));
	await user.press(page.getByRole("link", { name: "Cancel payout" }));
	await user.expectFocus(inDialog(page, "Keep it"));
	await page.keyboard.press("Escape");
	await page.waitForURL((url) => !url.searchParams.has("dialog"));
	await user.press(button(page, /^Mark .* as paid/));
	await page.getByText("Payout paid", { exact: true }).waitFor();
});

it("downloads a report, changes settings, invites drivers and finds one", async () => {
	const user = await enter("ada", false);
	const { page } = user;
	await goTo(user, /^Reports/, "/reports");
	const generate = () => user.press(button(page, "Generate Report"));
	expect(await nameOfDownload(page, generate)).toMatch(/^fleet-report-.*\.pdf$/);
	await user.expectFocus(button(page, "Generate Report"));

	await goTo(user, /^Settings/, "/settings");
	await user.type(page.getByLabel("Fleet name"), "North depot");
	await page.keyboard.press("Enter");
	await user.expectFocus(page.getByRole("heading", { name: "Fleet", exact: true }));
	await user.press(page.getByLabel("Missing miles"), "Space");
	await user.press(button(page, "Save reminders"));
	await user.expectFocus(page.getByRole("heading", { name: "Reminders" }));
	await user.type(page.getByLabel("Excellent under"), "x");
	await page.keyboard.press("Enter");
	await page.getByText("Enter an amount such as").waitFor();
	await user.expectFocus(page.getByLabel("Excellent under"));

	await goTo(user, /^Driver Management/, "/drivers");
	await user.press(button(page, "Add many"));
	await user.expectFocus(dialogOn(page).getByLabel("Drivers, one per line"));
	await page.keyboard.type("kim@milepost.test Kim Keys\nnobody");
	await user.press(inDialog(page, "Invite"));
	await page.getByText("1 invited").waitFor();
	// What became of the lines is read first, then those still to invite.
	await user.expectFocus(page.locator("#add-many-title"));
	await page.keyboard.press("Escape");
	await page.waitForURL((url) => !url.searchParams.has("dialog"));

	const box = page.getByRole("searchbox", { name: "Find anything" });
	await page.keyboard.press("/");
	await user.expectFocus(box);
	await page.keyboard.type("a/b");
	expect(await box.inputValue()).toBe("a/b");
	await user.type(box, "kim");
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "Kim Keys", level: 1 }).waitFor();
	await page.setViewportSize({ width: 360, height: 740 });
	await page.goto("/find");
	await page.keyboard.press("/");
	await user.expectFocus(box);
});
