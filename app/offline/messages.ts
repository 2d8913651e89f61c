/** What the offline page and the outbox say. */

/**
 * Why the offline page is shown, by the name in its address: its heading, and what there is to
 * know.
 */
export const NOTES = {
	offline: [
		"No signal",
		"There is no signal. What you save here stays on this phone and is sent when there is signal.",
	],
	"no-driver": [
		"No signal",
		"There is no signal, and no driver is signed in on this phone: nothing can be saved here. Sign in when there is signal.",
	],
	saved: ["Not sent yet", "Saved on this phone. It will be sent when there is signal."],
	"saved-sign-in": [
		"Not sent yet",
		"Saved on this phone. You have been signed out: sign in, and it will be sent.",
	],
	"saved-other": [
		"Not sent yet",
		"Saved on this phone for the account that filled it in, and hidden from others. It will be sent when that account signs in here.",
	],
	"saved-faulty": [
		"Not sent yet",
		"Saved on this phone, but it cannot be sent like this. The outbox says what has to be mended.",
	],
	full: [
		"Not saved",
		"This phone has no room left, so this was NOT saved. What you typed is below; a photo has to be chosen again. Make some room, then press the button again.",
	],
	nobody: [
		"Not saved",
		"No driver is signed in on this phone, so this was NOT saved. What you typed is below. Sign in when there is signal, then send it.",
	],
	unowned: [
		"Not saved",
		"This was NOT saved yet. What you typed is below. Press the button again to save it.",
	],
	unsent: [
		"Not sent",
		"There is no signal, so this was not sent. Nothing was changed. Go back and try again later.",
	],
	"signed-in": [
		"Still signed in",
		"There is no signal, so you are still signed in. Sign out again when there is signal.",
	],
} as const;

/** What the page says once everything that waited has been sent. */
export const ALL_SENT = [
	"All sent",
	"Everything that waited on this phone has been received.",
] as const;

/** Shown once only entries that need correcting are left. */
export const ACTION_NEEDED = [
	"Not sent yet",
	"There is signal again, but something cannot be sent like this. The outbox says what has to be mended.",
] as const;

export type Note = keyof typeof NOTES;

/**
 * Stand in the cached page for what the service worker puts there: whose its forms are, their keys,
 * today's date, a heading, a note, and what was typed, as JSON.
 */
export const OWNER_PLACE = "%OWNER%";
export const KEY_PLACE = "%KEY%";
export const TODAY_PLACE = "%TODAY%";
export const HEADING_PLACE = "%HEADING%";
export const NOTE_PLACE = "%NOTE%";
export const TYPED_PLACE = "%TYPED%";

/** The address whose answer the service worker caches: the offline page with those places in it. */
export const OFFLINE_TEMPLATE = "/offline?note=template";
export const OFFLINE_PATH = "/offline";

/** What was typed into a form that could not be saved, for the offline page to put back. */
export type TypedAgain = {
	/** The offline page has no form for an answer. */
	readonly form: "mileage" | "requests";
	readonly fields: readonly (readonly [name: string, value: string])[];
};

/** What a page tells the worker once it shows the answer to a form. */
export const SHOWN = "shown";
/**
 * A page asks the worker to take it over: it was loaded while the worker was still becoming active.
 */
export const CLAIM_PAGE = "take-over";
/** Tells the worker that data isn't metered, so it may prefetch. */
export const PREFETCH_ALLOWED = "bytes-are-cheap";
/** Background Sync's name for a round of sending. */
export const SYNC_TAG = "milepost-outbox";
