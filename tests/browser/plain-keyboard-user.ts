/** A person who uses only the keyboard, in a browser without JavaScript. */
import type { Locator } from "@playwright/test";
import { expect } from "vitest";
import { describeFocus, isFocused, KeyboardUser } from "./keyboard-user.ts";

/** The most Tab presses that a whole page may need. */
const MAX_TABS = 150;

/** Why the focused element can't be seen; runs in the page. */
function hiddenFocus(element: Element): string[] {
	const faults: string[] = [];
	// A label shows the focus of the field hidden inside it.
	const shown = element.closest("[data-picker] label, label:has(input[type=file])") ?? element;
	const isMarked = [element, shown, element.parentElement, element.nextElementSibling].some(
		(each) => {
			if (!each) return false;
			const { outlineStyle, outlineWidth } = getComputedStyle(each);
			return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
		},
	);
	if (!isMarked) faults.push("no outline");
	const { left, top, width, height } = shown.getBoundingClientRect();
	if (left < 0 || left + width > innerWidth) faults.push("left or right of the screen");
	if (top < 0 || top + Math.min(height, innerHeight) > innerHeight + 1)
		faults.push("above or below the screen");
	const over = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20));
	if (over && !shown.contains(over) && !over.contains(shown)) faults.push(`under ${over.tagName}`);
	return faults;
}

export class PlainKeyboardUser extends KeyboardUser {
	/** Presses Tab until the target has the focus, and checks that the focus is visible. */
	override async reach(target: Locator): Promise<void> {
		for (let count = 0; count < MAX_TABS && !(await isFocused(target)); count++)
			await this.page.keyboard.press("Tab");
		if (!(await isFocused(target)))
			throw new Error(`${target} isn't reached; the focus is on ${await describeFocus(this.page)}`);
		expect(await target.evaluate(hiddenFocus), `the focus on ${target}`).toEqual([]);
	}
}
