/**
 * The service worker: hashed assets and one data-free page from the cache, everything else from the
 * network. A driver's form is written into the outbox before it is sent, so that neither a dead
 * zone nor a pocketed phone can lose it; the server's answer takes it out again.
 */
import { formatTime } from "../values/calendar-date.ts";
import { isWrongAccount, redirectTarget } from "./answers.ts";
import { knownZone, phoneNow } from "./clock.ts";
import { FLEET } from "./fleet.ts";
import { readFormData, singleValue } from "./form-body.ts";
import { isFromOurPages } from "./initiator.ts";
import {
	CLAIM_PAGE,
	type Note,
	OFFLINE_PATH,
	OFFLINE_TEMPLATE,
	PREFETCH_ALLOWED,
	SHOWN,
	SYNC_TAG,
} from "./messages.ts";
import { CACHE, noteIn, offlinePage, savedPage } from "./offline-page.ts";
import { LOCK, post, sendAll, sendDue } from "./sending.ts";
import {
	deleteEntries,
	draftId,
	type Entry,
	type FormName,
	forgetUser,
	isStillUnsent,
	markSent,
	phoneUser,
	removeDraft,
	removeShown,
	saveEntry,
	updateEntry,
} from "./store.ts";
import { findFault } from "./validation.ts";

/** Set by the build: the hashed files of the offline page, and of the islands in its forms. */
declare const __ASSETS__: readonly string[];
declare const __ISLANDS__: readonly string[];
declare const self: ServiceWorkerGlobalScope;

/**
 * Without an answer for so long, milliseconds, a form is told that it is saved and a page gives way
 * to the offline one.
 */
const RESPONSE_TIMEOUT_MS = 10_000;
/** How long a driver has to act on a response before the entry is sent anyway, in milliseconds. */
const ANSWER_HOLD_MS = 300_000;

const FORMS: ReadonlyMap<string, FormName> = new Map([
	["/mileage", "mileage"],
	["/requests", "requests"],
]);
const SIGN_OUT = "/api/logout";
const DRIVER_PAGES = new Set(["/", "/mileage", "/requests", "/history"]);

self.addEventListener("install", (event) => {
	event.waitUntil(
		(async () => {
			const cache = await caches.open(CACHE);
			// Without cookies: the page that is kept knows nobody.
			await cache.addAll([
				new Request(OFFLINE_TEMPLATE, { credentials: "omit", cache: "reload" }),
				...__ASSETS__,
			]);
			await self.skipWaiting();
		})(),
	);
});

self.addEventListener("activate", (event) => {
	event.waitUntil(
		(async () => {
			// The version before is kept: its pages may still be open and fetch a part of theirs.
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
	// Scripts and styles; a picture is for a page that comes from the network, as it does.
	if (request.method === "GET" && /^\/assets\/.*s$/.test(url.pathname))
		return event.respondWith(asset(request));
	if (request.mode !== "navigate") return;
	if (request.method === "POST") return handleForm(event, url);
	if (request.method !== "GET") return;
	// A visit signs out only if the server, which sees where it comes from, says so: by leading it on
	// to the landing page.
	if (url.pathname === SIGN_OUT) signingOut = event.resultingClientId || undefined;
	else if (url.pathname === OFFLINE_PATH) event.respondWith(offlinePage(noteIn(url)));
	else if (url.pathname === "/" && event.resultingClientId === signingOut)
		event.respondWith(finishSignOut(request));
	else if (DRIVER_PAGES.has(url.pathname)) event.respondWith(page(request));
});

/**
 * The window whose visit to sign out the browser is making; the redirect that ends it keeps the
 * window's id.
 */
let signingOut: string | undefined;

/** A form: ours if our page sent it. Any other is left to the browser and the server, untouched. */
function handleForm(event: FetchEvent, { pathname }: URL): void {
	const name = FORMS.get(pathname);
	if (!(name || pathname === SIGN_OUT) || !isFromOurPages(event.request, self.location.origin))
		return;
	event.respondWith(name ? submit(event, name) : signOut(event.request));
}

self.addEventListener("sync", (event) => {
	const { tag, waitUntil } = event as ExtendableEvent & { readonly tag: string };
	if (tag !== SYNC_TAG) return;
	// A rejection makes the browser try again later.
	waitUntil.call(
		event,
		sendAll().then((end) => (end === "later" ? Promise.reject(new Error("offline")) : undefined)),
	);
});

self.addEventListener("message", (event) => {
	const { source } = event;
	if (event.data === SHOWN && source instanceof Client) event.waitUntil(removeShown(source.id));
	if (event.data === CLAIM_PAGE) event.waitUntil(self.clients.claim());
	if (event.data === PREFETCH_ALLOWED) event.waitUntil(keepIslands());
});

/** Hashed files never change, so one that is here is the one. */
async function asset(request: Request): Promise<Response> {
	const known = await caches.match(request, { ignoreVary: true });
	if (known) return known;
	const response = await fetch(request);
	if (response.ok) {
		const copy = response.clone();
		// A full phone still gets the file.
		await caches
			.open(CACHE)
			.then((cache) => cache.put(request, copy))
			.catch(() => undefined);
	}
	return response;
}

/**
 * What makes the offline page's forms livelier, whichever of their own pages was opened before.
 * They work without it.
 */
async function keepIslands(): Promise<void> {
	const cache = await caches.open(CACHE);
	for (const path of __ISLANDS__)
		if (!(await cache.match(path, { ignoreVary: true })))
			await cache.add(path).catch(() => undefined);
}

const afterTimeout = () =>
	new Promise<undefined>((resolve) => setTimeout(resolve, RESPONSE_TIMEOUT_MS));

/** A page comes from the network or not at all: nothing with data is kept. */
async function page(request: Request): Promise<Response> {
	const answer = await Promise.race([fetch(request).catch(() => undefined), afterTimeout()]);
	return answer ?? offlinePage((await driverHere()) ? "offline" : "no-driver");
}

const driverHere = () => phoneUser().catch(() => undefined);

/** A visit has signed out: the phone forgets its driver, as after the button. */
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

/** A driver's form: into the outbox first, then to the server; without an answer it stays there. */
async function submit(event: FetchEvent, page: FormName): Promise<Response> {
	const { request } = event;
	const url = new URL(request.url);
	const body = await request.clone().formData();
	const form = body.has("requestId") ? "answers" : page;
	// Row actions are idempotent, and make little sense later; an answer does.
	if (form !== "answers" && body.has("intent"))
		return fetch(request).catch(() => offlinePage("unsent"));
	const { fields, files } = await readFormData(body);
	const asUser = singleValue(body, "asUser");
	const key = singleValue(body, "key");
	const unkept = (note: Note) =>
		form === "answers" ? offlinePage("unsent") : offlinePage(note, { form, fields });
	// A form names its owner exactly once; any other form isn't kept.
	if (!asUser || !key) {
		const note = async () => ((await driverHere()) ? "unowned" : "nobody");
		return fetch(request).catch(async () => unkept(await note()));
	}
	const turn = new Turn(event.resultingClientId);
	const now = phoneNow();
	const liveUntil = now + RESPONSE_TIMEOUT_MS;
	const saving = saveEntry({
		userId: asUser,
		form,
		key,
		fields,
		files,
		capturedAt: now,
		liveUntil,
	});
	const sending = navigator.locks
		.request(LOCK, async () => live(url, await saving, turn))
		.catch(() => undefined);
	let entry: Entry;
	try {
		entry = await saving;
	} catch {
		// Not kept: it goes out as any form does, and nobody is told that it was saved.
		return fetch(request).catch(() => unkept("full"));
	}
	await removeDraft(draftId(asUser, form, fields)).catch(() => undefined);
	event.waitUntil(sending);
	const answer = await Promise.race([sending, afterTimeout()]);
	if (answer) return answer;
	turn.isLate = true;
	// Report it now, while the driver is looking, not when back online.
	const fault = findFault(form, entry.fields, entry.fileCount);
	if (fault) {
		await updateEntry(entry.id, { state: "needs-you", message: fault });
		return savedPage("saved-faulty");
	}
	event.waitUntil(sending.then(() => askForSync()));
	return savedPage("saved");
}

/** The driver waits for a response until told that the form is saved. */
class Turn {
	isLate = false;
	constructor(readonly client: string) {}
}

/**
 * Sends what waited before it, then the form itself as its page would; `undefined` when there is no
 * answer for the page.
 */
async function live(url: URL, entry: Entry, turn: Turn): Promise<Response | undefined> {
	if ((await sendDue(entry.userId, entry.id)) === "later" || turn.isLate) {
		await updateEntry(entry.id, { liveUntil: 0 });
		return undefined;
	}
	// The same form may have been sent from another window while this one waited its turn: the outbox
	// says what became of it.
	if (!(await isStillUnsent(entry.id))) return Response.redirect(url.pathname, 303);
	await updateEntry(entry.id, { state: "sending", liveUntil: 0 });
	const response = await post(url.pathname + url.search, entry, { Outbox: "live" }).catch(
		() => undefined,
	);
	const location = response && (await redirectTarget(response));
	if (location) {
		// A driver who was told that it waits must see that it was sent.
		await (turn.isLate ? markSent(entry.id, fleetTime()) : deleteEntries([entry.id]));
		await removeDraft(draftId(entry.userId, entry.form, entry.fields)).catch(() => undefined);
		return Response.redirect(location, 303);
	}
	const status = response?.status ?? 0;
	const isOthers = response !== undefined && (await isWrongAccount(response));
	const isForDriver =
		status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status) && !isOthers;
	if (!response || !isForDriver || turn.isLate) {
		await updateEntry(entry.id, { state: "waiting" });
		if (turn.isLate) return undefined;
		if (isOthers) return savedPage("saved-other");
		return status === 401 || status === 403 ? savedPage("saved-sign-in") : undefined;
	}
	// A question or a fault: it stands on the driver's screen. If they never see it, the entry is
	// sent anyway.
	await updateEntry(entry.id, {
		state: "waiting",
		heldUntil: phoneNow() + ANSWER_HOLD_MS,
		shownTo: turn.client,
	});
	return response;
}

/** `4:20 PM`, as the fleet's clock shows it now. */
const fleetTime = () => formatTime(knownZone(FLEET.timeZone), phoneNow());

/** Background Sync, where the browser has it, sends when no page is open. */
async function askForSync(): Promise<void> {
	const { sync } = self.registration as ServiceWorkerRegistration & {
		readonly sync?: { register(tag: string): Promise<void> };
	};
	await sync?.register(SYNC_TAG).catch(() => undefined);
}
