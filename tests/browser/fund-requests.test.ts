/**
 * Fund Request Management in a browser: live counts and modal dialogs with JavaScript, and plain
 * forms for the same jobs without it.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { oneIn } from "../support/extent.ts";
import { insertReceipt, insertRequest, requestId } from "../support/requests.ts";
import { dialogOn, giveSession, openStage, signIn } from "./browser.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
const statuses = async () =>
	(
		await stage.fleet.sql<{ status: string }>("select status from fund_requests order by number")
	).map(({ status }) => status);

beforeEach(async () => {
	await sql("delete from fund_requests");
	await sql("delete from receipts");
	for (const number of [1, 2, 3]) await insertRequest(sql, number, "dana");
	await insertRequest(sql, 4, "omar", { status: "withdrawn", withdrawn_at: 1 });
});

describe("with JavaScript", () => {
	it("asks for the reason as soon as the amount is lowered", async () => {
		const page = await stage.visit({ phone: false });
		await giveSession(page, "admin@milepost.test");
		await page.goto(`/fund-requests?dialog=approve&id=${requestId(1)}`);
		const amount = page.getByLabel("Amount to approve");
		const note = dialogOn(page).locator("textarea");
		const says = () =>
			note.evaluate((field: HTMLTextAreaElement) => [
				field.labels[0]?.textContent,
				document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent,
				field.ariaRequired,
			]);
		const optional = ["Admin Notes (Optional)", "The driver will see this note.", null];
		const reason = [
			"Reason for Approving Less",
			"Required. The driver will see this note.",
			"true",
		];
		await note.waitFor();
		expect(await says()).toEqual(optional);
		for (const [typed, expected] of [
			["12.49", reason],
			["12,49", reason],
			["$5", reason],
			["", optional],
			["12.50", optional],
			["20", optional],
			["0.01", reason],
		] as const) {
			await amount.fill(typed);
			expect(await says(), typed).toEqual(expected);
		}
	});

	it("counts the selected rows, selects all with one checkbox, and approves them", async () => {
		const page = await stage.visit({ phone: false });
		await giveSession(page, "admin@milepost.test");
		await page.goto("/fund-requests?type=gas");
		const button = page.getByRole("button", { name: /^Bulk Approve/ });
		const all = page.getByRole("checkbox", { name: "Select all" });
		await expect.poll(() => page.getByRole("link", { name: "Select all" }).count()).toBe(0);
		await expect
			.poll(() => Promise.all([button.textContent(), button.isDisabled()]))
			.toEqual(["Bulk Approve (0)", true]);
		await page.getByRole("checkbox", { name: "Select FR-000001" }).check();
		await expect
			.poll(() => Promise.all([button.textContent(), button.isDisabled()]))
			.toEqual(["Bulk Approve (1)", false]);
		expect(await all.evaluate((box: HTMLInputElement) => [box.checked, box.indeterminate])).toEqual(
			[false, true],
		);
		await all.check();
		await expect.poll(() => button.textContent()).toBe("Bulk Approve (3)");
		await all.uncheck();
		await expect
			.poll(() => Promise.all([button.textContent(), button.isDisabled()]))
			.toEqual(["Bulk Approve (0)", true]);
		await page.getByRole("checkbox", { name: "Select FR-000001" }).check();
		await page.getByRole("checkbox", { name: "Select FR-000002" }).check();
		await page.getByRole("checkbox", { name: "Select FR-000003" }).check();
		await expect.poll(() => all.isChecked()).toBe(true);
		await page.getByRole("checkbox", { name: "Select FR-000002" }).uncheck();
		await button.click();
		const dialog = dialogOn(page, "Approve 2 requests?");
		await dialog.getByText("Total $25.00").waitFor();
		// Escape changes nothing, including the selection and the focus.
		await page.keyboard.press("Escape");
		await dialog.waitFor({ state: "detached" });
		await expect
			.poll(() =>
				Promise.all([
					button.textContent(),
					button.evaluate((each) => each === document.activeElement),
				]),
			)
			.toEqual(["Bulk Approve (2)", true]);
		expect(await statuses()).toEqual(["pending", "pending", "pending", "withdrawn"]);
		await button.click();
		await dialog.getByRole("button", { name: "Approve 2 requests" }).click();
		await page.getByText("Fund request updated successfully", { exact: true }).waitFor();
		await page.getByText("2 requests approved, $25.00 in total.").waitFor();
		expect(new URL(page.url()).search).toBe("?type=gas&changed=1.3");
		expect(await statuses()).toEqual(["approved", "pending", "approved", "withdrawn"]);
		await expect.poll(() => button.textContent()).toBe("Bulk Approve (0)");
	});

	it("counts rows that are already selected when the page loads, or is returned to", async () => {
		const page = await stage.visit();
		await giveSession(page, "admin@milepost.test");
		await page.goto("/fund-requests?select=all");
		const button = page.getByRole("button", { name: /^Bulk Approve/ });
		await expect.poll(() => button.textContent()).toBe("Bulk Approve (3)");
		await page.getByRole("checkbox", { name: "Select FR-000002" }).uncheck();
		await page.getByRole("link", { name: "FR-000001", exact: true }).click();
		await page.getByRole("heading", { name: /^FR-000001/ }).waitFor();
		await page.goBack();
		await page.getByRole("heading", { name: /^FR-000001/ }).waitFor({ state: "detached" });
		// The browser restores the selection at some point.
		const ticked = page.locator("input[name=ids]:checked");
		const isCounted = async () =>
			(await button.textContent()) === `Bulk Approve (${await ticked.count()})`;
		await expect.poll(isCounted).toBe(true);
	});

	it("decides in a modal dialog that traps focus; Escape returns to the row and the filters", async () => {
		const page = await stage.visit({ phone: false });
		await giveSession(page, "admin@milepost.test");
		await page.goto("/fund-requests?type=gas&order=oldest");
		await page.getByRole("button", { name: "Approve FR-000002" }).click();
		const dialog = dialogOn(page, "Approve Request");
		expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
		for (let presses = 0; presses < 6; presses++) {
			await page.keyboard.press("Tab");
			const isOutside = await dialog.evaluate((element) => {
				const { activeElement } = document;
				return (
					activeElement !== null &&
					activeElement !== document.body &&
					!element.contains(activeElement)
				);
			});
			expect(isOutside).toBe(false);
		}
		await page.keyboard.press("Escape");
		await dialog.waitFor({ state: "detached" });
		expect(page.url().replace(stage.fleet.origin, "")).toBe(
			`/fund-requests?type=gas&order=oldest#request-${requestId(2)}`,
		);
		await page.waitForFunction(
			(id) => document.activeElement?.id === id,
			`request-${requestId(2)}`,
		);
		await page.getByRole("button", { name: "Approve FR-000002" }).click();
		await dialog.getByLabel("Admin Notes (Optional)").fill("Fine");
		await dialog.getByRole("button", { name: "Approve" }).click();
		await page.getByText("Fund request updated successfully").waitFor();
		expect(page.url()).toContain(`?type=gas&order=oldest&changed=2#request-${requestId(2)}`);
		expect(await statuses()).toEqual(["pending", "approved", "pending", "withdrawn"]);
	});

	it("offers to undo a decision", async () => {
		const page = await stage.visit({ phone: false });
		await giveSession(page, "admin@milepost.test");
		await page.goto(`/fund-requests?dialog=reject&id=${requestId(1)}`);
		await page.getByRole("button", { name: "Reject", exact: true }).click();
		await page.getByRole("button", { name: "Undo the decision on FR-000001" }).click();
		await page.getByText("Decision undone").waitFor();
		expect((await statuses())[0]).toBe("pending");
	});
});

/** Inserts forty pending requests, two of them flagged, so that the list scrolls. */
async function fillList(): Promise<void> {
	for (let number = 5; number <= 44; number++)
		await insertRequest(
			sql,
			number,
			"omar",
			number === 30 ? { amount_cents: 9000 } : number === 31 ? { is_possible_duplicate: 1 } : {},
		);
}
const SIZES = [360, 768, 1024, 1280];

describe.each([
	["with JavaScript", true],
	["without JavaScript", false],
])("a long list of pending requests %s", (_, javaScript) => {
	it.each(oneIn(4, SIZES, 2 + Number(javaScript)))(
		"asks about flagged rows, and keeps the bar and Undo reachable, at %i px",
		async (width) => {
			await fillList();
			const page = await stage.visit({ javaScript, phone: width < 640 });
			await page.setViewportSize({ width, height: 800 });
			await giveSession(page, "admin@milepost.test");
			await page.goto("/fund-requests?status=pending&order=oldest");
			const button = page.getByRole("button", { name: /^Bulk Approve/ });
			for (const number of [30, 31, 32])
				await page.getByRole("checkbox", { name: `Select FR-0000${number}` }).check();
			// The bar is visible together with the last selected row.
			const isInReach = (element: Element) => {
				const { left, right, top, bottom } = element.getBoundingClientRect();
				return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
			};
			expect(await button.evaluate(isInReach)).toBe(true);
			expect(await page.evaluate(() => scrollY)).toBeGreaterThan(500);
			await button.click();
			const dialog = dialogOn(page, "Approve 3 requests?", javaScript);
			await dialog.getByText("Total $115.00").waitFor();
			await dialog.getByRole("heading", { name: "Check these 2 first" }).waitFor();
			await dialog.getByText("FR-000030").waitFor();
			await dialog.getByText("No receipt").waitFor();
			await dialog.getByText("Possible duplicate").waitFor();
			await dialog.getByRole("button", { name: "Approve 3 requests" }).click();
			await page.getByText("3 requests approved, $115.00 in total.").waitFor();
			// Their rows stay in place and visible, each with Undo.
			const row = page.locator(`#request-${requestId(30)}`);
			await row.getByText("Processed").waitFor();
			await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
			await expect
				.poll(() =>
					row.getByRole("button", { name: "Undo the decision on FR-000030" }).evaluate(isInReach),
				)
				.toBe(true);
			if (javaScript)
				await page.waitForFunction(
					(id) => document.activeElement?.id === id,
					`request-${requestId(30)}`,
				);
			await row.getByRole("button", { name: "Undo the decision on FR-000030" }).click();
			await page.getByText("Decision undone").waitFor();
			await page.getByRole("button", { name: "Undo the decision on FR-000031" }).waitFor();
			expect(
				(await statuses())
					.map((status, position) => (status === "approved" ? position + 1 : 0))
					.filter(Boolean),
			).toEqual([31, 32]);
		},
	);

	it("undoes a whole bulk approval from the toast", async () => {
		const page = await stage.visit({ javaScript });
		await giveSession(page, "admin@milepost.test");
		await page.goto("/fund-requests?status=pending&select=all");
		await page.getByRole("button", { name: /^Bulk Approve/ }).click();
		await page.getByRole("button", { name: "Approve 3 requests" }).click();
		await page.getByRole("button", { name: "Undo the 3 decisions" }).click();
		await page.getByText("3 requests are pending again.").waitFor();
		expect(await statuses()).toEqual(["pending", "pending", "pending", "withdrawn"]);
	});
});

describe("without JavaScript", () => {
	it("selects all with a link and approves the selection", async () => {
		const page = await stage.visit({ javaScript: false, mayRefuse: true });
		await giveSession(page, "admin@milepost.test");
		await page.goto("/fund-requests");
		await expect
			.poll(() => page.getByRole("checkbox", { name: "Select all" }).isVisible())
			.toBe(false);
		const button = page.getByRole("button", { name: /^Bulk Approve/ });
		await button.click();
		await page.getByText("Please select requests to approve").waitFor();
		await page.getByRole("link", { name: "Select all" }).click();
		await page.getByRole("link", { name: "Select none" }).waitFor();
		await page.waitForLoadState();
		await expect.poll(() => page.locator("input[name=ids]:checked").count()).toBe(3);
		await page.getByRole("checkbox", { name: "Select FR-000003" }).uncheck();
		await button.click();
		await page.getByRole("button", { name: "Approve 2 requests" }).click();
		await page.getByText("Fund request updated successfully", { exact: true }).waitFor();
		await page.getByText("2 requests approved, $25.00 in total.").waitFor();
		expect(await statuses()).toEqual(["approved", "approved", "pending", "withdrawn"]);
	});

	it("filters, decides in the open dialog, undoes it, and reads the history", async () => {
		const page = await stage.visit({ javaScript: false, phone: false });
		await signIn(page, "admin@milepost.test");
		await page
			.getByRole("navigation", { name: "Main" })
			.getByRole("link", { name: "Fund Requests", exact: true })
			.click();
		await page.getByLabel("Status").selectOption("pending");
		await page.getByLabel("Order").selectOption("Oldest first");
		await page.getByRole("button", { name: "Apply" }).click();
		await page.getByText("1–3 of 3 requests · $37.50").waitFor();
		await page.getByRole("button", { name: "Reject FR-000001" }).click();
		const dialog = page.getByRole("dialog", { name: "Reject Request" });
		await dialog.getByLabel("Admin Notes (Optional)").fill("Twice");
		await dialog.getByRole("button", { name: "Reject" }).click();
		await page.getByText("Fund request updated successfully").waitFor();
		await page.getByText("1–2 of 2 requests · $25.00").waitFor();
		await page.goto("/fund-requests?status=rejected");
		await page.getByRole("button", { name: "Undo the decision on FR-000001" }).click();
		await page.getByText("Decision undone").waitFor();
		await page.goto("/fund-requests");
		await page.getByRole("link", { name: "FR-000001", exact: true }).click();
		await page.getByText("Note: Twice").first().waitFor();
		await page.getByRole("link", { name: "Back to list" }).click();
		await page.waitForURL(/#request-/);
		expect((await statuses())[0]).toBe("pending");
	});
});

describe("the table", () => {
	it("fits a phone and a desktop", async () => {
		const receipt = await insertReceipt(sql, 1, "lena");
		await insertRequest(sql, 5, "lena", {
			receipt_id: receipt,
			amount_cents: 10_000_000,
			is_possible_duplicate: 1,
		});
		await insertRequest(sql, 6, "lena", {
			amount_cents: 9000,
			receipt_name: `${"long-name".repeat(20)}.jpg`,
		});
		const page = await stage.visit();
		await signIn(page, "admin@milepost.test");
		for (const query of ["", `?dialog=approve&id=${requestId(5)}`]) {
			await page.goto(`/fund-requests${query}`);
			for (const width of [360, 1280]) {
				await page.setViewportSize({ width, height: 740 });
				const [wide, room] = await page.evaluate(() => [
					document.documentElement.scrollWidth,
					document.documentElement.clientWidth,
				]);
				expect(wide, `${query} at ${width}`).toBeLessThanOrEqual(room ?? 0);
				const isCut = await page
					.locator("table")
					.evaluate(({ parentElement: box }) => box === null || box.scrollWidth > box.clientWidth);
				expect(isCut, `the table at ${width}`).toBe(false);
			}
		}
	});
});
