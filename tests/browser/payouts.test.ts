/**
 * Payday in a real browser, with and without JavaScript: creating a payout, paying it, undoing the
 * payment, and seeing it as a driver.
 */
import { beforeEach, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { oneIn, scripts } from "../support/extent.ts";
import { deletePayouts, insertApproved } from "../support/payouts.ts";
import { dialogOn, giveSession, openStage } from "./browser.ts";

const stage = await openStage();
const run = stage.fleet.sql.bind(stage.fleet);

beforeEach(async () => {
	await deletePayouts(run);
	await insertApproved(run, 1, "dana", 12_50);
	await insertApproved(run, 2, "dana", 7_25);
	await insertApproved(run, 3, "omar", 30_00);
});

it.each(
	oneIn(2, [
		["with JavaScript, on a desktop", { javaScript: true }],
		["without JavaScript, on a phone", { javaScript: false, phone: true }],
	] as const),
)("an administrator pays everyone, %s", async (_, options) => {
	const page = await stage.visit(options);
	await giveSession(page, "admin@milepost.test");
	await page.goto("/payouts");
	await page.getByRole("button", { name: "Create payout of $49.75" }).click();
	await page.getByRole("heading", { name: "PO-000001", level: 1 }).waitFor();
	await page.getByText("Dana Driver DRV-0001").waitFor();
	await page.getByLabel("Reference").fill("ACH 42");
	await page.getByRole("button", { name: "Mark $49.75 as paid" }).click();
	await page.getByText("Payout paid", { exact: true }).waitFor();
	await page.getByRole("button", { name: "Undo the payment" }).click();
	await page.getByText("Payout reopened").waitFor();
	await page.getByRole("button", { name: "Mark $49.75 as paid" }).click();
	await page.getByText("Payout paid", { exact: true }).waitFor();
	const driver = await stage.visit(options);
	await giveSession(driver, "dana@milepost.test");
	await driver.goto("/requests");
	await expect.poll(() => driver.getByText(/^Paid \w+ \d+ · PO-000001$/).count()).toBe(2);
	await driver.goto("/history");
	await expect.poll(() => driver.getByText(/Paid \w+ \d+ · PO-000001/).count()).toBe(2);
});

it.each(scripts("without JavaScript"))(
	"an administrator pays some of a driver's requests and cancels the payout, %s",
	async (_, javaScript) => {
		const page = await stage.visit({ javaScript });
		await giveSession(page, "admin@milepost.test");
		await page.goto(`/payouts?choose=${idOf("dana")}`);
		await page.getByRole("checkbox", { name: "Select FR-000002" }).check();
		await page.getByRole("button", { name: "Create payout" }).click();
		await page.getByRole("heading", { name: "PO-000001", level: 1 }).waitFor();
		await page.getByText("$7.25").first().waitFor();
		await page.getByRole("link", { name: "Cancel payout" }).click();
		const dialog = dialogOn(page, undefined, javaScript);
		await dialog.getByRole("button", { name: "Cancel payout" }).click();
		await page.getByText("Payout canceled", { exact: true }).waitFor();
		await page.goto("/payouts");
		await page.getByRole("button", { name: "Create payout of $49.75" }).waitFor();
	},
);
