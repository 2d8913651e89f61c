/**
 * A driver's form on its way through the service worker: saved to the outbox, then sent as its page
 * would send it, while the driver waits for the answer.
 */
import { formatTime } from "../values/calendar-date.ts";
import { isWrongAccount, redirectTarget } from "./answers.ts";
import { knownZone, phoneNow } from "./clock.ts";
import type { Entry, FormName } from "./database.ts";
import { draftId, removeDraft } from "./draft-store.ts";
import { FLEET } from "./fleet.ts";
import { readFormData, singleValue } from "./form-body.ts";
import { type Note, SYNC_TAG } from "./messages.ts";
import { offlinePage, savedPage } from "./offline-page.ts";
import { ANSWER_HOLD_MS, LOCK, post, RESPONSE_TIMEOUT_MS, sendDue } from "./sending.ts";
import {
	endSession,
	isStillUnsent,
	markReceived,
	phoneUser,
	saveEntry,
	updateEntry,
} from "./store.ts";
import { findFault } from "./validation.ts";

declare const self: ServiceWorkerGlobalScope;

/**
 * Resolves to nothing once an answer is no longer awaited: a form is then reported as saved, and a
 * page is replaced by the offline one.
 */
export const afterTimeout = () =>
	new Promise<undefined>((resolve) => setTimeout(resolve, RESPONSE_TIMEOUT_MS));

/** The account of this phone, if it has one that can be read. */
export const currentDriver = () => phoneUser().catch(() => undefined);

/**
 * A driver's form: first saved to the outbox, then sent to the server; without an answer it stays
 * there.
 */
export async function submit(event: FetchEvent, page: FormName): Promise<Response> {
	const { request } = event;
	const url = new URL(request.url);
	const body = await request.clone().formData();
	const form = body.has("requestId") ? "answers" : page;
	// Row actions are idempotent, and make little sense later, except answers.
	if (form !== "answers" && body.has("intent"))
		return fetch(request).catch(() => offlinePage("unsent"));
	const { fields, files } = await readFormData(body);
	const asUser = singleValue(body, "asUser");
	const key = singleValue(body, "key");
	const unkept = (note: Note) =>
		form === "answers" ? offlinePage("unsent") : offlinePage(note, { form, fields });
	// A form names its owner exactly once; any other form isn't kept.
	if (!asUser || !key) {
		const note = async () => ((await currentDriver()) ? "unowned" : "nobody");
		return fetch(request).catch(async () => unkept(await note()));
	}
	// Older browsers don't say which window it will be.
	const turn = new Turn(event.resultingClientId ?? "", key);
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
	} catch (error) {
		// Not kept: it is sent like any form, and isn't reported as saved.
		const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
		return fetch(request).catch(() => unkept(isFull ? "full" : "unowned"));
	}
	await removeDraft(draftId(asUser, form, fields), key).catch(() => undefined);
	event.waitUntil(sending);
	const answer =
		(await Promise.race([sending, afterTimeout()])) ??
		(turn.isAnswered ? await sending : undefined);
	if (answer) return answer;
	turn.isLate = true;
	// From a page that was open before another account came to this phone: its outbox hides it.
	const driver = await currentDriver();
	if (driver && driver !== asUser) return savedPage("saved-other");
	// Report it now, while the driver is looking, not when back online.
	const fault = findFault(form, entry.fields, entry.fileCount);
	const needsYou = { state: "needs-you", message: fault } as const;
	if (fault && (await updateEntry(entry.id, needsYou, { version: entry.version })))
		return savedPage("saved-faulty");
	event.waitUntil(sending.then(() => askForSync()));
	return savedPage("saved");
}

/** The windows on their way to the page of a received form. */
export const receivedFor = new Set<string>();

/** The driver waits for a response until told that the form is saved. */
class Turn {
	isLate = false;
	/** The response arrived in time, and is being recorded. */
	isAnswered = false;
	constructor(
		/** The window that shows the response. */
		readonly client: string,
		/** The form's, under which its draft is. */
		readonly key: string,
	) {}
}

/**
 * Sends what waited before it, then the form itself as its page would; `undefined` if there is no
 * answer for the page.
 */
async function live(url: URL, entry: Entry, turn: Turn): Promise<Response | undefined> {
	const record = (changes: Parameters<typeof updateEntry>[1]) =>
		updateEntry(entry.id, changes, { version: entry.version });
	const end = await sendDue(entry.userId, entry.id);
	if (end === "later" || end === "busy" || turn.isLate) {
		await record({ liveUntil: 0 });
		return undefined;
	}
	// While it waited its turn it may have been sent from another window or discarded, which the
	// outbox knows; or changed, and is sent as it is now.
	if (!(await record({ state: "sending", liveUntil: 0 })))
		return (await isStillUnsent(entry.id)) ? undefined : Response.redirect(url.pathname, 303);
	const response = await post(url.pathname + url.search, entry, { Outbox: "live" }).catch(
		() => undefined,
	);
	const location = response && (await redirectTarget(response));
	if (location) {
		turn.isAnswered = !turn.isLate;
		if (turn.isAnswered && turn.client !== "") receivedFor.add(turn.client);
		// A driver who was told that it waits must see that it was sent.
		await markReceived(entry, turn.isLate ? receivedAt(location) : undefined);
		// What was typed since is another draft.
		await removeDraft(draftId(entry.userId, entry.form, entry.fields), turn.key, true).catch(
			() => undefined,
		);
		return Response.redirect(location, 303);
	}
	const status = response?.status ?? 0;
	const isOthers = response !== undefined && (await isWrongAccount(response));
	const isForDriver =
		status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status) && !isOthers;
	if (!response || !isForDriver || turn.isLate) {
		// A late one may need fixing by now.
		await updateEntry(entry.id, { state: "waiting" }, { state: "sending", version: entry.version });
		if (turn.isLate) return undefined;
		if (isOthers) return savedPage("saved-other");
		if (status === 401) await endSession();
		return status === 401 || status === 403 ? savedPage("saved-sign-in") : undefined;
	}
	turn.isAnswered = true;
	// A question or an error is on the driver's screen. If they never see it, the entry is sent
	// anyway.
	await record({
		state: "waiting",
		heldUntil: phoneNow() + ANSWER_HOLD_MS,
		shownTo: turn.client,
	});
	return response;
}

/**
 * `4:20 PM`, the current time of the fleet, and what the page would have said about the receipt.
 * @param location the page that the form leads to
 */
const receivedAt = (location: string) => {
	const time = formatTime(knownZone(FLEET.timeZone), phoneNow());
	return /[?&]receipt=/.test(location)
		? `${time}. The receipt wasn't saved: see Fund Requests.`
		: time;
};

/** Background Sync, if the browser has it, sends when no page is open. */
async function askForSync(): Promise<void> {
	const { sync } = self.registration as ServiceWorkerRegistration & {
		readonly sync?: { register(tag: string): Promise<void> };
	};
	await sync?.register(SYNC_TAG).catch(() => undefined);
}
