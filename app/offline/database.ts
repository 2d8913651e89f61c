/**
 * What a phone keeps in IndexedDB: the outbox, drafts, and its current user. The page and the
 * service worker share it.
 */
import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from "idb";

export type FormName = "mileage" | "requests" | "answers";
export type Fields = readonly (readonly [name: string, value: string])[];
export type KeptFile = {
	readonly field: string;
	readonly name: string;
	readonly type: string;
	readonly bytes: ArrayBuffer;
};

/** After a crash `sending` means `waiting`: the key makes a second sending harmless. */
export type EntryState = "waiting" | "sending" | "sent" | "needs-you";

/** A submitted form. Files are stored separately, so that a list of entries is small. */
export type Entry = {
	/** Ascending: the order of sending. */
	readonly id: number;
	readonly userId: string;
	readonly form: FormName;
	readonly key: string;
	readonly fields: Fields;
	readonly fileCount: number;
	/** By the phone's clock, milliseconds. */
	readonly capturedAt: number;
	readonly state: EntryState;
	/**
	 * The server's answer: for a sent entry, its number; for one that needs action or was passed
	 * over, why.
	 */
	readonly message: string;
	/**
	 * It couldn't be sent when others could, so a form that someone waits for doesn't wait for it.
	 * Entries of earlier versions don't have it.
	 */
	readonly isPassedOver?: boolean;
	/** How often the server was reached but failed on it. */
	readonly failures: number;
	/**
	 * While its answer is on a screen it isn't sent: the driver is dealing with it there. 0 if it is
	 * on none.
	 */
	readonly heldUntil: number;
	/** The window that showed the answer. */
	readonly shownTo: string;
	/**
	 * Until then, in the phone's milliseconds, it is left to the page that waits for its answer: a
	 * round of sending couldn't show a question or an answer. Entries of earlier versions don't have
	 * it.
	 */
	readonly liveUntil?: number;
	/** Changes with what was sent. Entries of earlier versions don't have it. */
	readonly version?: string;
	/** When it was received, by the phone's clock. Entries of earlier versions don't have it. */
	readonly sentAt?: number;
};

/** What was typed and not sent, by account and form. */
export type Draft = {
	readonly id: string;
	readonly userId: string;
	readonly key: string;
	readonly fields: Fields;
	readonly typedAt: number;
	/** It was submitted, and the result isn't known. */
	readonly isSent: boolean;
	/** The URL's fragment then, which acceptance changes. Earlier versions' drafts don't have it. */
	readonly hash?: string;
	/** A file was chosen, which isn't kept. */
	readonly hasFile?: boolean;
};

type Schema = DBSchema & {
	entries: { key: number; value: Omit<Entry, "id"> & { id?: number }; indexes: { byUser: string } };
	files: { key: number; value: readonly KeptFile[] };
	drafts: { key: string; value: Draft };
	/** `formerUserId`: whose session has ended, so that only the number of their entries is shown. */
	phone: { key: "userId" | "formerUserId"; value: string };
};

/** The store of drafts, in a transaction that may change it. */
export type Drafts = IDBPObjectStore<Schema, ["drafts"], "drafts", "readwrite">;

const NAME = "milepost";
/** How long opening may take, in milliseconds: a browser with a broken profile never answers. */
const OPENING_MS = 10_000;
let opened: Promise<IDBPDatabase<Schema>> | undefined;

/**
 * The phone's database, opened once.
 * @throws if it isn't open in time: sending a form and signing out don't wait for it
 */
export function open(): Promise<IDBPDatabase<Schema>> {
	opened ??= openInTime().catch((error: unknown) => {
		opened = undefined;
		throw error;
	});
	return opened;
}

function openInTime(): Promise<IDBPDatabase<Schema>> {
	const opening = openNow();
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => {
			reject(new Error("the phone's database didn't open in time"));
			// If it still opens, nobody uses it, and later versions of the app would wait for it.
			opening.then((db) => db.close()).catch(() => undefined);
		}, OPENING_MS);
		opening.finally(() => clearTimeout(timer)).then(resolve, reject);
	});
}

function openNow(): Promise<IDBPDatabase<Schema>> {
	return openDB<Schema>(NAME, 1, {
		upgrade(db) {
			db.createObjectStore("entries", { keyPath: "id", autoIncrement: true }).createIndex(
				"byUser",
				"userId",
			);
			db.createObjectStore("files");
			db.createObjectStore("drafts", { keyPath: "id" });
			db.createObjectStore("phone");
		},
		// A later version of the app needs the same database, so this one closes it.
		blocking: (_current, _blocked, event) => {
			(event.target as IDBDatabase).close();
			opened = undefined;
		},
		terminated: () => {
			opened = undefined;
		},
	});
}
