/**
 * Uber Fee Management, whose totals follow every change. Everything shown is compared with the
 * rows, in plain arithmetic, with and without JavaScript, and once by keyboard alone.
 */
import type { Locator, Page } from "@playwright/test";
import { beforeAll, describe, expect, it } from "vitest";
import { CAST, idOf } from "../support/cast.ts";
import { scripts } from "../support/extent.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo, describeDate, describePeriod } from "../support/fleet-days.ts";
import { money, monthsBack } from "../support/moving-clock.ts";
import { dialogOn, giveSession, openStage, signIn, turnPage } from "./browser.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
const today = daysAgo(0);
const CATEGORIES = ["commission", "service_fee", "booking_fee", "other"];
const words = (category: string) => category.replace("_", " ");

beforeAll(async () => {
	// Two pages of fees on either side of the start of This Month, and a deleted one that doesn't
	// count.
	const month = monthsBack(today, 1);
	const days = [
		month,
		monthsBack(month, 12),
		...Array.from({ length: 28 }, (_, each) => daysAgo(2 + 2 * each)),
	];
	for (const [position, day] of days.entries())
		await insertFee(sql, position + 1, position % 2 === 0 ? "dana" : "omar", day, {
			category: CATEGORIES[position % 4] ?? "",
			amount_cents: 1_000_00 + 7_31 * position,
			reference_number: position % 3 === 0 ? null : `UB-2026-${position}`,
			description: position % 5 === 0 ? "As on the statement" : null,
		});
	await insertFee(sql, 90, "dana", today, {
		amount_cents: 9_999_99,
		deleted_at: 1,
		deleted_by: idOf("ada"),
	});
});

type FeeRow = {
	id: string;
	charged_on: string;
	created_at: number;
	driver_id: string;
	category: string;
	amount_cents: number;
	reference_number: string | null;
	description: string | null;
};
/** The current fees, latest date first, and within a date the last added first. */
const feeRows = async () => {
	const rows = await stage.fleet.sql<FeeRow>("select * from uber_fees where deleted_at is null");
	const order = (row: FeeRow) =>
		`${row.charged_on} ${String(row.created_at).padStart(15)} ${row.id}`;
	return rows.sort((one, other) => (order(one) < order(other) ? 1 : -1));
};
const total = (rows: readonly FeeRow[]) =>
	money(rows.reduce((cents, row) => cents + row.amount_cents, 0));

/** What the screen must show: the figures, the breakdown and the rows of a page. */
async function booksOf(pageNumber = 0) {
	const rows = await feeRows();
	const month = monthsBack(today, 1);
	return {
		figures: [
			["Total Uber Fees", total(rows), "All time"],
			[
				"This Month",
				total(rows.filter(({ charged_on: day }) => day >= month && day <= today)),
				describePeriod(month, today),
			],
		],
		breakdown: CATEGORIES.map((category) => {
			const those = rows.filter((row) => row.category === category);
			return [words(category), String(those.length), total(those)];
		}),
		lines: rows.slice(25 * pageNumber, 25 * pageNumber + 25).map((row) => {
			const person = Object.values(CAST).find(
				(_, position) => row.driver_id === idOf(Object.keys(CAST)[position] as keyof typeof CAST),
			);
			const driver =
				person && "driverNumber" in person
					? `${person.firstName} ${person.lastName}Driver DRV-000${person.driverNumber}`
					: "";
			const what = words(row.category) + (row.description ?? "");
			return [
				describeDate(row.charged_on),
				driver,
				what,
				money(row.amount_cents),
				row.reference_number ?? "-",
			];
		}),
	};
}

const cellsOf = (table: Locator) =>
	table
		.locator("tbody tr")
		.evaluateAll((rows) =>
			rows.map((row) =>
				[...row.querySelectorAll("th, td")].map(({ textContent }) => textContent ?? ""),
			),
		);
async function booksOn(page: Page) {
	await page.waitForLoadState();
	return {
		figures: await page
			.locator("main dl > div")
			.evaluateAll((cards) =>
				cards.map((card) =>
					[...card.querySelectorAll("dt, dd span")].map(({ textContent }) => textContent),
				),
			),
		breakdown: await cellsOf(page.getByRole("table", { name: "Fee Breakdown by Category" })),
		lines: (await cellsOf(page.getByRole("table", { name: "Uber fees" }))).map((cells) =>
			cells.slice(0, 5),
		),
	};
}

const FIELDS = ["Driver", "Fee Category", "Amount", "Date", "Reference Number", "Description"];
async function typedIn(page: Page) {
	await page.waitForLoadState();
	return Promise.all(FIELDS.map((label) => page.getByLabel(label, { exact: true }).inputValue()));
}
const add = (page: Page) => page.getByRole("button", { name: "Add Uber Fee" }).click();

describe.each(scripts("with JavaScript"))("%s", (_, javaScript) => {
	it("adds, replaces and deletes a fee, and updates every total", async () => {
		const page = await stage.visit({ javaScript, phone: false, mayRefuse: true });
		await signIn(page, "admin@milepost.test");
		await page
			.getByRole("navigation", { name: "Main" })
			.getByRole("link", { name: "Uber Fees" })
			.click();
		await page.getByRole("heading", { name: "Uber Fee Management" }).waitFor();
		const before = await booksOn(page);
		expect(before).toEqual(await booksOf());

		const reference = `UB-${javaScript}`;
		await page.getByLabel("Driver", { exact: true }).selectOption("Dana Driver (DRV-0001)");
		await page.getByLabel("Fee Category").selectOption("service fee");
		await page.getByLabel("Date", { exact: true }).fill(daysAgo(1));
		await page.getByLabel("Reference Number").fill(reference);
		await page.getByLabel("Description").fill("Week 46, north");
		for (const [wrong, says] of [
			["12.5055", "Enter an amount such as 12.50, with up to two decimals"],
			["1,250", "An amount such as 1,250 is ambiguous. Enter 1250.00 or 1.25"],
			["100000.01", "The amount must be more than 0 and no more than 100,000.00"],
			["", "Please fill in all required fields"],
		] as const) {
			await page.getByLabel("Amount").fill(wrong);
			await add(page);
			await page.locator("#problems").getByText(says, { exact: true }).waitFor();
			expect(await typedIn(page)).toEqual([
				idOf("dana"),
				"service_fee",
				wrong,
				daysAgo(1),
				reference,
				"Week 46, north",
			]);
			expect(
				await page
					.locator("[aria-invalid=true]")
					.evaluateAll((fields) => fields.map(({ id }) => id)),
			).toEqual(["amount"]);
			const isFocused = () =>
				page.getByLabel("Amount").evaluate((field) => field === document.activeElement);
			if (javaScript) await expect.poll(isFocused).toBe(true);
		}
		expect(await booksOn(page)).toEqual(before);

		await page.getByLabel("Amount").fill("12,50");
		await add(page);
		await page.getByText("Uber fee added successfully", { exact: true }).waitFor();
		const added = await booksOn(page);
		expect(added).toEqual(await booksOf());
		expect(added.lines[0]).toEqual([
			describeDate(daysAgo(1)),
			"Dana DriverDriver DRV-0001",
			"service feeWeek 46, north",
			"$12.50",
			reference,
		]);
		const entries = ({ breakdown }: typeof before) => breakdown.map(([, count]) => Number(count));
		expect(entries(added)).toEqual(
			entries(before).map((count, position) => count + (position === 1 ? 1 : 0)),
		);
		expect(await typedIn(page)).toEqual(["", "", "", today, "", ""]);

		// Editing deletes and re-adds the fee in one step; the first attempt is abandoned.
		const row = page.getByRole("row").filter({ hasText: reference });
		for (const [ends, says] of [
			["Keep old fee", ""],
			["Add Uber Fee", "Uber fee added successfully. The previous one was deleted."],
		] as const) {
			await row
				.getByRole("button", { name: /^Edit the service fee fee of \$12\.50, Dana Driver/ })
				.click();
			const dialog = dialogOn(page, "Edit Uber Fee", javaScript);
			await dialog
				.getByText("Editing is not implemented yet. Please delete and re-add this fee.")
				.waitFor();
			await dialog.getByRole("link", { name: "Delete and re-add" }).click();
			await page.getByText("You're re-adding a fee.").waitFor();
			expect(await typedIn(page)).toEqual([
				idOf("dana"),
				"service_fee",
				"12.50",
				daysAgo(1),
				reference,
				"Week 46, north",
			]);
			await page.getByLabel("Fee Category").selectOption("other");
			await page.getByLabel("Amount").fill("20");
			await page
				.getByRole("button", { name: ends })
				.or(page.getByRole("link", { name: ends }))
				.click();
			await page.waitForURL((url) => url.search === "");
			if (says) await page.getByText(says, { exact: true }).waitFor();
			else expect(await booksOn(page)).toEqual(added);
		}
		const fixed = await booksOn(page);
		expect(fixed).toEqual(await booksOf());
		expect(fixed.lines[0]?.slice(2)).toEqual(["otherWeek 46, north", "$20.00", reference]);
		expect(entries(fixed)).toEqual(
			entries(before).map((count, position) => count + (position === 3 ? 1 : 0)),
		);

		const dialog = dialogOn(page, "Delete Uber Fee", javaScript);
		for (const answer of ["Cancel", "Delete"]) {
			await row.getByRole("button", { name: /^Delete/ }).click();
			await dialog
				.getByText("Are you sure you want to delete this other fee of $20.00?", { exact: true })
				.waitFor();
			await dialog.getByRole("button", { name: answer }).click();
			await page.waitForURL((url) => url.search === "");
			if (answer === "Cancel") expect(await booksOn(page)).toEqual(fixed);
		}
		await page.getByText("Uber fee deleted successfully", { exact: true }).waitFor();
		expect(await booksOn(page)).toEqual(before);
		expect(await booksOf()).toEqual(before);

		// Deletes a fee on the second page, and returns to it.
		await turnPage(page, "Next page");
		expect(await booksOn(page)).toEqual(await booksOf(1));
		const url = page.url();
		const lost = (await booksOf(1)).lines.at(-1)?.[3];
		await page
			.getByRole("button", { name: /^Delete/ })
			.last()
			.click();
		await dialog.getByRole("button", { name: "Delete" }).click();
		await page.getByText("Uber fee deleted successfully", { exact: true }).waitFor();
		expect(page.url()).toBe(url);
		const left = await booksOn(page);
		expect(left).toEqual(await booksOf(1));
		expect(left.figures[0]).not.toEqual(before.figures[0]);

		await page
			.getByRole("navigation", { name: "Main" })
			.getByRole("link", { name: "Audit" })
			.click();
		await page.getByLabel("Event", { exact: true }).selectOption("Uber fee deleted");
		await page.getByRole("button", { name: "Apply" }).click();
		const [last, earlier, replaced] = [0, 1, 2].map((position) =>
			page.locator("tbody tr").nth(position),
		);
		await last?.getByText(`Amount: ${lost}`).waitFor();
		await earlier?.getByText("Amount: $20.00").waitFor();
		await replaced?.getByText("Reason: Replaced").waitFor();
		await replaced?.getByText("Ada Admin deleted an Uber fee for Dana Driver (DRV-0001)").waitFor();
	});
});

it("works by keyboard alone", async () => {
	const page = await stage.visit({ phone: false });
	const { keyboard } = page;
	await giveSession(page, "admin@milepost.test");
	await page.goto("/uber-fees");
	const isFocused = (target: Locator) =>
		target.evaluate((element) => element === document.activeElement);
	/** Why the focus can't be seen; empty if it can. */
	const focusFault = () =>
		page.evaluate(() => {
			const element = document.activeElement;
			if (!element || element === document.body) return "";
			const { left, right, top, bottom } = element.getBoundingClientRect();
			const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
			const { outlineStyle, outlineWidth } = getComputedStyle(element);
			// The calendar button inside a date field, and its focus ring, are the browser's own.
			const isDateButton = element.matches("input[type=date]:focus-within:not(:focus-visible)");
			const isMarked =
				isDateButton ||
				(element.matches(":focus-visible") &&
					outlineStyle === "solid" &&
					Number.parseFloat(outlineWidth) >= 2);
			return `${isMarked ? "" : "unmarked "}${over && (element.contains(over) || over.contains(element)) ? "" : "covered "}`;
		});
	/**
	 * Presses Tab until the target has the focus, and checks that the focus is visible at every stop.
	 */
	const tabTo = async (target: Locator) => {
		for (let presses = 0; presses < 60; presses++) {
			await keyboard.press("Tab");
			const stop = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
			expect(await focusFault(), stop).toBe("");
			if (await isFocused(target)) return;
		}
		throw new Error(`Tab does not reach ${target}`);
	};

	await tabTo(page.getByRole("link", { name: "Skip to content" }));
	await keyboard.press("Enter");
	await tabTo(page.getByLabel("Driver", { exact: true }));
	await keyboard.press("d");
	await tabTo(page.getByLabel("Fee Category"));
	await keyboard.press("b");
	await tabTo(page.getByLabel("Amount"));
	await keyboard.type("31.25");
	await tabTo(page.getByLabel("Reference Number"));
	await keyboard.type("UB-KEYS");
	await tabTo(page.getByRole("button", { name: "Add Uber Fee" }));
	await keyboard.press("Space");
	await page.getByText("Uber fee added successfully", { exact: true }).waitFor();
	const row = page.getByRole("row").filter({ hasText: "UB-KEYS" });
	await expect
		.poll(() => row.textContent())
		.toMatch(/Dana DriverDriver DRV-0001booking fee\$31\.25UB-KEYS/);
	// The new row has the focus, and gets it back from the dialog.
	await expect.poll(() => isFocused(row)).toBe(true);
	const startUrl = page.url();
	const dialog = dialogOn(page, "Delete Uber Fee");
	const hasFocus = () => dialog.evaluate((element) => element.contains(document.activeElement));
	for (const leave of ["Escape", "Cancel"]) {
		await tabTo(row.getByRole("button", { name: /^Delete/ }));
		await keyboard.press("Enter");
		await expect.poll(hasFocus).toBe(true);
		for (let presses = 0; presses < 6; presses++) {
			await keyboard.press("Tab");
			const isOutside = (element: Element) =>
				document.activeElement !== document.body && !element.contains(document.activeElement);
			expect(await dialog.evaluate(isOutside)).toBe(false);
		}
		if (leave === "Cancel") await tabTo(dialog.getByRole("button", { name: "Cancel" }));
		await keyboard.press(leave === "Cancel" ? "Enter" : leave);
		await page.waitForURL((url) => url.href.replace("?#", "#") === startUrl);
		await expect.poll(() => isFocused(row)).toBe(true);
	}
	await tabTo(row.getByRole("button", { name: /^Delete/ }));
	await keyboard.press("Enter");
	await expect.poll(hasFocus).toBe(true);
	await tabTo(dialog.getByRole("button", { name: "Delete" }));
	await keyboard.press("Space");
	await page.getByText("Uber fee deleted successfully", { exact: true }).waitFor();
	await expect.poll(() => page.getByRole("row").filter({ hasText: "UB-KEYS" }).count()).toBe(0);
	expect(await booksOn(page)).toEqual(await booksOf());
	// After the row is gone, Tab continues at the list once the browser has moved there.
	await page.evaluate(
		() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
	);
	await keyboard.press("Tab");
	expect(await isFocused(page.getByRole("button", { name: "Import a statement" }))).toBe(true);
});
