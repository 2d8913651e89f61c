/**
 * The classes of everything that is rendered in two ways: by the pages' components and, without
 * React, by the phone's outbox. What they look like is in styles.css, in a layer below the
 * utilities, so that a utility beside one wins.
 */

export const BUTTON = "button";

/** A button's purpose: the main action, a secondary one, a minor one, a destructive one. */
export const BUTTON_VARIANTS = {
	default: "button-default",
	outline: "button-outline",
	ghost: "button-ghost",
	destructive: "button-destructive",
} as const;

export const BADGE = "badge";

/** The colors of meanings, which always come with a word. */
export const TONES = {
	good: "tone-good",
	wait: "tone-wait",
	bad: "tone-bad",
	info: "tone-info",
} as const;
export type Tone = keyof typeof TONES;

export const CONTROL = "control";
/** The minimum height of a line of text as a touch target. */
export const LINE = "min-h-11";
