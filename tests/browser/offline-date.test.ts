/** A trip's date is the fleet's, whatever time zone the phone is in. */

import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { openOfflineStage } from "../offline/stage.ts";
import {
	fillTrip,
	logTrip,
	readPhoneStorage,
	SAVED,
	waitForControl,
	waitUntilPrepared,
} from "../offline/steps.ts";
import { currentTime } from "../support/clock.ts";
import { oneIn } from "../support/extent.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { openFleet } from "../support/worker.ts";

const { fleet, network, origin, phone, arrive } = await openOfflineStage();
/**
 * The same fleet in two time zones 25 hours apart, so that at any time the date differs between
 * them.
 */
const [WEST, EAST] = ["Pacific/Pago_Pago", "Pacific/Kiritimati"];
const [westPort, eastPort] = [await freePort(), await freePort()];
await openFleet({ port: westPort, origin, vars: { FLEET_TIME_ZONE: WEST } });
await openFleet({ port: eastPort, origin, vars: { FLEET_TIME_ZONE: EAST } });

/** Read once, so that midnight during the tests changes nothing. */
const [today, yesterday] = [daysAgo(0), daysAgo(1)];
const PHONES = ["America/Los_Angeles", "Asia/Kathmandu", "Pacific/Kiritimati"];
const dateIn = (timeZone: string, moment = currentTime()) =>
	new Intl.DateTimeFormat("en-CA", { timeZone }).format(moment);
const dateOf = (page: Page) => page.getByLabel("Date").inputValue();
const unsentDates = async (page: Page) =>
	(await readPhoneStorage(page)).entries.map(
		({ fields }) => fields.find(([name]) => name === "date")?.[1],
	);

/** Sets the clock of the phone's service worker; Playwright sets that of its pages. */
const clockAt = (moment: number) =>
	`const asked = Date.now, began = asked(); Date.now = () => ${moment} + asked() - began;\n`;

let reading = 100_000;
const newTrip = (notes: string) => {
	reading += 20;
	return { start: reading, notes };
};

describe.each(oneIn(3, PHONES))("a phone in %s", (timeZone) => {
	// At 03:00 UTC it is still the day before in New York, and at 23:30 UTC not yet the next day.
	it.each([
		["03:00", `${today}T03:00:00Z`],
		["23:30", `${yesterday}T23:30:00Z`],
	])("at %s UTC shows and sends the fleet's date in its offline form", async (hour, moment) => {
		const now = Date.parse(moment);
		network.rewrite = (_, body) => clockAt(now) + body;
		const context = await phone({ timeZone });
		await context.clock.setFixedTime(now);
		const page = await arrive(context, "dana");
		network.cut();
		await page.goto("/mileage");
		await waitUntilPrepared(page);
		expect(await dateOf(page)).toBe(yesterday);
		const trip = newTrip(`At ${hour} in ${timeZone}`);
		await fillTrip(page, trip);
		await logTrip(page);
		await page.getByText(SAVED).waitFor();
		expect(await unsentDates(page)).toEqual([yesterday]);
		network.faultFor = () => "none";
		await page.goto("/history");
		const stored = () =>
			fleet.sql("select driven_on from mileage_logs where notes = ?", trip.notes);
		await expect.poll(stored).toEqual([{ driven_on: yesterday }]);
	});

	it("shows the date of a fleet a day behind or ahead, and stores a form once when it is sent again after Back", async () => {
		const home = network.target;
		try {
			for (const [port, zone] of [
				[westPort, WEST],
				[eastPort, EAST],
			] as const) {
				network.target = port;
				const page = await arrive(await phone({ timeZone }), "dana");
				await waitUntilPrepared(page);
				expect(await dateOf(page)).toBe(dateIn(zone));
				const trip = newTrip(`Twice in ${zone} by ${timeZone}`);
				network.cut();
				await fillTrip(page, trip);
				await logTrip(page);
				await page.getByText(SAVED).waitFor();
				await page.goBack();
				await waitUntilPrepared(page);
				expect(await dateOf(page)).toBe(dateIn(zone));
				await fillTrip(page, trip);
				await logTrip(page);
				await page.getByText(SAVED).waitFor();
				expect(await unsentDates(page)).toEqual([dateIn(zone)]);
				network.restore();
			}
		} finally {
			network.target = home;
		}
	});
});

it("a fleet's new time zone applies from the next page", async () => {
	const home = network.target;
	try {
		network.target = westPort;
		const page = await arrive(await phone(), "dana");
		await page.goto("/offline");
		expect(await dateOf(page)).toBe(dateIn(WEST));
		network.target = eastPort;
		const signedIn = { form: { email: "dana@milepost.test" }, headers: { Origin: origin } };
		await page.request.post("/api/login", signedIn);
		await page.goto("/mileage");
		await waitUntilPrepared(page);
		expect(await dateOf(page)).toBe(dateIn(EAST));
		const offlineDate = async () => {
			await page.goto("/offline");
			return dateOf(page);
		};
		// The browser looks for a new worker one second after a page loads, and every page load delays
		// that.
		await expect.poll(offlineDate, { interval: 3000 }).toBe(dateIn(EAST));
		expect(await page.locator("[data-outbox]").getAttribute("data-time-zone")).toBe(EAST);
		network.cut();
		expect(await offlineDate()).toBe(dateIn(EAST));
	} finally {
		network.target = home;
	}
});

it("a page left open over midnight has the new date, unless something was typed into its form", async () => {
	const noonAfter = (days: number) => currentTime() + days * 86_400_000;
	const context = await phone({ timeZone: "Asia/Kathmandu" });
	const page = await arrive(context, "lena");
	await waitUntilPrepared(page);
	const lookAgain = () =>
		page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
	expect(await dateOf(page)).toBe(today);
	await page.clock.setFixedTime(noonAfter(3));
	await lookAgain();
	await expect.poll(() => dateOf(page)).toBe(dateIn("America/New_York", noonAfter(3)));
	expect(
		await page.getByLabel("Date").evaluate((field: HTMLInputElement) => field.validity.valid),
	).toBe(true);
	// It is a default still, and no text of the driver's to be restored.
	expect((await readPhoneStorage(page)).drafts).toEqual([]);
	await page.getByLabel("Notes").pressSequentially("Of that day");
	await page.clock.setFixedTime(noonAfter(4));
	await lookAgain();
	expect(await dateOf(page)).toBe(dateIn("America/New_York", noonAfter(3)));
});

it("a request that is left open over midnight takes the new day as that of its receipt", async () => {
	const tomorrow = currentTime() + 86_400_000;
	const context = await phone({ timeZone: "Asia/Kathmandu" });
	const page = await arrive(context, "lena");
	await page.goto("/requests");
	await waitUntilPrepared(page);
	await page.getByLabel("Amount").fill("12");
	const spentOn = page.locator("[name=spentOn]");
	expect(await spentOn.getAttribute("max")).toBe(today);
	await page.clock.setFixedTime(tomorrow);
	await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
	await expect.poll(() => spentOn.getAttribute("max")).toBe(dateIn("America/New_York", tomorrow));
});

it("also one that is in sight all the time", async () => {
	const context = await phone({ timeZone: "Asia/Kathmandu" });
	await context.clock.install({ time: currentTime() });
	const page = await arrive(context, "lena");
	await waitUntilPrepared(page);
	expect(await dateOf(page)).toBe(today);
	await page.clock.fastForward(3 * 86_400_000);
	await expect
		.poll(() => dateOf(page))
		.toBe(dateIn("America/New_York", currentTime() + 3 * 86_400_000));
	await page.getByLabel("Notes").pressSequentially("Of that day");
	await page.clock.fastForward(86_400_000);
	expect(await dateOf(page)).toBe(dateIn("America/New_York", currentTime() + 3 * 86_400_000));
});

it("the offline page from the server has the fleet's date and its own keys", async () => {
	const page = await (
		await phone({ blocksWorker: true, timeZone: "Pacific/Kiritimati" })
	).newPage();
	await page.goto("/offline");
	expect(await dateOf(page)).toBe(daysAgo(0));
	const keys = page
		.locator("input[name=key]")
		.evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
	expect(new Set(await keys).size).toBe(2);
	expect((await keys).every((key) => /^[0-9a-f-]{36}$/.test(key))).toBe(true);
});

it("times in the outbox are in the fleet's time zone, as in the lists", async () => {
	const page = await arrive(await phone({ timeZone: "Asia/Kathmandu" }), "dana");
	network.cut();
	await page.goto("/mileage");
	await waitForControl(page);
	await waitUntilPrepared(page);
	await fillTrip(page, newTrip("Times of the outbox"));
	await logTrip(page);
	await page.getByText(SAVED).waitFor();
	const entries = await page.evaluate(async () => {
		const opening = indexedDB.open("milepost");
		const db = await new Promise<IDBDatabase>((pass) => {
			opening.onsuccess = () => pass(opening.result);
		});
		const asked = db.transaction("entries").objectStore("entries").getAll();
		await new Promise((pass) => {
			asked.onsuccess = pass;
		});
		db.close();
		return asked.result as { capturedAt: number }[];
	});
	const inNewYork = new Intl.DateTimeFormat("en-US", {
		timeZone: "America/New_York",
		month: "short",
		day: "numeric",
		hour: "numeric",
		minute: "2-digit",
	});
	const words = inNewYork.format(entries[0]?.capturedAt).replace(/\s/g, " ");
	await page.getByText(`Saved ${words}`).waitFor();
});
