/**
 * How many taps and keys a driver's two daily jobs take, counted on a phone. A tap is a finger on the
 * screen; a key is a character typed. The camera's own taps are the phone's.
 */
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { openStage, signIn } from "./browser.ts";

const stage = await openStage();
const photo = readFileSync("tests/fixtures/receipts/baseline.jpg");

/** A thumb that counts. */
class Thumb {
	taps = 0;
	keys = 0;
	constructor(readonly page: Page) {}
	async tap(target: Locator): Promise<void> {
		this.taps += 1;
		await target.tap();
	}
	async type(text: string): Promise<void> {
		this.keys += text.length;
		await this.page.keyboard.type(text);
	}
	get count() {
		return { taps: this.taps, keys: this.keys };
	}
}

/** A driver's phone, on the dashboard. */
async function openPhone(email: string, javaScript: boolean): Promise<Thumb> {
	const context = await stage.browser.newContext({
		baseURL: stage.fleet.origin,
		viewport: { width: 360, height: 740 },
		hasTouch: true,
		isMobile: true,
		javaScriptEnabled: javaScript,
		reducedMotion: "reduce",
		serviceWorkers: "block",
	});
	const page = await context.newPage();
	await signIn(page, email);
	await page.getByRole("heading", { name: "Driver Dashboard" }).waitFor();
	return new Thumb(page);
}

const HOW = [
	["with JavaScript", true],
	["without JavaScript", false],
] as const;

describe.each(HOW)("%s", (_, javaScript) => {
	it("a day is logged from the dashboard in 2 taps and 5 keys", async () => {
		const thumb = await openPhone("dana@milepost.test", javaScript);
		const { page } = thumb;
		await thumb.tap(page.getByRole("main").getByRole("link", { name: "Log Mileage" }));
		await page.locator("#endOdometer:focus").waitFor();
		expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
		expect(await page.evaluate("scrollY")).toBe(0);
		const start = Number(await page.getByLabel("Starting Odometer").inputValue());
		await thumb.type(String(start + 75));
		if (javaScript)
			await page.getByRole("status", { name: "Calculated Miles" }).getByText("75").waitFor();
		await thumb.tap(page.getByRole("button", { name: "Log Mileage" }));
		await page.getByText("Mileage log created successfully").waitFor();
		expect(thumb.count).toEqual({ taps: 2, keys: 5 });
		await page.context().close();
	});

	it("fuel is requested with its receipt in 5 taps, 5 keys and a photo", async () => {
		const thumb = await openPhone(
			javaScript ? "omar@milepost.test" : "lena@milepost.test",
			javaScript,
		);
		const { page } = thumb;
		await thumb.tap(page.getByRole("link", { name: "Submit New Fund Request" }));
		await thumb.tap(
			page.getByRole("navigation", { name: "Common requests" }).getByRole("link", { name: "Gas" }),
		);
		await expect.poll(() => page.getByLabel("Request Type").inputValue()).toBe("gas");
		await thumb.tap(page.getByLabel("Amount"));
		await thumb.type("45.50");
		const chooser = page.waitForEvent("filechooser");
		await thumb.tap(page.getByLabel("Take photo"));
		const chosen = await chooser;
		expect(await chosen.element().getAttribute("capture")).toBe("environment");
		await chosen.setFiles({ name: "pump.jpg", mimeType: "image/jpeg", buffer: photo });
		await thumb.tap(page.getByRole("button", { name: "Submit Request" }));
		await page.getByText("Fund request submitted successfully").waitFor();
		expect(thumb.count).toEqual({ taps: 5, keys: 5 });
		expect(
			await stage.fleet.sql(
				"select type, amount_cents, description, file_name from fund_requests join receipts on receipts.id = receipt_id order by number desc limit 1",
			),
		).toEqual([{ type: "gas", amount_cents: 4550, description: "Gas", file_name: "pump.jpg" }]);
		await page.context().close();
	});
});
