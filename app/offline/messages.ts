/** The texts of the offline page and the outbox. */

/** Why the offline page is shown, by the name in its URL: its heading and explanation. */
export const NOTES = {
	offline: [
		"You're offline",
		"What you save here stays on this phone and is sent when you're back online.",
	],
	received: ["Received", "Your form was received, but the page that follows couldn't be loaded."],
	"no-driver": [
		"You're offline",
		"No driver is signed in on this phone, so nothing can be saved here. Sign in when you're back online.",
	],
	saved: ["Not sent yet", "Saved on this phone. It will be sent when you're back online."],
	"saved-sign-in": [
		"Not sent yet",
		"Saved on this phone. You've been signed out. Sign in to send it.",
	],
	"saved-other": [
		"Not sent yet",
		"Saved on this phone for the account that filled it out, and hidden from others. It will be sent when that account signs in here.",
	],
	"saved-faulty": [
		"Not sent yet",
		"Saved on this phone, but it can't be sent yet. The outbox shows what needs fixing.",
	],
	full: [
		"Not saved",
		"This phone is out of storage, so this was NOT saved. What you typed is below, but you'll need to choose any photo again. Free up some space, then try again.",
	],
	nobody: [
		"Not saved",
		"No driver is signed in on this phone, so this was NOT saved. What you typed is below. Sign in when you're back online, then send it.",
	],
	unowned: [
		"Not saved",
		"This has NOT been saved yet. What you typed is below. Submit it again to save it.",
	],
	unsent: [
		"No answer",
		"The connection broke, so we can't tell whether this was sent. Check before you try again.",
	],
	"signed-in": [
		"Not signed out",
		"We couldn't reach the server, so you may still be signed in. Sign out again when you're back online.",
	],
} as const;

/** Shown once everything that waited has been sent. */
export const ALL_SENT = [
	"All sent",
	"Everything waiting on this phone has been received.",
] as const;

/** Shown when a page that said something waits is looked at again later. */
export const NOTHING_WAITING = [
	"Nothing waiting",
	"Nothing is waiting on this phone. Your history shows what has been received.",
] as const;

/** Shown once only entries that need correcting are left. */
export const ACTION_NEEDED = [
	"Not sent yet",
	"You're back online, but something can't be sent yet. The outbox shows what needs fixing.",
] as const;

export type Note = keyof typeof NOTES;

/**
 * Placeholders in the cached page, which the service worker fills in: the forms' owner, their keys,
 * today's date, a heading, a note, and what was typed, as JSON.
 */
export const OWNER_PLACEHOLDER = "%OWNER%";
export const KEY_PLACEHOLDER = "%KEY%";
export const TODAY_PLACEHOLDER = "%TODAY%";
export const HEADING_PLACEHOLDER = "%HEADING%";
export const NOTE_PLACEHOLDER = "%NOTE%";
export const TYPED_PLACEHOLDER = "%TYPED%";

/** The URL whose response the service worker caches: the offline page with those placeholders. */
export const OFFLINE_TEMPLATE = "/offline?note=template";
export const OFFLINE_PATH = "/offline";

/** What was typed into a form that couldn't be saved, for the offline page to restore. */
export type UnsavedForm = {
	/** The offline page has no form for an answer. */
	readonly form: "mileage" | "requests";
	readonly fields: readonly (readonly [name: string, value: string])[];
};

/** What a page tells the worker once it shows a form with its answer. */
export const SHOWN = "shown";
/** A page asks the worker to take control: it loaded while the worker was being activated. */
export const CLAIM_PAGE = "take-over";
/** Background Sync's name for a round of sending. */
export const SYNC_TAG = "milepost-outbox";
