/** Creates elements without React, to keep the outbox small. */
import { BADGE, BUTTON, BUTTON_VARIANTS, TONES, type Tone } from "../class-names.ts";

type Attributes = Readonly<Record<string, string | boolean>>;

/**
 * Adds children to an element. The types of a page and of a Worker share names, so this is not
 * `append`.
 */
export function appendTo(parent: Node, ...children: readonly (Node | string)[]): void {
	for (const child of children)
		parent.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
}

/**
 * An element with attributes and children; `true` is an attribute without a value, `false` is none.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	attributes: Attributes,
	...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes))
		if (value !== false) made.setAttribute(key, value === true ? "" : value);
	appendTo(made, ...children);
	return made;
}

type Variant = keyof typeof BUTTON_VARIANTS;
const classOf = (variant: Variant) => `${BUTTON} ${BUTTON_VARIANTS[variant]}`;

/** A button with a click handler. */
export function button(variant: Variant, words: string, press: () => void): HTMLButtonElement {
	const made = element("button", { type: "button", class: classOf(variant) }, words);
	made.addEventListener("click", press);
	return made;
}

/** A submit button. */
export const submitButton = (words: string): HTMLButtonElement =>
	element("button", { type: "submit", class: classOf("default") }, words);

/** A link that looks like a button. */
export const buttonLink = (variant: Variant, words: string, href: string): HTMLAnchorElement =>
	element("a", { href, class: classOf(variant) }, words);

/** A status: its word and color. */
export const badge = (tone: Tone, words: string): HTMLElement =>
	element("span", { class: `${BADGE} ${TONES[tone]}` }, words);
