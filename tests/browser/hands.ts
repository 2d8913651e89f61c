/** Somebody who has a keyboard and nothing else. */
import type { Locator, Page } from "@playwright/test";
import { expect } from "vitest";
import { chooseByKey } from "./firefox.ts";

/** As far as anybody has to go with Tab for what stands on the screen before them. */
const MAX_TABS = 90;
const HANDFUL = 6;

export const isFocused = (target: Locator) =>
	target.evaluate((element) => element === document.activeElement);

/** What has the focus, in words: `BUTTON 'Save name'`. */
export const describeFocus = (page: Page) =>
	page.evaluate(() => {
		const { activeElement: element } = document;
		if (!element || element === document.body) return "nothing";
		const text = element.getAttribute("aria-label") || element.textContent || "";
		return `${element.tagName}${element.id ? `#${element.id}` : ""} '${text.trim().replace(/\s+/g, " ").slice(0, 40)}'`;
	});

export class KeyboardUser {
	constructor(readonly page: Page) {
		// Somebody listens from the start: Playwright takes the browser's window for files only while
		// somebody does, and a key may be faster than its asking.
		page.on("filechooser", () => undefined);
	}

	/** Goes on with Tab until the target has the focus; back to it, where it has been passed. */
	async reach(target: Locator): Promise<void> {
		const isPassed = await target.evaluate((element) => {
			// Pressed by the handful, which is faster: those that come too late do nothing.
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
		for (let count = 0; count < MAX_TABS; count += HANDFUL) {
			if (await isFocused(target)) break;
			for (let each = 0; each < HANDFUL; each++) await this.page.keyboard.press(key);
		}
		await this.page.keyboard.press("Control");
		if (await isFocused(target)) return;
		throw new Error(`${target} isn't reached; the focus is on ${await describeFocus(this.page)}`);
	}

	/** Goes there and presses a key. */
	async press(target: Locator, key = "Enter"): Promise<void> {
		await this.reach(target);
		await this.page.keyboard.press(key);
	}

	/** Goes to a field and replaces what is in it. */
	async type(target: Locator, text: string): Promise<void> {
		await this.reach(target);
		await this.page.keyboard.press("ControlOrMeta+a");
		await this.page.keyboard.type(text);
	}

	/** Chooses a file with the keys that open the browser's window for it. */
	async choose(
		target: Locator,
		file: { name: string; mimeType: string; buffer: Buffer },
	): Promise<void> {
		await this.reach(target);
		await chooseByKey(this.page, target, file);
	}

	/** Until the focus is there; where it is instead, if it never comes. */
	async lands(target: Locator): Promise<void> {
		await target.waitFor();
		await expect
			.poll(async () => ((await isFocused(target)) ? "there" : await describeFocus(this.page)))
			.toBe("there");
	}
}
