/**
 * PDFs at the review desk: a receipt is shown whole, or a sentence says that it can't be; and no
 * file can make the desk stop answering (docs/security.md, 'Receipts').
 */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fixture } from "../receipts/corpus-file.ts";
import {
	HOSTILE_PDFS,
	halfLostPdf,
	picturePdf,
	receiptPdf,
	softMaskPdf,
} from "../receipts/drawn-pdfs.ts";
import { multipart } from "../support/forms.ts";
import { insertRequest } from "../support/requests.ts";
import { awake, giveSession, openStage } from "./browser.ts";

const stage = await openStage();
const SENTENCE = "This PDF can't be shown here. Download it instead.";

beforeEach(async () => {
	for (const table of ["request_messages", "fund_requests", "mails", "receipts"])
		await stage.fleet.sql(`delete from ${table}`);
});

/** The desk with a request whose receipt is this PDF, before anything of it is drawn. */
async function openDesk(
	pdf: Uint8Array,
	prepare?: (page: Page) => Promise<unknown>,
): Promise<Page> {
	const driver = await stage.fleet.as("dana");
	const sent = await driver.request(
		"/api/receipts",
		await multipart({}, { bytes: pdf, name: "pump.pdf", type: "application/pdf" }),
	);
	const { id } = JSON.parse(sent.text) as { id: string };
	await insertRequest((query, ...values) => stage.fleet.sql(query, ...values), 1, "dana", {
		receipt_id: id,
	});
	const page = await stage.visit({ phone: false });
	await giveSession(page, "admin@milepost.test");
	await prepare?.(page);
	await page.goto("/fund-requests?status=pending&open=FR-000001");
	return page;
}

const pagesOf = (page: Page) => page.locator('[data-island="receipt-pages"] canvas');

/** The colors in a row of places on the first page, each in tenths of its width and height. */
async function colorsAt(page: Page, places: readonly (readonly [number, number])[]) {
	await expect.poll(() => pagesOf(page).count()).toBeGreaterThan(0);
	return pagesOf(page)
		.first()
		.evaluate((canvas: HTMLCanvasElement, spots) => {
			const { width, height } = canvas;
			const pixels = canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
			return spots.map(([x, y]) => {
				const at = 4 * (Math.round((height * y) / 10) * width + Math.round((width * x) / 10));
				return [...pixels.slice(at, at + 3)];
			});
		}, places);
}

describe("a receipt that can be shown", () => {
	it("has text in a font that isn't in the file", async () => {
		const page = await openDesk(receiptPdf());
		await pagesOf(page).waitFor();
		const { red, black } = await pagesOf(page).evaluate((canvas: HTMLCanvasElement) => {
			const { width, height } = canvas;
			const { data } = canvas.getContext("2d")?.getImageData(0, 0, width, height) ?? { data: [] };
			const found = { red: 0, black: 0 };
			for (let at = 0; at < data.length; at += 4) {
				const color = [data[at], data[at + 1], data[at + 2]].join();
				if (color === "204,26,26") found.red += 1;
				if (color === "0,0,0") found.black += 1;
			}
			return { red: found.red / (width * height), black: found.black };
		});
		// The rectangle is a twelfth of the page; the text is some of its pixels.
		expect(red).toBeCloseTo(1 / 12, 2);
		expect(black).toBeGreaterThan(100);
		expect(await page.getByText(SENTENCE).count()).toBe(0);
	});

	it("has a picture in JPEG 2000, whose colors are right", async () => {
		const page = await openDesk(picturePdf("JPXDecode", fixture("quarters.jp2"), 64, 48));
		const colors = await colorsAt(page, [
			[3, 3],
			[7, 3],
			[3, 6],
			[7, 6],
		]);
		for (const [index, expected] of [
			[200, 30, 30],
			[30, 160, 40],
			[30, 40, 200],
			[20, 20, 20],
		].entries())
			for (const [channel, value] of expected.entries())
				expect(Math.abs((colors[index]?.[channel] ?? 0) - value)).toBeLessThan(25);
	});

	it("has a soft mask", async () => {
		const page = await openDesk(softMaskPdf());
		expect(
			await colorsAt(page, [
				[5, 2],
				[5, 8],
			]),
		).toEqual([
			[255, 0, 0],
			[255, 255, 255],
		]);
	});
});

describe("a receipt that can't be shown whole", () => {
	it.each([
		["a part is missing on its second page", halfLostPdf()],
		[
			"its picture is broken",
			picturePdf("JPXDecode", fixture("quarters.jp2").subarray(0, 90), 64, 48),
		],
		[
			"its picture is of an unknown kind",
			picturePdf("SecretDecode", fixture("quarters.jp2"), 64, 48),
		],
		["it isn't one", readFileSync("public/icon-192.png").subarray(0, 0)],
	])("isn't shown at all, because %s, and a sentence says so", async (_, pdf) => {
		const page = await openDesk(pdf.length > 0 ? pdf : receiptPdf(), async (desk) => {
			// As if the store had lost its contents.
			if (pdf.length === 0)
				await desk.route("/api/receipts/*", (route) => route.fulfill({ body: "nothing" }));
		});
		await page.getByText(SENTENCE, { exact: true }).waitFor();
		expect(await pagesOf(page).count()).toBe(0);
		// The link beside it says what it downloads, as words of their own.
		expect(await page.getByRole("link", { name: "Download pump.pdf" }).innerText()).toBe(
			"Download pump.pdf",
		);
	});
});

describe("a hostile PDF", () => {
	const figures: string[] = [];
	afterEach(() => console.log(figures.splice(0).join("\n")));

	/** Megabytes that the browser's processes hold together. */
	async function heldMegabytes(page: Page): Promise<number> {
		const session = await page.context().browser()?.newBrowserCDPSession();
		const info = await session?.send("SystemInfo.getProcessInfo");
		await session?.detach();
		return Math.round(
			(info?.processInfo ?? [])
				.map(({ id }) => {
					try {
						const rows = readFileSync(`/proc/${id}/status`, "utf8");
						return Number(/RssAnon:\s+(\d+)/.exec(rows)?.[1] ?? 0) / 1024;
					} catch {
						return 0;
					}
				})
				.reduce((sum, each) => sum + each, 0),
		);
	}

	it.each(Object.entries(HOSTILE_PDFS))("made of %s costs the desk nothing", async (what, make) => {
		const pdf = make();
		const page = await openDesk(pdf, (desk) =>
			desk.addInitScript(() => {
				// The longest time in which the page answered nothing, once it is there.
				let last = 0;
				const page = window as unknown as { longest: number };
				setInterval(() => {
					if (last > 0) page.longest = Math.max(page.longest, performance.now() - last);
					last = performance.now();
				}, 10);
				addEventListener("load", () => {
					page.longest = 0;
				});
			}),
		);
		await page.getByText("Opening the PDF...").or(page.getByText(SENTENCE)).waitFor();
		await awake(page, "review-keys");
		const started = performance.now();
		let most = 0;
		const said = page.getByText(SENTENCE, { exact: true }).waitFor();
		let isSaid = false;
		void said.then(() => {
			isSaid = true;
		});
		while (!isSaid) {
			most = Math.max(most, await heldMegabytes(page));
			// The desk answers meanwhile: a key opens a form, another closes it.
			await page.locator("summary", { hasText: "Reject..." }).click();
			await page.locator("details[open] textarea").waitFor();
			await page.keyboard.press("Escape");
			await page.locator("details[open] textarea").waitFor({ state: "hidden" });
		}
		const seconds = (performance.now() - started) / 1000;
		expect(await pagesOf(page).count()).toBe(0);
		// What drew it is gone, and so is what it held.
		await expect.poll(() => page.workers().length).toBe(0);
		await expect.poll(() => heldMegabytes(page), { timeout: 60_000 }).toBeLessThan(700);
		const longest = Math.round(
			await page.evaluate(() => (window as unknown as { longest: number }).longest),
		);
		figures.push(
			`${what}, ${(pdf.length / 1024).toFixed(0)} KB: the sentence after ${seconds.toFixed(1)} s, the page's longest silence ${longest} ms, ${most} MB at most, ${await heldMegabytes(page)} MB afterwards`,
		);
		// On a busy machine the page waits its turn, but never for the file.
		expect(longest).toBeLessThan(2000);
		// It is decided as any other.
		await page.locator("summary", { hasText: "Reject..." }).click();
		await page.locator("details[open] textarea").fill("Unreadable");
		await page.getByRole("button", { name: "Reject", exact: true }).click();
		await page.waitForURL((url) => url.searchParams.get("changed") === "1");
	});
});
