/**
 * The outbox in the phone's database, and whose it is.
 * An entry leaves it only when the server has said that it is stored, when its form is on a page
 * again with the server's answer, or when its driver discards it.
 */
import { phoneNow } from "./clock.ts";
import { type Entry, type EntryState, type Fields, type KeptFile, open } from "./database.ts";

/** Pages and the worker notify each other when the outbox changes. */
const channel =
	typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("milepost-outbox");
const listeners = new Set<() => void>();
channel?.addEventListener("message", () => {
	for (const listener of listeners) listener();
});

/** Called whenever the outbox changes, here or in another window or the worker. */
export function onOutboxChange(listener: () => void): void {
	listeners.add(listener);
}

function notifyListeners(): void {
	channel?.postMessage("changed");
	for (const listener of listeners) listener();
}

/** The phone's user: the account that last used a driver's page here and hasn't signed out. */
export async function phoneUser(): Promise<string | undefined> {
	return (await open()).get("phone", "userId");
}

/** Whose session the phone has seen end, until someone signs in. */
export async function formerUser(): Promise<string | undefined> {
	return (await open()).get("phone", "formerUserId");
}

/** Remembers the phone's user, and deletes other accounts' drafts and sent entries. */
export async function rememberUser(userId: string): Promise<void> {
	if ((await phoneUser()) === userId) return;
	await changeUser(userId);
	notifyListeners();
}

/** After signing out, only what waits to be sent is left. */
export async function forgetUser(): Promise<void> {
	await changeUser(undefined);
	notifyListeners();
}

/**
 * The phone has learned that its user's session is over, wherever it ended: their drafts are
 * deleted, and what waits is hidden until they sign in again.
 */
export async function endSession(): Promise<void> {
	const userId = await phoneUser();
	// A page that outlived the session may have been closed before it deleted its draft.
	await changeUser(undefined, userId ?? (await formerUser()));
	if (userId !== undefined) notifyListeners();
}

/** In one transaction, so that no draft is saved between the two for an account that has left. */
async function changeUser(userId: string | undefined, formerUserId?: string): Promise<void> {
	const tx = (await open()).transaction(["phone", "drafts", "entries"], "readwrite");
	const [phone, drafts, entries] = [
		tx.objectStore("phone"),
		tx.objectStore("drafts"),
		tx.objectStore("entries"),
	];
	for (const draft of await drafts.getAll())
		if (draft.userId !== userId) await drafts.delete(draft.id);
	for (const entry of await entries.getAll())
		if (entry.userId !== userId && entry.state === "sent" && entry.id !== undefined)
			await entries.delete(entry.id);
	await phone.clear();
	if (userId !== undefined) await phone.put(userId, "userId");
	if (formerUserId !== undefined) await phone.put(formerUserId, "formerUserId");
	await tx.done;
}

/** One account's entries, oldest first, without their files. */
export async function listEntries(userId: string): Promise<Entry[]> {
	return (await (await open()).getAllFromIndex("entries", "byUser", userId)) as Entry[];
}

export async function listFiles(id: number): Promise<readonly KeptFile[]> {
	return (await (await open()).get("files", id)) ?? [];
}

const sameFields = (one: Fields, other: Fields) => {
	const text = (fields: Fields) =>
		JSON.stringify(fields.filter(([name]) => name !== "confirm" && name !== "key"));
	return text(one) === text(other);
};

const sameFiles = (one: readonly KeptFile[], other: readonly KeptFile[]) => {
	const text = (files: readonly KeptFile[]) =>
		JSON.stringify(files.map(({ name, bytes }) => [name, bytes.byteLength]));
	return text(one) === text(other);
};

/** The id of the trip or request that a form corrects; '' if none. */
const originalOf = (fields: Fields) =>
	fields.find(([name]) => name === "correctsId" || name === "replacesId")?.[1] ?? "";

export type NewEntry = Pick<
	Entry,
	"userId" | "form" | "key" | "fields" | "capturedAt" | "liveUntil"
> & {
	readonly files: readonly KeptFile[];
};

/**
 * Saves an entry before it is sent. The same form sent again is the same entry; other values under
 * a key that may be in use get a new key, so that neither is lost.
 * @throws QuotaExceededError if the phone is full; nothing is saved then
 */
export async function saveEntry({ files, ...fresh }: NewEntry): Promise<Entry> {
	const tx = (await open()).transaction(["entries", "files"], "readwrite", {
		durability: "strict",
	});
	try {
		const entries = tx.objectStore("entries");
		const unsent = ((await entries.index("byUser").getAll(fresh.userId)) as Entry[]).filter(
			({ state }) => state !== "sent",
		);
		const known = unsent.find(({ key }) => key === fresh.key);
		// A trip is driven once, so the same one from a page returned to is the same entry. Money may
		// be requested twice. One row is corrected once: the last correction counts.
		const original = originalOf(fresh.fields);
		const twin = unsent.find(
			({ form, fields, state }) =>
				form === fresh.form &&
				((form === "mileage" && sameFields(fields, fresh.fields)) ||
					(original !== "" && state !== "sending" && originalOf(fields) === original)),
		);
		// An answer on a screen says that nothing was stored, so a new submission from that screen
		// replaces it.
		const replaced =
			known && (known.heldUntil > 0 || sameFields(known.fields, fresh.fields)) ? known : twin;
		// Another page's entry may have been stored without an answer, so its key isn't used for other
		// values.
		const hasKey = replaced && (replaced === known || sameFields(replaced.fields, fresh.fields));
		const key = hasKey ? replaced.key : known ? crypto.randomUUID() : fresh.key;
		// A form sent again from a page that couldn't keep the photo still has it.
		const keepsFiles =
			replaced !== undefined &&
			files.length === 0 &&
			(replaced.heldUntil === 0 || replaced !== known);
		const kept = replaced ? ((await tx.objectStore("files").get(replaced.id)) ?? []) : [];
		const isSame =
			replaced !== undefined &&
			sameFields(replaced.fields, fresh.fields) &&
			(keepsFiles || sameFiles(kept, files));
		const entry = {
			...fresh,
			key,
			fields: fresh.fields.map(([name, value]) => [name, name === "key" ? key : value] as const),
			fileCount: keepsFiles ? replaced.fileCount : files.length,
			state: "waiting" as const,
			message: "",
			failures: 0,
			heldUntil: 0,
			shownTo: "",
			version: (isSame && replaced.version) || crypto.randomUUID(),
			...(replaced ? { id: replaced.id, capturedAt: replaced.capturedAt } : {}),
		};
		const id = await entries.put(entry);
		if (!keepsFiles)
			await (files.length > 0
				? tx.objectStore("files").put(files, id)
				: tx.objectStore("files").delete(id));
		await tx.done;
		notifyListeners();
		return { ...entry, id };
	} catch (error) {
		await tx.done.catch(() => undefined);
		throw error;
	}
}

/** Whether an entry exists and isn't sent. */
export async function isStillUnsent(id: number): Promise<boolean> {
	return ((await (await open()).get("entries", id))?.state ?? "sent") !== "sent";
}

/**
 * Changes an entry that still exists. A sent one stays sent.
 * @param only changes it only in this state, or this version: an answer isn't about what was sent
 * later
 * @returns whether it was changed
 */
export async function updateEntry(
	id: number,
	changes: Partial<Omit<Entry, "id">>,
	only: { readonly state?: EntryState; readonly version?: string | undefined } = {},
): Promise<boolean> {
	const tx = (await open()).transaction("entries", "readwrite");
	const entry = await tx.store.get(id);
	const isOpen =
		entry !== undefined &&
		entry.state !== "sent" &&
		(only.state ?? entry.state) === entry.state &&
		(!("version" in only) || only.version === entry.version);
	if (isOpen) await tx.store.put({ ...entry, ...changes });
	await tx.done;
	if (isOpen) notifyListeners();
	return isOpen;
}

/**
 * Records that an entry was received. If its form was sent again meanwhile, as with a photo added,
 * what is kept now has yet to be sent.
 * @param message what to say of it; absent if its page says it: nothing is kept
 */
export async function markReceived({ id, version }: Entry, message?: string): Promise<void> {
	const tx = (await open()).transaction(["entries", "files"], "readwrite");
	const entries = tx.objectStore("entries");
	const entry = await entries.get(id);
	if (entry && entry.version !== version) await entries.put({ ...entry, state: "waiting" });
	else if (entry) {
		// Its title stays visible, its contents are deleted.
		const received = { state: "sent", fields: [], fileCount: 0, sentAt: phoneNow() } as const;
		await (message === undefined
			? entries.delete(id)
			: entries.put({ ...entry, ...received, message }));
		await tx.objectStore("files").delete(id);
	}
	await tx.done;
	notifyListeners();
}

/**
 * Deletes entries for good.
 * @param kept states of entries that stay
 */
export async function deleteEntries(
	ids: readonly number[],
	kept: readonly EntryState[] = [],
): Promise<void> {
	if (ids.length === 0) return;
	const tx = (await open()).transaction(["entries", "files"], "readwrite");
	for (const id of ids) {
		const entry = await tx.objectStore("entries").get(id);
		if (!entry || kept.includes(entry.state)) continue;
		await Promise.all([tx.objectStore("entries").delete(id), tx.objectStore("files").delete(id)]);
	}
	await tx.done;
	notifyListeners();
}

/**
 * Removes the entry whose answer a window shows: from here on its form has what was typed. One
 * transaction, because a form that is sent again meanwhile takes the entry over and keeps it.
 */
export async function removeShown(client: string): Promise<void> {
	const tx = (await open()).transaction(["entries", "files"], "readwrite");
	const entries = (await tx.objectStore("entries").getAll()) as Entry[];
	const shown = entries.filter(({ shownTo }) => shownTo !== "" && shownTo === client);
	for (const { id } of shown)
		await Promise.all([tx.objectStore("entries").delete(id), tx.objectStore("files").delete(id)]);
	await tx.done;
	if (shown.length > 0) notifyListeners();
}
