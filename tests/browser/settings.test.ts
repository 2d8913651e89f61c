/**
 * An administrator turns a reminder on for the fleet, and a driver turns it off for themselves,
 * with and without JavaScript.
 */
import { describe, expect, it } from "vitest";
import { scripts } from "../support/extent.ts";
import { giveSession, openStage, signIn } from "./browser.ts";

const stage = await openStage();

describe.each(scripts("with JavaScript"))("reminders %s", (_, javaScript) => {
	it("can be turned on for the fleet, and off by a driver for themselves", async () => {
		await stage.fleet.sql("delete from settings");
		await stage.fleet.sql("update users set remind_of_miles = null");
		const admin = await stage.visit({ javaScript, phone: false });
		await signIn(admin, "admin@milepost.test");
		await admin.getByRole("link", { name: "Settings" }).first().click();
		await admin.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
		expect(await admin.getByLabel("Missing miles").isChecked()).toBe(false);
		await admin.getByLabel("Missing miles").check();
		await admin.getByRole("button", { name: "Save reminders" }).click();
		await admin.getByText("Settings saved").waitFor();
		expect(await admin.getByLabel("Missing miles").isChecked()).toBe(true);
		expect(await admin.getByLabel("Weekly digest").isChecked()).toBe(true);

		const driver = await stage.visit({ javaScript });
		await signIn(driver, "dana@milepost.test");
		await driver.getByRole("link", { name: "Dana Driver" }).click();
		await driver.getByRole("heading", { name: "Account" }).waitFor();
		const miles = driver.getByLabel("Missing miles");
		expect(await miles.locator("option:checked").innerText()).toBe("Fleet default (on)");
		await miles.selectOption("Off");
		await driver.getByRole("button", { name: "Save" }).click();
		await driver.getByText("Choices saved").waitFor();
		expect(await miles.inputValue()).toBe("off");
		expect(
			await stage.fleet.sql("select remind_of_miles from users where email = 'dana@milepost.test'"),
		).toEqual([{ remind_of_miles: 0 }]);
	});

	it("show errors of the accounting settings at their fields", async () => {
		const admin = await stage.visit({ javaScript, phone: false, mayRefuse: true });
		await signIn(admin, "admin@milepost.test");
		await admin.goto("/settings");
		await admin.getByLabel("Account code").fill("  ");
		await admin.getByLabel("Tax type").fill("20%");
		await admin.getByRole("button", { name: "Save accounting" }).click();
		await admin.getByText("Account code is required").waitFor();
		const code = admin.getByLabel("Account code");
		expect(await code.evaluate((field) => field === document.activeElement)).toBe(true);
		await code.fill("600");
		await admin.getByRole("button", { name: "Save accounting" }).click();
		await admin.getByText("Settings saved").waitFor();
		expect(await code.inputValue()).toBe("600");
		expect(await admin.getByLabel("Tax type").inputValue()).toBe("20%");
		await stage.fleet.sql("delete from settings");
	});
});

it("goes to what is shown once, however its form is sent", async () => {
	const admin = await stage.visit({ phone: false });
	await giveSession(admin, "admin@milepost.test");
	const create = admin.getByRole("button", { name: "Create token" });
	for (const name of ["One", "Two", "Three", "Four"]) {
		await admin.goto("/settings/tokens");
		await admin.getByLabel("Name").fill(name);
		// While a key is held down, the page's scripts run before the browser minds `autofocus`.
		await create.focus();
		await admin.keyboard.press("Enter");
		await admin.getByText("Copy this token now.").waitFor();
		await admin.waitForFunction(() => document.activeElement !== document.body);
		expect(await admin.evaluate(() => document.activeElement?.id), name).toBe("made");
	}
});
