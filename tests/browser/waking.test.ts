/**
 * Islands hydrate late, or while they are being touched. Nothing may move then, because a button
 * that moves between press and release isn't clicked.
 */
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { CAST } from "../support/cast.ts";
import { awake, giveSession, openStage } from "./browser.ts";

const stage = await openStage();

/** The position of each control in the main part. */
const places = (page: Page) =>
	page.evaluate(() =>
		[...document.querySelectorAll("main :is(a, button, input, select, summary, textarea)")]
			.filter((control) => control.checkVisibility())
			.map((control) => {
				const { x, y, width, height } = control.getBoundingClientRect();
				const name = control.id || control.textContent?.trim() || control.tagName;
				return `${name}: ${[x, y + scrollY, width, height].map(Math.round).join(" ")}`;
			}),
	);

it.each([
	["/uber-fees/import", "ada", ["statement-drop"]],
	["/reports", "ada", ["report-download"]],
] as const)("nothing on %s moves when its islands hydrate", async (url, who, names) => {
	const page = await stage.visit();
	// When saving data, an island hydrates only once its form is touched.
	await page.addInitScript(() => {
		Object.defineProperty(navigator, "connection", { value: { saveData: true } });
	});
	await giveSession(page, CAST[who].email);
	await page.goto(url);
	for (const name of names)
		expect(await page.locator(`[data-island=${name}]:not([data-is-awake])`).count()).not.toBe(0);
	const asleep = await places(page);
	expect(asleep.length).toBeGreaterThan(2);
	await page.evaluate(() => {
		for (const mark of document.querySelectorAll("[data-island]"))
			mark.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true }));
	});
	for (const name of names) await awake(page, name);
	await page.evaluate(
		() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 50))),
	);
	expect(await places(page)).toEqual(asleep);
});

it("a file dragged over the statement's field wakes it, even when saving data", async () => {
	const page = await stage.visit({ phone: false });
	await page.addInitScript(() => {
		Object.defineProperty(navigator, "connection", { value: { saveData: true } });
	});
	await giveSession(page, CAST.ada.email);
	await page.goto("/uber-fees/import");
	const island = page.locator("[data-island=statement-drop]");
	expect(await island.getAttribute("data-is-awake")).toBeNull();
	await island.dispatchEvent("dragenter");
	await awake(page, "statement-drop");
});

it("an island whose code couldn't be loaded hydrates when its form is used again", async () => {
	const page = await stage.visit({ phone: false, mayRefuse: true });
	await giveSession(page, CAST.ada.email);
	await page.route("**/statement-drop-*.js", (route) => route.fulfill({ status: 404 }));
	const failed = page.waitForResponse("**/statement-drop-*.js");
	await page.goto("/uber-fees/import");
	await failed;
	await page.unrouteAll({ behavior: "wait" });
	await page.locator("[data-island=statement-drop]").dispatchEvent("pointerdown");
	await awake(page, "statement-drop");
});
