/** What the offline page and the outbox say. */

/** Why the offline page is shown, by the name in its address. */
export const NOTES = {
	offline: "There is no signal. What you save here stays on this phone and is sent when there is signal.",
	saved: "Saved on this phone. It will be sent when there is signal.",
	"saved-sign-in": "Saved on this phone. You have been signed out: sign in, and it will be sent.",
	full: "This phone has no room left, so this was NOT saved. What you typed is below; a photo has to be chosen again. Make some room, then press the button again.",
	nobody: "Nobody is signed in on this phone, so this was NOT saved. What you typed is below. Sign in when there is signal, then send it.",
	unsent: "There is no signal, so this was not sent. Nothing was changed. Go back and try again later.",
	"signed-in": "There is no signal, so you are still signed in. Sign out again when there is signal.",
} as const;

export type Note = keyof typeof NOTES;

/** Stands in the cached page where the service worker puts a note, and where what was typed, as JSON. */
export const NOTE_PLACE = "%NOTE%";
export const TYPED_PLACE = "%TYPED%";

/** The address whose answer the service worker caches: the offline page with those two places in it. */
export const OFFLINE_TEMPLATE = "/offline?note=template";
export const OFFLINE_PATH = "/offline";

/** What was typed into a form that could not be saved, for the offline page to put back. */
export type TypedAgain = { readonly form: "mileage" | "requests"; readonly fields: readonly (readonly [name: string, value: string])[] };

/** What a page tells the worker once it shows the answer to a form. */
export const SHOWN = "shown";
/** Background Sync's name for a round of sending. */
export const SYNC_TAG = "milepost-outbox";
