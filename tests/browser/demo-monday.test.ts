/**
 * README's Monday in the demo fleet: from its statement of last week to money in the drivers' hands,
 * with every tap and key counted.
 */
import type { Locator, Page } from "@playwright/test";
import { expect, it } from "vitest";
import { dateIn } from "../../app/values/calendar-date.ts";
import { weekAgo } from "../../tools/demo-cast.ts";
import { demoStatement } from "../../tools/demo-statement.ts";
import { CAST, idOf, ZONE } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { openStage, type Stage, signIn, type VisitOptions } from "./browser.ts";

const WEEK = weekAgo({ today: dateIn(ZONE, currentTime()) }, 1);
const { name, text } = demoStatement(WEEK);
const DRIVERS = 8;

/** What one person taps and types. */
function counted(page: Page) {
	const count = { taps: 0, keys: 0 };
	return {
		count,
		tap: async (target: Locator) => {
			count.taps += 1;
			await target.click();
		},
		press: async (key: string) => {
			count.keys += 1;
			await page.keyboard.press(key);
		},
	};
}

/** Signs in and opens the page where statements are imported. */
async function openImports(stage: Stage, options: VisitOptions) {
	const page = await stage.visit(options);
	await signIn(page, CAST.ada.email);
	await page.goto("/uber-fees/import");
	return { page, ...counted(page) };
}
type Monday = Awaited<ReturnType<typeof openImports>>;

async function importAndDraft({ page, tap, count }: Monday): Promise<void> {
	// The file in the dialog.
	count.taps += 1;
	await page
		.getByLabel("CSV file")
		.setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
	await tap(page.getByRole("button", { name: "Show preview" }));
	await page
		.getByText(/add up in \d+ of \d+ rows/)
		.first()
		.waitFor();
	await tap(page.getByRole("button", { name: /^Import / }));
	await page.getByText(/\d+ Uber fees imported successfully/).waitFor();
	await tap(page.getByRole("link", { name: "Settlements for this week" }).first());
	await tap(page.getByRole("button", { name: "Make drafts" }));
	await page.getByText(`${DRIVERS} drafts to check.`).waitFor();
}

async function publishAndPay({ page, tap }: Monday, javaScript: boolean): Promise<void> {
	await tap(page.getByRole(javaScript ? "checkbox" : "link", { name: "Select all" }));
	await tap(page.getByRole("button", { name: `Publish (${DRIVERS})` }));
	await page.getByText("Published", { exact: true }).first().waitFor();
	await tap(page.getByRole("link", { name: "Go to payouts" }));
	await tap(page.getByRole("button", { name: /^Create payout of \$/ }));
	await tap(page.getByRole("button", { name: /^Mark \$[\d,.]+ as paid$/ }));
	await page.getByText("Payout paid", { exact: true }).waitFor();
}

/** Every sum of the week is paid, and a driver sees theirs. */
async function isPaid({ fleet, visit }: Stage, options: VisitOptions): Promise<void> {
	const settled = await fleet.sql<{ driver: string; status: string; cents: number }>(
		"select driver_id as driver, status, result_cents as cents from settlements where week_from = ?",
		WEEK.from,
	);
	expect(settled.length).toBe(DRIVERS);
	expect(settled.map(({ status }) => status)).toEqual(settled.map(() => "paid"));
	const own = settled.find(({ driver }) => driver === idOf("omar"));
	const page = await visit({ ...options, phone: true });
	await signIn(page, CAST.omar.email);
	await page.goto("/earnings");
	const week = page.getByRole("region", { name: "Settled weeks" }).getByRole("listitem").first();
	const shown = await week.innerText();
	expect(shown).toContain(`$${((own?.cents ?? 0) / 100).toFixed(2)}`);
	expect(shown).toMatch(/Paid \w+ \d+ · PO-000005/);
}

const desktop = await openStage({ seed: "demo" });
const phone = await openStage({ seed: "demo" });

it("takes 10 taps and 9 keys on a desktop, with every driver's week looked at", async () => {
	const monday = await openImports(desktop, { phone: false });
	const { page, press, count } = monday;
	await importAndDraft(monday);
	const seen = new Set<string>();
	await page.getByRole("button", { name: "Keyboard shortcuts" }).waitFor();
	await press("j");
	for (let driver = 1; driver <= DRIVERS; driver++) {
		await page.waitForFunction(
			(paths) =>
				location.pathname.startsWith("/settlements/") && !paths.includes(location.pathname),
			[...seen],
		);
		await page.getByRole("button", { name: "Keyboard shortcuts" }).waitFor();
		seen.add(new URL(page.url()).pathname);
		if (driver < DRIVERS) await press("j");
	}
	await press("Escape");
	await page.waitForURL(/\/settlements\?week=/);
	await publishAndPay(monday, true);
	console.log(`Demo's Monday: ${count.taps} taps, ${count.keys} keys`);
	expect(count).toEqual({ taps: 10, keys: 9 });
	await isPaid(desktop, {});
});

it("takes 10 taps on a phone without JavaScript", async () => {
	const options = { phone: true, javaScript: false };
	const monday = await openImports(phone, options);
	await importAndDraft(monday);
	await publishAndPay(monday, false);
	expect(monday.count).toEqual({ taps: 10, keys: 0 });
	await isPaid(phone, options);
});
