/**
 * What drivers do on their phones and what the phones store, without Vitest, because the torture
 * uses it too.
 */
import type { Page } from "@playwright/test";

/** Waits until a service worker controls the page. */
export async function waitForControl(page: Page): Promise<void> {
	await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Waits until the page's outbox code has loaded and prepared its forms. */
export async function waitUntilPrepared(page: Page): Promise<void> {
	await page.waitForFunction(() =>
		[...document.querySelectorAll("[data-outbox-form]")].every((form) =>
			form.hasAttribute("data-is-kept"),
		),
	);
}

export const SAVED = "Saved on this phone. It will be sent when you're back online.";

export type Trip = { readonly start: number; readonly notes: string };

/** Fills in the mileage form on the current page. */
export async function fillTrip(page: Page, { start, notes }: Trip): Promise<void> {
	const form = page.locator('form[data-outbox-form="mileage"]');
	await form.getByLabel("Starting Odometer").fill(String(start));
	await form.getByLabel("Ending Odometer").fill(String(start + 10));
	await form.getByLabel("Notes").fill(notes);
}
export const correctTrip = (page: Page) =>
	page.getByRole("button", { name: "Save correction" }).click();
export const logTrip = (page: Page) => page.getByRole("button", { name: "Log Mileage" }).click();

export const PHOTO = { name: "pump.jpg", mimeType: "image/jpeg" };

/** Fills in the fund request form on the current page. */
export async function fillRequest(page: Page, description: string, photo?: Buffer): Promise<void> {
	const form = page.locator('form[data-outbox-form="requests"]');
	await form.getByLabel("Request Type").selectOption("gas");
	await form.getByLabel("Amount").fill("45.50");
	await form.getByLabel("Description").fill(description);
	if (photo)
		await form.getByLabel("Receipt", { exact: true }).setInputFiles({ ...PHOTO, buffer: photo });
}
export const submitRequest = (page: Page) =>
	page.getByRole("button", { name: "Submit Request" }).click();

export type StoredEntry = {
	readonly userId: string;
	readonly form: string;
	readonly state: string;
	/** How long a response may still be on a screen, in the phone's milliseconds; 0 for none. */
	readonly heldUntil: number;
	readonly fields: [string, string][];
	readonly message: string;
};

/** Everything stored on a phone, read directly from the browser. */
export function readPhoneStorage(page: Page): Promise<{
	entries: StoredEntry[];
	drafts: unknown[];
	user: string | undefined;
	caches: string[];
	files: number;
}> {
	return page.evaluate(async () => {
		const opening = indexedDB.open("milepost");
		// Only the page makes it: one that is made here would have no stores, also for the page.
		opening.onupgradeneeded = () => opening.transaction?.abort();
		const db = await new Promise<IDBDatabase | undefined>((pass, fail) => {
			opening.onsuccess = () => pass(opening.result);
			opening.onerror = () =>
				opening.error?.name === "AbortError" ? pass(undefined) : fail(opening.error);
		});
		const all = <T>(request: IDBRequest<T>) =>
			new Promise<T>((pass, fail) => {
				request.onsuccess = () => pass(request.result);
				request.onerror = () => fail(request.error);
			});
		const read = <T>(store: string, ask: (from: IDBObjectStore) => IDBRequest<T>, none: T) =>
			db ? all(ask(db.transaction(store).objectStore(store))) : none;
		const names: string[] = [];
		for (const name of await caches.keys())
			for (const request of await (await caches.open(name)).keys())
				names.push(new URL(request.url).pathname);
		const found = {
			entries: await read("entries", (store) => store.getAll(), []),
			drafts: await read("drafts", (store) => store.getAll(), []),
			user: await read("phone", (store) => store.get("userId"), undefined),
			files: await read("files", (store) => store.count(), 0),
			caches: names,
		};
		db?.close();
		return found;
	});
}

/**
 * Waits until a draft has these words, which it has some time after they were typed.
 * @throws if none has them within half a minute
 */
export async function untilDrafted(page: Page, words: string): Promise<void> {
	for (let looks = 0; looks < 300; looks++) {
		if (JSON.stringify((await readPhoneStorage(page)).drafts).includes(words)) return;
		await page.waitForTimeout(100);
	}
	throw new Error(`No draft has '${words}'`);
}
