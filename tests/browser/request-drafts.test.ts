/** What a phone keeps of a request that is half typed. */
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { readPhoneStorage, untilDrafted, waitUntilPrepared } from "../offline/steps.ts";
import { JPEG } from "../support/request-form.ts";
import { openStage, signIn } from "./browser.ts";

const stage = await openStage();

const at = async (page: Page, path: string) => {
	await page.goto(path);
	await waitUntilPrepared(page);
};
const description = (page: Page) => page.getByLabel("Description");
const type = async (page: Page, words: string) => {
	await description(page).fill(words);
	await untilDrafted(page, words);
};

it("a common request opens by its link without what is half typed, and both are kept", async () => {
	const page = await stage.visit({ mayRefuse: true });
	await signIn(page, "dana@milepost.test");
	await at(page, "/requests");
	await type(page, "Half typed");
	await at(page, "/requests?for=Gas");
	expect(await description(page).inputValue()).toBe("Gas");
	expect(await page.getByLabel("Request Type").inputValue()).toBe("gas");
	await type(page, "Gas on the way home");
	// It stays the form of its link when it comes back with an error.
	await page.getByRole("button", { name: "Submit Request" }).click();
	await page.getByText("Please fill in all required fields").first().waitFor();
	expect(await description(page).inputValue()).toBe("Gas on the way home");
	await at(page, "/requests");
	expect(await description(page).inputValue()).toBe("Half typed");
	await at(page, "/requests?for=Gas");
	expect(await description(page).inputValue()).toBe("Gas on the way home");
	await page.getByLabel("Amount").fill("12.50");
	await page.getByRole("button", { name: "Submit Request" }).click();
	await page.waitForURL(/#request-/);
	await expect.poll(async () => (await readPhoneStorage(page)).drafts.length).toBe(1);
	await page.getByText("Restored what you typed on").waitFor();
	expect(await description(page).inputValue()).toBe("Half typed");
	await at(page, "/requests?for=Gas");
	expect(await description(page).inputValue()).toBe("Gas");
});

it("a form that is restored says that its photo has to be chosen again", async () => {
	const page = await stage.visit();
	await signIn(page, "omar@milepost.test");
	await at(page, "/requests");
	const photo = page.locator("input[type=file]").first();
	const choose = () =>
		photo.setInputFiles({
			name: "pump.jpg",
			mimeType: "image/jpeg",
			buffer: Buffer.from(JPEG.bytes),
		});
	await choose();
	await type(page, "With a photo");
	const note = page.getByText("The photo or file isn't kept: choose it again.");
	await at(page, "/requests");
	await page.getByText("Restored what you typed on").waitFor();
	expect(await note.count()).toBe(1);
	await choose();
	await expect.poll(() => note.count()).toBe(0);
	expect(await page.getByText("Restored what you typed on").count()).toBe(1);
});
