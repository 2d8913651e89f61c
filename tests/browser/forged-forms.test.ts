/**
 * Forms of other sites, on a phone whose service worker is in charge: the server sees them as they
 * are and refuses them, and no phone keeps one.
 */
import type { Page } from "@playwright/test";
import { afterAll, describe, expect, it } from "vitest";
import { type ForgedForm, OtherSite } from "../offline/other-site.ts";
import { openLinedStage } from "../offline/stage.ts";
import { readPhoneStorage, waitForControl } from "../offline/steps.ts";
import { CAST, idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { signIn } from "./browser.ts";
import { IS_FIREFOX } from "./firefox.ts";

const { fleet, line, origin, phone, arrive } = await openLinedStage();
const other = await OtherSite.open();
const figures = { forged: 0, stored: 0, kept: 0 };
afterAll(() => {
	other.close();
	console.log(`Forged forms: ${JSON.stringify(figures)}`);
});

const PATHS = ["/mileage", "/requests"] as const;
type Path = (typeof PATHS)[number];
type Site = "cross-site" | "same-site";
const SITES: readonly Site[] = ["cross-site", "same-site"];
const POLICIES = ["no-referrer", "origin", "unsafe-url"];
const ENCTYPES = ["application/x-www-form-urlencoded", "multipart/form-data"];

let counted = 0;
/** A form that the server would take if it came from its own pages. */
function forgedForm(path: Path, isOwned: boolean, more: Partial<ForgedForm> = {}): ForgedForm {
	counted += 1;
	const reading = 400_000 + 20 * counted;
	const trip = {
		date: daysAgo(0),
		startOdometer: String(reading),
		endOdometer: String(reading + 10),
		notes: `Forged ${counted}`,
	};
	const request = { type: "gas", amount: "999.99", description: `Forged ${counted}` };
	const fields = {
		key: crypto.randomUUID(),
		...(isOwned ? { asUser: idOf("dana") } : {}),
		...(path === "/mileage" ? trip : request),
	};
	return { action: origin + path, fields, ...more };
}

/** Forged rows in the database, whichever form they came by. */
const stored = async () =>
	(
		await fleet.sql(
			"select notes from mileage_logs where notes like 'Forged%' union all select description from fund_requests where description like 'Forged%'",
		)
	).length;
const endSession = () => fleet.sql("delete from sessions where user_id = ?", idOf("dana"));

/** Presses the button of another site's page; the heading of the page of ours that it leads to. */
async function post(page: Page, site: Site, form: ForgedForm): Promise<string> {
	figures.forged += 1;
	await page.goto(other.page(site, form));
	const place = form.isSandboxed ? page.frameLocator("iframe") : page;
	const opened = form.target === "_blank" ? page.waitForEvent("popup") : undefined;
	await place.getByRole("button", { name: "Win a prize" }).click();
	const shown = (await opened) ?? page;
	await shown.waitForURL((url) => url.origin === origin);
	const heading = (await shown.getByRole("heading").first().textContent()) ?? "";
	if (opened) await shown.close();
	return heading;
}

/** The refusal of a form that does not come from our own pages. */
const REFUSED = "Request blocked";

/** Nothing forged is on the phone, and nothing goes out once its driver is back. */
async function expectNothing(page: Page): Promise<void> {
	await page.goto("/offline");
	const kept = (await readPhoneStorage(page)).entries;
	figures.kept += kept.length;
	const form = { email: CAST.dana.email };
	await page.request.post("/api/login", { form, headers: { Origin: origin } });
	await page.goto("/mileage");
	await waitForControl(page);
	await expect
		.poll(async () =>
			(await readPhoneStorage(page)).entries.filter(({ state }) => state !== "sent"),
		)
		.toEqual([]);
	const rows = await stored();
	figures.stored = rows;
	expect(kept).toEqual([]);
	expect(rows).toBe(0);
}

describe.each(SITES)("a form of a %s page", (site) => {
	describe.each([
		["a live session", true],
		["an ended session", false],
	])("in %s", (_, isLive) => {
		it.each(POLICIES)(
			"with the referrer policy %s is refused and not saved on the phone",
			async (referrerPolicy) => {
				const page = await arrive(await phone(), "dana");
				if (!isLive) await endSession();
				const headings: string[] = [];
				for (const path of PATHS)
					for (const enctype of ENCTYPES)
						for (const isOwned of [true, false])
							headings.push(
								await post(page, site, forgedForm(path, isOwned, { enctype, referrerPolicy })),
							);
				await expectNothing(page);
				expect(headings).toEqual(Array.from({ length: 8 }, () => REFUSED));
			},
		);
	});

	it.each<[string, (form: ForgedForm) => ForgedForm]>([
		["out of a sandboxed frame", (form) => ({ ...form, isSandboxed: true })],
		["into a window of its own", (form) => ({ ...form, target: "_blank" })],
		[
			"by a redirect of its own server",
			(form) => ({ ...form, action: other.redirect(site, 307, form.action) }),
		],
		["by a redirect of ours", (form) => ({ ...form, action: `${form.action}/` })],
	])("sent %s is refused and kept by no phone", async (_, change) => {
		const page = await arrive(await phone(), "dana");
		const headings: string[] = [];
		for (const path of PATHS)
			for (const isOwned of [true, false])
				headings.push(await post(page, site, change(forgedForm(path, isOwned))));
		await expectNothing(page);
		expect(headings).toEqual(Array.from({ length: 4 }, () => REFUSED));
	});

	it("on a phone without a service worker is refused too", async () => {
		const page = await (await phone({ blocksWorker: true })).newPage();
		await signIn(page, CAST.dana.email);
		for (const path of PATHS)
			for (const enctype of ENCTYPES)
				expect(await post(page, site, forgedForm(path, true, { enctype }))).toBe(REFUSED);
		expect(await stored()).toBe(0);
	});

	// Before it sends a form again Firefox asks its reader, in a window that no test can answer.
	const itReloads = IS_FIREFOX ? () => undefined : it;
	itReloads("stays forged when its refusal is reloaded, and gone back to", async () => {
		const page = await arrive(await phone(), "dana");
		const heading = async () => (await page.getByRole("heading").first().textContent()) ?? "";
		for (const path of PATHS) {
			await post(page, site, forgedForm(path, true, { referrerPolicy: "unsafe-url" }));
			await page.reload();
			figures.forged += 1;
			expect(await heading()).toBe(REFUSED);
			await page.goto("/history");
			// A page that was posted to is not shown again without its reader's yes, which is a reload.
			await page.goBack().catch(() => undefined);
			figures.forged += 1;
			// The browser's own page about that may still be on its way.
			await expect.poll(() => page.reload().then(heading, () => "")).toBe(REFUSED);
		}
		await expectNothing(page);
	});

	it("in a dead zone isn't saved either", async () => {
		const page = await arrive(await phone(), "dana");
		for (const path of PATHS) {
			await page.goto(other.page(site, forgedForm(path, true)));
			line.cut();
			await page.getByRole("button", { name: "Win a prize" }).click();
			await page.waitForURL(/^(chrome-error|about:neterror)/, { waitUntil: "commit" });
			figures.forged += 1;
			line.restore();
		}
		await expectNothing(page);
	});

	it("signs nobody out, and neither does its link or its redirect", async () => {
		const page = await arrive(await phone(), "dana");
		const user = async () => (await readPhoneStorage(page)).user;
		const form = { action: `${origin}/api/logout`, fields: {} };
		expect(await post(page, site, form)).toBe(REFUSED);
		const visit = async (from: string, to: string) => {
			await page.goto(from);
			await page.evaluate((address) => location.assign(address), to);
			await page.getByRole("heading", { name: "Sign out?" }).waitFor();
			expect(await user()).toBe(idOf("dana"));
			await page.getByRole("link", { name: "Stay signed in" }).click();
			await page.getByRole("heading", { name: "Driver Dashboard" }).waitFor();
			expect(await user()).toBe(idOf("dana"));
		};
		await visit(other.page(site, form), form.action);
		await visit("/mileage", other.redirect(site, 302, form.action));
	});
});
