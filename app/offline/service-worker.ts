/**
 * The service worker: hashed assets and one page without data from the cache, everything else from
 * the network. A driver's form is saved to the outbox before it is sent, so that neither a dead
 * zone nor a pocketed phone can lose it, and removed once the server has answered.
 */

import type { FormName } from "./database.ts";
import { isFromOurPages } from "./initiator.ts";
import { afterTimeout, currentDriver, receivedFor, submit } from "./live-form.ts";
import { CLAIM_PAGE, OFFLINE_PATH, OFFLINE_TEMPLATE, SHOWN, SYNC_TAG } from "./messages.ts";
import { CACHE, noteIn, offlinePage } from "./offline-page.ts";
import { isUnfinished, sendAll } from "./sending.ts";
import { endSession, forgetUser, removeShown } from "./store.ts";

/** Set by the build: the hashed files of the offline page. */
declare const __ASSETS__: readonly string[];
declare const self: ServiceWorkerGlobalScope;

const FORMS: ReadonlyMap<string, FormName> = new Map([
	["/mileage", "mileage"],
	["/requests", "requests"],
]);
const SIGN_OUT = "/api/logout";
const SIGN_OUT_EVERYWHERE = "/account?everywhere";
/** A driver's pages; a week's PDF is a file. */
const DRIVER_PAGE = /^\/(mileage|requests|history|earnings(\/[\w-]+)?|help|account)?$/;

self.addEventListener("install", (event) => {
	event.waitUntil(
		(async () => {
			const isNew = !(await caches.has(CACHE));
			try {
				const cache = await caches.open(CACHE);
				// Without cookies, since the stored page belongs to nobody.
				await cache.addAll([
					new Request(OFFLINE_TEMPLATE, { credentials: "omit", cache: "reload" }),
					...__ASSETS__,
				]);
			} catch (error) {
				// A later version would keep it as if its pages were open.
				if (isNew) await caches.delete(CACHE);
				throw error;
			}
			await self.skipWaiting();
		})(),
	);
});

self.addEventListener("activate", (event) => {
	event.waitUntil(
		(async () => {
			// The previous version's cache is kept: its pages may still be open and load parts of it.
			const ours = (await caches.keys()).filter((name) => name.startsWith("milepost-"));
			for (const name of ours.filter((each) => each !== CACHE).slice(0, -1))
				await caches.delete(name);
			await self.clients.claim();
		})(),
	);
});

self.addEventListener("fetch", (event) => {
	const { request } = event;
	const url = new URL(request.url);
	if (url.origin !== self.location.origin) return;
	// Scripts and styles; pictures are only on pages from the network, and come from there too.
	if (request.method === "GET" && /^\/assets\/.*s$/.test(url.pathname))
		return event.respondWith(asset(event));
	if (request.mode !== "navigate") return;
	if (request.method === "POST") return handleForm(event, url);
	if (request.method !== "GET") return;
	// A visit signs out only if the server, which sees where it comes from, says so by redirecting to
	// the landing page.
	if (url.pathname === SIGN_OUT) signingOut = event.resultingClientId || undefined;
	else if (url.pathname === OFFLINE_PATH) event.respondWith(offlinePage(noteIn(url)));
	else if (url.pathname === "/" && event.resultingClientId === signingOut)
		event.respondWith(finishSignOut(request));
	else if (DRIVER_PAGE.test(url.pathname))
		event.respondWith(page(request, receivedFor.delete(event.resultingClientId)));
});

/** The window that is visiting the sign-out URL; the final redirect keeps the window's id. */
let signingOut: string | undefined;

/** A form: handled if one of our pages sent it. Any other is left to the browser and the server. */
function handleForm(event: FetchEvent, { pathname, search }: URL): void {
	const name = FORMS.get(pathname);
	const signsOut = pathname === SIGN_OUT || pathname + search === SIGN_OUT_EVERYWHERE;
	if (!(name || signsOut) || !isFromOurPages(event.request, self.location.origin)) return;
	event.respondWith(name ? submit(event, name) : signOut(event.request));
}

self.addEventListener("sync", (event) => {
	const { tag, waitUntil } = event as ExtendableEvent & { readonly tag: string };
	if (tag !== SYNC_TAG) return;
	// A rejection makes the browser try again later.
	waitUntil.call(
		event,
		sendAll().then((end) => (isUnfinished(end) ? Promise.reject(new Error(end)) : undefined)),
	);
});

self.addEventListener("message", (event) => {
	const { source } = event;
	if (event.data === SHOWN && source instanceof Client) event.waitUntil(removeShown(source.id));
	if (event.data === CLAIM_PAGE) event.waitUntil(self.clients.claim());
});

/**
 * Hashed files never change, so a cached one is current. A phone whose storage is full, broken or slow
 * still gets the file.
 */
async function asset(event: FetchEvent): Promise<Response> {
	const known = await caches.match(event.request, { ignoreVary: true }).catch(() => undefined);
	if (known) return known;
	const response = await fetch(event.request);
	if (response.ok) {
		const copy = response.clone();
		const keep = async () => (await caches.open(CACHE)).put(event.request, copy);
		event.waitUntil(keep().catch(() => undefined));
	}
	return response;
}

/**
 * A page comes from the network or not at all: nothing with data is stored.
 * @param isReceipt whether it is the page that a received form leads to
 */
async function page(request: Request, isReceipt = false): Promise<Response> {
	const answer = await Promise.race([fetch(request).catch(() => undefined), afterTimeout()]);
	if (answer?.status === 401) await endSession().catch(() => undefined);
	const here = async () => ((await currentDriver()) ? "offline" : "no-driver");
	return answer ?? offlinePage(isReceipt ? "received" : await here());
}

/** A visit has signed out: the phone forgets its driver, as after using the button. */
async function finishSignOut(request: Request): Promise<Response> {
	signingOut = undefined;
	await forgetUser().catch(() => undefined);
	return page(request);
}

async function signOut(request: Request): Promise<Response> {
	try {
		const response = await fetch(request);
		if (response.type === "opaqueredirect") await forgetUser().catch(() => undefined);
		return response;
	} catch {
		return offlinePage("signed-in");
	}
}
