/** Elements made by hand: the outbox is small, and comes without React. */

const LOOKS = {
	primary: "border-accent bg-accent text-on-accent hover:opacity-90",
	plain: "border-field bg-surface text-ink hover:bg-sunken",
	quiet: "border-transparent bg-transparent text-accent hover:bg-sunken",
	danger: "border-bad bg-surface text-bad hover:bg-bad-soft",
} as const;
const BUTTON = "inline-flex min-h-11 items-center justify-center gap-2 rounded-md border px-4 text-base font-semibold";

const TONES = {
	good: "border-good bg-good-soft text-good",
	wait: "border-wait bg-wait-soft text-wait",
	bad: "border-bad bg-bad-soft text-bad",
	info: "border-accent bg-accent-soft text-accent",
} as const;
export type Tone = keyof typeof TONES;

type Attributes = Readonly<Record<string, string | boolean>>;

/** Adds to what an element holds. The types of a page and of a Worker share names, so this is not `append`. */
export function add(parent: Node, ...children: readonly (Node | string)[]): void {
	for (const child of children) parent.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
}

/** An element with attributes and children; `true` is an attribute without a value, `false` none. */
export function element<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	attributes: Attributes,
	...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) if (value !== false) made.setAttribute(key, value === true ? "" : value);
	add(made, ...children);
	return made;
}

/** A button that does something when it is pressed. */
export function button(look: keyof typeof LOOKS, words: string, press: () => void): HTMLButtonElement {
	const made = element("button", { type: "button", class: `${BUTTON} ${LOOKS[look]}` }, words);
	made.addEventListener("click", press);
	return made;
}

/** A button that sends its form. */
export const submitButton = (words: string): HTMLButtonElement =>
	element("button", { type: "submit", class: `${BUTTON} ${LOOKS.primary}` }, words);

/** A status: its word, and a colour beside it. */
export const badge = (tone: Tone, words: string): HTMLElement =>
	element(
		"span",
		{ class: `inline-flex items-center rounded-full border px-2 py-0.5 text-sm font-semibold whitespace-nowrap ${TONES[tone]}` },
		words,
	);

/** What a control looks like. */
export const CONTROL = "min-h-11 w-full rounded-md border border-field bg-surface px-3 py-2 text-base text-ink";
