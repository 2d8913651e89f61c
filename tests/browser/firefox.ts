/**
 * Firefox instead of Chromium, over WebDriver BiDi, for `npm run test:browsers`. All special
 * treatment of Firefox is here.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, firefox, type Locator, type Page } from "@playwright/test";
import { expect } from "vitest";

/** True when the browser of this run is Firefox. */
export const IS_FIREFOX = Boolean(process.env.MILEPOST_FIREFOX);

/** The download folder, because Firefox reports no event for files that a page creates. */
let downloads = "";

/** Starts the Firefox of MILEPOST_FIREFOX. */
export async function launchFirefox(timeout: number): Promise<Browser> {
	downloads = mkdtempSync(join(tmpdir(), "milepost-firefox-"));
	const browser = await firefox.launch({
		channel: "moz-firefox",
		executablePath: resolve("lab/firefox-bidi.mjs"),
		timeout,
		downloadsPath: downloads,
		env: { ...process.env, TZ: process.env.MILEPOST_MACHINE_ZONE ?? "UTC" },
		firefoxUserPrefs: {
			// Reduced motion has to be set here, since it can't be emulated.
			"ui.prefersReducedMotion": 1,
			// The download panel would open over the page and take the focus from its window, so that
			// keys would reach a button without pressing it.
			"browser.download.panel.shown": true,
			"browser.download.alwaysOpenPanel": false,
			// Nor may a downloaded PDF open in a tab of its own.
			"pdfjs.disabled": true,
			"browser.helperApps.neverAsk.saveToDisk": "application/pdf",
		},
	});
	browser.on("disconnected", () => rmSync(downloads, { recursive: true, force: true }));
	return browser;
}

/**
 * True for what Firefox logs when a service worker forwards a request while the connection is cut.
 * Its driver can't tell these lines from exceptions in the page.
 */
export const isLineOfFirefox = (message: string): boolean =>
	IS_FIREFOX &&
	/^NetworkError when attempting to fetch resource\.’\.$|A ServiceWorker intercepted the request/.test(
		message,
	);

/** The name of the file that an action downloads. */
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

/** Chooses a file in the dialog that a key opens; Firefox doesn't open one under automation. */
export async function chooseByKey(page: Page, target: Locator, file: File): Promise<void> {
	if (IS_FIREFOX) return target.setInputFiles(file);
	const chooser = page.waitForEvent("filechooser");
	await page.keyboard.press("Space");
	await (await chooser).setFiles(file);
}
