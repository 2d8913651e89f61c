/** A poor connection: every entry is stored exactly once, wherever the connection breaks. */
import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import type { Fault } from "../offline/faulty-network.ts";
import { openOfflineStage } from "../offline/stage.ts";
import {
	fillRequest,
	fillTrip,
	logTrip,
	PHOTO,
	readPhoneStorage,
	SAVED,
	submitRequest,
	waitForControl,
	waitUntilPrepared,
} from "../offline/steps.ts";
import { idOf } from "../support/cast.ts";
import { oneIn } from "../support/extent.ts";
import { hurryToasts, signIn } from "./browser.ts";
import { IS_FIREFOX } from "./firefox.ts";
import { maskTree } from "./trees.ts";

const { fleet, network, phone, arrive } = await openOfflineStage();
const photo = readFileSync("tests/fixtures/receipts/baseline.jpg");

let reading = 500_000;
let counted = 0;
const newTrip = (what: string) => {
	reading += 20;
	counted += 1;
	return { start: reading, notes: `${what} ${counted}` };
};
type Row = {
	source: string;
	created_at: number;
	captured_at: number | null;
	driver_id: string;
	is_long: number;
};
const logsOf = (notes: string) =>
	fleet.sql<Row>("select * from mileage_logs where notes = ?", notes);
const requestsOf = (description: string) =>
	fleet.sql<Row & { byte_size: number | null; file_name: string | null }>(
		"select fund_requests.*, byte_size, file_name from fund_requests left join receipts on receipts.id = receipt_id where description = ?",
		description,
	);
const saved = (page: Page) => page.getByText(SAVED).waitFor();
const outbox = (page: Page) => page.getByRole("region", { name: "Outbox" });
const states = (page: Page, state: string) => outbox(page).locator(`[data-entry="${state}"]`);
const isForm = (method: string, path: string) =>
	method === "POST" && /^\/(mileage|requests|api\/outbox\/\w+)$/.test(path);
/**
 * Turns a phone's network off or on. Automation turns Firefox's off for windows only, not for their
 * service worker, so there the faulty network does it and the window is notified.
 */
async function turnOffline(context: BrowserContext, isOffline: boolean): Promise<void> {
	if (!IS_FIREFOX) return context.setOffline(isOffline);
	if (isOffline) return network.cut();
	network.restore();
	for (const page of context.pages())
		await page.evaluate(() => window.dispatchEvent(new Event("online")));
}
/** Restores the network, opens a page and waits until the outbox is empty. */
async function settle(page: Page): Promise<void> {
	network.restore();
	await page.goto("/history");
	await expect
		// After another failure, the next attempt is half a minute later.
		.poll(
			async () =>
				(await readPhoneStorage(page)).entries
					.filter(({ state }) => state !== "sent")
					.map(({ state }) => state),
			{
				timeout: 90_000,
			},
		)
		.toEqual([]);
}

describe("no connection", () => {
	it("saves a day's log and a receipt, shows them waiting, and sends both once when back online", async () => {
		const page = await arrive(await phone(), "dana");
		const trip = newTrip("In a dead zone");
		network.cut();
		await fillTrip(page, trip);
		await logTrip(page);
		await saved(page);
		await states(page, "waiting").nth(0).waitFor();
		// The offline page has both forms and fills in the date.
		expect(await page.getByLabel("Date").inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/);
		await page.goto("/requests");
		await waitUntilPrepared(page);
		await fillRequest(page, "Receipt in a dead zone", photo);
		await submitRequest(page);
		await saved(page);
		await states(page, "waiting").nth(1).waitFor();
		expect(await outbox(page).textContent()).toContain(
			"2 entries waiting on this phone. They will be sent when you're back online.",
		);
		expect(await outbox(page).textContent()).toContain("with a receipt");
		await expect(maskTree(await outbox(page).ariaSnapshot())).toMatchFileSnapshot(
			"trees/dana-offline-outbox.yml",
		);
		expect(await logsOf(trip.notes)).toEqual([]);
		await page.waitForTimeout(1200);
		network.restore();
		await page.goto("/mileage");
		// A field in use keeps the page from being loaded again.
		await page.getByLabel("Notes").focus();
		await states(page, "sent").nth(1).waitFor();
		expect(await outbox(page).textContent()).toMatch(/Received: FR-\d{6}, \d{1,2}:\d\d [AP]M/);
		const [log] = await logsOf(trip.notes);
		expect(log).toMatchObject({ source: "outbox", driver_id: idOf("dana") });
		expect((log?.created_at ?? 0) - (log?.captured_at ?? 0)).toBeGreaterThan(1000);
		expect(await logsOf(trip.notes)).toHaveLength(1);
		expect(await requestsOf("Receipt in a dead zone")).toMatchObject([
			{ source: "outbox", file_name: PHOTO.name, byte_size: expect.any(Number) },
		]);
		await outbox(page).getByRole("button", { name: "Clear sent" }).click();
		await outbox(page).waitFor({ state: "hidden" });
		// Without a field in use, the page may be loaded again meanwhile, which would abort its visits.
		await expect.poll(async () => (await readPhoneStorage(page)).entries).toEqual([]);
		const later = await page.context().newPage();
		await later.goto("/mileage");
		const row = later.locator("tr").filter({ hasText: trip.notes });
		await row.getByText(/^Saved .+, received /).waitFor();
	});

	it("ends with a message over the page that says what was sent, moves nothing, and disappears by itself", async () => {
		const page = await arrive(await phone(), "dana");
		network.cut();
		await fillTrip(page, newTrip("Said and gone"));
		await logTrip(page);
		await saved(page);
		network.restore();
		await page.goto("/mileage");
		const topOf = () =>
			page.locator("form#log").evaluate((form) => Math.round(form.getBoundingClientRect().top));
		await states(page, "sent").waitFor();
		const before = await topOf();
		// Tests keep toasts on screen; this one may disappear.
		await hurryToasts(page);
		await outbox(page).waitFor({ state: "hidden" });
		expect(await topOf()).toBe(before);
		await expect.poll(async () => (await readPhoneStorage(page)).entries).toEqual([]);
	});

	it("sends by itself when the browser reports being online again", async () => {
		const context = await phone();
		const page = await arrive(context, "dana");
		const trip = newTrip("Online again");
		await turnOffline(context, true);
		await fillTrip(page, trip);
		await logTrip(page);
		await saved(page);
		await states(page, "waiting").waitFor();
		await turnOffline(context, false);
		await states(page, "sent").waitFor();
		expect(await logsOf(trip.notes)).toHaveLength(1);
	});
});

it("an open page retries after 15 seconds, then after twice as long, however often it is looked at", async () => {
	const page = await arrive(await phone(), "dana");
	await page.addInitScript(() => {
		const held: { delay: number; run: () => void }[] = [];
		Object.assign(window, { held });
		const setTimer = window.setTimeout;
		window.setTimeout = ((run: () => void, delay = 0, ...rest: unknown[]) => {
			// Two minutes are the limit of a sending, not a pause.
			if (delay < 15_000 || delay % 15_000 !== 0 || delay === 120_000)
				return setTimer(run, delay, ...rest);
			return held.push({ delay, run });
		}) as typeof setTimeout;
	});
	type Held = { held: { delay: number; run: () => void }[] };
	const pauses = () =>
		page.evaluate(() =>
			(window as unknown as Held).held.map(({ delay }) => Math.round(delay / 1000)),
		);
	network.cut();
	await fillTrip(page, newTrip("Retried"));
	await logTrip(page);
	await saved(page);
	await expect.poll(pauses).toEqual([15]);
	await page.evaluate(() => window.dispatchEvent(new Event("online")));
	await expect.poll(pauses).toEqual([15, 15]);
	for (const next of [30, 60]) {
		await page.evaluate(() => (window as unknown as Held).held.at(-1)?.run());
		await expect.poll(async () => (await pauses()).at(-1)).toBe(next);
	}
});

describe("a broken connection", () => {
	const FAULTS: readonly (readonly [string, Fault])[] = [
		["before the request", "before"],
		["while sending", "during"],
		["after the commit, before the response", "after"],
		["that only delays it by three seconds", 3000],
		["with a 503 from something in between", "unwell"],
	];
	const [TO_TRIPS, TO_REQUESTS] = [oneIn(2, FAULTS), oneIn(2, FAULTS, 1)];
	it.each(TO_TRIPS)("%s: the trip is stored once", async (_, fault) => {
		const page = await arrive(await phone(), "omar");
		const trip = newTrip(`Fault ${fault}`);
		await fillTrip(page, trip);
		network.faultFor = (method, path) => (isForm(method, path) ? fault : "none");
		await logTrip(page);
		if (fault === 3000) await page.getByText("Mileage log created successfully").waitFor();
		else await saved(page);
		await settle(page);
		expect(await logsOf(trip.notes)).toHaveLength(1);
	});

	it.each(TO_REQUESTS)("%s: the request is stored once, with its photo", async (_, fault) => {
		const page = await arrive(await phone(), "omar", "/requests");
		const description = `Fault ${fault}, with a photo`;
		await fillRequest(page, description, photo);
		network.faultFor = (method, path) => (isForm(method, path) ? fault : "none");
		await submitRequest(page);
		if (fault === 3000) await page.getByText("Fund request submitted successfully").waitFor();
		else await saved(page);
		await settle(page);
		expect(await requestsOf(description)).toMatchObject([
			{ file_name: PHOTO.name, byte_size: expect.any(Number) },
		]);
	});

	it("that never responds: the trip is saved on the phone after ten seconds, and still sent once", async () => {
		const page = await arrive(await phone(), "omar");
		const trip = newTrip("No answer");
		await fillTrip(page, trip);
		network.faultFor = (method, path) => (isForm(method, path) ? "silent" : "none");
		const started = performance.now();
		await logTrip(page);
		await page.getByText(SAVED).waitFor({ timeout: 20_000 });
		expect(performance.now() - started).toBeGreaterThan(9000);
		expect(await logsOf(trip.notes)).toHaveLength(1);
		// The pending response also blocks the outbox until the worker gives it up, so a new window
		// wouldn't help.
		network.cut();
		await settle(page);
		expect(await logsOf(trip.notes)).toHaveLength(1);
	});
});

describe("a response for the driver", () => {
	it("is shown on screen, and the driver's reply is sent once", async () => {
		const page = await arrive(await phone(), "lena");
		const notes = "Asked about";
		await page.getByLabel("Starting Odometer").fill("600000");
		await page.getByLabel("Ending Odometer").fill("602000");
		await page.getByLabel("Notes").fill(notes);
		await logTrip(page);
		await page.getByText("2,000 miles is unusually long for one trip.").waitFor();
		await expect.poll(async () => (await readPhoneStorage(page)).entries).toEqual([]);
		expect(await page.getByLabel("Notes").inputValue()).toBe(notes);
		expect(await logsOf(notes)).toEqual([]);
		await logTrip(page);
		await page.getByText("Mileage log created successfully").waitFor();
		await settle(page);
		expect(await logsOf(notes)).toHaveLength(1);
	});

	it("that the driver never saw doesn't hold up the entry, which is sent and flagged", async () => {
		const context = await phone();
		const page = await arrive(context, "lena");
		const notes = "Never seen";
		await page.getByLabel("Starting Odometer").fill("610000");
		await page.getByLabel("Ending Odometer").fill("612000");
		await page.getByLabel("Notes").fill(notes);
		let isOnItsWay = false;
		network.faultFor = (method, path) => {
			isOnItsWay ||= isForm(method, path);
			return isForm(method, path) ? "held" : "none";
		};
		// Not awaited: the click ends with its response, which no one will see.
		void logTrip(page).catch(() => undefined);
		await expect.poll(() => isOnItsWay).toBe(true);
		await page.close();
		network.restore();
		const later = await context.newPage();
		await later.goto("/history");
		const held = async () => (await readPhoneStorage(later)).entries.length;
		await expect.poll(held).toBe(1);
		// No one saw the response, so the entry waits for as long as someone could still have been
		// reading it.
		await expect
			.poll(async () =>
				(await readPhoneStorage(later)).entries.every(({ heldUntil }) => heldUntil > 0),
			)
			.toBe(true);
		// Ends the pause during which a driver may still be reading the question.
		await later.evaluate(async () => {
			const opening = indexedDB.open("milepost");
			const db = await new Promise<IDBDatabase>((pass) => {
				opening.onsuccess = () => pass(opening.result);
			});
			const store = db.transaction("entries", "readwrite").objectStore("entries");
			const all = store.getAll();
			await new Promise<void>((pass) => {
				all.onsuccess = () => {
					for (const entry of all.result)
						if (entry.heldUntil > 0) store.put({ ...entry, heldUntil: 1 });
					store.transaction.oncomplete = () => pass();
				};
			});
			db.close();
		});
		await settle(later);
		expect(await logsOf(notes)).toMatchObject([{ is_long: 1, source: "outbox" }]);
	});

	it("to a waiting entry lets the driver correct or discard what the server refused", async () => {
		const page = await arrive(await phone(), "lena");
		network.cut();
		for (const notes of ["To be fixed", "To be discarded"]) {
			await page.goto("/mileage");
			await waitUntilPrepared(page);
			await fillTrip(page, { start: 620_000, notes });
			await page.getByLabel("Ending Odometer").fill("620030.5");
			await logTrip(page);
			await saved(page);
		}
		network.restore();
		await page.goto("/");
		await states(page, "needs-you").nth(1).waitFor();
		const [fixed, discarded] = [states(page, "needs-you").nth(0), states(page, "needs-you").nth(1)];
		expect(await fixed.textContent()).toContain(
			"Odometer readings must be whole numbers from 0 to 9,999,999",
		);
		await discarded.getByRole("button", { name: "Discard" }).click();
		await discarded.getByRole("button", { name: "Discard permanently" }).click();
		await expect.poll(() => states(page, "needs-you").count()).toBe(1);
		await fixed.getByText("Fix and send").click();
		await fixed.getByLabel("Ending Odometer").fill("620030");
		await fixed.getByRole("button", { name: "Send again" }).click();
		await states(page, "sent").waitFor();
		expect(await logsOf("To be fixed")).toHaveLength(1);
		expect(await logsOf("To be discarded")).toEqual([]);
	});
});

it("a request saved without its type is fixed without one being chosen for the driver", async () => {
	const page = await arrive(await phone(), "dana", "/requests");
	network.cut();
	await page.getByLabel("Amount").fill("12.50");
	await page.getByLabel("Description").fill("Which type?");
	await page.getByRole("button", { name: "Submit Request" }).click();
	await outbox(page).getByText("Fix and send").click();
	const type = outbox(page).getByLabel("Request Type");
	expect(await type.inputValue()).toBe("");
	const labels = await outbox(page).locator("form span:has(> label)").allInnerTexts();
	expect(labels).toEqual(["Request Type", "Amount", "Description", "Spent on (optional)"]);
	network.restore();
	await outbox(page).getByRole("button", { name: "Send again" }).click();
	await outbox(page).getByText("Please fill in all required fields").waitFor();
	await outbox(page).getByText("Fix and send").click();
	await type.selectOption("maintenance");
	await outbox(page).getByRole("button", { name: "Send again" }).click();
	await expect
		.poll(() => fleet.sql("select type from fund_requests where description = 'Which type?'"))
		.toEqual([{ type: "maintenance" }]);
});

it("sends in order and one at a time, however many windows are open", async () => {
	const context = await phone();
	const page = await arrive(context, "dana");
	const trips = Array.from({ length: 5 }, () => newTrip("In order"));
	network.cut();
	for (const trip of trips) {
		await page.goto("/mileage");
		await waitUntilPrepared(page);
		await fillTrip(page, trip);
		await logTrip(page);
		await saved(page);
	}
	let [now, most] = [0, 0];
	network.faultFor = (method, path) => {
		if (!isForm(method, path)) return "none";
		now += 1;
		most = Math.max(most, now);
		setTimeout(() => {
			now -= 1;
		}, 250);
		return 250;
	};
	// No window may close: its unfinished request would be sent again by another while the first is
	// still on its way.
	const others = await Promise.all([context.newPage(), context.newPage()]);
	await Promise.all(others.map((each) => each.goto("/")));
	await page.evaluate(() => window.dispatchEvent(new Event("online")));
	await expect.poll(() => states(page, "sent").count()).toBe(5);
	expect(most).toBe(1);
	const rows = await fleet.sql<{ notes: string }>(
		"select notes from mileage_logs where notes like 'In order%' order by created_at, rowid",
	);
	expect(rows.map(({ notes }) => notes)).toEqual(trips.map(({ notes }) => notes));
});

it("a form sent while another window is sending still gets its own response", async () => {
	const context = await phone();
	const page = await arrive(context, "dana");
	const [first, second] = [newTrip("Waiting its turn"), newTrip("Waiting its turn")];
	network.cut();
	await fillTrip(page, first);
	await logTrip(page);
	await saved(page);
	const other = await context.newPage();
	network.faultFor = (_, path) => (path === "/api/outbox/mileage" ? "held" : "none");
	await other.goto("/mileage");
	await fillTrip(other, second);
	await states(other, "sending").waitFor();
	const logged = logTrip(other);
	await expect.poll(async () => (await readPhoneStorage(page)).entries.length).toBe(2);
	network.restore();
	await logged;
	await other.getByText("Mileage log created successfully").waitFor();
	await expect
		.poll(async () => (await readPhoneStorage(page)).entries.map(({ state }) => state))
		.toEqual(["sent"]);
	for (const { notes } of [first, second]) expect(await logsOf(notes)).toHaveLength(1);
});

it("the same form sent from two windows at once is one entry, and neither calls it unsent", async () => {
	const context = await phone();
	const page = await arrive(context, "dana");
	const trip = newTrip("From two windows");
	const windows = [page, await context.newPage()];
	await Promise.all(
		windows.map(async (each) => {
			await each.goto("/mileage");
			await waitUntilPrepared(each);
			await fillTrip(each, trip);
		}),
	);
	network.faultFor = (method, path) => (isForm(method, path) ? 1000 : "none");
	await Promise.all(windows.map(logTrip));
	for (const each of windows)
		await each.getByRole("heading", { name: "Log Daily Mileage" }).first().waitFor();
	await settle(page);
	expect((await readPhoneStorage(page)).entries).toEqual([]);
	expect(await logsOf(trip.notes)).toHaveLength(1);
});

it("an ended session keeps the entries, asks to sign in, and then sends them", async () => {
	const page = await arrive(await phone(), "omar");
	const [early, late] = [newTrip("Before the end"), newTrip("After the end")];
	network.cut();
	await fillTrip(page, early);
	await logTrip(page);
	await saved(page);
	await fleet.sql("delete from sessions where user_id = ?", idOf("omar"));
	network.restore();
	await page.goto("/offline");
	await outbox(page).getByText("1 entry waiting on this phone. Sign in to send it.").waitFor();
	// A form sent in an ended session is saved as well, and its page says so.
	await waitUntilPrepared(page);
	await fillTrip(page, late);
	await logTrip(page);
	await page
		.getByText("Saved on this phone. You've been signed out. Sign in to send it.")
		.waitFor();
	await page.goto("/");
	await page.getByText("2 entries waiting on this phone. Sign in to send them.").waitFor();
	await signIn(page, "omar@milepost.test");
	await states(page, "sent").nth(1).waitFor();
	expect(await logsOf(early.notes)).toHaveLength(1);
	expect(await logsOf(late.notes)).toHaveLength(1);
});

it("a form sent again after Back is one entry", async () => {
	const page = await arrive(await phone(), "dana");
	const trip = newTrip("Back and again");
	network.cut();
	await fillTrip(page, trip);
	await logTrip(page);
	await saved(page);
	await page.goBack();
	await waitUntilPrepared(page);
	await fillTrip(page, trip);
	await logTrip(page);
	await saved(page);
	expect((await readPhoneStorage(page)).entries).toHaveLength(1);
	network.restore();
	await page.goto("/");
	await waitForControl(page);
	await settle(page);
	expect(await logsOf(trip.notes)).toHaveLength(1);
});
