/**
 * Fund requests in a real browser: with a photo, a PDF or nothing, a refused file, and a receipt
 * added later. With and without JavaScript.
 */
import type { Locator, Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { PDF } from "../receipts/other-files.ts";
import { scripts } from "../support/extent.ts";
import { dialogOn, openStage, signIn } from "./browser.ts";

const stage = await openStage();

const pdf = { name: "invoice.pdf", mimeType: "application/pdf", buffer: Buffer.from(PDF) };
const svg = {
	name: "logo.png",
	mimeType: "image/png",
	buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
};

/** A photo like a phone's: large and detailed everywhere. A browser creates it once. */
async function photo(width: number, height: number) {
	const context = await stage.browser.newContext();
	const page = await context.newPage();
	const base64 = await page.evaluate(
		async ([across, down]) => {
			const canvas = document.createElement("canvas");
			canvas.width = across;
			canvas.height = down;
			const drawing = canvas.getContext("2d");
			if (!drawing) throw new Error("no canvas");
			const pixels = drawing.createImageData(across, down);
			let seed = 1;
			for (let at = 0; at < pixels.data.length; at += 4) {
				seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
				const noise = seed % 60;
				pixels.data[at] = ((at / 4) % across) / 20 + noise;
				pixels.data[at + 1] = at / 4 / across / 20 + noise;
				pixels.data[at + 2] = 90 + noise;
				pixels.data[at + 3] = 255;
			}
			drawing.putImageData(pixels, 0, 0);
			return canvas.toDataURL("image/jpeg", 0.98).replace(/^.*,/, "");
		},
		[width, height] as const,
	);
	await context.close();
	return {
		name: "pump.jpg",
		mimeType: "image/jpeg",
		buffer: Buffer.from(base64, "base64"),
	};
}
const small = await photo(300, 200);

async function open(page: Page, email: string) {
	await signIn(page, email);
	await page
		.getByRole("navigation", { name: "Main" })
		.getByRole("link", { name: "Fund Requests" })
		.click();
	await page.getByRole("heading", { name: "Submit New Fund Request" }).waitFor();
}
async function fill(page: Page, description: string) {
	await page.getByLabel("Request Type").selectOption({ label: "Gas/Fuel" });
	await page.getByLabel("Amount").fill("45,50");
	await page.getByLabel("Description").fill(description);
}
const rowOf = (page: Page, description: string) =>
	page.getByRole("listitem").filter({ hasText: description });
/** Whether the driver sees it without scrolling. */
const isInView = (part: Locator) =>
	part.evaluate((element) => {
		const { left, top, width, height } = element.getBoundingClientRect();
		return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
	});
/** Opens the row if it is closed. */
async function openRow(page: Page, description: string) {
	const row = rowOf(page, description);
	if ((await row.locator("details").first().getAttribute("open")) === null)
		await row.locator("summary").first().click();
	return row;
}
const submit = (page: Page) => page.getByRole("button", { name: "Submit Request" }).click();
const storedOf = async (description: string) =>
	(
		await stage.fleet.sql<{
			receipt_id: string | null;
			byte_size: number | null;
			media_type: string;
			file_name: string;
		}>(
			"select receipt_id, byte_size, media_type, file_name from fund_requests left join receipts on receipts.id = receipt_id where description = ?",
			description,
		)
	)[0];

describe.each(scripts("with JavaScript"))("%s", (_, javaScript) => {
	const mark = javaScript ? "with a script" : "plain";

	it("submits with a photo, with a PDF and without a file", async () => {
		const page = await stage.visit({ javaScript });
		await open(page, "dana@milepost.test");
		for (const [what, file] of [
			["photo", small],
			["document", pdf],
			["nothing", undefined],
		] as const) {
			const description = `A ${what}, ${mark}`;
			await fill(page, description);
			// It is there before it says anything, or a screen reader wouldn't announce it.
			if (javaScript)
				await expect
					.poll(() => page.locator("#new-request [data-receipt]").getByRole("status").count())
					.toBe(1);
			if (file) await page.getByLabel("Receipt", { exact: true }).setInputFiles(file);
			if (file && javaScript)
				await page
					.getByRole("status")
					.filter({ hasText: `Receipt selected: ${file.name}` })
					.waitFor();
			await submit(page);
			await page.getByText("Fund request submitted successfully").waitFor();
			const row = await openRow(page, description);
			await expect.poll(() => row.getByText("$45.50", { exact: true }).count()).toBe(1);
			await expect.poll(() => row.getByText("Pending", { exact: true }).count()).toBe(1);
			await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("");
			if (!file) continue;
			const link = row.getByRole("link", { name: file.name });
			const answer = await page.request.get((await link.getAttribute("href")) ?? "");
			expect(answer.status()).toBe(200);
			expect((await answer.body()).length).toBe((await storedOf(description))?.byte_size);
		}
	});

	it("saves a request whose file is refused, and accepts the receipt later", async () => {
		const page = await stage.visit({ javaScript });
		await open(page, "omar@milepost.test");
		const description = `Refused at first, ${mark}`;
		await fill(page, description);
		await page.getByLabel("Receipt", { exact: true }).setInputFiles(svg);
		await page.setViewportSize({ width: 360, height: 640 });
		await submit(page);
		await page.getByText("Request saved, but the receipt wasn't.").waitFor();
		await page.getByText("SVG files aren't accepted.").waitFor();
		expect(await isInView(page.getByText("SVG files aren't accepted."))).toBe(true);
		const row = await openRow(page, description);
		await row.getByText("Add receipt").click();
		await row.getByLabel(/^Receipt for FR-/).setInputFiles(small);
		await row.getByRole("button", { name: "Send receipt" }).click();
		await page.getByText("Receipt added").waitFor();
		await openRow(page, description);
		await row.getByRole("link", { name: "pump.jpg" }).waitFor();
	});

	it("keeps the file of a refused form", async () => {
		const page = await stage.visit({ javaScript, mayRefuse: true });
		await open(page, "lena@milepost.test");
		const description = `Forgot the amount, ${mark}`;
		await fill(page, description);
		await page.getByLabel("Amount").fill("");
		await page.getByLabel("Receipt", { exact: true }).setInputFiles(pdf);
		await submit(page);
		await page
			.getByRole("alert")
			.filter({ hasText: "Please fill in all required fields" })
			.last()
			.waitFor();
		await expect.poll(() => page.getByText("Receipt selected: invoice.pdf").count()).toBe(1);
		await page.getByLabel("Amount").fill("7");
		await submit(page);
		await page.getByText("Fund request submitted successfully").waitFor();
		expect(await storedOf(description)).toMatchObject({ file_name: "invoice.pdf" });
	});

	it("withdraws a request and corrects another", async () => {
		const page = await stage.visit({ javaScript });
		await open(page, `lena@milepost.test`);
		for (const description of [`To be withdrawn, ${mark}`, `To be corrected, ${mark}`]) {
			await fill(page, description);
			await submit(page);
			await page.getByText("Fund request submitted successfully").waitFor();
		}
		const corrected = await openRow(page, `To be corrected, ${mark}`);
		await corrected.getByRole("link", { name: /^Correct/ }).click();
		await page.getByText("You're correcting a pending request.").waitFor();
		await page.getByLabel("Amount").fill("46");
		await submit(page);
		await page.getByText("Fund request corrected.").waitFor();
		const unwanted = await openRow(page, `To be withdrawn, ${mark}`);
		const correct = await unwanted.getByRole("link", { name: /^Correct/ }).getAttribute("href");
		await unwanted.getByRole("link", { name: /^Withdraw/ }).click();
		await dialogOn(page, undefined, javaScript)
			.getByRole("button", { name: "Withdraw request" })
			.click();
		await page.getByText("It won't be reviewed.").waitFor();
		await rowOf(page, `To be withdrawn, ${mark}`).getByText("Withdrawn", { exact: true }).waitFor();
		// An older page still has the link: what it leads to says why, where the page opens.
		await page.setViewportSize({ width: 360, height: 640 });
		await page.goto(`${correct}`);
		const notice = page.getByText("If you corrected it, the new one is under Recent Requests.");
		await notice.waitFor();
		expect(await isInView(notice)).toBe(true);
	});
});

it("opens a common request in a tab of its own, and leaves the form as it is", async () => {
	const page = await stage.visit({ phone: false });
	await signIn(page, "dana@milepost.test");
	await page.goto("/requests");
	await page.locator("html[data-scripted]").waitFor({ state: "attached" });
	const [tab] = await Promise.all([
		page.context().waitForEvent("page"),
		page
			.locator("[data-common-requests]")
			.getByRole("link", { name: "Gas" })
			.click({ modifiers: ["ControlOrMeta"] }),
	]);
	await tab.waitForURL(/\/requests\?for=Gas/);
	expect(await page.getByLabel("Description").inputValue()).toBe("");
});

describe("the picker", () => {
	const chosen = (page: Page) =>
		page.getByLabel("Receipt", { exact: true }).evaluate(async (input: HTMLInputElement) => {
			const file = input.files?.[0];
			if (!file) return undefined;
			const picture = file.type.startsWith("image/") ? await createImageBitmap(file) : undefined;
			return {
				name: file.name,
				type: file.type,
				size: file.size,
				width: picture?.width,
				height: picture?.height,
			};
		});

	/** Waits until what is chosen has fewer bytes than that. */
	const untilSmaller = (page: Page, bytes: number) =>
		page.waitForFunction(
			(most) =>
				((document.querySelector("#receipt") as HTMLInputElement).files?.[0]?.size ?? 9e9) < most,
			bytes,
		);

	it("keeps a long slip wide enough to be read", async () => {
		const slip = await photo(1080, 8000);
		const page = await stage.visit();
		await open(page, "dana@milepost.test");
		await page.getByLabel("Receipt", { exact: true }).setInputFiles(slip);
		await untilSmaller(page, 1_500_000);
		expect((await chosen(page))?.width).toBeGreaterThan(600);
	});

	it("previews a large photo and sends it with less than 1 MB", async () => {
		const large = await photo(4000, 3000);
		expect(large.buffer.length).toBeGreaterThan(4_000_000);
		const page = await stage.visit();
		await open(page, "dana@milepost.test");
		await fill(page, "A large photo");
		await page.getByLabel("Receipt", { exact: true }).setInputFiles(large);
		await untilSmaller(page, 1_000_000);
		const file = await chosen(page);
		expect(file).toMatchObject({ name: "pump.jpg", type: "image/jpeg" });
		expect(Math.max(file?.width ?? 0, file?.height ?? 0)).toBeLessThanOrEqual(2000);
		expect((file?.width ?? 0) / (file?.height ?? 1)).toBeCloseTo(4 / 3, 2);
		await page.locator("form#new-request img").waitFor();
		expect(
			await page
				.locator("form#new-request img")
				.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
		).toBe(file?.width);
		await submit(page);
		await page.getByText("Fund request submitted successfully").waitFor();
		const stored = await storedOf("A large photo");
		console.log(
			`a photo of ${large.buffer.length} bytes is sent as ${file?.size} and stored as ${stored?.byte_size}`,
		);
		expect(stored?.byte_size).toBeLessThan(1_000_000);
	});

	it("sends a small photo and a PDF unchanged, and continues after an invalid image", async () => {
		const page = await stage.visit();
		await open(page, "dana@milepost.test");
		const field = page.getByLabel("Receipt", { exact: true });
		const broken = {
			name: "broken.jpg",
			mimeType: "image/jpeg",
			buffer: Buffer.alloc(2_000_000, 1),
		};
		for (const file of [small, pdf, broken]) {
			await field.setInputFiles(file);
			await page.getByText(`Receipt selected: ${file.name}`).waitFor();
			await page.waitForTimeout(300);
			expect(
				await field.evaluate((input: HTMLInputElement) => [
					input.files?.[0]?.name,
					input.files?.[0]?.size,
				]),
			).toEqual([file.name, file.buffer.length]);
		}
		await field.setInputFiles([]);
		await page.getByText("Receipt selected:").waitFor({ state: "hidden" });
	});

	it("shows a photo where the buttons were, so that nothing moves", async () => {
		const page = await stage.visit();
		await open(page, "dana@milepost.test");
		const button = page.getByRole("button", { name: "Submit Request" });
		const before = await button.boundingBox();
		await page.getByLabel("Receipt", { exact: true }).setInputFiles(small);
		await page.locator("#new-request img").waitFor();
		await page.getByText("Change", { exact: true }).waitFor();
		expect(await button.boundingBox()).toEqual(before);
	});

	it("finds a file that was chosen before the script came", async () => {
		const page = await stage.visit();
		await open(page, "dana@milepost.test");
		let wake: () => void = () => undefined;
		const isAsked = new Promise<void>((resolve) => {
			wake = resolve;
		});
		await page.route(/entry\.client/, async (route) => {
			await isAsked;
			await route.continue();
		});
		await page.reload({ waitUntil: "commit" });
		await page.getByLabel("Receipt", { exact: true }).setInputFiles(pdf);
		await expect.poll(() => page.getByText("Receipt selected:").count()).toBe(0);
		wake();
		await page.getByText("Receipt selected: invoice.pdf").waitFor();
		expect(await chosen(page)).toMatchObject({ name: "invoice.pdf", size: pdf.buffer.length });
	});

	it("isn't needed to send the request", async () => {
		const page = await stage.visit({ mayRefuse: true });
		await open(page, "omar@milepost.test");
		await page.route(/entry\.client/, (route) => route.fulfill({ status: 404, body: "" }));
		await page.reload();
		await fill(page, "Without the script");
		await page.getByLabel("Receipt", { exact: true }).setInputFiles(small);
		await submit(page);
		await page.getByText("Fund request submitted successfully").waitFor();
		expect((await storedOf("Without the script"))?.receipt_id).not.toBeNull();
	});
});
