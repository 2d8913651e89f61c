/** axe on every screen, light and dark, phone and desktop, with the errors and dialogs they can show. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { openStage, signIn } from "./browser.ts";

const stage = await openStage();

type Screen = readonly [who: string | undefined, path: string, act?: (page: Page) => Promise<unknown>];

const SCREENS: readonly Screen[] = [
	[undefined, "/"],
	[undefined, "/api/login"],
	[undefined, "/mileage?stay"],
	[undefined, "/nowhere"],
	["nina@milepost.test", "/"],
	["nina@milepost.test", "/", (page) => page.getByRole("button", { name: "Complete Profile" }).click()],
	["nora@milepost.test", "/"],
	["rex@milepost.test", "/"],
	["dana@milepost.test", "/"],
	["dana@milepost.test", "/mileage"],
	[
		"dana@milepost.test",
		"/mileage",
		async (page) => {
			await page.getByLabel("Starting Odometer").fill("10");
			await page.getByLabel("Ending Odometer").fill("5");
			await page.getByRole("button", { name: "Log Mileage" }).click();
			await page.getByRole("alert").first().waitFor();
		},
	],
	["dana@milepost.test", "/mileage", (page) => page.getByRole("link", { name: /^Void/ }).first().click()],
	["lena@milepost.test", "/requests"],
	[
		"dana@milepost.test",
		"/requests",
		async (page) => {
			await page.getByRole("button", { name: "Submit Request" }).click();
			await page.getByRole("alert").filter({ hasText: "Please fill in" }).last().waitFor();
		},
	],
	[
		"dana@milepost.test",
		"/requests",
		async (page) => {
			await page.getByLabel("Request Type").selectOption("gas");
			await page.getByLabel("Amount").fill("45.50");
			await page.getByLabel("Description").fill(`Fuel ${await page.getByRole("listitem").count()}`);
			await page.getByRole("button", { name: "Submit Request" }).click();
			await page.getByText("Fund request submitted successfully").waitFor();
			await page.getByText("Add receipt").first().click();
		},
	],
	[
		"dana@milepost.test",
		"/requests",
		(page) =>
			page
				.getByRole("link", { name: /^Withdraw/ })
				.first()
				.click(),
	],
	["dana@milepost.test", "/drivers"],
	["admin@milepost.test", "/"],
	["admin@milepost.test", "/drivers"],
	["admin@milepost.test", "/drivers?dialog=add-driver"],
	["admin@milepost.test", "/drivers?dialog=create-admin"],
	[
		"admin@milepost.test",
		"/drivers",
		(page) =>
			page
				.getByRole("link", { name: /^Delete/ })
				.first()
				.click(),
	],
];

it.each(["light", "dark"] as const)("finds nothing on any screen, %s", async (scheme) => {
	for (const phone of [true, false]) {
		for (const [who, path, act] of SCREENS) {
			// Without a script a screen stays what it is while it is looked at; the visitor's does not move on.
			const page = await stage.visit({ scheme, phone, mayRefuse: true, javaScript: true });
			if (path.endsWith("?stay")) await page.route("**/api/login**", () => undefined);
			if (who) await signIn(page, who);
			await page.goto(path);
			await act?.(page);
			const { violations } = await new AxeBuilder({ page }).analyze();
			const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
			expect(found, `${who ?? "a visitor"} on ${path}, ${scheme}, ${phone ? "phone" : "desktop"}`).toEqual([]);
			await page.context().close();
		}
	}
});
