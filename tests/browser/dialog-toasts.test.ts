/** The toast of a refused dialog is in the dialog's reach: to read, to close, and to hear. */
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { daysAgo } from "../support/fleet-days.ts";
import { insertLog, logId } from "../support/mileage.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { insertRequest, requestId } from "../support/requests.ts";
import { dialogOn, giveSession, openStage } from "./browser.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
await insertRequest(sql, 1, "dana", { amount_cents: 2000 });
await insertLog(sql, 1, "dana", daysAgo(1), 40);
await insertApproved(sql, 5, "dana", 1000);
const admin = await stage.fleet.as("ada");
const payout = await gather(admin, { all: true });
await admin.call("PUT", `/api/payouts/${payout.id}`, { status: "paid", paidOn: daysAgo(0) });
// Later than the ten minutes in which it is reopened without a reason.
await sql("update payouts set paid_at = paid_at - 900000");

/** What a person sees of the toast, at the middle of each line, and at its Dismiss. */
const seenIn = (page: Page) =>
	page.evaluate(() =>
		[...document.querySelectorAll(".toast > :is(p, summary)")].map((part) => {
			const { left, top, width, height } = part.getBoundingClientRect();
			const onTop = document.elementFromPoint(left + width / 2, top + height / 2);
			return part.contains(onTop) && left >= 0 && left + width <= innerWidth && top >= 0;
		}),
	);

/** Whether assistive technology finds a text. */
async function isAccessible(page: Page, text: string): Promise<boolean> {
	const session = await page.context().newCDPSession(page);
	const { nodes } = await session.send("Accessibility.getFullAXTree");
	return nodes.some(({ ignored, name }) => !ignored && String(name?.value ?? "").includes(text));
}

it.each<[string, fill: (page: Page) => Promise<void>, text: string]>([
	[
		`/fund-requests?status=pending&dialog=approve&id=${requestId(1)}`,
		async (page) => {
			await page.getByLabel("Amount to approve").fill("5");
			await page.getByRole("button", { name: "Approve", exact: true }).click();
		},
		"Failed to update fund request.",
	],
	[
		"/drivers?dialog=add-driver",
		async (page) => {
			await page.getByLabel("Email").fill("dana@milepost.test");
			await page.getByLabel("First Name").fill("A");
			await page.getByLabel("Last Name").fill("B");
			await page.getByRole("button", { name: "Create", exact: true }).click();
		},
		"Failed to create driver. Please try again.",
	],
	[
		`/mileage-reports?dialog=void&id=${logId(1)}`,
		async (page) => {
			await dialogOn(page)
				.locator("form")
				.last()
				.evaluate((form: HTMLFormElement) => {
					form.noValidate = true;
				});
			await dialogOn(page).getByRole("button", { name: /^Void/ }).click();
		},
		"Failed to void the entry.",
	],
	[
		`/payouts/${payout.id}?dialog=reopen`,
		async (page) => {
			await dialogOn(page)
				.getByRole("button", { name: /^Reopen/ })
				.click();
		},
		"Failed to reopen the payout.",
	],
])("says on a phone, above the dialog of %s, what failed", async (path, fill, text) => {
	const page = await stage.visit({ mayRefuse: true });
	await giveSession(page, "admin@milepost.test");
	await page.goto(path);
	await fill(page);
	await page.getByText(text).waitFor();
	await dialogOn(page).waitFor();
	await expect.poll(() => seenIn(page)).toEqual([true, true, true]);
	expect(await isAccessible(page, text)).toBe(true);
	// The invalid field keeps the focus.
	expect(await page.evaluate(() => document.activeElement?.closest("details"))).toBeNull();
	await page.getByLabel("Dismiss").click();
	await expect.poll(() => page.getByText(text).isVisible()).toBe(false);
	expect(await dialogOn(page).isVisible()).toBe(true);
});
