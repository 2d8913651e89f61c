/** A person who uses only the keyboard. */
import type { Locator, Page } from "@playwright/test";
import { expect } from "vitest";
import { chooseByKey } from "./firefox.ts";

/** The most Tab presses that anything visible on the screen may need. */
const MAX_TABS = 90;
const PRESSES_AT_ONCE = 6;

export const isFocused = (target: Locator) =>
	target.evaluate((element) => element === document.activeElement);

/** The focused element in words, such as `BUTTON 'Save name'`. */
export const describeFocus = (page: Page) =>
	page.evaluate(() => {
		const { activeElement: element } = document;
		if (!element || element === document.body) return "nothing";
		const text = element.getAttribute("aria-label") || element.textContent || "";
		return `${element.tagName}${element.id ? `#${element.id}` : ""} '${text.trim().replace(/\s+/g, " ").slice(0, 40)}'`;
	});

export class KeyboardUser {
	constructor(readonly page: Page) {
		// Playwright intercepts the browser's file dialog only while there is a listener, and a key
		// press may come before it has subscribed.
		page.on("filechooser", () => undefined);
	}

	/** Presses Tab until the target has the focus, or Shift+Tab if it was passed. */
	async reach(target: Locator): Promise<void> {
		const isPassed = await target.evaluate((element) => {
			// Sends several presses at once, which is faster; those after the target do nothing.
			const stop = (event: KeyboardEvent) => {
				const isOnTheWay = event.key === "Tab" || event.key === "Shift";
				if (event.key === "Tab" && element === document.activeElement) event.preventDefault();
				else if (!isOnTheWay) document.removeEventListener("keydown", stop, true);
			};
			document.addEventListener("keydown", stop, true);
			const { activeElement: from, body } = document;
			const place = from && from !== body ? from.compareDocumentPosition(element) : 0;
			return (place & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
		});
		const key = isPassed ? "Shift+Tab" : "Tab";
		for (let count = 0; count < MAX_TABS; count += PRESSES_AT_ONCE) {
			if (await isFocused(target)) break;
			for (let each = 0; each < PRESSES_AT_ONCE; each++) await this.page.keyboard.press(key);
		}
		await this.page.keyboard.press("Control");
		if (await isFocused(target)) return;
		throw new Error(`${target} isn't reached; the focus is on ${await describeFocus(this.page)}`);
	}

	/** Moves the focus to the target and presses a key. */
	async press(target: Locator, key = "Enter"): Promise<void> {
		await this.reach(target);
		await this.page.keyboard.press(key);
	}

	/** Moves the focus to a field and replaces its text. */
	async type(target: Locator, text: string): Promise<void> {
		await this.reach(target);
		await this.page.keyboard.press("ControlOrMeta+a");
		await this.page.keyboard.type(text);
	}

	/** Chooses a file in the dialog that a key opens. */
	async choose(
		target: Locator,
		file: { name: string; mimeType: string; buffer: Buffer },
	): Promise<void> {
		await this.reach(target);
		await chooseByKey(this.page, target, file);
	}

	/** Waits until the target has the focus; says where the focus is if it never gets it. */
	async expectFocus(target: Locator): Promise<void> {
		await target.waitFor();
		await expect
			.poll(async () => ((await isFocused(target)) ? "there" : await describeFocus(this.page)))
			.toBe("there");
	}
}
