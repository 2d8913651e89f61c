/**
 * Scripts come late, or while a page is being used. Nothing may move then, because a button that
 * moves between press and release isn't clicked, and what was typed or chosen stays, with its focus.
 */
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { CAST, idOf } from "../support/cast.ts";
import { insertRequest } from "../support/requests.ts";
import { awake, dialogOn, giveSession, openStage } from "./browser.ts";

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

/** Makes the scripts of the next page wait until they are let go. */
async function holdScripts(page: Page): Promise<() => void> {
	let letGo = () => {};
	const gate = new Promise<void>((pass) => {
		letGo = pass;
	});
	await page.route("**/assets/**", async (route) => {
		await gate;
		await route.continue();
	});
	return letGo;
}

async function openEarly(page: Page, path: string): Promise<() => void> {
	const letGo = await holdScripts(page);
	await page.goto(path, { waitUntil: "commit" });
	return letGo;
}

it("the field of a dialog that is being filled in before the script comes keeps the focus", async () => {
	const page = await stage.visit({ phone: false });
	await giveSession(page, CAST.ada.email);
	const letGo = await openEarly(page, "/drivers?dialog=add-driver");
	const name = page.getByLabel("Last Name");
	await name.fill("Dr");
	letGo();
	await dialogOn(page, "Add Driver").waitFor();
	await page.keyboard.type("iver");
	expect(await name.inputValue()).toBe("Driver");
});

it("a dialog stays open when the chooser of its file field is closed without a file", async () => {
	const page = await stage.visit({ phone: false });
	await giveSession(page, CAST.ada.email);
	await page.goto(`/drivers/${idOf("dana")}?dialog=charge`);
	const dialog = dialogOn(page);
	await dialog.locator("textarea, input[name=note]").first().fill("Damage");
	let isLeft = false;
	page.on("framenavigated", () => {
		isLeft = true;
	});
	await dialog
		.locator("input[type=file]")
		.evaluate((field) => field.dispatchEvent(new Event("cancel", { bubbles: true })));
	await page.waitForTimeout(500);
	expect([isLeft, await dialog.isVisible()]).toEqual([false, true]);
});

it("a note that is being written at the review desk before its keys listen keeps the focus", async () => {
	await insertRequest((query, ...values) => stage.fleet.sql(query, ...values), 1, "dana");
	const page = await stage.visit({ phone: false });
	await giveSession(page, CAST.ada.email);
	const letGo = await openEarly(page, "/fund-requests?open=FR-000001");
	await page.locator("summary", { hasText: "Reject..." }).click();
	const note = page.locator("details[open] textarea").first();
	await note.fill("Not ");
	letGo();
	await awake(page, "review-keys");
	await page.keyboard.type("a receipt");
	expect(await note.inputValue()).toBe("Not a receipt");
});

it("the faulty field that is focused doesn't take the focus from the one that is being corrected", async () => {
	const page = await stage.visit({ mayRefuse: true });
	await giveSession(page, CAST.dana.email);
	await page.goto("/requests");
	await page.getByRole("button", { name: "Submit Request" }).click();
	await page.locator("[aria-invalid=true]").first().waitFor();
	const letGo = await holdScripts(page);
	await page.getByRole("button", { name: "Submit Request" }).click({ noWaitAfter: true });
	await page.locator("html:not([data-scripted])").waitFor({ state: "attached" });
	const text = page.getByLabel("Description");
	await text.fill("Fu");
	letGo();
	await page.locator("html[data-scripted]").waitFor({ state: "attached" });
	await page.keyboard.type("el");
	expect(await text.inputValue()).toBe("Fuel");
});

/** What changes a page before an island wakes: a translation, and a password manager. */
const CHANGES = {
	translation: () => {
		const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		const texts: Text[] = [];
		while (words.nextNode()) texts.push(words.currentNode as Text);
		for (const text of texts.filter(({ data }) => data.trim() !== "")) {
			const font = document.createElement("font");
			text.replaceWith(font);
			font.append(`¡${text.data}!`);
		}
	},
	"password manager": () => {
		for (const field of document.querySelectorAll("input"))
			field.insertAdjacentElement("afterend", document.createElement("password-button"));
	},
} as const;

it.each(Object.entries(CHANGES))(
	"a file that was chosen before its field wakes stays chosen after a %s has changed the page",
	async (_, change) => {
		// React tells its own console of what it finds changed, so not `visit`.
		const context = await stage.browser.newContext({ baseURL: stage.fleet.origin });
		const page = await context.newPage();
		await giveSession(page, CAST.ada.email);
		const letGo = await openEarly(page, "/uber-fees/import");
		const file = { name: "week.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2") };
		await page.locator("input[type=file]").setInputFiles(file);
		await page.locator("input[type=file]").focus();
		await page.evaluate(change);
		letGo();
		await awake(page, "statement-drop");
		await page.getByText("Chosen: week.csv").waitFor();
		const found = await page
			.locator("input[type=file]")
			.evaluate((field: HTMLInputElement) => [
				field.files?.[0]?.name,
				field === document.activeElement,
			]);
		expect(found).toEqual(["week.csv", true]);
		await context.close();
	},
);
