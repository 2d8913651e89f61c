/**
 * Real pages in a real browser, on the built Worker: Chromium, or Firefox through firefox.ts. A
 * console error or a refused resource that a test doesn't expect makes it fail.
 */
import {
	type Browser,
	type BrowserContext,
	chromium,
	type Locator,
	type Page,
} from "@playwright/test";
import { afterAll, afterEach, expect } from "vitest";
import { findBrowser } from "../../tools/browser.ts";
import { freePort } from "../../tools/free-port.ts";
import { type Fleet, openFleet } from "../support/worker.ts";
import { IS_FIREFOX, launchFirefox } from "./firefox.ts";

export type Stage = {
	readonly fleet: Fleet;
	readonly browser: Browser;
	/** Opens a page in a new browser context. */
	readonly visit: (options?: VisitOptions) => Promise<Page>;
};

export type VisitOptions = {
	readonly javaScript?: boolean;
	readonly phone?: boolean;
	readonly scheme?: "light" | "dark";
	/**
	 * True for tests of motion itself. In all others pages change without transitions, which would
	 * never end because `holdToasts` stops all animations.
	 */
	readonly hasMotion?: boolean;
	/** True if it stays open for the other tests of the file. */
	readonly isKept?: boolean;
	/** Responses with 4xx log an error in the console; a test that expects them says so. */
	readonly mayRefuse?: boolean;
};

/** Keeps toasts on screen, since on a busy machine a test might miss them in their five seconds. */
function holdToasts(context: BrowserContext): void {
	context.on("page", async (page) => {
		try {
			const session = await context.newCDPSession(page);
			await session.send("Animation.enable");
			await session.send("Animation.setPlaybackRate", { playbackRate: 0 });
		} catch {
			// The page was closed before it showed anything.
		}
	});
}

/** Lets a page's toasts disappear soon; in Firefox they were never held. */
export async function hurryToasts(page: Page): Promise<void> {
	if (IS_FIREFOX) return;
	const session = await page.context().newCDPSession(page);
	await session.send("Animation.enable");
	await session.send("Animation.setPlaybackRate", { playbackRate: 20 });
}

/** How long a page may take on a busy machine. */
const TIMEOUT_MS = 60_000;

/** Opens this run's browser. */
export async function openBrowser(): Promise<Browser> {
	const browser = await (IS_FIREFOX ? launchFirefox(2 * TIMEOUT_MS) : launchChromium());
	browser.on("context", (context) => {
		context.setDefaultTimeout(TIMEOUT_MS);
		if (!IS_FIREFOX) holdToasts(context);
	});
	return browser;
}

/** Launches Chromium without anything that contacts other servers. */
function launchChromium(): Promise<Browser> {
	return chromium.launch({
		executablePath: findBrowser(),
		timeout: 2 * TIMEOUT_MS,
		// A phone has its owner's time zone: here the machine's, not the Worker's.
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

/** Opens a fleet on a real port and a browser, for the tests in one file. */
export async function openStage(
	options: { readonly seed?: "demo"; readonly isFresh?: true } = {},
): Promise<Stage> {
	const fleet = await openFleet({ port: await freePort(), ...options });
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
		isKept = false,
	}: VisitOptions = {}) => {
		const context = await browser.newContext({
			baseURL: fleet.origin,
			javaScriptEnabled: javaScript,
			viewport: phone ? { width: 360, height: 740 } : { width: 1280, height: 800 },
			colorScheme: scheme,
			reducedMotion: hasMotion ? "no-preference" : "reduce",
			serviceWorkers: "block",
		});
		if (!isKept) contexts.push(context);
		const page = await context.newPage();
		page.on("console", (message) => {
			const isRefusal = /Failed to load resource: the server responded with a status of 4/.test(
				message.text(),
			);
			// These tests are about pages; those of the service worker use tests/offline/stage.ts.
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

/** Signs in without loading a page, for tests that open one of their own next. */
export async function giveSession(page: Page, email: string): Promise<void> {
	if (IS_FIREFOX) return signIn(page, email);
	const response = await page.request.post("/api/login", {
		form: { email },
		headers: { "Sec-Fetch-Site": "same-origin" },
		maxRedirects: 0,
	});
	expect(response.status()).toBe(303);
}

/** Waits until an island handles events. Before, it looks the same and doesn't hear them. */
export const awake = (page: Page, island: string) =>
	page.locator(`[data-island="${island}"][data-is-awake]`).waitFor({ state: "attached" });

/**
 * The open dialog. It is part of the page from the start, and becomes modal when the page's script
 * has run: before that it hears no Escape and keeps no focus. So with JavaScript only the modal one
 * counts.
 */
export function dialogOn(page: Page, name?: string | RegExp, javaScript = true): Locator {
	const dialog = page.getByRole("dialog", name === undefined ? {} : { name });
	return javaScript ? dialog.and(page.locator(":modal")) : dialog;
}

/** Follows a paging link under a list; false if there is none. */
export async function turnPage(page: Page, name: string): Promise<boolean> {
	const link = page
		.getByRole("navigation", { name: /pagination|pages of/i })
		.getByRole("link", { name });
	if ((await link.count()) === 0) return false;
	const url = new URL((await link.getAttribute("href")) ?? "", page.url()).href;
	await link.click();
	await page.waitForURL(url);
	return true;
}
