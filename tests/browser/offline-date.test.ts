/** The date of a trip is the fleet's, wherever the phone is and whatever its own zone says. */

import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { openLinedStage } from "../offline/stage.ts";
import {
	fillTrip,
	logTrip,
	readPhoneStorage,
	SAVED,
	waitForControl,
	waitUntilPrepared,
} from "../offline/steps.ts";
import { currentTime } from "../support/clock.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { openFleet } from "../support/worker.ts";

const { fleet, line, origin, phone, arrive } = await openLinedStage();
/**
 * The same fleet, moved to where the date is another one at every hour: 25 hours lie between these
 * two zones.
 */
const [WEST, EAST] = ["Pacific/Pago_Pago", "Pacific/Kiritimati"];
const [westPort, eastPort] = [await freePort(), await freePort()];
await openFleet({ port: westPort, origin, vars: { FLEET_TIME_ZONE: WEST } });
await openFleet({ port: eastPort, origin, vars: { FLEET_TIME_ZONE: EAST } });

/** Asked once, so that a midnight in the middle of the tests moves nothing. */
const [today, yesterday] = [daysAgo(0), daysAgo(1)];
const PHONES = ["America/Los_Angeles", "Asia/Kathmandu", "Pacific/Kiritimati"];
const dateIn = (timeZone: string, moment = currentTime()) =>
	new Intl.DateTimeFormat("en-CA", { timeZone }).format(moment);
const dateOf = (page: Page) => page.getByLabel("Date").inputValue();
const unsentDates = async (page: Page) =>
	(await readPhoneStorage(page)).entries.map(
		({ fields }) => fields.find(([name]) => name === "date")?.[1],
	);

/** Sets the clock of the phone's worker; that of its pages is Playwright's to set. */
const clockAt = (moment: number) =>
	`const asked = Date.now, began = asked(); Date.now = () => ${moment} + asked() - began;\n`;

let reading = 100_000;
const newTrip = (notes: string) => {
	reading += 20;
	return { start: reading, notes };
};

describe.each(PHONES)("a phone in %s", (timeZone) => {
	// 03:00 UTC is still the day before in New York, and 23:30 UTC not yet the day after.
	it.each([
		["03:00", `${today}T03:00:00Z`],
		["23:30", `${yesterday}T23:30:00Z`],
	])("at %s UTC shows and sends the fleet's date in its offline form", async (hour, moment) => {
		const now = Date.parse(moment);
		line.rewrite = (_, body) => clockAt(now) + body;
		const context = await phone({ timeZone });
		await context.clock.setFixedTime(now);
		const page = await arrive(context, "dana");
		line.cut();
		await page.goto("/mileage");
		await waitUntilPrepared(page);
		expect(await dateOf(page)).toBe(yesterday);
		const trip = newTrip(`At ${hour} in ${timeZone}`);
		await fillTrip(page, trip);
		await logTrip(page);
		await page.getByText(SAVED).waitFor();
		expect(await unsentDates(page)).toEqual([yesterday]);
		line.weather = () => "none";
		await page.goto("/history");
		const stored = () =>
			fleet.sql("select driven_on from mileage_logs where notes = ?", trip.notes);
		await expect.poll(stored).toEqual([{ driven_on: yesterday }]);
	});

	it("shows the date of a fleet that is a day behind or ahead, and stores a form once when Back sends it again", async () => {
		const home = line.target;
		try {
			for (const [port, zone] of [
				[westPort, WEST],
				[eastPort, EAST],
			] as const) {
				line.target = port;
				const page = await arrive(await phone({ timeZone }), "dana");
				await waitUntilPrepared(page);
				expect(await dateOf(page)).toBe(dateIn(zone));
				const trip = newTrip(`Twice in ${zone} by ${timeZone}`);
				line.cut();
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
				line.restore();
			}
		} finally {
			line.target = home;
		}
	});
});

it("a fleet's new time zone is used from the next page on", async () => {
	const home = line.target;
	try {
		line.target = westPort;
		const page = await arrive(await phone(), "dana");
		await page.goto("/offline");
		expect(await dateOf(page)).toBe(dateIn(WEST));
		line.target = eastPort;
		const signedIn = { form: { email: "dana@milepost.test" }, headers: { Origin: origin } };
		await page.request.post("/api/login", signedIn);
		await page.goto("/mileage");
		await waitUntilPrepared(page);
		expect(await dateOf(page)).toBe(dateIn(EAST));
		const offlineDate = async () => {
			await page.goto("/offline");
			return dateOf(page);
		};
		// A browser looks for a new worker a second after a page has come, and every page that comes
		// puts that off.
		await expect.poll(offlineDate, { interval: 3000 }).toBe(dateIn(EAST));
		expect(await page.locator("[data-outbox]").getAttribute("data-time-zone")).toBe(EAST);
		line.cut();
		expect(await offlineDate()).toBe(dateIn(EAST));
	} finally {
		line.target = home;
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
	await page.waitForTimeout(300);
	expect(await dateOf(page)).toBe(dateIn("America/New_York", noonAfter(3)));
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

it("times of the outbox are the fleet's, like those of the lists", async () => {
	const page = await arrive(await phone({ timeZone: "Asia/Kathmandu" }), "dana");
	line.cut();
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
