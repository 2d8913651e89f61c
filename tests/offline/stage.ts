/** A real Chromium with a service worker, a real Worker, and between them a line that fails when it is told to. */
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { afterAll, afterEach, expect } from "vitest";
import { findBrowser } from "../../tools/browser.ts";
import { signIn } from "../browser/browser.ts";
import { CAST, type CastName } from "../cast.ts";
import { type Fleet, freePort, openFleet } from "../worker.ts";
import { Line } from "./line.ts";

export type LinedStage = {
	readonly fleet: Fleet;
	readonly line: Line;
	readonly origin: string;
	/** Somebody's phone: it keeps what a browser keeps until the test ends. */
	readonly phone: (options?: { readonly blocksWorker?: boolean }) => Promise<BrowserContext>;
	/** Signs in on a phone and waits until its service worker is in charge. */
	readonly arrive: (context: BrowserContext, name: CastName, path?: string) => Promise<Page>;
};

/** @param vars of the Worker */
export async function openLinedStage(vars: Readonly<Record<string, string>> = {}): Promise<LinedStage> {
	const [near, far] = [await freePort(), await freePort()];
	const origin = `http://localhost:${near}`;
	const fleet = await openFleet({ port: far, origin, vars: { ...vars } });
	const line = await Line.open(near, far);
	const browser = await chromium.launch({
		executablePath: findBrowser(),
		args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--no-first-run"],
	});
	const contexts: BrowserContext[] = [];
	const problems: string[] = [];
	afterEach(async () => {
		line.restore();
		await Promise.all(contexts.splice(0).map((context) => context.close()));
		expect(problems.splice(0), "what a page threw or its policy refused").toEqual([]);
	});
	afterAll(async () => {
		await browser.close();
		await line.close();
	});
	const phone = async ({ blocksWorker = false } = {}) => {
		const context = await browser.newContext({
			baseURL: origin,
			viewport: { width: 360, height: 740 },
			serviceWorkers: blocksWorker ? "block" : "allow",
		});
		contexts.push(context);
		context.on("page", (page) => {
			page.on("pageerror", (error) => problems.push(error.message));
			page.on("console", (message) => {
				if (/Content Security Policy|Uncaught/.test(message.text())) problems.push(message.text());
			});
		});
		return context;
	};
	const arrive = async (context: BrowserContext, name: CastName, path = "/mileage") => {
		const page = await context.newPage();
		await signIn(page, CAST[name].email);
		await page.goto(path);
		await controlled(page);
		return page;
	};
	return { fleet, line, origin, phone, arrive };
}

/** Waits until a service worker is in charge of the page. */
export async function controlled(page: Page): Promise<void> {
	await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Waits until the page's outbox code has come and prepared its forms. */
export async function prepared(page: Page): Promise<void> {
	await page.waitForFunction(() => [...document.querySelectorAll("[data-outbox-form]")].every((form) => form.hasAttribute("data-is-kept")));
}

export const SAVED = "Saved on this phone. It will be sent when there is signal.";

export type Trip = { readonly start: number; readonly notes: string };

/** Fills in the mileage form of whatever page this is. */
export async function fillTrip(page: Page, { start, notes }: Trip): Promise<void> {
	await page.getByLabel("Starting Odometer").fill(String(start));
	await page.getByLabel("Ending Odometer").fill(String(start + 10));
	await page.getByLabel("Notes").fill(notes);
}
export const logTrip = (page: Page) => page.getByRole("button", { name: "Log Mileage" }).click();

export const PHOTO = { name: "pump.jpg", mimeType: "image/jpeg" };

/** Fills in the fund request form of whatever page this is. */
export async function fillRequest(page: Page, description: string, photo?: Buffer): Promise<void> {
	await page.getByLabel("Request Type").selectOption("gas");
	await page.getByLabel("Amount").fill("45.50");
	await page.getByLabel("Description").fill(description);
	if (photo) await page.getByLabel("Receipt", { exact: true }).setInputFiles({ ...PHOTO, buffer: photo });
}
export const submitRequest = (page: Page) => page.getByRole("button", { name: "Submit Request" }).click();

export type Kept = {
	readonly userId: string;
	readonly form: string;
	readonly state: string;
	readonly fields: [string, string][];
	readonly message: string;
};

/** Everything a phone keeps, read straight from the browser. */
export function keptOn(
	page: Page,
): Promise<{ entries: Kept[]; drafts: unknown[]; user: string | undefined; caches: string[]; files: number }> {
	return page.evaluate(async () => {
		const opening = indexedDB.open("milepost");
		const db = await new Promise<IDBDatabase>((pass, fail) => {
			opening.onsuccess = () => pass(opening.result);
			opening.onerror = () => fail(opening.error);
		});
		const all = <T>(request: IDBRequest<T>) =>
			new Promise<T>((pass, fail) => {
				request.onsuccess = () => pass(request.result);
				request.onerror = () => fail(request.error);
			});
		const has = db.objectStoreNames.contains("entries");
		const read = <T>(store: string, ask: (from: IDBObjectStore) => IDBRequest<T>, none: T) =>
			has ? all(ask(db.transaction(store).objectStore(store))) : none;
		const names: string[] = [];
		for (const name of await caches.keys())
			for (const request of await (await caches.open(name)).keys()) names.push(new URL(request.url).pathname);
		const found = {
			entries: await read("entries", (store) => store.getAll(), []),
			drafts: await read("drafts", (store) => store.getAll(), []),
			user: await read("phone", (store) => store.get("userId"), undefined),
			files: await read("files", (store) => store.count(), 0),
			caches: names,
		};
		db.close();
		return found;
	});
}
