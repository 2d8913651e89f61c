/**
 * The utility classes of what is drawn in two ways: by the pages' components and, without React, by
 * the phone's outbox. Each look stands here once.
 */

export const BUTTON =
	"inline-flex min-h-11 max-w-full items-center justify-center gap-2 rounded-md border px-4 text-center text-base font-semibold no-underline disabled:opacity-60";

/** What a button is for: the one thing to do, another thing, a thing beside others, a loss. */
export const BUTTON_VARIANTS = {
	default: "border-accent bg-accent text-on-accent hover:opacity-90",
	outline: "border-field bg-surface text-ink hover:bg-sunken",
	ghost: "border-transparent bg-transparent text-accent hover:bg-sunken",
	destructive: "border-bad bg-surface text-bad hover:bg-bad-soft",
} as const;

export const BADGE =
	"inline-flex items-center rounded-full border px-2 py-0.5 text-sm font-semibold whitespace-nowrap @max-[15rem]:whitespace-normal";

/** The colors of what something means; a word always says it too. */
export const TONES = {
	good: "border-good bg-good-soft text-good",
	wait: "border-wait bg-wait-soft text-wait",
	bad: "border-bad bg-bad-soft text-bad",
	info: "border-accent bg-accent-soft text-accent",
} as const;
export type Tone = keyof typeof TONES;

export const CONTROL =
	"w-full rounded-md border border-field bg-surface px-3 py-2 text-base text-ink";
/** A line of text is as high as a finger needs it. */
export const LINE = "min-h-11";
