/**
 * Every way in which our own pages send a driver's form through the service worker, none of which
 * may be mistaken for another site's.
 */
import type { Page } from "@playwright/test";
import { afterAll, describe, expect, it } from "vitest";
import { OtherSite } from "../offline/other-site.ts";
import { openOfflineStage } from "../offline/stage.ts";
import {
	fillRequest,
	fillTrip,
	logTrip,
	readPhoneStorage,
	SAVED,
	submitRequest,
	untilDrafted,
	waitForControl,
	waitUntilPrepared,
} from "../offline/steps.ts";
import { idOf } from "../support/cast.ts";
import { oneIn } from "../support/extent.ts";

const { fleet, network, origin, phone, arrive } = await openOfflineStage();
const other = await OtherSite.open();
const figures = { sent: 0, refused: 0 };
afterAll(() => {
	other.close();
	console.log(`Genuine forms: ${JSON.stringify(figures)}`);
});

let reading = 300_000;
/** The two forms: how each is filled in and sent, and how it is stored. */
const FORMS = {
	"/mileage": {
		taken: "Mileage log created successfully",
		write: (page: Page, text: string) => {
			reading += 20;
			return fillTrip(page, { start: reading, notes: text });
		},
		send: logTrip,
		owners: (text: string) => fleet.sql("select driver_id from mileage_logs where notes = ?", text),
	},
	"/requests": {
		taken: "Fund request submitted successfully",
		write: (page: Page, text: string) => fillRequest(page, text),
		send: submitRequest,
		owners: (text: string) =>
			fleet.sql("select driver_id from fund_requests where description = ?", text),
	},
} as const;
type Path = keyof typeof FORMS;

/** Submits the form and waits for the message that it was accepted or saved. */
async function send(page: Page, path: Path, words: string = FORMS[path].taken): Promise<void> {
	figures.sent += 1;
	await FORMS[path].send(page);
	const [answer, refusal] = [page.getByText(words), page.getByText("Request blocked")];
	await answer.or(refusal).first().waitFor();
	if (await refusal.isVisible()) figures.refused += 1;
	expect(await answer.count()).toBeGreaterThan(0);
}

/** Expects the form to be stored once, for its driver. */
async function expectStored(path: Path, text: string): Promise<void> {
	await expect.poll(() => FORMS[path].owners(text)).toEqual([{ driver_id: idOf("dana") }]);
}

async function open(page: Page, path: string): Promise<void> {
	await page.goto(path);
	await waitUntilPrepared(page);
}

/** Turns scripts off in a window whose service worker stays active. */
async function withoutScript(page: Page): Promise<void> {
	const session = await page.context().newCDPSession(page);
	await session.send("Emulation.setScriptExecutionDisabled", { value: true });
}

/** Opens a window with scripts, which shows and sends the saved entries. */
async function sendKept(page: Page): Promise<void> {
	const home = await page.context().newPage();
	await home.goto("/history");
	const unsent = async () =>
		(await readPhoneStorage(home)).entries.filter(({ state }) => state !== "sent");
	await expect.poll(unsent).toEqual([]);
}

describe.each(oneIn(2, Object.keys(FORMS) as Path[], 1))("a form for %s", (path) => {
	const { write } = FORMS[path];

	it("is accepted from its page, and after Back", async () => {
		const page = await arrive(await phone(), "dana", path);
		const [first, second] = [`Sent from ${path}`, `Sent by Back from ${path}`];
		await waitUntilPrepared(page);
		await write(page, first);
		await send(page, path);
		await page.goBack();
		await waitUntilPrepared(page);
		await write(page, second);
		await FORMS[path].send(page);
		figures.sent += 1;
		// The page may come from the browser's cache with a used key; then it says so, and accepts the
		// form when it is sent again.
		const again = page.getByText(
			/already (?:sent|submitted) this form with (?:other|different) values/,
		);
		await page.getByText(FORMS[path].taken).or(again).first().waitFor();
		if (await again.isVisible()) await send(page, path);
		await expectStored(path, first);
		await expectStored(path, second);
	});

	it("is accepted from the offline page when online", async () => {
		const page = await arrive(await phone(), "dana");
		await open(page, "/offline");
		const text = `Sent from the offline page for ${path}`;
		await write(page, text);
		await send(page, path);
		await expectStored(path, text);
	});

	it("is saved by the offline page without a connection, and sent later", async () => {
		const page = await arrive(await phone(), "dana");
		network.cut();
		await open(page, path);
		const text = `Kept from the offline page for ${path}`;
		await write(page, text);
		await send(page, path, SAVED);
		expect((await readPhoneStorage(page)).entries).toMatchObject([{ userId: idOf("dana") }]);
		network.restore();
		await sendKept(page);
		await expectStored(path, text);
	});

	it("is still accepted when the page that questions it is reloaded", async () => {
		const page = await arrive(await phone(), "dana", path);
		const text = `Asked about and reloaded at ${path}`;
		await waitUntilPrepared(page);
		await write(page, text);
		if (path === "/mileage") {
			reading += 2000;
			await page.getByLabel("Ending Odometer").fill(String(reading));
		} else {
			await send(page, path);
			await open(page, path);
			await write(page, text);
		}
		await FORMS[path].send(page);
		await page.locator("#questions").waitFor();
		await page.reload();
		figures.sent += 2;
		await page.locator("#questions").waitFor();
		await send(page, path);
		await sendKept(page);
		expect(await FORMS[path].owners(text)).toHaveLength(path === "/mileage" ? 1 : 2);
	});

	it("is accepted from a page opened by another site, in the same window or a new one", async () => {
		const context = await phone();
		const page = await arrive(context, "dana");
		await page.goto(
			other.page("cross-site", {
				action: `${origin}${path}`,
				fields: {},
				referrerPolicy: "unsafe-url",
			}),
		);
		await page.evaluate((to) => location.assign(to), `${origin}${path}`);
		await page.waitForURL(`${origin}${path}`);
		await waitUntilPrepared(page);
		const [here, there] = [`Led to ${path}`, `Led to ${path} in a window`];
		await write(page, here);
		await send(page, path);
		await expectStored(path, here);
		await page.goto(other.page("same-site", { action: `${origin}${path}`, fields: {} }));
		const opening = page.waitForEvent("popup");
		await page.evaluate((to) => void window.open(to), `${origin}${path}`);
		const opened = await opening;
		await waitForControl(opened);
		await waitUntilPrepared(opened);
		await write(opened, there);
		await send(opened, path);
		await expectStored(path, there);
	});

	it("is accepted and saved without JavaScript under an active service worker", async () => {
		const page = await arrive(await phone(), "dana");
		await withoutScript(page);
		const [near, far] = [
			`Without a script at ${path}`,
			`Without a script in a dead zone at ${path}`,
		];
		await page.goto(path);
		await write(page, near);
		await send(page, path);
		await expectStored(path, near);
		network.cut();
		await page.goto(path);
		await page.getByRole("heading", { name: "You're offline" }).waitFor();
		expect(await page.getByLabel("Date").inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/);
		await write(page, far);
		await send(page, path, SAVED);
		network.restore();
		await sendKept(page);
		await expectStored(path, far);
	});
});

describe("signing out", () => {
	const landing = (page: Page) =>
		page.getByText("Secure access for drivers and fleet administrators").waitFor();
	it.each([
		[
			"by a navigation from our own page",
			(page: Page) => page.evaluate(() => location.assign("/api/logout")),
		],
		["by the address bar", (page: Page) => page.goto("/api/logout")],
		["by the button", (page: Page) => page.getByRole("button", { name: "Sign Out" }).click()],
	])("%s leaves nothing of its driver on the phone", async (_, leave) => {
		const page = await arrive(await phone(), "dana", "/requests");
		await waitUntilPrepared(page);
		await page.getByLabel("Description").pressSequentially("A draft of hers");
		await untilDrafted(page, "A draft of hers");
		await leave(page);
		await landing(page);
		await expect.poll(() => readPhoneStorage(page)).toMatchObject({ user: undefined, drafts: [] });
	});
});
