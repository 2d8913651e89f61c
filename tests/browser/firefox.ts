/**
 * Firefox instead of Chromium, over WebDriver BiDi: `npm run test:browsers` plays some of these files
 * in it. Whatever is told apart for it is told apart here.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, firefox, type Locator, type Page } from "@playwright/test";
import { expect } from "vitest";

/** True when the browser of this run is Firefox. */
export const IS_FIREFOX = Boolean(process.env.MILEPOST_FIREFOX);

/** What Firefox downloads: it doesn't tell of a file that a page made itself. */
let downloads = "";

/** Starts the Firefox of MILEPOST_FIREFOX. */
export async function launchFirefox(timeout: number): Promise<Browser> {
	downloads = mkdtempSync(join(tmpdir(), "milepost-firefox-"));
	const browser = await firefox.launch({
		channel: "moz-firefox",
		executablePath: resolve("tools/firefox-bidi.mjs"),
		timeout,
		downloadsPath: downloads,
		env: { ...process.env, TZ: process.env.MILEPOST_MACHINE_ZONE ?? "UTC" },
		firefoxUserPrefs: {
			// Less motion is asked for in its settings, as it can't be told to pretend.
			"ui.prefersReducedMotion": 1,
			// Its list of downloads would open over the page, at the first one and at each other, and take the
			// focus from its window: a key then reaches a button, but presses none.
			"browser.download.panel.shown": true,
			"browser.download.alwaysOpenPanel": false,
		},
	});
	browser.on("disconnected", () => rmSync(downloads, { recursive: true, force: true }));
	return browser;
}

/**
 * True for what Firefox logs of a request that a service worker passed on while the line was cut. Its
 * driver can't tell these lines from what a page throws.
 */
export const isLineOfFirefox = (message: string): boolean =>
	IS_FIREFOX &&
	/^NetworkError when attempting to fetch resource\.’\.$|A ServiceWorker intercepted the request/.test(
		message,
	);

/** The name of the file that comes of something. */
export async function nameOfDownload(page: Page, act: () => Promise<void>): Promise<string> {
	if (!IS_FIREFOX) {
		const download = page.waitForEvent("download");
		await act();
		return (await download).suggestedFilename();
	}
	const before = new Set(readdirSync(downloads));
	await act();
	const fresh = () =>
		readdirSync(downloads).find((name) => !before.has(name) && !name.endsWith(".part"));
	await expect.poll(fresh).toBeDefined();
	return fresh() ?? "";
}

type File = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };

/** Gives a file to the window that a key opens, which Firefox keeps closed for a driver of it. */
export async function chooseByKey(page: Page, target: Locator, file: File): Promise<void> {
	if (IS_FIREFOX) return target.setInputFiles(file);
	const chooser = page.waitForEvent("filechooser");
	await page.keyboard.press("Space");
	await (await chooser).setFiles(file);
}
