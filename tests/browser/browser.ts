/**
 * Real pages in a real browser, against the built Worker: Chromium, or the Firefox of firefox.ts. A
 * console error or a refused resource that a test did not ask for fails it.
 */
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { afterAll, afterEach, expect } from "vitest";
import { findBrowser } from "../../tools/browser.ts";
import { freePort } from "../../tools/free-port.ts";
import { type Fleet, openFleet } from "../support/worker.ts";
import { IS_FIREFOX, launchFirefox } from "./firefox.ts";

export type Stage = {
	readonly fleet: Fleet;
	readonly browser: Browser;
	/** A new person's browser. */
	readonly visit: (options?: VisitOptions) => Promise<Page>;
};

export type VisitOptions = {
	readonly javaScript?: boolean;
	readonly phone?: boolean;
	readonly scheme?: "light" | "dark";
	/**
	 * True for a test of motion itself. In the others pages change at once: a transition between two
	 * pages would stand still, as the toasts do.
	 */
	readonly hasMotion?: boolean;
	/** Pages that answer 4xx log an error in the console; a test that goes there says so. */
	readonly mayRefuse?: boolean;
};

/**
 * Toasts leave after five seconds; in a test they stay, so that a busy machine does not come too
 * late to read them.
 */
function holdToasts(context: BrowserContext): void {
	context.on("page", async (page) => {
		try {
			const session = await context.newCDPSession(page);
			await session.send("Animation.enable");
			await session.send("Animation.setPlaybackRate", { playbackRate: 0 });
		} catch {
			// The page was closed before it could show anything.
		}
	});
}

/** Lets a page's toasts leave after all, and soon; in Firefox they were never held. */
export async function hurryToasts(page: Page): Promise<void> {
	if (IS_FIREFOX) return;
	const session = await page.context().newCDPSession(page);
	await session.send("Animation.enable");
	await session.send("Animation.setPlaybackRate", { playbackRate: 20 });
}

/** As long as a page may take on a machine that is busy with others, in milliseconds. */
const PATIENCE = 60_000;

/** The browser of this run. */
export async function openBrowser(): Promise<Browser> {
	const browser = await (IS_FIREFOX ? launchFirefox(2 * PATIENCE) : launchChromium());
	browser.on("context", (context) => {
		context.setDefaultTimeout(PATIENCE);
		if (!IS_FIREFOX) holdToasts(context);
	});
	return browser;
}

/** The real Chromium, with nothing in it that talks to anybody else. */
function launchChromium(): Promise<Browser> {
	return chromium.launch({
		executablePath: findBrowser(),
		timeout: 2 * PATIENCE,
		// A phone is in the zone of whoever holds it: here the machine's, not the Worker's.
		env: { ...process.env, TZ: process.env.MILEPOST_MACHINE_ZONE ?? "UTC" },
		args: [
			"--no-sandbox",
			"--disable-gpu",
			"--disable-quic",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
			"--no-first-run",
		],
	});
}

/** A fleet on a real port and a browser, for the tests of one file. */
export async function openStage(): Promise<Stage> {
	const fleet = await openFleet({ port: await freePort() });
	const browser = await openBrowser();
	const problems: string[] = [];
	const contexts: BrowserContext[] = [];
	afterEach(async () => {
		await Promise.all(contexts.splice(0).map((context) => context.close()));
		expect(problems.splice(0), "what the browser complained about").toEqual([]);
	});
	afterAll(() => browser.close());
	const visit = async ({
		javaScript = true,
		phone = true,
		scheme = "light",
		mayRefuse = false,
		hasMotion = false,
	}: VisitOptions = {}) => {
		const context = await browser.newContext({
			baseURL: fleet.origin,
			javaScriptEnabled: javaScript,
			viewport: phone ? { width: 360, height: 740 } : { width: 1280, height: 800 },
			colorScheme: scheme,
			reducedMotion: hasMotion ? "no-preference" : "reduce",
			serviceWorkers: "block",
		});
		contexts.push(context);
		const page = await context.newPage();
		page.on("console", (message) => {
			const isRefusal = /Failed to load resource: the server responded with a status of 4/.test(
				message.text(),
			);
			// These tests are of pages; those of the service worker have a stage of their own
			// (tests/offline/stage.ts).
			const isBlocked = message.text() === "Service Worker registration blocked by Playwright";
			if (
				(message.type() === "error" || message.type() === "warning") &&
				!(mayRefuse && isRefusal) &&
				!isBlocked
			)
				problems.push(message.text());
		});
		page.on("pageerror", (error) => problems.push(error.message));
		return page;
	};
	return { fleet, browser, visit };
}

/** Signs in on the local page. */
export async function signIn(page: Page, email: string): Promise<void> {
	await page.goto("/api/login");
	await page.getByLabel("Email").fill(email);
	await page.getByRole("button", { name: "Sign In", exact: true }).click();
	await page.waitForURL((url) => url.pathname !== "/api/login");
}

/** Follows a link under a list to another of its pages; false where there is none. */
export async function turnPage(page: Page, name: string): Promise<boolean> {
	const link = page
		.getByRole("navigation", { name: /pagination|pages of/i })
		.getByRole("link", { name });
	if ((await link.count()) === 0) return false;
	const address = new URL((await link.getAttribute("href")) ?? "", page.url()).href;
	await link.click();
	await page.waitForURL(address);
	return true;
}
