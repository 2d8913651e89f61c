/**
 * What a driver's phone does beyond showing the page: the service worker, the outbox, drafts,
 * signing out. Loaded once the page is usable; if a browser lacks a part of it, the plain forms
 * still work.
 */

import { prepareAnnouncements } from "./announcements.ts";
import { knownZone, phoneNow } from "./clock.ts";
import type { FormName } from "./database.ts";
import { fill, isAnswered, keepDraft } from "./drafts.ts";
import { appendTo, element } from "./elements.ts";
import { refresh, takeNews, watchLeaving } from "./fresh-page.ts";
import {
	ACTION_NEEDED,
	ALL_SENT,
	CLAIM_PAGE,
	NOTHING_WAITING,
	SHOWN,
	type UnsavedForm,
} from "./messages.ts";
import { followLatest, followToday } from "./new-day.ts";
import { drawOutbox } from "./outbox-list.ts";
import { askToPersist } from "./persistence.ts";
import { untilReleased } from "./press.ts";
import { type End, isToSend, isUnsent, sendAll } from "./sending.ts";
import { leave } from "./sign-out.ts";
import {
	deleteEntries,
	endSession,
	forgetUser,
	formerUser,
	listEntries,
	onOutboxChange,
	phoneUser,
	rememberUser,
} from "./store.ts";

/** How long sent entries stay visible, in milliseconds: a day. */
const SENT_STAYS = 86_400_000;
/** How soon an open page retries what is waiting, in milliseconds; doubled after each retry. */
const FIRST_PAUSE = 15_000;
const MAX_PAUSE = 300_000;

const canKeep = () => "indexedDB" in window && "locks" in navigator;

/** Starts everything, on a driver's page or the offline one. */
export async function startPhone(place: HTMLElement): Promise<void> {
	if (!canKeep()) return;
	const pageUser = place.dataset.outbox ?? "";
	if (pageUser) await rememberUser(pageUser);
	// Even if nothing can be kept, the page restores what couldn't be.
	const userId = pageUser || (await phoneUser().catch(() => undefined));
	const timeZone = knownZone(place.dataset.timeZone ?? "");
	void startWorker(place.dataset.worker);
	const forms = [...document.querySelectorAll<HTMLFormElement>("form[data-outbox-form]")];
	for (const form of forms) await prepare(form, userId, timeZone);
	restoreTypedForm();
	// What this page answers is in its form again, and in its draft. An answer without the form, as
	// for a request that is no longer open, leaves the entry in the outbox.
	if (forms.some(isAnswered)) navigator.serviceWorker?.controller?.postMessage(SHOWN);
	const outboxUser = userId ?? (await formerUser().catch(() => undefined));
	if (outboxUser) await startOutbox(place, outboxUser, timeZone);
}

/**
 * For someone signed in who isn't a driver: the phone has no owner until a driver's page sets one.
 */
export const forgetPhoneUser = (): Promise<void> => (canKeep() ? forgetUser() : Promise.resolve());

/** How many entries are hidden until the person whose session has ended signs in again. */
async function countHidden(): Promise<number> {
	const userId = await formerUser();
	return userId ? (await listEntries(userId)).filter(isUnsent).length : 0;
}

/** On a signed-out page: shows only how many entries wait for whoever used this phone. */
export async function showWaitingCount(place: HTMLElement): Promise<void> {
	if (!canKeep()) return;
	await endSession();
	const count = await countHidden();
	if (count === 0) return;
	appendTo(
		place,
		count === 1
			? "1 entry waiting on this phone. Sign in to send it."
			: `${count} entries waiting on this phone. Sign in to send them.`,
	);
	place.hidden = false;
}

/** Signs out by the form. */
export const signOut = (form: HTMLFormElement): Promise<void> =>
	canKeep() ? leave(form) : Promise.resolve(form.submit());

async function startWorker(address: string | undefined): Promise<void> {
	const { serviceWorker } = navigator;
	if (!serviceWorker) return;
	// Switched off by the server. Its replacement unregisters itself; an earlier page may have
	// registered it again.
	if (!address) {
		await (await serviceWorker.getRegistration())?.unregister().catch(() => undefined);
		for (const name of await caches.keys())
			if (name.startsWith("milepost-")) await caches.delete(name);
		return;
	}
	// Without a service worker, everything works except offline.
	await serviceWorker.register(address, { updateViaCache: "none" }).catch(() => undefined);
	const { active } = await serviceWorker.ready;
	// A page that loads while the worker is being activated may not be claimed, and never is later.
	if (!serviceWorker.controller) active?.postMessage(CLAIM_PAGE);
}

/**
 * A form of the page: with its draft and, on the offline page from the server, with the phone's
 * owner.
 */
async function prepare(
	form: HTMLFormElement,
	userId: string | undefined,
	timeZone: string,
): Promise<void> {
	const owner = form.querySelector<HTMLInputElement>("input[name=asUser]");
	if (owner?.value === "") owner.value = userId ?? "";
	if (userId) await keepDraft(form, form.dataset.outboxForm as FormName, userId, timeZone);
	followToday(form, timeZone);
	followLatest(form, timeZone);
	form.dataset.isKept = "yes";
}

/** Restores what the worker couldn't save into its form on the offline page. */
function restoreTypedForm(): void {
	const text = document.querySelector<HTMLElement>("[data-typed]")?.dataset.typed;
	if (!text) return;
	const { form: name, fields } = JSON.parse(text) as UnsavedForm;
	const form = document.querySelector<HTMLFormElement>(`form[data-outbox-form="${name}"]`);
	if (!form) return;
	fill(form, fields);
	// Its key and owner too: another account may have come to this phone meanwhile.
	for (const [field, value] of fields) {
		const hidden = form.querySelector<HTMLInputElement>(`input[type=hidden][name="${field}"]`);
		if (hidden) hidden.value = value;
		else if (value && ["correctsId", "replacesId", "receiptUrl"].includes(field))
			appendTo(form, element("input", { type: "hidden", name: field, value }));
	}
}

/** The offline page no longer waits for a signal. */
function tellOutcome([heading, text]: readonly [heading: string, text: string]): void {
	document.querySelector("h1")?.replaceChildren(heading);
	document.querySelector("#note [role=status]")?.replaceChildren(text);
}

async function startOutbox(place: HTMLElement, userId: string, timeZone: string): Promise<void> {
	prepareAnnouncements(place, takeNews());
	watchLeaving();
	let end: End = "done";
	let pause = FIRST_PAUSE;
	let timer: ReturnType<typeof setTimeout> | undefined;
	const isOffline = place.dataset.outbox === "";
	const isToldToWait = new URLSearchParams(location.search).get("note") === "saved";
	const here = isOffline ? "/" : location.pathname + location.search;
	const signInAddress = `/api/login?returnTo=${encodeURIComponent(isOffline ? "/" : location.pathname)}`;
	let before: ReadonlySet<number> | undefined;
	const waited = new Set<number>();
	const draw = async () => {
		await untilReleased();
		// Another account may have come to this phone in another window.
		const entries = (await phoneUser()) === userId ? await listEntries(userId) : [];
		const hidden = (await formerUser()) === userId ? await countHidden() : 0;
		// Sent entries are cleared once they have been read.
		if (isToldToWait && before === undefined && entries.length + hidden === 0)
			tellOutcome(NOTHING_WAITING);
		// What a page says is waiting may have been sent before it loaded, which is then news.
		before ??= new Set(
			isToldToWait ? [] : entries.filter(({ state }) => state === "sent").map(({ id }) => id),
		);
		const isNews = entries.some(({ id, state }) => state === "sent" && !before?.has(id));
		if (isNews && !isOffline) void refresh(here);
		if (entries.some(isUnsent)) void askToPersist();
		if (isOffline && isNews && !entries.some(isUnsent)) tellOutcome(ALL_SENT);
		const isRefused = entries.some(({ id, state }) => state === "needs-you" && waited.has(id));
		if (isOffline && isRefused && !entries.some(isToSend)) tellOutcome(ACTION_NEEDED);
		for (const { id } of entries.filter(isToSend)) waited.add(id);
		drawOutbox(place, entries, end, {
			send: () => void send(),
			signInAddress,
			timeZone,
			here: isNews ? here : "",
			hidden,
		});
		return entries;
	};
	const send = async () => {
		clearTimeout(timer);
		end = await sendAll().catch(() => "later" as const);
		const entries = await draw();
		const isWaiting = entries.some(isToSend);
		if (!isWaiting) pause = FIRST_PAUSE;
		// Another round may have set it meanwhile.
		clearTimeout(timer);
		if (isWaiting && end !== "sign-in") timer = setTimeout(retry, pause);
	};
	const retry = () => {
		pause = Math.min(pause * 2, MAX_PAUSE);
		void send();
	};
	onOutboxChange(() => void draw());
	window.addEventListener("online", () => void send());
	document.addEventListener("visibilitychange", () => {
		if (document.visibilityState === "visible") void send();
	});
	window.addEventListener("pageshow", (event) => {
		if (event.persisted) void send();
	});
	const old = (await listEntries(userId)).filter(
		({ state, sentAt, capturedAt }) =>
			state === "sent" && phoneNow() - (sentAt ?? capturedAt) > SENT_STAYS,
	);
	await deleteEntries(old.map(({ id }) => id));
	await draw();
	await send();
}
