/**
 * Forms from other sites on a phone with an active service worker: the server sees where they come
 * from and refuses them, and the phone saves none.
 */
import type { Page } from "@playwright/test";
import { afterAll, describe, expect, it } from "vitest";
import { type ForgedForm, OtherSite } from "../offline/other-site.ts";
import { openOfflineStage } from "../offline/stage.ts";
import { readPhoneStorage, waitForControl } from "../offline/steps.ts";
import { CAST, idOf } from "../support/cast.ts";
import { oneIn } from "../support/extent.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { signIn } from "./browser.ts";
import { IS_FIREFOX } from "./firefox.ts";

const { fleet, network, origin, phone, arrive } = await openOfflineStage();
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
const OWNERS = [true, false];
/** What a form is for, how it is sent, and whether it names whose it is. */
const FORMS = PATHS.flatMap((path) =>
	ENCTYPES.flatMap((enctype) => OWNERS.map((isOwned) => ({ path, enctype, isOwned }))),
);

let counted = 0;
/** A form that the server would accept from its own pages. */
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

/** Rows stored from forged forms. */
const stored = async () =>
	(
		await fleet.sql(
			"select notes from mileage_logs where notes like 'Forged%' union all select description from fund_requests where description like 'Forged%'",
		)
	).length;
const endSession = () => fleet.sql("delete from sessions where user_id = ?", idOf("dana"));

/** Submits another site's form, and returns the heading of our page that it leads to. */
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

/** The heading of the page that refuses another site's form. */
const REFUSED = "Request blocked";

/** Expects no forged entry on the phone, and none sent once its driver is back. */
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

describe.each(SITES)("a form from a %s page", (site) => {
	describe.each([
		["a live session", true],
		["an ended session", false],
	])("in %s", (_, isLive) => {
		it.each(oneIn(3, POLICIES, Number(isLive)))(
			"with the referrer policy %s is refused and not saved on the phone",
			async (referrerPolicy) => {
				const page = await arrive(await phone(), "dana");
				if (!isLive) await endSession();
				// Each test sends others of them.
				for (const { path, enctype, isOwned } of oneIn(3, FORMS, counted))
					expect(
						await post(page, site, forgedForm(path, isOwned, { enctype, referrerPolicy })),
					).toBe(REFUSED);
				await expectNothing(page);
			},
		);
	});

	const WAYS = oneIn<[string, (form: ForgedForm) => ForgedForm]>(
		2,
		[
			["from a sandboxed frame", (form) => ({ ...form, isSandboxed: true })],
			["to a new window", (form) => ({ ...form, target: "_blank" })],
			[
				"through a redirect by its own server",
				(form) => ({ ...form, action: other.redirect(site, 307, form.action) }),
			],
			["through a redirect by ours", (form) => ({ ...form, action: `${form.action}/` })],
		],
		SITES.indexOf(site),
	);
	it.each(WAYS)("sent %s is refused and not saved on the phone", async (_, change) => {
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

	// Before sending a form again, Firefox asks for confirmation in a window that no test can answer.
	const itReloads = IS_FIREFOX ? () => undefined : it;
	itReloads("is refused again when its refusal is reloaded or returned to", async () => {
		const page = await arrive(await phone(), "dana");
		const heading = async () => (await page.getByRole("heading").first().textContent()) ?? "";
		for (const path of PATHS) {
			await post(page, site, forgedForm(path, true, { referrerPolicy: "unsafe-url" }));
			await page.reload();
			figures.forged += 1;
			expect(await heading()).toBe(REFUSED);
			await page.goto("/history");
			// Going back to a posted page needs the user's confirmation, which is a reload.
			await page.goBack().catch(() => undefined);
			figures.forged += 1;
			// The browser's own page asking for it may still be loading.
			await expect.poll(() => page.reload().then(heading, () => "")).toBe(REFUSED);
		}
		await expectNothing(page);
	});

	it("isn't saved without a connection either", async () => {
		const page = await arrive(await phone(), "dana");
		for (const path of PATHS) {
			await page.goto(other.page(site, forgedForm(path, true)));
			network.cut();
			await page.getByRole("button", { name: "Win a prize" }).click();
			await page.waitForURL(/^(chrome-error|about:neterror)/, { waitUntil: "commit" });
			figures.forged += 1;
			network.restore();
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
			await page.evaluate((url) => location.assign(url), to);
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
