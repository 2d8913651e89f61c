/**
 * What a phone keeps in IndexedDB: the outbox, drafts, and whose phone it is just now. The page and
 * the service worker share it.
 *
 * An entry leaves the outbox only when the server has said that it is in the books, or when its
 * driver discards it.
 */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";

export type FormName = "mileage" | "requests" | "answers";
export type Fields = readonly (readonly [name: string, value: string])[];
export type KeptFile = {
	readonly field: string;
	readonly name: string;
	readonly type: string;
	readonly bytes: ArrayBuffer;
};

/** `sending` after a crash is as good as `waiting`: the key makes a second sending harmless. */
export type EntryState = "waiting" | "sending" | "sent" | "needs-you";

/** One form as it was sent off. Files stand apart, so that a list of entries is small. */
export type Entry = {
	/** Counts up: the order of sending. */
	readonly id: number;
	readonly userId: string;
	readonly form: FormName;
	readonly key: string;
	readonly fields: Fields;
	readonly fileCount: number;
	/** By the phone's clock, milliseconds. */
	readonly capturedAt: number;
	readonly state: EntryState;
	/** What the server said: of what is sent, its number; of what needs its driver, why. */
	readonly message: string;
	/** How often the server has failed on it, being reached. */
	readonly failures: number;
	/**
	 * While its answer stands on a screen it is not sent: the driver is dealing with it there. 0 when
	 * it is on none.
	 */
	readonly heldUntil: number;
	/** The window that the answer was given to. */
	readonly shownTo: string;
	/**
	 * Until then it is left to whoever waits for its answer on a screen, the phone's milliseconds: a
	 * round of sending would ask nothing and answer nobody. Entries of earlier versions have none.
	 */
	readonly liveUntil?: number;
};

/** What was typed and not sent, by account and form. */
export type Draft = {
	readonly id: string;
	readonly userId: string;
	readonly key: string;
	readonly fields: Fields;
	readonly typedAt: number;
	/** It was sent off, and what became of it is not known. */
	readonly isSent: boolean;
};

type Schema = DBSchema & {
	entries: { key: number; value: Omit<Entry, "id"> & { id?: number }; indexes: { byUser: string } };
	files: { key: number; value: readonly KeptFile[] };
	drafts: { key: string; value: Draft };
	phone: { key: "userId"; value: string };
};

const NAME = "milepost";
let opened: Promise<IDBPDatabase<Schema>> | undefined;

function open(): Promise<IDBPDatabase<Schema>> {
	opened ??= openDB<Schema>(NAME, 1, {
		upgrade(db) {
			db.createObjectStore("entries", { keyPath: "id", autoIncrement: true }).createIndex(
				"byUser",
				"userId",
			);
			db.createObjectStore("files");
			db.createObjectStore("drafts", { keyPath: "id" });
			db.createObjectStore("phone");
		},
		// A later version of the app opens the same database: this one steps aside.
		blocking: (_current, _blocked, event) => {
			(event.target as IDBDatabase).close();
			opened = undefined;
		},
		terminated: () => {
			opened = undefined;
		},
	}).catch((error: unknown) => {
		opened = undefined;
		throw error;
	});
	return opened;
}

/** Pages and the worker tell each other that the outbox has changed. */
const channel =
	typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("milepost-outbox");
const listeners = new Set<() => void>();
channel?.addEventListener("message", () => {
	for (const listener of listeners) listener();
});

/** Calls back whenever the outbox changes, here or in another window or the worker. */
export function onOutboxChange(listener: () => void): void {
	listeners.add(listener);
}

function notifyListeners(): void {
	channel?.postMessage("changed");
	for (const listener of listeners) listener();
}

/** Whose phone this is: the account that last used a driver's page here and has not signed out. */
export async function phoneUser(): Promise<string | undefined> {
	return (await open()).get("phone", "userId");
}

/** Remembers whose phone this is. Forgets other accounts' drafts and sent entries. */
export async function rememberUser(userId: string): Promise<void> {
	if ((await phoneUser()) === userId) return;
	await forgetAllBut(userId);
	await (await open()).put("phone", userId, "userId");
	notifyListeners();
}

/** After signing out: nothing personal stays but what waits to be sent. */
export async function forgetUser(): Promise<void> {
	await forgetAllBut(undefined);
	await (await open()).delete("phone", "userId");
	notifyListeners();
}

async function forgetAllBut(userId: string | undefined): Promise<void> {
	const tx = (await open()).transaction(["drafts", "entries"], "readwrite");
	for (const draft of await tx.objectStore("drafts").getAll())
		if (draft.userId !== userId) await tx.objectStore("drafts").delete(draft.id);
	for (const entry of await tx.objectStore("entries").getAll())
		if (entry.userId !== userId && entry.state === "sent" && entry.id !== undefined)
			await tx.objectStore("entries").delete(entry.id);
	await tx.done;
}

/** One account's entries, the oldest first, without their files. */
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

export type NewEntry = Pick<
	Entry,
	"userId" | "form" | "key" | "fields" | "capturedAt" | "liveUntil"
> & {
	readonly files: readonly KeptFile[];
};

/**
 * Writes an entry down before it is sent. The same form sent again is the same entry; other values
 * under a key that may be in use get a key of their own, so that neither is lost.
 * @throws QuotaExceededError when the phone is full: then nothing is written
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
		// A trip is driven once: the same one from another page, gone back to, is the same entry. Money
		// may be asked for twice.
		const twin =
			fresh.form === "mileage"
				? unsent.find(({ form, fields }) => form === fresh.form && sameFields(fields, fresh.fields))
				: undefined;
		// An answer that stands on a screen says that nothing was stored: what comes from that screen
		// takes its place.
		const replaced =
			known && (known.heldUntil > 0 || sameFields(known.fields, fresh.fields)) ? known : twin;
		const key = replaced?.key ?? (known ? crypto.randomUUID() : fresh.key);
		// The same form sent again from a page that could not keep the photo still has it.
		const keepsFiles = replaced !== undefined && replaced.heldUntil === 0 && files.length === 0;
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

/** True while an entry is there and not sent. */
export async function isStillUnsent(id: number): Promise<boolean> {
	const entry = await (await open()).get("entries", id);
	return entry !== undefined && entry.state !== "sent";
}

/** Changes an entry that is still there. What is sent stays sent. */
export async function updateEntry(id: number, changes: Partial<Omit<Entry, "id">>): Promise<void> {
	const tx = (await open()).transaction("entries", "readwrite");
	const entry = await tx.store.get(id);
	const isOpen = entry !== undefined && entry.state !== "sent";
	if (isOpen) await tx.store.put({ ...entry, ...changes });
	await tx.done;
	if (isOpen) notifyListeners();
}

/** The server has it: what it is called stays to be seen, what it held goes. */
export async function markSent(id: number, message: string): Promise<void> {
	await updateEntry(id, { state: "sent", message, fields: [], fileCount: 0 });
	await (await open()).delete("files", id);
}

/** Takes entries out for good. */
export async function deleteEntries(ids: readonly number[]): Promise<void> {
	if (ids.length === 0) return;
	const tx = (await open()).transaction(["entries", "files"], "readwrite");
	for (const id of ids)
		await Promise.all([tx.objectStore("entries").delete(id), tx.objectStore("files").delete(id)]);
	await tx.done;
	notifyListeners();
}

/**
 * Takes out what a window shows the answer of: from here on its form holds what was typed. Looked
 * for and removed in one transaction: a form that is sent again meanwhile, as by a reload, takes
 * the entry over and keeps it.
 */
export async function removeShown(client: string): Promise<void> {
	const tx = (await open()).transaction(["entries", "files"], "readwrite");
	const entries = (await tx.objectStore("entries").getAll()) as Entry[];
	const shown = entries.filter(({ shownTo }) => shownTo !== "" && shownTo === client);
	for (const { id } of shown) {
		await Promise.all([tx.objectStore("entries").delete(id), tx.objectStore("files").delete(id)]);
	}
	await tx.done;
	if (shown.length > 0) notifyListeners();
}

/** What a form of a name is about, where there may be several. */
const SUBJECTS: readonly string[] = ["correctsId", "replacesId", "requestId"];

/** The name of a form's draft; a correction has a draft of its own, and so has each answer. */
export const draftId = (userId: string, form: FormName, fields: Fields): string => {
	const subject = fields.find(([name]) => SUBJECTS.includes(name))?.[1] ?? "";
	return `${userId} ${form} ${subject}`;
};

export async function readDraft(id: string): Promise<Draft | undefined> {
	return (await open()).get("drafts", id);
}

export async function saveDraft(draft: Draft): Promise<void> {
	await (await open()).put("drafts", draft);
}

export async function removeDraft(id: string): Promise<void> {
	await (await open()).delete("drafts", id);
}
