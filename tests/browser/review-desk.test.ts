/**
 * The review desk in a browser: deciding requests in a row with receipts by keyboard alone, the
 * shortcuts and when they are inactive, and enlarging, rotating and paging receipts.
 */
import type { Page } from "@playwright/test";
import { beforeEach, expect, it } from "vitest";
import { fixture } from "../receipts/corpus-file.ts";
import { oneIn, times } from "../support/extent.ts";
import { multipart } from "../support/forms.ts";
import { insertRequest } from "../support/requests.ts";
import { giveSession, openStage, signIn } from "./browser.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
const countOf = async (status: string) =>
	(
		await stage.fleet.sql<{ count: number }>(
			"select count(*) as count from fund_requests where status = ?",
			status,
		)
	)[0]?.count;

/** Uploads a file as its driver, and returns the receipt's id. */
async function sendReceipt(
	bytes: Uint8Array,
	name: string,
	type: string,
	owner: "dana" | "omar" = "dana",
): Promise<string> {
	const driver = await stage.fleet.as(owner);
	const answer = await driver.request("/api/receipts", await multipart({}, { bytes, name, type }));
	const { id } = JSON.parse(answer.text) as { id: string };
	return id;
}

beforeEach(async () => {
	for (const table of ["request_messages", "fund_requests", "mails"])
		await sql(`delete from ${table}`);
});

/** Waits until the request's heading has the focus, its shortcuts work and its receipt is drawn. */
async function isOpen(page: Page, number: string): Promise<void> {
	await page.waitForFunction(
		(text) =>
			document.activeElement?.id === "opened" &&
			document.activeElement.textContent?.startsWith(text) &&
			document.querySelector(".desk dialog") !== null,
		number,
	);
}

/** How many are decided in a row. */
const MANY = times("DESK_REQUESTS", 10, 50);

it(`decides ${MANY} requests with receipts by keyboard alone`, async () => {
	for (let number = 1; number <= MANY; number++) {
		const owner = number % 2 ? "dana" : "omar";
		const receipt = await sendReceipt(fixture("baseline.jpg"), "shell.jpg", "image/jpeg", owner);
		// Different photos, not the same one each time.
		const hash = String(number).padStart(64, "0");
		await sql("update receipts set sha256 = ? where id = ?", hash, receipt);
		await insertRequest(sql, number, owner, { receipt_id: receipt });
	}
	const page = await stage.visit({ phone: false });
	await giveSession(page, "admin@milepost.test");
	await page.goto("/fund-requests?status=pending&order=oldest&open=FR-000001");
	let [keys, loads] = [0, 0];
	page.on("framenavigated", () => {
		loads += 1;
	});
	const press = async (...pressed: string[]) => {
		for (const key of pressed) {
			keys += 1;
			await page.keyboard.press(key);
		}
	};
	const started = performance.now();
	const nameOf = (number: number) => `FR-${String(number).padStart(6, "0")}`;
	for (let number = 1; number <= MANY; number++) {
		await isOpen(page, nameOf(number));
		if (number % 10 === 0) {
			// Selects a preset reason, and Enter sends the form.
			await press("r");
			await press("Space", "Enter");
		} else await press("a");
		await page.waitForURL(
			(url) => url.searchParams.get("changed")?.split(".").at(-1) === String(number),
		);
	}
	const seconds = (performance.now() - started) / 1000;
	expect([await countOf("approved"), await countOf("rejected")]).toEqual([MANY * 0.9, MANY * 0.1]);
	console.log(
		`${MANY} decisions: ${keys} keystrokes, ${loads} page loads, ${(seconds / MANY).toFixed(2)} s each`,
	);
	expect(keys).toBeLessThanOrEqual(MANY * 1.2);
	expect(loads).toBe(MANY);
	// The last decision is undone with a key, and its request stays open.
	await isOpen(page, nameOf(MANY));
	await press("u");
	await page.getByText("Decision undone").or(page.getByText("Decisions undone")).first().waitFor();
	await isOpen(page, nameOf(MANY));
	expect(await countOf("pending")).toBe(1);
});

it("has shortcuts for moving, expanding, help and going back, but not in a field", async () => {
	for (const number of [1, 2, 3])
		await insertRequest(sql, number, "dana", number === 2 ? { amount_cents: 9000 } : {});
	const page = await stage.visit({ phone: false });
	await giveSession(page, "admin@milepost.test");
	await page.goto("/fund-requests?order=oldest&open=1");
	await isOpen(page, "FR-000001");
	await page.keyboard.press("j");
	await isOpen(page, "FR-000002");
	// As with Caps Lock on.
	await page.keyboard.press("K");
	await isOpen(page, "FR-000001");
	await page.keyboard.press("j");
	await isOpen(page, "FR-000002");
	// Without a receipt, approving needs a confirmation. Its button has the focus, another A types and
	// decides nothing, and letters in its field are just text.
	await page.keyboard.press("a");
	const confirm = page.locator("details[open]").getByRole("button", { name: "Approve" });
	await expect.poll(() => confirm.evaluate((each) => each === document.activeElement)).toBe(true);
	await page.keyboard.type("aaa");
	const amount = page.getByLabel("Amount to approve");
	expect(await amount.inputValue()).toBe("90.00");
	await amount.focus();
	await page.keyboard.type("ajkrqu?");
	expect(await amount.inputValue()).toContain("ajkrqu?");
	await page.keyboard.press("Escape");
	await page.keyboard.press("q");
	const question = page.getByLabel("Question", { exact: true }).last();
	await expect
		.poll(() => question.evaluate((field) => field === document.activeElement))
		.toBe(true);
	await page.keyboard.type("Which car?");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await page.getByText("Question sent").waitFor();
	await isOpen(page, "FR-000002");
	// Keys with a modifier belong to the browser.
	await page.keyboard.press("Control+k");
	await page.keyboard.press("Alt+j");
	await page.keyboard.press("Shift+A");
	// The help dialog, where shortcuts can be turned off.
	await page.keyboard.press("?");
	const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
	await help.getByText("Approve", { exact: true }).waitFor();
	await page.keyboard.press("?");
	await help.waitFor({ state: "hidden" });
	await page.keyboard.press("?");
	await help.getByText("Approve", { exact: true }).waitFor();
	await help.getByLabel("Use these shortcuts").uncheck();
	await help.getByRole("button", { name: "Close" }).click();
	await page.keyboard.press("k");
	await page.reload();
	await isOpen(page, "FR-000002");
	await page.keyboard.press("k");
	await page.getByRole("button", { name: "Keyboard shortcuts (off)" }).click();
	await help.getByLabel("Use these shortcuts").check();
	await help.getByRole("button", { name: "Close" }).click();
	expect(new URL(page.url()).searchParams.get("open")).toBe("FR-000002");
	await page.keyboard.press("Escape");
	await page.waitForURL((url) => !url.searchParams.has("open"));
	await page.waitForFunction(() => document.activeElement?.id.startsWith("request-"));
	expect(await countOf("pending")).toBe(3);
});

it("letters typed after Reject was opened decide nothing", async () => {
	await insertRequest(sql, 1, "dana");
	await insertRequest(sql, 2, "dana");
	const page = await stage.visit({ phone: false });
	await giveSession(page, "admin@milepost.test");
	await page.goto("/fund-requests?status=pending&order=oldest&open=FR-000001");
	await isOpen(page, "FR-000001");
	await page.keyboard.press("r");
	const note = page.locator("details[open] textarea");
	await note.waitFor();
	// The focus is on the ready-made reasons, not in the field for one's own words.
	await page.keyboard.type("already paid, ask Jo");
	await note.fill("Already paid");
	await page.getByRole("button", { name: "Reject", exact: true }).click();
	await page.waitForURL((url) => url.searchParams.get("changed") === "1");
	expect([await countOf("rejected"), await countOf("pending")]).toEqual([1, 1]);
});

it("a key pressed while the next request is loading decides neither", async () => {
	await insertRequest(sql, 1, "dana", { receipt_name: "pump.jpg" });
	await insertRequest(sql, 2, "dana", { receipt_name: "pump.jpg" });
	const page = await stage.visit({ phone: false });
	await giveSession(page, "admin@milepost.test");
	await page.goto("/fund-requests?status=pending&order=oldest&open=FR-000001");
	await isOpen(page, "FR-000001");
	let letGo = () => {};
	const held = new Promise<void>((pass) => {
		letGo = pass;
	});
	await page.route(/open=FR-000002/, async (route) => {
		await held;
		await route.continue();
	});
	await page.keyboard.press("j");
	await page.keyboard.press("a");
	letGo();
	await isOpen(page, "FR-000002");
	expect(await countOf("pending")).toBe(2);
	// Here keys work again.
	await page.keyboard.press("a");
	await page.waitForURL((url) => url.searchParams.get("changed") === "2");
	expect([await countOf("approved"), await countOf("pending")]).toEqual([1, 1]);
});

it.each(oneIn(2, [false, true], 1))(
	"opens one form at a time over the page without moving anything, on a phone: %s",
	async (phone) => {
		await insertRequest(sql, 1, "dana", { receipt_name: "pump.jpg" });
		const page = await stage.visit({ phone });
		await giveSession(page, "admin@milepost.test");
		await page.goto("/fund-requests?open=1");
		await page.locator(".desk dialog").waitFor({ state: "attached" });
		const places = () =>
			page.locator(".desk :is(a, button, summary, h2, h3, dt)").evaluateAll((elements) => {
				// Firefox scrolls the page and the desk to what is clicked, and to the field then focused.
				scrollTo(0, 0);
				document.querySelector(".desk")?.scrollTo(0, 0);
				return elements
					.filter(
						(element) => element.checkVisibility() && !element.closest("details > form, dialog"),
					)
					.map((element) => {
						const { left, top } = element.getBoundingClientRect();
						return `${element.textContent} ${Math.round(left)} ${Math.round(top)}`;
					});
			});
		const before = await places();
		for (const words of ["Approve less...", "Reject...", "Ask..."]) {
			await page.locator("summary", { hasText: words }).click();
			const form = page.locator("details[open] > form");
			await form.getByRole("textbox").last().waitFor();
			expect(await form.count()).toBe(1);
			expect(await places(), words).toEqual(before);
			// A phone shows the others again when it is closed.
			if (phone) await page.locator("summary", { hasText: words }).click();
		}
	},
);

it.each(oneIn(3, [820, 1180, 1366]))(
	"keeps the receipt in sight while a form is open and after a decision, %s px wide",
	async (width) => {
		const ids = [
			await sendReceipt(fixture("baseline.jpg"), "shell.jpg", "image/jpeg"),
			await sendReceipt(fixture("baseline.jpg"), "same.jpg", "image/jpeg", "omar"),
			await sendReceipt(fixture("progressive.jpg"), "other.jpg", "image/jpeg"),
		];
		for (const [position, receipt_id] of ids.entries())
			await insertRequest(sql, position + 1, position === 1 ? "omar" : "dana", { receipt_id });
		const page = await stage.visit({ phone: false });
		await page.setViewportSize({ width, height: width === 820 ? 1180 : 768 });
		await giveSession(page, "admin@milepost.test");
		await page.goto("/fund-requests?status=pending&order=oldest&open=FR-000001");
		await isOpen(page, "FR-000001");
		/** What the first of these elements is covered by, at its middle. */
		const covers = (selector: string) =>
			page
				.locator(selector)
				.first()
				.evaluate((element) => {
					const { left, top, width, height } = element.getBoundingClientRect();
					const above = document.elementFromPoint(left + width / 2, top + height / 2);
					return above && element.contains(above) ? "" : (above?.outerHTML.slice(0, 80) ?? "?");
				});
		await page.locator(".receipt-frame img").evaluate((each: HTMLImageElement) => each.decode());
		for (const words of ["Approve $12.50...", "Reject...", "Ask..."]) {
			await page.locator("summary", { hasText: words }).click();
			await page.locator("details[open] > form textarea").waitFor();
			expect(await covers(".receipt-frame"), words).toBe("");
			const [form, frame] = await Promise.all(
				["details[open] > form", ".receipt-frame"].map((each) => page.locator(each).boundingBox()),
			);
			expect(form?.x, words).toBeGreaterThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0));
			expect(frame?.y, words).toBeLessThan(280);
		}
		await page.getByRole("link", { name: "Next request" }).click();
		await isOpen(page, "FR-000002");
		await page.locator("summary", { hasText: "Approve $12.50..." }).click();
		await page.locator("details[open]").getByRole("button", { name: "Approve" }).click();
		await isOpen(page, "FR-000003");
		await page.getByText("Fund request updated successfully").waitFor();
		for (const selector of [
			"nav[aria-label=Requests] a[data-key]",
			".decide > form > button",
			".decide > details > summary",
			".receipt-frame",
		])
			expect(await covers(selector), selector).toBe("");
	},
);

it("asks for a missing receipt with one click", async () => {
	await insertRequest(sql, 1, "dana", { amount_cents: 9000 });
	const page = await stage.visit({ phone: false, javaScript: false });
	await giveSession(page, "admin@milepost.test");
	await page.goto("/fund-requests?open=1");
	await page.getByRole("button", { name: "Ask for the receipt" }).click();
	await page.getByText("Could you add the receipt, please?").first().waitFor();
	expect(await sql("select question, status from fund_requests")).toEqual([
		{ question: "asked", status: "pending" },
	]);
	expect(await page.getByRole("button", { name: "Ask for the receipt" }).count()).toBe(0);
});

it("zooms and rotates an image, and draws the pages of a PDF", async () => {
	const paper = await stage.visit();
	await paper.setContent("<h1>Invoice</h1><p style='break-before:page'>Page two</p>");
	const pdf = await paper.pdf({ width: "400px", height: "600px" });
	const receipts = [
		await sendReceipt(fixture("baseline.jpg"), "shell.jpg", "image/jpeg"),
		await sendReceipt(pdf, "invoice.pdf", "application/pdf"),
	];
	for (const [position, receipt] of receipts.entries())
		await insertRequest(sql, position + 1, "dana", { receipt_id: receipt });
	for (const phone of [false, true]) {
		const page = await stage.visit({ phone });
		await giveSession(page, "admin@milepost.test");
		await page.goto("/fund-requests?open=1");
		const image = page.getByRole("img", { name: "Receipt of FR-000001" });
		const shape = () =>
			image.evaluate((each) => {
				const { width, height } = each.getBoundingClientRect();
				return width > height ? "wide" : "tall";
			});
		await page.getByRole("button", { name: "Rotate" }).waitFor();
		expect(await shape()).toBe("wide");
		await page.getByRole("button", { name: "Rotate" }).click();
		await expect.poll(shape).toBe("tall");
		const before = (await image.boundingBox())?.height ?? 0;
		await page.getByRole("button", { name: "Zoom in" }).click();
		await expect
			.poll(async () => (await image.boundingBox())?.height)
			.toBeGreaterThan(before * 1.4);
		// A button at the end of its range keeps the focus of whoever presses it by key.
		for (const [name, end] of [
			["Zoom in", "400%"],
			["Zoom out", "100%"],
		] as const) {
			const button = page.getByRole("button", { name });
			await button.focus();
			for (let times = 0; times < 5; times++) await page.keyboard.press("Enter");
			await page.getByText(`${end}, turned 90°`).waitFor();
			expect(await button.evaluate((each) => each === document.activeElement), name).toBe(true);
			expect(await button.getAttribute("aria-disabled"), name).toBe("true");
		}
		await page.goto("/fund-requests?open=2");
		const pages = page.getByRole("img", { name: /^Receipt of FR-000002, page \d of 2$/ });
		await expect.poll(() => pages.count()).toBe(2);
		// The canvas isn't empty.
		expect(
			await pages.first().evaluate((canvas: HTMLCanvasElement) => {
				const pixels = canvas
					.getContext("2d")
					?.getImageData(0, 0, canvas.width, canvas.height).data;
				return pixels?.some((value, position) => position % 4 === 0 && value < 100) ?? false;
			}),
		).toBe(true);
	}
});

it("says in plain English how many pages of a PDF it leaves out", async () => {
	const paper = await stage.visit();
	const page = await stage.visit({ phone: false });
	await signIn(page, "admin@milepost.test");
	for (const [position, [count, words]] of (
		[
			[11, "1 more page is in the file. Download it to see it."],
			[12, "2 more pages are in the file. Download it to see them."],
		] as const
	).entries()) {
		await paper.setContent(
			Array.from({ length: count }, () => "<p style='break-after:page'>Page</p>").join(""),
		);
		const pdf = await paper.pdf({ width: "200px", height: "300px" });
		const receipt = await sendReceipt(pdf, "long.pdf", "application/pdf");
		await insertRequest(sql, position + 1, "dana", { receipt_id: receipt });
		await page.goto(`/fund-requests?open=${position + 1}`);
		await page.getByText(words, { exact: true }).waitFor();
	}
});
