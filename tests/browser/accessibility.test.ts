/** axe on every screen with its errors and dialogs, light and dark, on phone and desktop. */
import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { oneIn } from "../support/extent.ts";
import { unlistedScreens } from "../support/unlisted-screens.ts";
import { violationsOn } from "./axe.ts";
import { openScreens } from "./screens.ts";

const { stage, screens, pageOf, open } = await openScreens();

it("are all screens", () => {
	expect(unlistedScreens(screens.map(([, path]) => path))).toEqual([]);
});

/**
 * Sentences that a screen reader would read out twice: because of the focus and as news, or in two
 * live regions.
 */
const saidTwice = (page: Page) =>
	page.evaluate(() => {
		const live = "[role=alert], [role=status]";
		const textOf = (part: Element | null | undefined) => part?.textContent?.trim() ?? "";
		const news = [...document.querySelectorAll(live)].flatMap((region) => {
			const lines = [...region.querySelectorAll("p")];
			return (lines.length > 0 ? lines : [region]).map(textOf).filter(Boolean);
		});
		const focused = document.activeElement;
		const described = focused?.getAttribute("aria-describedby")?.split(" ") ?? [];
		const read = described.map((id) => textOf(document.getElementById(id)));
		return [
			...news.filter((line, at) => news.indexOf(line) !== at || read.includes(line)),
			...(focused?.closest(live) ? [textOf(focused)] : []),
		];
	});

it("would find violations", async () => {
	const page = await stage.visit();
	await page.goto("/");
	await page.locator("main").evaluate((main) => {
		const image = main.appendChild(document.createElement("img"));
		image.src = "/icon.svg";
	});
	expect(await violationsOn(page)).toEqual([expect.stringMatching(/^image-alt: <img /)]);
});

describe.each(
	screens.map(([who, path, act], position) => ({
		name: `${who ?? "a visitor"} on ${path}${act ? `, acting (${position})` : ""}`,
		who,
		path,
		act,
		position,
	})),
)("$name", ({ who, path, act, position }) => {
	it("has no axe violations, light and dark, on phone and desktop", async () => {
		// What redirects to sign-in would stop the next visit of its page.
		const isRedirected = path.endsWith("?stay");
		const page = await (isRedirected ? open(who, true, false) : pageOf(who, true));
		// Drafts of the screen before.
		await page.evaluate(() => localStorage.clear()).catch(() => undefined);
		// Keeps the page on screen by making its redirect go nowhere.
		if (isRedirected) await page.route("**/api/login**", (route) => route.fulfill({ status: 204 }));
		await page.emulateMedia({ colorScheme: "light" });
		await page.setViewportSize({ width: 360, height: 740 });
		await page.goto(path);
		await act?.(page);
		expect(await saidTwice(page), "said twice").toEqual([]);
		const [own, other] = who?.startsWith("admin") ? [1280, 360] : [360, 1280];
		const looks = [
			["light", own],
			...oneIn(
				8,
				[
					["light", other],
					["dark", own],
				] as const,
				position,
			),
		] as const;
		// What describes the API is long, and repeats the same few lines for each call.
		for (const [colorScheme, width] of path === "/api/docs" ? looks.slice(0, 1) : looks) {
			await page.emulateMedia({ colorScheme });
			await page.setViewportSize({ width, height: 800 });
			// Only colors differ in the dark scheme.
			const rules = colorScheme === "dark" ? ["color-contrast", "link-in-text-block"] : undefined;
			expect(await violationsOn(page, rules), `at ${width} px, ${colorScheme}`).toEqual([]);
		}
	});
});
