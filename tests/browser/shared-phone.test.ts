/**
 * A phone shared by several people: A's entries are never shown to B or sent as B's, and signing
 * out leaves nothing without asking.
 */
import type { BrowserContext, Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { openOfflineStage, UNSENT } from "../offline/stage.ts";
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
import { CAST, type CastName, idOf } from "../support/cast.ts";
import { signIn } from "./browser.ts";

const { fleet, network, origin, phone, arrive } = await openOfflineStage();

let reading = 700_000;
const newTrip = (notes: string) => {
	reading += 20;
	return { start: reading, notes };
};
const logsOf = (notes: string) =>
	fleet.sql<{ driver_id: string }>("select driver_id from mileage_logs where notes = ?", notes);
const outbox = (page: Page) => page.getByRole("region", { name: "Outbox" });
const signOut = (page: Page) => page.getByRole("button", { name: "Sign Out" }).click();
const question = (page: Page) =>
	page.getByRole("dialog", { name: "Sign out with unsent entries?" });
const landing = (page: Page) =>
	page.getByText("Secure access for drivers and fleet administrators").waitFor();

/**
 * Everything stored on a phone as text: IndexedDB, caches with their contents, local and session
 * storage.
 */
async function everythingOn(page: Page): Promise<string> {
	const kept = await readPhoneStorage(page);
	const rest = await page.evaluate(async () => {
		const pages: string[] = [];
		for (const name of await caches.keys())
			for (const request of await (await caches.open(name)).keys())
				pages.push(await ((await caches.match(request))?.text() ?? ""));
		return JSON.stringify([pages, { ...localStorage }, { ...sessionStorage }]);
	});
	return JSON.stringify(kept) + rest;
}
const tracesOf = (name: CastName, text: string) =>
	[CAST[name].firstName, CAST[name].email, idOf(name)].filter((word) => text.includes(word));

/** Saves an entry as a driver without a connection, and returns the page. */
async function queue(context: BrowserContext, name: CastName, notes: string): Promise<Page> {
	const page = await arrive(context, name);
	network.cut();
	await fillTrip(page, newTrip(notes));
	await logTrip(page);
	await page.getByText(SAVED).waitFor();
	await outbox(page).getByText("Waiting", { exact: true }).waitFor();
	return page;
}

describe("driver A leaves entries on a phone and driver B signs in", () => {
	it("when A kept them and signed out: B sees and sends none of them, and they are sent when A is back", async () => {
		const context = await phone();
		const page = await queue(context, "dana", "Kept by A");
		network.faultFor = (_, path) => (path.startsWith("/api/outbox") ? "before" : "none");
		await page.goto("/");
		await outbox(page).getByText("Waiting", { exact: true }).waitFor();
		await signOut(page);
		await question(page).getByRole("button", { name: "Keep and sign out" }).click();
		await landing(page);
		expect(await page.getByText(/waiting.* on this phone/).count()).toBe(0);
		network.restore();

		await signIn(page, CAST.omar.email);
		await waitUntilPrepared(page);
		for (const path of ["/", "/mileage", "/requests", "/history"]) {
			await page.goto(path);
			await page.waitForTimeout(700);
			expect(await outbox(page).isVisible()).toBe(false);
			expect(await page.content()).not.toContain("Kept by A");
		}
		await fillTrip(await arriveAt(page, "/mileage"), newTrip("Written by B"));
		await logTrip(page);
		await page.getByText("Mileage log created successfully").waitFor();
		expect(await logsOf("Kept by A")).toEqual([]);
		expect((await readPhoneStorage(page)).entries).toMatchObject([
			{ userId: idOf("dana"), state: UNSENT },
		]);
		await signOut(page);
		await landing(page);

		await signIn(page, CAST.dana.email);
		await outbox(page).getByText("Sent", { exact: true }).waitFor();
		expect(await logsOf("Kept by A")).toEqual([{ driver_id: idOf("dana") }]);
		expect(await logsOf("Written by B")).toEqual([{ driver_id: idOf("omar") }]);
	});

	it("and A submits on a page that was still open: it is saved for A, and B's phone doesn't say that nothing is", async () => {
		const context = await phone();
		const left = await arriveAt(await arrive(context, "dana"), "/mileage");
		await waitUntilPrepared(left);
		await fillTrip(left, newTrip("On A's open page"));
		const other = await context.newPage();
		await signOut(await arriveAt(other, "/"));
		await landing(other);
		await signIn(other, CAST.omar.email);
		await waitUntilPrepared(await arriveAt(other, "/mileage"));
		network.cut();
		await logTrip(left);
		await left.getByText("Saved on this phone for the account that filled it out").waitFor();
		await left.waitForTimeout(700);
		expect(await left.getByText("Nothing waiting").count()).toBe(0);
		expect((await readPhoneStorage(other)).entries).toMatchObject([{ userId: idOf("dana") }]);
		network.restore();
	});

	it("when only A's session ended: B sees and sends none, even if the phone hasn't noticed", async () => {
		const context = await phone();
		const page = await queue(context, "dana", "Left by A");
		network.faultFor = (_, path) => (path.startsWith("/api/outbox") ? "before" : "none");
		await fleet.sql("delete from sessions where user_id = ?", idOf("dana"));
		// B signs in without our code noticing that the phone has changed hands.
		await page.request.post("/api/login", {
			form: { email: CAST.omar.email },
			headers: { Origin: origin },
		});
		expect((await readPhoneStorage(page)).user).toBe(idOf("dana"));
		network.restore();
		const sent = await page.evaluate(async (asUser) => {
			const body = new FormData();
			for (const [name, value] of Object.entries({
				asUser,
				key: crypto.randomUUID(),
				startOdometer: "1",
				endOdometer: "2",
				date: "2026-11-02",
			}))
				body.append(name, value);
			return (await fetch("/api/outbox/mileage", { method: "POST", body })).status;
		}, idOf("dana"));
		expect(sent).toBe(409);
		await page.goto("/mileage");
		await waitUntilPrepared(page);
		expect(await outbox(page).isVisible()).toBe(false);
		// Gives an earlier attempt that may still be running time to finish.
		await page.waitForTimeout(700);
		expect((await readPhoneStorage(page)).entries).toMatchObject([
			{ userId: idOf("dana"), state: UNSENT },
		]);
		expect(await logsOf("Left by A")).toEqual([]);
	});

	async function arriveAt(page: Page, path: string): Promise<Page> {
		await page.goto(path);
		await waitForControl(page);
		await waitUntilPrepared(page);
		return page;
	}
});

describe("signing out with unsent entries", () => {
	it("asks for confirmation, and can be canceled", async () => {
		const page = await queue(await phone(), "lena", "Staying");
		await signOut(page);
		await question(page).getByText("1 entry on this phone hasn't been sent yet.").waitFor();
		await question(page).getByRole("button", { name: "Send now, then sign out" }).click();
		await question(page).getByText("1 entry couldn't be sent.").waitFor();
		await question(page).getByRole("button", { name: "Stay signed in" }).click();
		await question(page).waitFor({ state: "detached" });
		expect((await readPhoneStorage(page)).entries).toHaveLength(1);
		// No one is signed out while offline, whatever they choose.
		await signOut(page);
		await question(page).getByRole("button", { name: "Keep and sign out" }).click();
		await page.getByText("We couldn't reach the server, so you may still be signed in.").waitFor();
		network.restore();
		await page.goto("/");
		await outbox(page).getByText("Sent", { exact: true }).waitFor();
		expect(await logsOf("Staying")).toHaveLength(1);
	});

	it("asks once, however often the button is pressed", async () => {
		const page = await queue(await phone(), "lena", "Asked about once");
		await page.getByRole("button", { name: "Sign Out" }).dblclick();
		await question(page).first().waitFor();
		// A second question would have come with the first.
		await page.waitForTimeout(300);
		expect(await question(page).count()).toBe(1);
		await question(page).getByRole("button", { name: "Stay signed in" }).click();
		await question(page).waitFor({ state: "detached" });
		await signOut(page);
		await question(page).getByRole("button", { name: "Stay signed in" }).click();
		await question(page).waitFor({ state: "detached" });
	});

	it("signs out where the browser doesn't open its database", async () => {
		const context = await phone();
		await context.addInitScript(() => {
			const { open } = IDBFactory.prototype;
			IDBFactory.prototype.open = function (...given) {
				const request = open.apply(this, given);
				// Nobody hears of it.
				request.addEventListener = () => undefined;
				return request;
			};
		});
		const page = await context.newPage();
		await signIn(page, CAST.lena.email);
		await signOut(page);
		await landing(page);
	});

	it("sends them first, or discards them", async () => {
		const page = await queue(await phone(), "lena", "Sent before leaving");
		network.faultFor = (_, path) => (path.startsWith("/api/outbox") ? "before" : "none");
		await page.goto("/");
		await outbox(page).getByText("Waiting", { exact: true }).waitFor();
		await signOut(page);
		network.restore();
		await question(page).getByRole("button", { name: "Send now, then sign out" }).click();
		await landing(page);
		expect(await logsOf("Sent before leaving")).toHaveLength(1);

		const other = await queue(await phone(), "lena", "Discarded");
		network.faultFor = (_, path) => (path.startsWith("/api/outbox") ? "before" : "none");
		await other.goto("/");
		await outbox(other).getByText("Waiting", { exact: true }).waitFor();
		await signOut(other);
		await question(other).getByRole("button", { name: "Discard and sign out" }).click();
		await landing(other);
		expect(await readPhoneStorage(other)).toMatchObject({
			entries: [],
			drafts: [],
			files: 0,
			user: undefined,
		});
		expect(await logsOf("Discarded")).toEqual([]);
	});
});

it("signing out leaves nothing of A in caches, storage or history but the outbox A was asked about", async () => {
	const context = await phone();
	const page = await arrive(context, "dana");
	for (const path of ["/", "/mileage", "/requests", "/history"]) await page.goto(path);
	await page.goto("/requests");
	await waitUntilPrepared(page);
	await page.getByLabel("Description").pressSequentially("A draft of hers");
	await untilDrafted(page, "A draft of hers");
	expect(tracesOf("dana", await everythingOn(page))).toEqual([idOf("dana")]);
	await signOut(page);
	await landing(page);
	const left = await everythingOn(page);
	expect(left).not.toContain("A draft of hers");
	expect(tracesOf("dana", left)).toEqual([]);
	const cached = (await readPhoneStorage(page)).caches;
	expect(cached.length).toBeGreaterThan(3);
	expect(
		cached.filter(
			(path) => path !== "/offline" && !/^\/assets\/[^/]+-[\w-]{8}\.(js|css)$/.test(path),
		),
	).toEqual([]);
	// A page that is refused moves on to sign-in, which names the demonstration's people.
	await context.route("**/api/login*", (route) => route.fulfill({ status: 204 }));
	for (let back = 0; back < 3; back++) {
		await page.goBack();
		await page.waitForTimeout(700);
		expect(tracesOf("dana", await page.content())).toEqual([]);
	}
});

it("signing out everywhere asks and leaves as little as signing out here", async () => {
	const page = await queue(await phone(), "lena", "Known to nobody else");
	network.faultFor = (_, path) => (path.startsWith("/api/outbox") ? "before" : "none");
	await page.goto("/requests");
	await waitUntilPrepared(page);
	await page.getByLabel("Description").pressSequentially("A draft of hers");
	await untilDrafted(page, "A draft of hers");
	await page.goto("/account");
	await outbox(page).getByText("Waiting", { exact: true }).waitFor();
	const everywhere = page.getByRole("button", { name: "Sign out everywhere" });
	await everywhere.click();
	await question(page).getByRole("button", { name: "Stay signed in" }).click();
	await question(page).waitFor({ state: "detached" });
	// Without a signal nobody is signed out, and nothing is forgotten.
	network.cut();
	await everywhere.click();
	await question(page).getByRole("button", { name: "Keep and sign out" }).click();
	await page.getByText("We couldn't reach the server, so you may still be signed in.").waitFor();
	expect((await readPhoneStorage(page)).user).toBe(idOf("lena"));
	network.faultFor = (_, path) => (path.startsWith("/api/outbox") ? "before" : "none");
	await page.goto("/account");
	await outbox(page).getByText("Waiting", { exact: true }).waitFor();
	await everywhere.click();
	await question(page).getByRole("button", { name: "Keep and sign out" }).click();
	await landing(page);
	expect(await readPhoneStorage(page)).toMatchObject({
		entries: [{ userId: idOf("lena"), state: UNSENT }],
		drafts: [],
		user: undefined,
	});
	network.restore();
	await signIn(page, CAST.lena.email);
	await outbox(page).getByText("Sent", { exact: true }).waitFor();
	expect(await logsOf("Known to nobody else")).toHaveLength(1);
});

describe("a session that ended somewhere else", () => {
	const ENDS = [
		[
			"signed out everywhere",
			"update sessions set ended_at = 1, ended_reason = 'signed-out' where user_id = ?",
		],
		["expired", "update sessions set expires_at = 1 where user_id = ?"],
		["deactivated", "update users set is_active = 0 where id = ?"],
	] as const;
	const hasNothingOf = async (page: Page, notes: string) => {
		expect(await page.content()).not.toContain(notes);
		expect(await page.getByRole("button", { name: /Discard|Send now/ }).count()).toBe(0);
	};

	it.each(ENDS)(
		"%s: the phone forgets its drafts and hides what waits, offline too",
		async (name, ending) => {
			const notes = `Secret when ${name}`;
			const context = await phone();
			const page = await queue(context, "lena", notes);
			network.faultFor = (_, path) => (path.startsWith("/api/outbox") ? "before" : "none");
			await page.goto("/requests");
			await waitUntilPrepared(page);
			await page.getByLabel("Description").pressSequentially("Secret draft");
			await untilDrafted(page, "Secret draft");
			await fleet.sql(ending, idOf("lena"));
			// Whoever finds the phone opens the app with a signal, then without one.
			await page.goto("/");
			await page.getByText("1 entry waiting on this phone. Sign in to send it.").waitFor();
			expect(await readPhoneStorage(page)).toMatchObject({
				entries: [{ userId: idOf("lena"), state: UNSENT }],
				drafts: [],
				user: undefined,
			});
			await hasNothingOf(page, notes);
			network.cut();
			for (const path of ["/", "/requests", "/mileage"]) {
				await page.goto(path);
				await waitUntilPrepared(page);
				await page.waitForTimeout(300);
				await hasNothingOf(page, notes);
				expect(await page.content()).not.toContain("Secret draft");
				expect(
					await page
						.getByLabel("Description")
						.inputValue()
						.catch(() => ""),
				).toBe("");
			}
			network.restore();
			await fleet.sql("update users set is_active = 1 where id = ?", idOf("lena"));
			await fleet.sql("delete from sessions where user_id = ?", idOf("lena"));
			await signIn(page, CAST.lena.email);
			await outbox(page).getByText("Sent", { exact: true }).waitFor();
			expect(await logsOf(notes)).toHaveLength(1);
		},
	);

	it("an open page learns it from the answer to what it sends", async () => {
		const page = await queue(await phone(), "lena", "Secret on an open page");
		await fleet.sql("delete from sessions where user_id = ?", idOf("lena"));
		network.restore();
		await page.evaluate(() => window.dispatchEvent(new Event("online")));
		await outbox(page).getByText("1 entry waiting on this phone. Sign in to send it.").waitFor();
		await hasNothingOf(page, "Secret on an open page");
		await outbox(page).getByRole("link", { name: "Sign In" }).waitFor();
		expect((await readPhoneStorage(page)).user).toBeUndefined();
	});
});

describe("typed text", () => {
	const descriptionOf = (page: Page) => page.getByLabel("Description").inputValue();
	async function typing(context: BrowserContext, text: string, hasWorker = true): Promise<Page> {
		const page = hasWorker ? await arrive(context, "omar") : await context.newPage();
		if (!hasWorker) await signIn(page, CAST.omar.email);
		await page.goto("/requests");
		await waitUntilPrepared(page);
		await page.getByLabel("Description").pressSequentially(text);
		await page.getByLabel("Amount").pressSequentially("45.50");
		await untilDrafted(page, "45.50");
		return page;
	}

	it("survives a closed tab, and is cleared when asked", async () => {
		const context = await phone();
		await (await typing(context, "Typed and closed")).close();
		const page = await context.newPage();
		await page.goto("/requests");
		await page.getByText(/^Restored what you typed on [^.]+\.$/).waitFor();
		expect(await descriptionOf(page)).toBe("Typed and closed");
		await page.getByRole("button", { name: "Clear" }).click();
		expect(await descriptionOf(page)).toBe("");
		// What was pressed is gone: the form itself has the focus.
		expect(await page.evaluate(() => document.activeElement?.id)).toBe("amount");
		await page.reload();
		await waitUntilPrepared(page);
		expect(await descriptionOf(page)).toBe("");
		expect((await readPhoneStorage(page)).drafts).toEqual([]);
	});

	it("is restored beside what is being typed, not over it", async () => {
		// Without a worker the outbox's code comes from the network, and can be late.
		const context = await phone({ blocksWorker: true });
		const earlier = await context.newPage();
		await signIn(earlier, CAST.omar.email);
		await earlier.goto("/requests");
		await waitUntilPrepared(earlier);
		await earlier.getByLabel("Description").pressSequentially("Typed earlier");
		await earlier.getByLabel("Amount").pressSequentially("45.50");
		await earlier.getByLabel("Request Type").selectOption("gas");
		await untilDrafted(earlier, "gas");
		await earlier.close();
		const page = await context.newPage();
		let letGo = () => {};
		const late = new Promise<void>((pass) => {
			letGo = pass;
		});
		await page.route(/\/assets\/phone-/, async (route) => {
			await late;
			await route.continue();
		});
		await page.goto("/requests");
		await page.getByLabel("Amount").pressSequentially("12.3");
		await page.getByLabel("Request Type").selectOption("other");
		letGo();
		await page.getByText(/^Restored what you typed on [^.]+\.$/).waitFor();
		expect(await descriptionOf(page)).toBe("Typed earlier");
		expect(await page.getByLabel("Amount").inputValue()).toBe("12.3");
		expect(await page.getByLabel("Request Type").inputValue()).toBe("other");
	});

	it.each([
		["with a service worker", true],
		["without one", false],
	])("is deleted once the phone learns that the session is over, %s", async (_, hasWorker) => {
		const context = await phone({ blocksWorker: !hasWorker });
		const page = await typing(context, "Typed before the end", hasWorker);
		await fleet.sql("delete from sessions where user_id = ?", idOf("omar"));
		await page.goto("/");
		await landing(page);
		await expect.poll(async () => (await readPhoneStorage(page)).drafts).toEqual([]);
		await signIn(page, CAST.omar.email);
		await page.goto("/requests");
		await waitUntilPrepared(page);
		expect(await descriptionOf(page)).toBe("");
	});

	it("is kept no longer by a page that outlived the session", async () => {
		const context = await phone();
		const page = await typing(context, "Typed before the end");
		const other = await context.newPage();
		await fleet.sql("delete from sessions where user_id = ?", idOf("omar"));
		await other.goto("/");
		await expect.poll(async () => (await readPhoneStorage(other)).user).toBeUndefined();
		await page.getByLabel("Description").pressSequentially(" and after it");
		await page.waitForTimeout(700);
		expect((await readPhoneStorage(page)).drafts).toEqual([]);
	});

	it("survives without a service worker too, and a form sent again after a broken connection is one request", async () => {
		const context = await phone({ blocksWorker: true });
		const page = await context.newPage();
		await signIn(page, CAST.omar.email);
		await page.goto("/requests");
		await waitUntilPrepared(page);
		await fillRequest(page, "Typed without a worker");
		network.faultFor = (method) => (method === "POST" ? "after" : "none");
		await submitRequest(page);
		await page.waitForURL(/chrome-error/).catch(() => undefined);
		network.restore();
		await page.goto("/requests");
		await page.getByText(/^Restored what you typed on [^.]+\.$/).waitFor();
		expect(await descriptionOf(page)).toBe("Typed without a worker");
		await submitRequest(page);
		await page.getByText(/^Already received: FR-\d{6}, \d{1,2}:\d\d [AP]M$/).waitFor();
		expect(
			await fleet.sql("select 1 from fund_requests where description = 'Typed without a worker'"),
		).toHaveLength(1);
		await expect.poll(async () => (await readPhoneStorage(page)).drafts).toEqual([]);
	});
});
