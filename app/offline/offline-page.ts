/** The only page that a phone keeps, as the service worker serves it. */
import { fleetToday } from "./clock.ts";
import { FLEET } from "./fleet.ts";
import {
	HEADING_PLACEHOLDER,
	KEY_PLACEHOLDER,
	NOTE_PLACEHOLDER,
	NOTES,
	type Note,
	OFFLINE_PATH,
	OFFLINE_TEMPLATE,
	OWNER_PLACEHOLDER,
	TODAY_PLACEHOLDER,
	TYPED_PLACEHOLDER,
	type UnsavedForm,
} from "./messages.ts";
import { phoneUser } from "./store.ts";

/**
 * Set by the build: changes with any hashed file of the offline page and with the service worker.
 */
declare const __VERSION__: string;

/** The cache of this version, with these settings. */
export const CACHE = `milepost-${__VERSION__}-${FLEET.stamp}`;

/** The note named in a URL. */
export const noteIn = (url: URL): Note => {
	const name = url.searchParams.get("note") ?? "";
	return Object.hasOwn(NOTES, name) ? (name as Note) : "offline";
};

const escapeHtml = (text: string) =>
	text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * The page with a heading, a note and, if something couldn't be saved, what was typed. The stored
 * page has no owner; here its forms get what the server's forms have: their owner, their own key,
 * and today's date in the fleet's time zone.
 */
export async function offlinePage(note: Note, typed?: UnsavedForm): Promise<Response> {
	const kept = await caches.match(OFFLINE_TEMPLATE, { cacheName: CACHE, ignoreVary: true });
	// A phone short of space may have deleted it; online it can still be shown.
	if (!kept) return typed ? Response.error() : fetch(`${OFFLINE_PATH}?note=${note}`);
	const headers = new Headers(kept.headers);
	for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
	const [heading, text] = NOTES[note];
	const owner = (await phoneUser().catch(() => undefined)) ?? "";
	const html = (await kept.text())
		.replaceAll(OWNER_PLACEHOLDER, () => escapeHtml(owner))
		.replaceAll(KEY_PLACEHOLDER, () => crypto.randomUUID())
		.replace(TODAY_PLACEHOLDER, () => fleetToday(FLEET.timeZone))
		.replace(HEADING_PLACEHOLDER, () => escapeHtml(heading))
		.replace(NOTE_PLACEHOLDER, () => escapeHtml(text))
		.replace(TYPED_PLACEHOLDER, () => (typed ? escapeHtml(JSON.stringify(typed)) : ""));
	return new Response(html, { status: typed ? 507 : 200, headers });
}

/** A form that waits on the phone is answered by a page that says so. */
export const savedPage = (
	note: "saved" | "saved-sign-in" | "saved-other" | "saved-faulty",
): Response => Response.redirect(`${OFFLINE_PATH}?note=${note}`, 303);
