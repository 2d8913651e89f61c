/** axe on every screen, light and dark, phone and desktop, with the errors and dialogs they can show. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
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
			await page.locator("#problems").waitFor();
		},
	],
	["dana@milepost.test", "/mileage", (page) => page.getByRole("link", { name: /^Void/ }).first().click()],
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

describe.each(
	SCREENS.map(([who, path, act], position) => ({
		name: `${who ?? "a visitor"} on ${path}${act ? `, acting (${position})` : ""}`,
		who,
		path,
		act,
	})),
)("$name", ({ who, path, act }) => {
	it.each(["light", "dark"] as const)("has nothing axe finds, %s, phone and desktop", async (scheme) => {
		const page = await stage.visit({ scheme, mayRefuse: true });
		// The visitor's page stays what it is while it is looked at: its move to sign-in leads nowhere.
		if (path.endsWith("?stay")) await page.route("**/api/login**", (route) => route.fulfill({ status: 204 }));
		if (who) await signIn(page, who);
		await page.goto(path);
		await act?.(page);
		for (const width of [360, 1280]) {
			await page.setViewportSize({ width, height: 800 });
			const { violations } = await new AxeBuilder({ page }).analyze();
			expect(
				violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`),
				`at ${width} px`,
			).toEqual([]);
		}
	});
});
