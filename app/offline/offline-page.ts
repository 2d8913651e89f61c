/** The one page that a phone keeps, as the service worker answers it. */
import { fleetToday } from "./clock.ts";
import { FLEET } from "./fleet.ts";
import {
	HEADING_PLACE,
	KEY_PLACE,
	NOTE_PLACE,
	NOTES,
	type Note,
	OFFLINE_PATH,
	OFFLINE_TEMPLATE,
	OWNER_PLACE,
	TODAY_PLACE,
	TYPED_PLACE,
	type TypedAgain,
} from "./messages.ts";
import { phoneUser } from "./store.ts";

/**
 * Set by the build: changes with any hashed file of the offline page and with the service worker.
 */
declare const __VERSION__: string;

/** The cache of this version, with these settings. */
export const CACHE = `milepost-${__VERSION__}-${FLEET.stamp}`;

/** The note that an address names. */
export const noteIn = (url: URL): Note => {
	const name = url.searchParams.get("note") ?? "";
	return Object.hasOwn(NOTES, name) ? (name as Note) : "offline";
};

const escaped = (text: string) =>
	text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * The page with a heading and a note in it and, where something could not be saved, what was typed.
 * The page that is kept knows nobody; here its forms get what a form of the server's has: whose it
 * is, a key of its own, and today's date in the fleet's zone.
 */
export async function offlinePage(note: Note, typed?: TypedAgain): Promise<Response> {
	const kept = await caches.match(OFFLINE_TEMPLATE, { cacheName: CACHE, ignoreVary: true });
	if (!kept) return Response.error();
	const headers = new Headers(kept.headers);
	for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
	const [heading, text] = NOTES[note];
	const owner = (await phoneUser().catch(() => undefined)) ?? "";
	const html = (await kept.text())
		.replaceAll(OWNER_PLACE, () => escaped(owner))
		.replaceAll(KEY_PLACE, () => crypto.randomUUID())
		.replace(TODAY_PLACE, () => fleetToday(FLEET.timeZone))
		.replace(HEADING_PLACE, () => escaped(heading))
		.replace(NOTE_PLACE, () => escaped(text))
		.replace(TYPED_PLACE, () => (typed ? escaped(JSON.stringify(typed)) : ""));
	return new Response(html, { status: typed ? 507 : 200, headers });
}

/** A form that waits on the phone is answered by where it says so. */
export const savedPage = (
	note: "saved" | "saved-sign-in" | "saved-other" | "saved-faulty",
): Response => Response.redirect(`${OFFLINE_PATH}?note=${note}`, 303);
