/**
 * The utility classes of everything that is rendered in two ways: by the pages' components and,
 * without React, by the phone's outbox.
 */

export const BUTTON =
	"inline-flex min-h-11 max-w-full items-center justify-center gap-2 rounded-md border px-4 text-center text-base font-semibold no-underline disabled:opacity-60";

/** A button's purpose: the main action, a secondary one, a minor one, a destructive one. */
export const BUTTON_VARIANTS = {
	default: "border-accent bg-accent text-on-accent hover:opacity-90",
	outline: "border-field bg-surface text-ink hover:bg-sunken",
	ghost: "border-transparent bg-transparent text-accent hover:bg-sunken",
	destructive: "border-bad bg-surface text-bad hover:bg-bad-soft",
} as const;

export const BADGE =
	"inline-flex items-center rounded-full border px-2 py-0.5 text-sm font-semibold whitespace-nowrap @max-[15rem]:whitespace-normal";

/** The colors of meanings, which always come with a word. */
export const TONES = {
	good: "border-good bg-good-soft text-good",
	wait: "border-wait bg-wait-soft text-wait",
	bad: "border-bad bg-bad-soft text-bad",
	info: "border-accent bg-accent-soft text-accent",
} as const;
export type Tone = keyof typeof TONES;

export const CONTROL =
	"w-full rounded-md border border-field bg-surface px-3 py-2 text-base text-ink";
/** The minimum height of a line of text as a touch target. */
export const LINE = "min-h-11";
