/**
 * Driver Management in a browser: the dialogs for adding people, with and without JavaScript
 * (docs/product.md §2).
 */
import { expect, it } from "vitest";
import { oneIn } from "../support/extent.ts";
import { dialogOn, giveSession, openStage } from "./browser.ts";

const stage = await openStage();

it("has its three buttons side by side on a phone, above a list that shows", async () => {
	const page = await stage.visit();
	await page.setViewportSize({ width: 360, height: 640 });
	await giveSession(page, "admin@milepost.test");
	await page.goto("/drivers");
	const tops = await page
		.getByRole("button", { name: /^(Add Driver|Add many|Create Admin)$/ })
		.evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
	expect(tops).toHaveLength(3);
	expect(new Set(tops).size).toBe(1);
	const person = await page.getByRole("link", { name: "Nora Newcomer" }).boundingBox();
	expect(person?.y).toBeLessThan(540);
});

it("keeps Create disabled until all three are filled, and Cancel enabled", async () => {
	const page = await stage.visit();
	await giveSession(page, "admin@milepost.test");
	await page.goto("/drivers");
	await page.getByRole("button", { name: "Add Driver" }).click();
	const dialog = dialogOn(page, "Add Driver");
	const create = dialog.getByRole("button", { name: "Create" });
	await expect.poll(() => create.isDisabled()).toBe(true);
	await expect.poll(() => dialog.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(false);
	await dialog.getByLabel("Email").fill("by.hand@milepost.test");
	await dialog.getByLabel("First Name").fill("By");
	await expect.poll(() => create.isDisabled()).toBe(true);
	await dialog.getByLabel("Last Name").fill("Hand");
	await expect.poll(() => create.isDisabled()).toBe(false);
	await dialog.getByRole("button", { name: "Cancel" }).click();
	await page.waitForURL(/\/drivers\??$/);
	await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
	expect(
		await stage.fleet.sql("select 1 from users where email = 'by.hand@milepost.test'"),
	).toHaveLength(0);
});

it.each(["Escape", "Cancel"])("goes on at the page's main part after %s", async (way) => {
	const page = await stage.visit({ phone: false });
	await giveSession(page, "admin@milepost.test");
	await page.goto("/drivers?dialog=add-driver");
	const dialog = dialogOn(page, "Add Driver");
	await dialog.waitFor();
	await (way === "Escape"
		? page.keyboard.press("Escape")
		: dialog.getByRole("button", { name: "Cancel" }).press("Enter"));
	await page.waitForURL(/\/drivers\??$/);
	await expect
		.poll(() => page.locator("main").evaluate((main) => main === document.activeElement))
		.toBe(true);
});

it.each(oneIn(2, [true, false], 1))(
	"adds a driver, and deletes one after a confirmation (JavaScript: %s)",
	async (javaScript) => {
		const page = await stage.visit({ javaScript });
		const email = `added-${javaScript}@milepost.test`;
		await giveSession(page, "admin@milepost.test");
		await page.goto("/drivers");
		await page.getByRole("button", { name: "Add Driver" }).click();
		const dialog = dialogOn(page, "Add Driver", javaScript);
		await dialog.getByLabel("Email").fill(email);
		await dialog.getByLabel("First Name").fill("Addie");
		await dialog.getByLabel("Last Name").fill(`Added${javaScript}`);
		await dialog.getByRole("button", { name: "Create" }).click();
		await page.getByText("New driver has been successfully created and approved").waitFor();
		const row = page.getByRole("row").filter({ hasText: email });
		await row.getByRole("button", { name: /^Delete/ }).click();
		await page
			.getByText(
				`Are you sure you want to delete Addie Added${javaScript}? This action will deactivate the driver and cannot be undone.`,
				{ exact: true },
			)
			.waitFor();
		await dialogOn(page, /Delete/, javaScript)
			.getByRole("button", { name: "Delete" })
			.click();
		await page.getByText(`Addie Added${javaScript} has been deactivated.`).waitFor();
		await page
			.getByRole("row")
			.filter({ hasText: email })
			.getByRole("button", { name: /^Activate/ })
			.waitFor();
	},
);
