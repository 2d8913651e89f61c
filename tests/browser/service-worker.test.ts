/**
 * The service worker itself: when it loads, what it caches, how a new version takes over, how the
 * server removes it, and installing the app.
 */
import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "@playwright/test";
import { expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { openOfflineStage, UNSENT } from "../offline/stage.ts";
import {
	fillRequest,
	fillTrip,
	logTrip,
	readPhoneStorage,
	SAVED,
	submitRequest,
	waitForControl,
	waitUntilPrepared,
} from "../offline/steps.ts";
import { openFleet } from "../support/worker.ts";

const { fleet, network, origin, phone, arrive } = await openOfflineStage();
const farewellPort = await freePort();
await openFleet({ port: farewellPort, origin, vars: { SERVICE_WORKER: "off" } });

let reading = 800_000;
const newTrip = (notes: string) => {
	reading += 20;
	return { start: reading, notes };
};
const logsOf = (notes: string) => fleet.sql("select 1 from mileage_logs where notes = ?", notes);
const outbox = (page: Page) => page.getByRole("region", { name: "Outbox" });

async function queue(context: BrowserContext, notes: string): Promise<Page> {
	const page = await arrive(context, "dana");
	network.cut();
	await fillTrip(page, newTrip(notes));
	await logTrip(page);
	await page.getByText(SAVED).waitFor();
	return page;
}

it("loads after the page is usable, with the outbox's code, and is small", async () => {
	const context = await phone();
	const page = await context.newPage();
	// Signed in without opening a page, so nothing of ours is on this phone yet.
	await page.request.post("/api/login", {
		form: { email: "dana@milepost.test" },
		headers: { Origin: origin },
	});
	let isLoaded = false;
	const early: string[] = [];
	page.on("load", () => {
		isLoaded = true;
	});
	context.on("request", (request) => {
		if (!isLoaded && /\/assets\/(phone|words|hydrate|index)-|service-worker/.test(request.url()))
			early.push(request.url());
	});
	await page.goto("/mileage");
	await waitForControl(page);
	expect(early).toEqual([]);
	const late = await page.evaluate(() => {
		const { loadEventStart } = performance.getEntriesByType(
			"navigation",
		)[0] as PerformanceNavigationTiming;
		return (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
			.filter(({ name }) => /\/assets\/phone-/.test(name))
			.map(({ startTime }) => startTime - loadEventStart);
	});
	expect(late).toHaveLength(1);
	expect(late[0]).toBeGreaterThanOrEqual(0);
	const script = await page.request.get("/service-worker.js");
	expect(script.headers()["cache-control"]).toBe("no-cache");
	expect((await script.body()).length).toBeLessThan(23_000);
});

it("takes control of a page that was loaded without it", async () => {
	const page = await arrive(await phone(), "dana");
	const devtools = await page.context().newCDPSession(page);
	// A reload that bypasses the worker leaves the page in the same state as one loaded while the
	// worker was activating.
	await devtools.send("Page.reload", { ignoreCache: true });
	await page.waitForLoadState();
	await waitForControl(page);
	await fillTrip(page, newTrip("Taken over"));
	network.cut();
	await logTrip(page);
	await page.getByText(SAVED).waitFor();
	expect((await readPhoneStorage(page)).entries).toHaveLength(1);
});

it("a new version takes over at once, and waiting entries are kept until sent", async () => {
	const context = await phone();
	// The browser would estimate the connection from answers that never came.
	await context.addInitScript(() =>
		Object.defineProperty(navigator, "connection", {
			value: { effectiveType: "4g" },
			configurable: true,
		}),
	);
	const page = await queue(context, "Waiting for the update");
	const photo = readFileSync("tests/fixtures/receipts/baseline.jpg");
	await waitUntilPrepared(page);
	await fillRequest(page, "Waiting for the update, with a photo", photo);
	await submitRequest(page);
	await expect.poll(async () => (await readPhoneStorage(page)).entries.length).toBe(2);
	// Pages and the new version can be fetched, but nothing can be sent.
	network.faultFor = (method) => (method === "POST" ? "before" : "none");
	// Chromium stops the old version for the new one. A file that the page fetches in that moment
	// starts it again, and then the new one waits until the old one has been idle for half a minute,
	// which it never is for a browser that is being debugged, as here. So first the page gets all
	// that it loads when it is idle.
	await at(page, "/mileage");
	await page.waitForFunction(
		() => document.querySelector("[data-island]:not([data-is-awake])") === null,
	);
	await page.waitForLoadState("networkidle");
	network.rewrite = (_, body) => body.replace(/"stamp":"[0-9a-f]{8}"/, '"stamp":"00000002"');
	const before = await page.evaluate(() => caches.keys());
	/** Where the new version is, after another check for it; said in full if this fails. */
	const takeover = () =>
		page
			.evaluate(async () => {
				const registration = await navigator.serviceWorker.getRegistration();
				// A check that began offline can make this one fail with it, or last.
				const check = await Promise.race([
					registration?.update().then(() => "done", String),
					new Promise((pass) => setTimeout(pass, 2000, "unfinished")),
				]);
				const { installing, waiting, active } = registration ?? {};
				return {
					check,
					isCached: (await caches.keys()).some((name) => name.endsWith("-00000002")),
					installing: installing?.state,
					waiting: waiting?.state,
					active: active?.state,
					isInControl: active === navigator.serviceWorker.controller,
				};
			})
			// The page may be navigating.
			.catch(String);
	await expect.poll(takeover).toMatchObject({
		isCached: true,
		installing: undefined,
		waiting: undefined,
		active: "activated",
		isInControl: true,
	});
	expect(await page.evaluate(() => caches.keys())).toEqual([
		...before,
		before[0]?.replace(/[0-9a-f]{8}$/, "00000002"),
	]);
	expect((await readPhoneStorage(page)).entries.map(({ state }) => state)).toEqual([
		UNSENT,
		UNSENT,
	]);
	await page.goto("/");
	await fillTrip(await at(page, "/mileage"), newTrip("Written under the new version"));
	await logTrip(page);
	await page.getByText(SAVED).waitFor();
	network.faultFor = () => "none";
	await page.goto("/");
	await expect.poll(() => outbox(page).locator('[data-entry="sent"]').count()).toBe(3);
	for (const notes of ["Waiting for the update", "Written under the new version"])
		expect(await logsOf(notes)).toHaveLength(1);
	expect(
		await fleet.sql(
			"select 1 from fund_requests where description = 'Waiting for the update, with a photo' and receipt_id is not null",
		),
	).toHaveLength(1);
});

it("a new version that can't be had whole leaves nothing behind", async () => {
	const page = await arrive(await phone(), "dana");
	await waitForControl(page);
	const before = await page.evaluate(() => caches.keys());
	network.rewrite = (_, body) =>
		body
			.replace(/"stamp":"[0-9a-f]{8}"/, '"stamp":"00000003"')
			.replace(/(?<="\/assets\/)[^"]+\.js/, "missing.js");
	const update = page.evaluate(async () => {
		const registration = await navigator.serviceWorker.getRegistration();
		await registration?.update();
		const next = registration?.installing;
		if (next && next.state === "installing")
			await new Promise((pass) => next.addEventListener("statechange", pass, { once: true }));
		return next?.state;
	});
	expect(await update).toBe("redundant");
	expect(await page.evaluate(() => caches.keys())).toEqual(before);
});

async function at(page: Page, path: string): Promise<Page> {
	await page.goto(path);
	await waitUntilPrepared(page);
	return page;
}

it("can be removed by the server, while waiting entries stay and are sent by the page", async () => {
	const context = await phone();
	const page = await queue(context, "Sent without the worker");
	await waitUntilPrepared(page);
	// Registrations are processed in order. The page's own must finish first, or it could bring back
	// the worker that has just unregistered itself, until the next page is opened.
	await page.evaluate(async () => {
		const url = document.querySelector<HTMLElement>("[data-outbox]")?.dataset.worker ?? "";
		await navigator.serviceWorker.register(url, { updateViaCache: "none" });
	});
	const home = network.target;
	try {
		network.restore();
		network.target = farewellPort;
		const look = async () => {
			// An update check that began offline can make this one fail with it.
			await page
				.evaluate(
					async () => void (await (await navigator.serviceWorker.getRegistration())?.update()),
				)
				.catch(() => undefined);
			// The remaining worker's state shows what it is waiting for.
			return page.evaluate(async () =>
				(await navigator.serviceWorker.getRegistrations()).map(
					({ installing, waiting, active }) =>
						`installing ${installing?.state}, waiting ${waiting?.state}, active ${active?.state}`,
				),
			);
		};
		// No page is opened until it is gone, because while Chromium changes workers it can lose a
		// navigation completely.
		await expect.poll(look).toEqual([]);
		await page.goto("/offline");
		await waitUntilPrepared(page);
		expect((await readPhoneStorage(page)).caches).toEqual([]);
		expect((await readPhoneStorage(page)).entries).toHaveLength(1);
		// Pages of a server without a worker don't install one.
		await page.goto("/offline");
		expect(await page.locator("[data-outbox]").getAttribute("data-worker")).toBeNull();
		await waitUntilPrepared(page);
		expect(
			await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
		).toBe(0);
	} finally {
		network.target = home;
	}
	await page.goto("/");
	await outbox(page).getByText("Sent", { exact: true }).waitFor();
	expect(await logsOf("Sent without the worker")).toHaveLength(1);
});

/**
 * A worker that can be told its phone is full, which then aborts writes as a browser does.
 * (Chromium's quota override doesn't affect IndexedDB.)
 */
const FULL = `let isFull = false;
self.addEventListener("message", ({ data }) => { if (data === "full" || data === "roomy") isFull = data === "full"; });
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (...values) {
	const request = put.apply(this, values);
	if (isFull) {
		this.transaction.abort();
		throw new DOMException("no room", "QuotaExceededError");
	}
	return request;
};
`;
const tell = (page: Page, word: "full" | "roomy") =>
	page.evaluate((data) => navigator.serviceWorker.controller?.postMessage(data), word);

it("a full phone says so, keeps what was typed and never claims to have saved it", async () => {
	network.rewrite = (_, body) => FULL + body;
	const page = await arrive(await phone(), "lena", "/requests");
	await waitUntilPrepared(page);
	await tell(page, "full");
	network.cut();
	const description = 'No room for "this" & <that>';
	await fillRequest(page, description, readFileSync("tests/fixtures/receipts/baseline.jpg"));
	await submitRequest(page);
	await page.getByText("This phone is out of storage, so this was NOT saved.").waitFor();
	expect(await page.getByText(SAVED).count()).toBe(0);
	await waitUntilPrepared(page);
	expect(await page.getByLabel("Description").inputValue()).toBe(description);
	expect(await page.getByLabel("Amount").inputValue()).toBe("45.50");
	expect(await page.getByLabel("Request Type").inputValue()).toBe("gas");
	expect(await readPhoneStorage(page)).toMatchObject({ entries: [], files: 0 });
	// Once there is space again, the same form is saved and sent once.
	await tell(page, "roomy");
	await submitRequest(page);
	await page.getByText(SAVED).waitFor();
	network.restore();
	await page.goto("/");
	await outbox(page).getByText("Sent", { exact: true }).waitFor();
	expect(
		await fleet.sql("select 1 from fund_requests where description = ?", description),
	).toHaveLength(1);
});

it("a full phone that is online sends its form as usual", async () => {
	network.rewrite = (_, body) => FULL + body;
	const page = await arrive(await phone(), "lena");
	await tell(page, "full");
	const trip = newTrip("Full, with a signal");
	await fillTrip(page, trip);
	await logTrip(page);
	await page.getByText("Mileage log created successfully").waitFor();
	expect(await readPhoneStorage(page)).toMatchObject({ entries: [] });
	expect(await logsOf(trip.notes)).toHaveLength(1);
});

it("shows the offline page for every page of a driver's navigation, with what waits", async () => {
	const page = await queue(await phone(), "Beside every page");
	network.restore();
	network.faultFor = (method) => (method === "POST" ? "before" : "none");
	await page.goto("/");
	const links = await page
		.locator("a[href^='/']:not([href*='?'], [href*='#'])")
		.evaluateAll((all) => [...new Set(all.map((each) => each.getAttribute("href") ?? ""))]);
	expect(links).toEqual(expect.arrayContaining(["/account", "/earnings", "/help", "/history"]));
	network.cut();
	for (const path of [...links, "/earnings/40000000-0000-4000-8000-000000000001"]) {
		await page.goto(path);
		await page.getByRole("heading", { name: "You're offline" }).waitFor();
		await outbox(page).getByText("1 entry waiting on this phone.").waitFor();
	}
});

it("sends by Background Sync when no page is open", async () => {
	const context = await phone();
	const page = await queue(context, "Sent in the background");
	const session = await context.newCDPSession(page);
	const registrationId = await new Promise<string>((pass) => {
		session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
			if (registrations[0]) pass(registrations[0].registrationId);
		});
		void session.send("ServiceWorker.enable");
	});
	// Leaves the app, so that none of its pages is open.
	await page.goto("about:blank");
	network.restore();
	await session.send("ServiceWorker.dispatchSyncEvent", {
		origin,
		registrationId,
		tag: "milepost-outbox",
		lastChance: false,
	});
	await expect.poll(() => logsOf("Sent in the background")).toHaveLength(1);
});

it("can be installed with its name, its icons and the two forms as shortcuts", async () => {
	const page = await arrive(await phone(), "dana");
	const session = await page.context().newCDPSession(page);
	const { data, errors } = await session.send("Page.getAppManifest");
	expect(errors).toEqual([]);
	const manifest = JSON.parse(data ?? "") as {
		icons: { src: string; sizes: string; purpose: string }[];
		shortcuts: { url: string }[];
	};
	expect(manifest).toMatchObject({
		name: "Milepost",
		display: "standalone",
		start_url: "/",
		scope: "/",
	});
	expect(manifest.shortcuts.map(({ url }) => url)).toEqual(["/mileage", "/requests"]);
	expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
		"any any",
		"192x192 any",
		"512x512 any",
		"512x512 maskable",
	]);
	for (const { src, sizes } of manifest.icons.slice(1)) {
		const bytes = await (await page.request.get(src)).body();
		expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes);
	}
	const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
	// Tests run in private windows, which install nothing; there may be no other reason.
	expect(
		installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"),
	).toEqual([]);
});

it("keeps all of the offline page's scripts, whichever page was opened before", async () => {
	const page = await arrive(await phone(), "dana", "/history");
	network.cut();
	await page.goto("/offline");
	await waitUntilPrepared(page);
	await page.getByLabel("Starting Odometer").fill("200");
	await page.getByLabel("Ending Odometer").fill("260");
	await page
		.getByRole("status", { name: "Calculated Miles" })
		.filter({ hasText: /^60$/ })
		.waitFor();
	await page.getByLabel("Starting Odometer").fill("abc");
	await page.getByRole("status", { name: "Calculated Miles" }).filter({ hasText: /^0$/ }).waitFor();
	const photo = readFileSync("tests/fixtures/receipts/baseline.jpg");
	await page
		.getByLabel("Receipt", { exact: true })
		.setInputFiles({ name: "pump.jpg", mimeType: "image/jpeg", buffer: photo });
	await page.getByText("Receipt selected: pump.jpg").waitFor();
	await page.getByRole("link", { name: "Tires", exact: true }).click();
	await expect.poll(() => page.getByLabel("Request Type").inputValue()).toBe("maintenance");
	await page.getByText("Receipt selected: pump.jpg").waitFor();
});
