/**
 * A driver's and an administrator's jobs by keyboard alone: after each step the focus is where they
 * would look next, and after no form is it nowhere.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { beforeAll, expect, it } from "vitest";
import { CAST, type CastName, platformDriverRows } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { insertRequest } from "../support/requests.ts";
import { insertRow } from "../support/rows.ts";
import { openStage } from "./browser.ts";
import { nameOfDownload } from "./firefox.ts";
import { KeyboardUser } from "./hands.ts";

const stage = await openStage();
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

/** A place of the navigation. */
const placeOf = (page: Page, name: RegExp) =>
	page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).first();
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const inDialog = (page: Page, name: string | RegExp) =>
	page.getByRole("dialog").getByRole("button", { name });

/** Signs in from the landing screen; the focus is then on the portal's main part. */
async function enter(who: CastName, phone: boolean): Promise<KeyboardUser> {
	const page = await stage.visit({ phone, mayRefuse: true });
	const hands = new KeyboardUser(page);
	await page.goto("/");
	await hands.press(page.getByRole("button", { name: "Sign In" }), phone ? "Enter" : "Space");
	await page.waitForURL(/login/);
	await hands.type(page.getByLabel("Email"), CAST[who].email);
	await page.keyboard.press("Enter");
	await hands.lands(page.locator("main").filter({ hasText: /Dashboard|Overview/ }));
	return hands;
}

/** Goes to a place of the navigation. */
async function goTo(hands: KeyboardUser, name: RegExp, path: string): Promise<void> {
	await hands.press(placeOf(hands.page, name));
	await hands.page.waitForURL((url) => url.pathname === path);
}

beforeAll(async () => {
	for (const row of platformDriverRows(currentTime()))
		await insertRow(sql, "platform_drivers", row);
});

it("logs a trip, asks for money with a receipt, answers a question and reads the history", async () => {
	const hands = await enter("dana", true);
	const { page } = hands;
	await hands.press(page.getByRole("main").getByRole("link", { name: "Log Daily Mileage" }));
	await hands.lands(page.getByLabel("Ending Odometer"));
	const start = Number(await page.getByLabel("Starting Odometer").inputValue());
	await page.keyboard.type(String(start + 75));
	await page.keyboard.press("Enter");
	await hands.lands(
		page
			.locator("tr")
			.filter({ hasText: String(start + 75).slice(-3) })
			.first(),
	);

	await goTo(hands, /^Fund Requests/, "/requests");
	await hands.press(page.getByRole("link", { name: "Gas" }));
	await hands.lands(page.getByLabel("Amount"));
	await page.keyboard.type("45.50");
	await hands.choose(page.getByLabel("Choose file"), photo);
	await hands.lands(page.getByLabel("Choose file"));
	await hands.press(button(page, "Submit Request"));
	const request = page.locator("li").filter({ hasText: "$45.50" });
	await hands.lands(request);

	const [row] = await sql<{ id: string }>("select id from fund_requests where amount_cents = 4550");
	const ada = await fleet.as("ada");
	await ada.call("POST", `/api/fund-requests/${row?.id}/messages`, { text: "Which van?" });
	await goTo(hands, /^Dashboard/, "/");
	await hands.press(page.getByRole("link", { name: "Read and answer" }));
	await hands.lands(page.getByRole("heading", { name: "Recent Requests" }));
	await hands.type(page.getByLabel("Your answer"), "The white one");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await hands.lands(request);
	await request.getByText("Answered", { exact: true }).waitFor();

	await goTo(hands, /^History/, "/history");
	await hands.reach(page.getByLabel("Type"));
	await page.keyboard.type("Fund");
	await hands.press(button(page, "Apply"));
	await page.waitForURL(/type=requests/);
	await hands.lands(button(page, "Apply"));
	await hands.press(page.getByRole("link", { name: "gas request" }));
	await hands.lands(page.getByRole("dialog").getByRole("link", { name: "pump.jpg" }));
	await page.keyboard.press("Escape");
	await hands.lands(page.locator("tr").filter({ hasText: "gas request" }));
});

it("approves a driver, then decides requests one by one and in bulk", async () => {
	for (const table of ["request_messages", "fund_requests"]) await sql(`delete from ${table}`);
	for (const number of [1, 2, 3, 4, 5])
		await insertRequest(sql, number, number % 2 ? "omar" : "lena", {
			amount_cents: 1000 * number,
			receipt_name: "a.jpg",
		});
	const hands = await enter("ada", false);
	const { page } = hands;
	await goTo(hands, /^Driver Management/, "/drivers");
	await hands.press(button(page, "Approve Nora Newcomer"));
	await hands.lands(page.locator("tr").filter({ hasText: "Nora Newcomer" }));

	await goTo(hands, /^Fund Requests/, "/fund-requests");
	const opened = (number: string) => page.locator("#opened").filter({ hasText: number });
	const unfold = (words: string) => page.locator("summary", { hasText: words });
	await hands.press(page.getByRole("link", { name: "FR-000001", exact: true }));
	await hands.lands(opened("FR-000001"));
	await hands.press(button(page, "Approve $10.00"));
	await hands.lands(opened("FR-000005"));
	await hands.press(unfold("Approve less..."));
	await hands.lands(unfold("Approve less..."));
	await hands.type(page.getByLabel("Amount to approve"), "60");
	await page.keyboard.press("Enter");
	// More than was asked for.
	await hands.lands(page.getByLabel("Amount to approve"));
	await hands.type(page.getByLabel("Amount to approve"), "40");
	await hands.type(page.getByLabel("Admin Notes (Optional)").first(), "Without the snacks");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await hands.lands(opened("FR-000004"));
	await hands.press(unfold("Ask..."));
	await hands.type(page.getByRole("textbox", { name: "Question" }), "Which van?");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await page.getByText("Question sent").waitFor();
	await hands.lands(opened("FR-000004"));
	await hands.press(unfold("Reject..."));
	await page.keyboard.press("Tab");
	await hands.lands(page.locator("input[name=reason]:checked"));
	await page.keyboard.press("Enter");
	await hands.lands(opened("FR-000003"));
	await hands.press(button(page, "Undo the decision").first());
	await hands.lands(opened("FR-000004"));

	await page.goto("/fund-requests?status=pending");
	await hands.press(page.getByRole("checkbox", { name: "Select all" }), "Space");
	await hands.press(button(page, "Bulk Approve (3)"));
	await hands.lands(inDialog(page, "Cancel"));
	await hands.press(inDialog(page, "Approve 3 requests"));
	await hands.lands(page.locator("tr").filter({ hasText: "FR-000004" }));
	expect(await sql("select status, count(*) as n from fund_requests group by status")).toEqual([
		{ status: "approved", n: 5 },
	]);
});

it("records a fee, imports a statement and pays what is owed", async () => {
	const hands = await enter("ada", false);
	const { page } = hands;
	await goTo(hands, /^Uber Fees/, "/uber-fees");
	await hands.reach(page.getByLabel("Driver", { exact: true }));
	await page.keyboard.type("Dana");
	await hands.reach(page.getByLabel("Fee Category"));
	await page.keyboard.type("Serv");
	await hands.type(page.getByLabel("Amount"), "12.50");
	await page.keyboard.press("Enter");
	await hands.lands(page.locator("tr").filter({ hasText: "$12.50" }).first());
	await hands.press(page.getByRole("button", { name: /^Delete the/ }));
	await hands.lands(inDialog(page, "Cancel"));
	await hands.press(inDialog(page, "Delete"));
	await hands.lands(page.getByRole("heading", { name: "Uber Fees", exact: true }));

	await page.keyboard.press("Tab");
	await hands.press(button(page, "Import a statement"));
	await hands.lands(page.locator("main").filter({ hasText: "Import Uber Fees" }));
	await hands.choose(page.getByLabel("CSV file"), statement);
	await hands.lands(page.getByLabel("CSV file"));
	await hands.press(button(page, "Show preview"));
	await hands.lands(page.locator("main").filter({ hasText: "Uber statement" }));
	await hands.press(button(page, /^Import \d+ fees/));
	await hands.lands(page.locator("tr").filter({ hasText: sample }));

	await goTo(hands, /^Payouts/, "/payouts");
	await hands.press(button(page, /^Gather all/));
	await hands.lands(page.locator("main").filter({ hasText: "Mark as paid" }));
	await hands.type(page.getByLabel("Reference"), "ACH 42");
	await page.keyboard.press("Enter");
	await page.getByText("Payout paid", { exact: true }).waitFor();
	await hands.lands(page.locator("main"));
	await hands.press(button(page, "Undo the payment"));
	await page.getByText("Payout open again").waitFor();
	await hands.lands(page.locator("main"));
	await hands.press(page.getByRole("link", { name: "Cancel payout" }));
	await hands.lands(inDialog(page, "Keep it"));
	await page.keyboard.press("Escape");
	await page.waitForURL((url) => !url.searchParams.has("dialog"));
	await hands.press(button(page, /^Mark .* as paid/));
	await page.getByText("Payout paid", { exact: true }).waitFor();
});

it("downloads a report, changes settings, invites drivers and finds one", async () => {
	const hands = await enter("ada", false);
	const { page } = hands;
	await goTo(hands, /^Reports/, "/reports");
	const generate = () => hands.press(button(page, "Generate Report"));
	expect(await nameOfDownload(page, generate)).toMatch(/^fleet-report-.*\.pdf$/);
	await hands.lands(button(page, "Generate Report"));

	await goTo(hands, /^Settings/, "/settings");
	await hands.type(page.getByLabel("Fleet name"), "North depot");
	await page.keyboard.press("Enter");
	await hands.lands(page.getByRole("heading", { name: "Fleet", exact: true }));
	await hands.press(page.getByLabel("Missing miles"), "Space");
	await hands.press(button(page, "Save reminders"));
	await hands.lands(page.getByRole("heading", { name: "Reminders" }));
	await hands.type(page.getByLabel("Excellent under"), "x");
	await page.keyboard.press("Enter");
	await page.getByText("Enter an amount such as").waitFor();
	await hands.lands(page.getByLabel("Excellent under"));

	await goTo(hands, /^Driver Management/, "/drivers");
	await hands.press(button(page, "Add many"));
	await hands.lands(page.getByLabel("Drivers, one per line"));
	await page.keyboard.type("kim@milepost.test Kim Keys\nnobody");
	await hands.press(inDialog(page, "Invite"));
	await page.getByText("1 invited").waitFor();
	await hands.lands(page.getByLabel("Still to invite"));
	await page.keyboard.press("Escape");
	await page.waitForURL((url) => !url.searchParams.has("dialog"));

	const box = page.getByRole("searchbox", { name: "Find anything" });
	await page.keyboard.press("/");
	await hands.lands(box);
	await page.keyboard.type("a/b");
	expect(await box.inputValue()).toBe("a/b");
	await hands.type(box, "kim");
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "Kim Keys", level: 1 }).waitFor();
	await page.setViewportSize({ width: 360, height: 740 });
	await page.goto("/find");
	await page.keyboard.press("/");
	await hands.lands(box);
});
