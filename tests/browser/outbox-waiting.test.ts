/**
 * What waits on a phone: the browser is asked to keep it, its driver is told since when it waits
 * and until when it is safe, and a page shows what was sent beside it.
 */
import type { BrowserContext, Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { openOfflineStage } from "../offline/stage.ts";
import {
	fillTrip,
	logTrip,
	readPhoneStorage,
	SAVED,
	untilDrafted,
	waitUntilPrepared,
} from "../offline/steps.ts";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";

const { fleet, network, phone, arrive } = await openOfflineStage();
const outbox = (page: Page) => page.getByRole("region", { name: "Outbox" });

/** Logs a trip of ten miles in a dead zone. */
async function keepTrip(page: Page, start: number, notes: string): Promise<void> {
	network.cut();
	await fillTrip(page, { start, notes });
	await logTrip(page);
	await page.getByText(SAVED).waitFor();
}

const tripsOf = (notes: string) =>
	fleet.sql("select id from mileage_logs where notes = ? and driver_id = ?", notes, idOf("omar"));

describe("a page beside which entries are sent", () => {
	it("is loaded again once, and shows them", async () => {
		const page = await arrive(await phone(), "omar");
		await keepTrip(page, 610_000, "Sent beside the list");
		network.restore();
		await page.goto("/mileage");
		await page.getByText("Sent beside the list").first().waitFor();
		await outbox(page).getByText("Mileage sent.").waitFor();
		// It is up to date, so there is nothing to follow; and it stays.
		expect(await outbox(page).getByRole("link", { name: "Show sent" }).count()).toBe(0);
		const loads: string[] = [];
		page.on("framenavigated", (frame) => loads.push(frame.url()));
		await page.waitForTimeout(3000);
		expect(loads).toEqual([]);
		expect(await tripsOf("Sent beside the list")).toHaveLength(1);
	});

	it("shows them in its figures, when the connection is back while it is open", async () => {
		const context = await phone();
		const page = await arrive(context, "omar");
		const miles = async () =>
			Number(
				/This Week\s*([\d,]+) mi/
					.exec(await page.locator("main").innerText())?.[1]
					?.replace(",", ""),
			);
		await page.goto("/");
		const before = await miles();
		await page.goto("/mileage");
		await waitUntilPrepared(page);
		await keepTrip(page, 611_000, "Sent beside the dashboard");
		network.restore();
		await page.goto("/");
		await expect.poll(miles).toBe(before + 10);
		expect(await tripsOf("Sent beside the dashboard")).toHaveLength(1);
	});

	it("stays as it is while something half typed stands on it, and links to them", async () => {
		const page = await arrive(await phone(), "omar");
		await keepTrip(page, 612_000, "Sent beside typing");
		// The page comes, and its outbox reaches nobody.
		network.faultFor = (_, path) => (path.startsWith("/api/outbox/") ? "before" : "none");
		await page.goto("/mileage");
		await outbox(page).getByText("1 entry waiting on this phone.").waitFor();
		await waitUntilPrepared(page);
		await page.getByLabel("Notes").fill("Half typed");
		network.restore();
		await outbox(page).getByRole("button", { name: "Send now" }).click();
		await outbox(page).getByText("Mileage sent.").waitFor();
		await page.waitForTimeout(3000);
		expect(await page.getByLabel("Notes").inputValue()).toBe("Half typed");
		await outbox(page).getByRole("link", { name: "Show sent" }).waitFor();
		expect(await page.locator("main").getByText("Sent beside typing").count()).toBe(0);
	});
});

describe("what waits", () => {
	/** Counts how often a phone's pages ask for their storage to be kept. */
	async function countAsking(context: BrowserContext): Promise<() => number> {
		let asked = 0;
		await context.exposeFunction("countAsking", () => {
			asked += 1;
		});
		await context.addInitScript(() => {
			// An empty page has none.
			if (!navigator.storage) return;
			navigator.storage.persisted = () => Promise.resolve(false);
			navigator.storage.persist = async () => {
				await (window as unknown as { countAsking: () => Promise<void> }).countAsking();
				return false;
			};
		});
		return () => asked;
	}

	it("is marked as worth keeping when the first entry stays on the phone, and not before", async () => {
		const context = await phone();
		const asked = await countAsking(context);
		const page = await arrive(context, "omar");
		await waitUntilPrepared(page);
		await page.goto("/");
		expect(asked()).toBe(0);
		await page.goto("/mileage");
		await waitUntilPrepared(page);
		await keepTrip(page, 613_000, "Worth keeping");
		await expect.poll(asked).toBe(1);
		// Who has been asked isn't asked on every page.
		await page.reload();
		await outbox(page).getByText("1 entry waiting on this phone.").waitFor();
		await page.waitForTimeout(500);
		expect(asked()).toBe(1);
	});

	it("says since when, and after two days until when it is safe", async () => {
		const page = await arrive(await phone(), "omar");
		await keepTrip(page, 614_000, "Long in a dead zone");
		const rows = outbox(page).locator('[data-entry="waiting"]');
		await rows.getByText(/^Saved [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M$/).waitFor();
		expect(await outbox(page).getByText("Your phone may delete this").count()).toBe(0);
		const day = 86_400_000;
		const age = (days: number) =>
			page.evaluate(
				async (capturedAt) => {
					const opening = indexedDB.open("milepost");
					await new Promise((pass) => {
						opening.onsuccess = pass;
					});
					const tx = opening.result.transaction("entries", "readwrite");
					const entries = tx.objectStore("entries");
					entries.openCursor().onsuccess = ({ target }) => {
						const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result;
						if (!cursor) return;
						cursor.update({ ...cursor.value, capturedAt });
						cursor.continue();
					};
					await new Promise((pass) => {
						tx.oncomplete = pass;
					});
					opening.result.close();
					return capturedAt;
				},
				currentTime() - days * day,
			);
		await age(1.9);
		await page.reload();
		await rows.waitFor();
		expect(await outbox(page).getByText("Your phone may delete this").count()).toBe(0);
		const keptAt = await age(2.1);
		await page.reload();
		const date = new Intl.DateTimeFormat("en-US", {
			timeZone: "America/New_York",
			month: "short",
			day: "numeric",
		}).format(keptAt + 7 * day);
		await rows
			.getByText(
				`Your phone may delete this after ${date}. Open Milepost with a connection before then.`,
				{ exact: true },
			)
			.waitFor();
		expect((await readPhoneStorage(page)).entries).toHaveLength(1);
	});

	it("is explained in Help: an iPhone's home screen keeps it longer", async () => {
		const help = await (await fleet.as("omar")).get("/help");
		expect(help.text.replace(/\s+/g, " ")).toContain(
			"On an iPhone, what waits to be sent is also kept longer there",
		);
	});
});

it("restored text is gone from the phone when its note is, and also if the page is left at once", async () => {
	const context = await phone();
	const page = await arrive(context, "omar");
	await waitUntilPrepared(page);
	const type = async (words: string) => {
		await page.getByLabel("Notes").fill(words);
		await untilDrafted(page, words);
		await page.goto("/history");
		await page.goto("/mileage");
		await page.getByText(/^Restored what you typed on [^.]+\.$/).waitFor();
	};
	await type("Gone with its note");
	// A slow phone: a transaction ends when a hundred more reads have ended.
	const stays = await page.evaluate(async () => {
		const remove = IDBObjectStore.prototype.delete;
		const commit = IDBTransaction.prototype.commit;
		IDBTransaction.prototype.commit = () => undefined;
		IDBObjectStore.prototype.delete = function (key) {
			const deleted = remove.call(this, key);
			let more = 100;
			const read = () => {
				more -= 1;
				if (more > 0) this.count().onsuccess = read;
			};
			read();
			return deleted;
		};
		const note = [...document.querySelectorAll("[role=status]")].find((each) =>
			each.textContent?.includes("Restored what you typed"),
		);
		note?.querySelector("button")?.click();
		await Promise.resolve();
		const isThere = note?.isConnected;
		IDBTransaction.prototype.commit = commit;
		IDBObjectStore.prototype.delete = remove;
		return isThere;
	});
	expect(stays).toBe(true);
	await page.getByText(/^Restored what you typed/).waitFor({ state: "detached" });
	expect((await readPhoneStorage(page)).drafts).toEqual([]);

	await type("Left at once");
	await Promise.all([
		page.waitForURL("/requests"),
		page.evaluate(() => {
			[...document.querySelectorAll("button")]
				.find((each) => each.textContent === "Clear")
				?.click();
			location.assign("/requests");
		}),
	]);
	await page.goto("/mileage");
	await waitUntilPrepared(page);
	expect(await page.getByLabel("Notes").inputValue()).toBe("");
});
