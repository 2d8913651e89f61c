/**
 * The little that a test needs of a browser to be played in any: it visits pages and runs functions
 * in them. `promise.test.ts` is such a test.
 */
import { expect } from "vitest";

export type Hand = {
	/** The browser and its version. */
	readonly name: string;
	readonly visit: (path: string) => Promise<void>;
	/** Runs a function in the page. It has to be self-contained, and its values JSON. */
	readonly run: <Values extends readonly unknown[], Result>(
		work: (...values: Values) => Result,
		...values: Values
	) => Promise<Result>;
	readonly close: () => Promise<void>;
};

/** The page's text. */
export const textOf = (hand: Hand) => hand.run(() => document.body.innerText).catch(() => "");

/** Waits until the page says this. */
export const sees = (hand: Hand, words: string) =>
	expect.poll(() => textOf(hand), { timeout: 60_000 }).toContain(words);

/** Types into the field with this name in a form of the page. */
export const fill = (hand: Hand, name: string, value: string) =>
	hand.run(
		(field, text) => {
			const input = document.querySelector<HTMLInputElement>(
				`main [name="${field}"], [name="${field}"]`,
			);
			if (!input) throw new Error(`There is no field ${field}.`);
			input.value = text;
			input.dispatchEvent(new Event("input", { bubbles: true }));
		},
		name,
		value,
	);

/** Presses the button with these words. */
export const press = (hand: Hand, words: string) =>
	hand.run((name) => {
		const button = [...document.querySelectorAll<HTMLElement>("main button, button")].find(
			(each) => each.textContent?.trim() === name,
		);
		if (!button) throw new Error(`There is no button ${name}.`);
		button.click();
	}, words);

/** Signs in on the local page. */
export async function signInBy(hand: Hand, email: string): Promise<void> {
	await hand.visit("/api/login");
	await fill(hand, "email", email);
	await press(hand, "Sign In");
	// Firefox may refuse to visit a page while another is loading.
	const isIn = () =>
		hand.run(() => location.pathname !== "/api/login" && document.readyState === "complete");
	await expect.poll(() => isIn().catch(() => false)).toBe(true);
}
