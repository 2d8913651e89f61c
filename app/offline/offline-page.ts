/** The one page that a phone keeps, as the service worker answers it. */
import { HEADING_PLACE, NOTE_PLACE, NOTES, type Note, OFFLINE_PATH, OFFLINE_TEMPLATE, TYPED_PLACE, type TypedAgain } from "./words.ts";

/** Set by the build: changes with any hashed file of the offline page and with the service worker. */
declare const __VERSION__: string;

/** This version's cache. */
export const CACHE = `milepost-${__VERSION__}`;

/** The note that an address names. */
export const noteIn = (url: URL): Note => {
	const name = url.searchParams.get("note") ?? "";
	return Object.hasOwn(NOTES, name) ? (name as Note) : "offline";
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The page with a heading and a note in it and, where something could not be saved, what was typed. */
export async function offlinePage(note: Note, typed?: TypedAgain): Promise<Response> {
	const kept = await caches.match(OFFLINE_TEMPLATE, { cacheName: CACHE, ignoreVary: true });
	if (!kept) return Response.error();
	const headers = new Headers(kept.headers);
	for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
	const [heading, text] = NOTES[note];
	const html = (await kept.text())
		.replace(HEADING_PLACE, () => escaped(heading))
		.replace(NOTE_PLACE, () => escaped(text))
		.replace(TYPED_PLACE, () => (typed ? escaped(JSON.stringify(typed)) : ""));
	return new Response(html, { status: typed ? 507 : 200, headers });
}

/** A form that waits on the phone is answered by where it says so. */
export const savedPage = (note: "saved" | "saved-sign-in" | "saved-other" | "saved-faulty"): Response =>
	Response.redirect(`${OFFLINE_PATH}?note=${note}`, 303);
