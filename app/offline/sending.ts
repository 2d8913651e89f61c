/**
 * Sends what is waiting: in order, one at a time across all windows and the worker, with the key it
 * was captured with. An entry counts as sent only when the server explicitly says so.
 */
import { phoneNow } from "./clock.ts";
import type { Entry } from "./database.ts";
import {
	endSession,
	listEntries,
	listFiles,
	markReceived,
	phoneUser,
	updateEntry,
} from "./store.ts";

/** Held by whoever is sending. */
export const LOCK = "milepost-outbox";
/** How long one sending may take, in milliseconds, and how many bytes of files extend it by one. */
const SENDING_LIMIT = 120_000;
const BYTES_PER_MS = 16;
/** How often the server may fail on one entry before its driver is told and the others continue. */
const MAX_FAILURES = 5;

/**
 * Whether an entry that needs its driver may have been stored anyway: the server failed on it,
 * maybe only after storing it. What was refused was never stored.
 */
export const mayBeStored = ({ failures }: Entry): boolean => failures >= MAX_FAILURES;

/**
 * `done`: nothing is waiting; `later`: offline; `busy`: the server accepts nothing now; `some`: it
 * didn't accept all; `sign-in`: the session has ended; `other`: another account is signed in.
 */
export type End = "done" | "later" | "busy" | "some" | "sign-in" | "other";
/** Whether to try again without the driver. */
export const isUnfinished = (end: End): boolean => ["later", "busy", "some"].includes(end);
type Verdict =
	| { readonly kind: "sent"; readonly message: string }
	/** `isFresh`: its original can no longer be corrected, so it becomes a new entry. */
	| { readonly kind: "refused"; readonly message: string; readonly isFresh: boolean }
	/**
	 * Needn't hold up the others: the connection is too slow for it, the network refuses it, or its
	 * file can't be stored now.
	 */
	| { readonly kind: "passed-over"; readonly message: string }
	| { readonly kind: "later" | "busy" | "failed" | "sign-in" | "other" };

/**
 * Posts one of our forms, files last, as the page would have sent it. Redirects aren't followed:
 * none of our routes answers an outbox with one.
 */
export async function post(
	path: string,
	entry: Entry,
	headers: Readonly<Record<string, string>>,
): Promise<Response> {
	const body = new FormData();
	let patience = SENDING_LIMIT;
	for (const [name, value] of entry.fields) body.append(name, value);
	for (const { field, name, type, bytes } of await listFiles(entry.id)) {
		body.append(field, new File([bytes], name, { type }));
		patience += bytes.byteLength / BYTES_PER_MS;
	}
	// Older browsers have no AbortSignal.timeout.
	const limit = new AbortController();
	setTimeout(() => limit.abort(), patience);
	return fetch(path, {
		method: "POST",
		body,
		headers,
		redirect: "manual",
		credentials: "same-origin",
		signal: limit.signal,
	});
}

type Answer = {
	readonly received?: unknown;
	readonly words?: unknown;
	readonly message?: unknown;
	readonly reason?: unknown;
};

async function replay(entry: Entry): Promise<Verdict> {
	let response: Response;
	let answer: Answer;
	try {
		const ago = Math.max(0, Math.round(phoneNow() - entry.capturedAt));
		response = await post(`/api/outbox/${entry.form}`, entry, { "Captured-Ago": String(ago) });
		const isOurs = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
		if (!isOurs) {
			const { status } = response;
			// A proxy in between may accept others, except if it asks for less.
			if (status >= 400 && status < 500 && status !== 408 && status !== 429)
				return { kind: "passed-over", message: "The network refused this. We'll try again." };
			return { kind: status === 500 ? "failed" : "later" };
		}
		answer = (await response.json()) as Answer;
	} catch (error) {
		return error instanceof DOMException ? { kind: "passed-over", message: "" } : { kind: "later" };
	}
	const { status } = response;
	if (status === 200 && answer.received === true)
		return { kind: "sent", message: String(answer.words ?? "") };
	if (status === 401) await endSession();
	if (status === 401 || status === 403) return { kind: "sign-in" };
	if (answer.reason === "other-account") return { kind: "other" };
	if (answer.reason === "file-later")
		return { kind: "passed-over", message: String(answer.message ?? "") };
	if (status === 500) return { kind: "failed" };
	if (status >= 500 || status === 429 || status === 408 || status < 400) return { kind: "busy" };
	return {
		kind: "refused",
		message: String(answer.message ?? "The server didn't accept it."),
		isFresh: answer.reason === "nothing-to-amend",
	};
}

/**
 * Whether an entry is to be sent: `sending` is left over from a window or worker that was closed.
 */
export const isUnsent = (entry: Entry): boolean => entry.state !== "sent";
/** Whether it is sent automatically, now or later. */
export const isToSend = ({ state }: Entry): boolean => state === "waiting" || state === "sending";
/** After this long without an answer, in milliseconds, nobody waits for it any more. */
export const RESPONSE_TIMEOUT_MS = 10_000;
/** How long a driver has to act on an answer before the entry is sent anyway, in milliseconds. */
export const ANSWER_HOLD_MS = 300_000;
/** A time further ahead than any that is set is from before the clock was set back. */
export const isOver = (until: number, most: number) =>
	until <= phoneNow() || until > phoneNow() + most;
const isDue = (entry: Entry): boolean =>
	isToSend(entry) &&
	isOver(entry.heldUntil, ANSWER_HOLD_MS) &&
	isOver(entry.liveUntil ?? 0, RESPONSE_TIMEOUT_MS);

/** What ties an entry to the one that it corrects, whose receipt isn't free. */
const OF_ORIGINAL: ReadonlySet<string> = new Set(["correctsId", "replacesId", "receiptUrl"]);

/** Sends one entry and records the result; anything but `done` and `some` stops the round. */
async function sendOne(entry: Entry): Promise<End> {
	// It may have been discarded, or sent again with other values, meanwhile.
	const record = (changes: Parameters<typeof updateEntry>[1]) =>
		updateEntry(entry.id, changes, { version: entry.version });
	if (!(await record({ state: "sending" }))) return "done";
	const verdict = await replay(entry);
	switch (verdict.kind) {
		case "sent":
			await markReceived(entry, verdict.message);
			return "done";
		case "refused":
			await record({
				state: "needs-you",
				message:
					verdict.isFresh &&
					entry.fileCount === 0 &&
					entry.fields.some(([name]) => name === "receiptUrl")
						? `${verdict.message} Its receipt has to be added again.`
						: verdict.message,
				...(verdict.isFresh
					? { fields: entry.fields.filter(([name]) => !OF_ORIGINAL.has(name)) }
					: {}),
			});
			return "done";
		case "failed": {
			const failures = entry.failures + 1;
			const isHopeless = failures >= MAX_FAILURES;
			await record({
				failures,
				state: isHopeless ? "needs-you" : "waiting",
				message: isHopeless
					? "Something went wrong on our side. Send it again or tell your fleet administrator."
					: "",
			});
			return isHopeless ? "done" : "busy";
		}
		case "passed-over":
			await record({ state: "waiting", message: verdict.message, isPassedOver: true });
			return "some";
		default:
			await record({ state: "waiting", message: "" });
			return verdict.kind;
	}
}

/**
 * Sends everything of this phone's user that is due. Only inside `LOCK`.
 * @param until sends only what was captured before this entry, whose driver waits, and wasn't passed
 * over before
 */
export async function sendDue(userId: string, until?: number): Promise<End> {
	const passedOver = new Set<number>();
	const isNext = (entry: Entry) =>
		isDue(entry) &&
		!passedOver.has(entry.id) &&
		(until === undefined || (entry.id < until && !entry.isPassedOver));
	for (;;) {
		const next = (await listEntries(userId)).find(isNext);
		if (!next) return passedOver.size > 0 ? "some" : "done";
		const end = await sendOne(next);
		if (end === "some") passedOver.add(next.id);
		else if (end !== "done") return end;
	}
}

let queued: Promise<End> | undefined;

/**
 * A round of sending, after the one that may be in progress; calls while one is waiting its turn
 * share it.
 */
export async function sendAll(): Promise<End> {
	queued ??= round().catch((error: unknown) => {
		queued = undefined;
		throw error;
	});
	return queued;
}

async function round(): Promise<End> {
	return await navigator.locks.request(LOCK, async () => {
		queued = undefined;
		const userId = await phoneUser();
		return userId === undefined ? "done" : sendDue(userId);
	});
}
