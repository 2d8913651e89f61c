/**
 * A real Chromium with a service worker, a real Worker, and a network between them that fails on
 * request.
 */
import type { BrowserContext, Page } from "@playwright/test";
import { afterAll, afterEach, expect } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { openBrowser, signIn } from "../browser/browser.ts";
import { isLineOfFirefox } from "../browser/firefox.ts";
import { CAST, type CastName } from "../support/cast.ts";
import { type Fleet, openFleet } from "../support/worker.ts";
import { FaultyNetwork } from "./faulty-network.ts";
import { waitForControl } from "./steps.ts";

/** The state of an unsent entry. A closed window may also leave `sending`, which is sent again. */
export const UNSENT = expect.stringMatching(/^(waiting|sending)$/);

export type PhoneOptions = {
	readonly blocksWorker?: boolean;
	readonly hasScript?: boolean;
	/** The phone's time zone; by default the machine's. */
	readonly timeZone?: string;
};

export type OfflineStage = {
	readonly fleet: Fleet;
	readonly network: FaultyNetwork;
	readonly origin: string;
	/** Opens a phone that keeps its browser storage until the test ends. */
	readonly phone: (options?: PhoneOptions) => Promise<BrowserContext>;
	/** Signs in on a phone and waits until its service worker is active. */
	readonly arrive: (context: BrowserContext, name: CastName, path?: string) => Promise<Page>;
};

/**
 * @param vars the Worker's variables
 * @param state where its database and files are, if the test needs to know
 */
export async function openOfflineStage(
	vars: Readonly<Record<string, string>> = {},
	state?: string,
): Promise<OfflineStage> {
	const [near, far] = [await freePort(), await freePort()];
	const origin = `http://localhost:${near}`;
	const fleet = await openFleet({
		port: far,
		origin,
		vars: { ...vars },
		...(state ? { state } : {}),
	});
	const network = await FaultyNetwork.open(near, far);
	const browser = await openBrowser();
	const contexts: BrowserContext[] = [];
	const problems: string[] = [];
	afterEach(async () => {
		network.restore();
		await Promise.all(contexts.splice(0).map((context) => context.close()));
		expect(problems.splice(0), "what a page threw or its policy refused").toEqual([]);
	});
	afterAll(async () => {
		await browser.close();
		await network.close();
	});
	const phone = async ({ blocksWorker = false, hasScript = true, timeZone }: PhoneOptions = {}) => {
		const context = await browser.newContext({
			baseURL: origin,
			viewport: { width: 360, height: 740 },
			javaScriptEnabled: hasScript,
			// Animations are paused on these pages, so a transition between two would never end.
			reducedMotion: "reduce",
			serviceWorkers: blocksWorker ? "block" : "allow",
			...(timeZone ? { timezoneId: timeZone } : {}),
		});
		contexts.push(context);
		context.on("page", (page) => {
			page.on("pageerror", ({ message }) => {
				if (!isLineOfFirefox(message)) problems.push(message);
			});
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
		await waitForControl(page);
		return page;
	};
	return { fleet, network, origin, phone, arrive };
}
