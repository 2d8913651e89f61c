/**
 * What a phone shows when the server refuses or questions a form, when readings are swapped, and
 * when a correction comes too late.
 */
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { openOfflineStage } from "../offline/stage.ts";
import {
	correctTrip,
	fillRequest,
	fillTrip,
	logTrip,
	readPhoneStorage,
	SAVED,
	submitRequest,
	untilDrafted,
	waitUntilPrepared,
} from "../offline/steps.ts";
import { fixture } from "../receipts/corpus-file.ts";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { oneIn } from "../support/extent.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { insertRequest, requestId } from "../support/requests.ts";

const { fleet, network, phone, arrive } = await openOfflineStage();

const outbox = (page: Page) => page.getByRole("region", { name: "Outbox" });
const states = (page: Page, state: string) => outbox(page).locator(`[data-entry="${state}"]`);
const logsOf = (notes: string) =>
	fleet.sql<{ corrects_id: string | null }>(
		"select corrects_id from mileage_logs where notes = ?",
		notes,
	);

it.each(
	oneIn(2, [
		["refused", "400"],
		["questioned", "912000"],
	] as const),
)("what was %s comes back after its page was closed", async (what, end) => {
	const context = await phone();
	const page = await arrive(context, "dana");
	await waitUntilPrepared(page);
	await page.getByLabel("Starting Odometer").fill("910000");
	await page.getByLabel("Ending Odometer").fill(end);
	await page.getByLabel("Notes").fill(`Was ${what}`);
	await logTrip(page);
	await page.locator("#problems, #questions").waitFor();
	await expect.poll(async () => (await readPhoneStorage(page)).drafts.length).toBe(1);
	await expect.poll(async () => (await readPhoneStorage(page)).entries).toEqual([]);
	await page.close();
	const later = await context.newPage();
	await later.goto("/mileage");
	await later.getByText(/^Restored what you typed on [^.]+\.$/).waitFor();
	expect(await later.getByLabel("Notes").inputValue()).toBe(`Was ${what}`);
	expect(await later.getByLabel("Ending Odometer").inputValue()).toBe(end);
	expect(await logsOf(`Was ${what}`)).toEqual([]);
});

it("an invalid form is reported at once, with the photo kept", async () => {
	const page = await arrive(await phone(), "omar");
	network.cut();
	await fillTrip(page, { start: 920_000, notes: "Turned round" });
	await page.getByLabel("Ending Odometer").fill("500");
	await logTrip(page);
	await page.getByText("Saved on this phone, but it can't be sent yet.").waitFor();
	await states(page, "needs-you")
		.getByText("Ending odometer must be greater than starting odometer")
		.waitFor();
	await page.goto("/requests");
	await waitUntilPrepared(page);
	await fillRequest(page, "");
	await submitRequest(page);
	await states(page, "needs-you").getByText("Please fill in all required fields").waitFor();
	network.restore();
	await page.goto("/mileage");
	const trip = states(page, "needs-you").nth(0);
	await trip.getByText("Fix and send").click();
	expect(await trip.getByText("It may have been saved after all.").count()).toBe(0);
	await trip.getByLabel("Ending Odometer").fill("920010");
	await trip.getByRole("button", { name: "Send again" }).click();
	await states(page, "sent").waitFor();
	expect(await logsOf("Turned round")).toHaveLength(1);
	await states(page, "needs-you").getByRole("button", { name: "Discard" }).click();
	await states(page, "needs-you").getByRole("button", { name: "Discard permanently" }).click();
	// The page was loaded again, and lists the trip.
	await page.getByText("Turned round").first().waitFor();
	expect(await outbox(page).getByRole("link").count()).toBe(0);
});

it.each([
	{ name: "unchanged, is stored once", amount: "45.50", stored: [4550] },
	{ name: "with a change, is a second request", amount: "45.60", stored: [4550, 4560] },
])("what was stored although the server failed, sent again $name", async ({ amount, stored }) => {
	const page = await arrive(await phone(), "omar", "/requests");
	await waitUntilPrepared(page);
	const description = `Two\nlines, ${amount}`;
	await fillRequest(page, description);
	network.cut();
	await submitRequest(page);
	await page.getByText(SAVED).waitFor();
	network.faultFor = (_, path) => (path.startsWith("/api/outbox") ? "failed" : "none");
	await expect
		.poll(async () => {
			const send = outbox(page).getByRole("button", { name: "Send now" });
			if (await send.isVisible()) await send.click({ timeout: 1000 }).catch(() => undefined);
			return states(page, "needs-you").count();
		})
		.toBe(1);
	network.restore();
	const entry = states(page, "needs-you");
	await entry.getByText("Something went wrong on our side.").waitFor();
	await entry.getByText("Fix and send").click();
	await entry.getByText("It may have been saved after all.").waitFor();
	await entry.getByLabel("Amount").fill(amount);
	await entry.getByRole("button", { name: "Send again" }).click();
	await states(page, "sent").waitFor();
	const rows = await fleet.sql<{ amount_cents: number }>(
		"select amount_cents from fund_requests where description = ? order by number",
		description,
	);
	expect(rows.map(({ amount_cents }) => amount_cents)).toEqual(stored);
});

it("a correction that comes too late is refused, and can be sent as a new entry", async () => {
	const page = await arrive(await phone(), "lena");
	const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
	const now = { created_at: currentTime() };
	const [early, late] = [
		await insertLog(sql, 1, "lena", daysAgo(1), 10, now),
		await insertLog(sql, 2, "lena", daysAgo(2), 10, now),
	];
	// While online, in the form.
	await page.goto(`/mileage?correct=${early}`);
	await waitUntilPrepared(page);
	await page.getByLabel("Notes").fill("Corrected in vain");
	await fleet.sql(
		"update mileage_logs set voided_at = 1, voided_by = driver_id where id = ?",
		early,
	);
	await correctTrip(page);
	await page
		.getByText(
			"This entry can no longer be corrected. Select Log Mileage to log this as a new entry.",
		)
		.waitFor();
	await logTrip(page);
	const logged = page.getByText("Mileage log created successfully");
	await logged.or(page.locator("#questions")).first().waitFor();
	// Its readings are below the driver's last ending, so as a new entry it is questioned.
	if (!(await logged.isVisible())) await logTrip(page);
	await logged.waitFor();
	expect(await logsOf("Corrected in vain")).toEqual([{ corrects_id: null }]);
	// From the outbox.
	await page.goto(`/mileage?correct=${late}`);
	await waitUntilPrepared(page);
	await page.getByLabel("Notes").fill("Corrected without a signal");
	network.cut();
	await correctTrip(page);
	await page.getByText(SAVED).waitFor();
	await fleet.sql(
		"update mileage_logs set voided_at = 1, voided_by = driver_id where id = ?",
		late,
	);
	network.restore();
	await page.goto("/");
	await states(page, "needs-you")
		.getByText("This entry can no longer be corrected. Send it again to save it as a new entry.")
		.waitFor();
	await states(page, "needs-you").getByText("Fix and send").click();
	await page.getByRole("button", { name: "Send again" }).click();
	await states(page, "sent").waitFor();
	expect(await logsOf("Corrected without a signal")).toEqual([{ corrects_id: null }]);
});

it("a correction of a request with a receipt, too late, can be sent as a new request", async () => {
	const page = await arrive(await phone(), "lena");
	const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
	await page.goto("/requests");
	await waitUntilPrepared(page);
	await fillRequest(page, "With a receipt", Buffer.from(fixture("baseline.jpg")));
	await submitRequest(page);
	await page.getByText("Fund request submitted successfully", { exact: true }).waitFor();
	const [first] = await fleet.sql<{ id: string }>(
		"select id from fund_requests where description = 'With a receipt'",
	);
	await page.goto(`/requests?correct=${first?.id}`);
	await waitUntilPrepared(page);
	await page.getByLabel("Description").fill("Corrected too late");
	network.cut();
	await submitRequest(page);
	await page.getByText(SAVED).waitFor();
	const ada = await fleet.as("ada");
	const approved = { status: "approved" };
	expect((await ada.call("PUT", `/api/fund-requests/${first?.id}`, approved)).status).toBe(200);
	network.restore();
	await page.goto("/");
	await states(page, "needs-you").getByText("Send it again as a new request.").waitFor();
	await states(page, "needs-you").getByText("Fix and send").click();
	await page.getByRole("button", { name: "Send again" }).click();
	await states(page, "sent").waitFor();
	expect(
		await sql(
			"select receipt_id, replaces_id from fund_requests where description = 'Corrected too late'",
		),
	).toEqual([{ receipt_id: null, replaces_id: null }]);
});

it("a request corrected twice before it is sent is one correction, with the last values", async () => {
	const id = await insertRequest(fleet.sql.bind(fleet), 7401, "lena", { description: "Mistyped" });
	const page = await arrive(await phone(), "lena");
	const correct = async (amount: string) => {
		await page.goto(`/requests?correct=${id}`);
		await waitUntilPrepared(page);
		await page.getByLabel("Description").fill("Corrected twice");
		await page.getByLabel("Amount").fill(amount);
		network.faultFor = (method, path) =>
			method === "POST" || path.startsWith("/api/outbox") ? "before" : "none";
		await submitRequest(page);
		await page.getByText(SAVED).waitFor();
	};
	await correct("54.00");
	// An entry on its way isn't changed.
	await states(page, "waiting").waitFor();
	await correct("45.00");
	await expect.poll(() => states(page, "waiting").count()).toBe(1);
	network.restore();
	await page.goto("/");
	await states(page, "sent").waitFor();
	expect(
		await fleet.sql(
			"select amount_cents, replaces_id from fund_requests where description = 'Corrected twice'",
		),
	).toEqual([{ amount_cents: 4500, replaces_id: id }]);
});

it("what the network itself refuses holds up nothing else", async () => {
	const page = await arrive(await phone(), "lena");
	await page.goto("/requests");
	await waitUntilPrepared(page);
	network.cut();
	await fillRequest(page, "Refused on the way");
	await submitRequest(page);
	await page.getByText(SAVED).waitFor();
	await fillTrip(page, { start: 929_900, notes: "Behind it" });
	await logTrip(page);
	await page.getByText(SAVED).waitFor();
	network.faultFor = (_, path) => (path === "/api/outbox/requests" ? "forbidden" : "none");
	await page.goto("/");
	await states(page, "sent").filter({ hasText: "Received" }).waitFor();
	expect(await logsOf("Behind it")).toHaveLength(1);
	await states(page, "waiting").getByText("The network refused this. We'll try again.").waitFor();
	network.restore();
	await page.evaluate(() => void window.dispatchEvent(new Event("online")));
	await expect
		.poll(() => fleet.sql("select 1 from fund_requests where description = 'Refused on the way'"))
		.toHaveLength(1);
});

it("a server in trouble ends a round, so that only the oldest entry counts its failures", async () => {
	const page = await arrive(await phone(), "dana", "/mileage");
	network.cut();
	for (const start of [990_000, 990_020]) {
		await page.goto("/mileage");
		await waitUntilPrepared(page);
		await fillTrip(page, { start, notes: "In order" });
		await logTrip(page);
		await page.getByText(SAVED).waitFor();
	}
	let rounds = 0;
	network.faultFor = (_, path) => {
		if (path.startsWith("/api/outbox")) rounds += 1;
		return path.startsWith("/api/outbox") ? "failed" : "none";
	};
	await page.goto("/");
	await expect.poll(() => rounds).toBeGreaterThan(0);
	await outbox(page)
		.getByText("2 entries waiting on this phone. They will be sent soon.")
		.waitFor();
	const [oldest = 0, other] = (await readPhoneStorage(page)).entries.map(
		(entry) => (entry as unknown as { failures: number }).failures,
	);
	// The page that was left may have begun a round whose answer nobody heard.
	expect(oldest).toBeGreaterThan(0);
	expect(oldest).toBeLessThanOrEqual(rounds);
	expect(other).toBe(0);
	network.restore();
	await page.evaluate(() => window.dispatchEvent(new Event("online")));
	await expect.poll(() => logsOf("In order")).toHaveLength(2);
});

it("a form that was received says so even if the page it leads to can't be loaded", async () => {
	const page = await arrive(await phone(), "omar", "/mileage");
	await waitUntilPrepared(page);
	await fillTrip(page, { start: 980_000, notes: "Received, but not shown" });
	let isPosted = false;
	network.faultFor = (method, path) => {
		if (method === "POST" && path === "/mileage") isPosted = true;
		return isPosted && method === "GET" ? "before" : "none";
	};
	await logTrip(page);
	await page.getByRole("heading", { name: "Received", exact: true }).waitFor();
	await page
		.getByText("Your form was received, but the page that follows couldn't be loaded.")
		.waitFor();
	expect(await logsOf("Received, but not shown")).toHaveLength(1);
	// The next page is just offline.
	await page.goto("/requests");
	await page.getByRole("heading", { name: "You're offline" }).waitFor();
	network.restore();
});

it("what is typed under a key that the outbox has is a new draft, and isn't taken for what was sent", async () => {
	const context = await phone();
	const page = await arrive(context, "omar", "/mileage");
	await waitUntilPrepared(page);
	network.cut();
	await fillTrip(page, { start: 985_000, notes: "Waits under its key" });
	await logTrip(page);
	await page.getByText(SAVED).waitFor();
	const [entry] = (await readPhoneStorage(page)).entries;
	const key = entry?.fields.find(([name]) => name === "key")?.[1] ?? "";
	const userId = idOf("omar");
	/** A draft as a page that was gone back to, or a form that was sent from this fragment, leaves it. */
	const leaveDraft = (draft: { isSent: boolean; hash: string; notes: string; key: string }) =>
		page.evaluate(
			async ({ userId, typedAt, notes, ...draft }) => {
				const opening = indexedDB.open("milepost");
				await new Promise((pass) => {
					opening.onsuccess = pass;
				});
				const tx = opening.result.transaction("drafts", "readwrite");
				const fields = [["notes", notes]];
				tx.objectStore("drafts").put({
					...draft,
					...{ id: `${userId} mileage `, userId, fields, typedAt },
				});
				await new Promise((pass) => {
					tx.oncomplete = pass;
				});
				opening.result.close();
			},
			{ ...draft, userId, typedAt: currentTime() },
		);
	const restored = async (path: string) => {
		await page.goto("/offline");
		await page.goto(path);
		await waitUntilPrepared(page);
		return page.getByLabel("Notes").inputValue();
	};
	await leaveDraft({ isSent: false, hash: "", notes: "Typed after going back", key });
	expect(await restored("/offline?typed")).toBe("Typed after going back");
	network.restore();
	await page.goto("/");
	await states(page, "sent").waitFor();
	const other = crypto.randomUUID();
	await leaveDraft({ isSent: true, hash: "#log-1", notes: "Sent from there", key: other });
	expect(await restored("/mileage#log-1")).toBe("Sent from there");
	await leaveDraft({ isSent: true, hash: "", notes: "Taken", key: other });
	expect(await restored("/mileage#log-2")).toBe("");
});

it("the offline page says when everything has been sent in the meantime", async () => {
	const context = await phone();
	const page = await arrive(context, "omar");
	await context.setOffline(true);
	await fillTrip(page, { start: 930_000, notes: "Sent while looking" });
	await logTrip(page);
	await page.getByText(SAVED).waitFor();
	await page.getByRole("heading", { name: "Not sent yet" }).waitFor();
	await context.setOffline(false);
	await page.getByRole("heading", { name: "All sent" }).waitFor();
	await page.getByText("Everything waiting on this phone has been received.").waitFor();
	expect(await outbox(page).getByRole("link", { name: "Show sent" }).getAttribute("href")).toBe(
		"/",
	);
	expect(
		await fleet.sql("select driver_id from mileage_logs where notes = 'Sent while looking'"),
	).toEqual([{ driver_id: idOf("omar") }]);
});

it("what the server accepts after the page showed it as waiting is shown as sent", async () => {
	const page = await arrive(await phone(), "lena");
	await waitUntilPrepared(page);
	// Longer than a driver has to wait, as with a photo on a slow connection.
	network.faultFor = (method, path) => (method === "POST" && path === "/mileage" ? "held" : "none");
	await fillTrip(page, { start: 930_000, notes: "Slowly" });
	await logTrip(page);
	await page.getByText(SAVED).waitFor();
	network.restore();
	await states(page, "sent").waitFor();
	// It says what was logged if the outbox learned of it first, from a second attempt.
	expect(await outbox(page).textContent()).toMatch(
		/Mileage.*Received: (\w+ \d+, \d{4}, 10 miles, )?\d{1,2}:\d\d [AP]M/,
	);
	await page.getByRole("heading", { name: "All sent" }).waitFor();
	expect(await logsOf("Slowly")).toHaveLength(1);
	// Reloading the page shows the same.
	await page.reload();
	await page.getByRole("heading", { name: "All sent" }).waitFor();
	await page.goto("/mileage");
	await states(page, "sent").waitFor();
	await page.getByText("Slowly").first().waitFor();
});

it("a late answer leaves the draft of the next form", async () => {
	const page = await arrive(await phone(), "lena");
	await waitUntilPrepared(page);
	network.faultFor = (method, path) => (method === "POST" && path === "/mileage" ? "held" : "none");
	await fillTrip(page, { start: 935_000, notes: "Slowly again" });
	await logTrip(page);
	await page.getByText(SAVED).waitFor();
	await waitUntilPrepared(page);
	const notes = page.locator('form[data-outbox-form="mileage"]').getByLabel("Notes");
	await notes.pressSequentially("Begun meanwhile");
	await untilDrafted(page, "Begun meanwhile");
	network.restore();
	await states(page, "sent").waitFor();
	expect(await logsOf("Slowly again")).toHaveLength(1);
	await page.goto("/mileage");
	await page.getByText(/^Restored what you typed on [^.]+\.$/).waitFor();
	expect(await notes.inputValue()).toBe("Begun meanwhile");
});

it("a late answer says that the receipt wasn't saved", async () => {
	const page = await arrive(await phone(), "lena", "/requests");
	await waitUntilPrepared(page);
	network.faultFor = (method, path) =>
		method === "POST" && path === "/requests" ? "held" : "none";
	await fillRequest(page, "With a damaged photo", Buffer.from("no picture"));
	await submitRequest(page);
	await page.getByText(SAVED).waitFor();
	network.restore();
	await states(page, "sent").getByText("The receipt wasn't saved").waitFor();
});

it("a photo added to a form that was stopped on its way is sent too", async () => {
	const page = await arrive(await phone(), "lena", "/requests");
	await waitUntilPrepared(page);
	network.faultFor = (method, path) =>
		method === "POST" && path === "/requests" ? "held" : "none";
	await fillRequest(page, "Photo added after Stop");
	const sent = page.getByRole("button", { name: "Submit Request" }).click({ noWaitAfter: true });
	const received = () =>
		fleet.sql<{ id: string; receipt: string | null }>(
			"select id, receipt_id as receipt from fund_requests where description = 'Photo added after Stop'",
		);
	await expect.poll(received).toHaveLength(1);
	await (await page.context().newCDPSession(page)).send("Page.stopLoading");
	await sent;
	await page.getByLabel("Receipt", { exact: true }).setInputFiles({
		name: "pump.jpg",
		mimeType: "image/jpeg",
		buffer: Buffer.from(fixture("baseline.jpg")),
	});
	network.restore();
	await page.getByRole("button", { name: /Submit/ }).click();
	await expect.poll(async () => (await received())[0]?.receipt).toBeTruthy();
	expect(await received()).toHaveLength(1);
});

it("a late refusal leaves alone what is being corrected", async () => {
	const page = await arrive(await phone(), "omar");
	await waitUntilPrepared(page);
	network.faultFor = (method, path) => (method === "POST" && path === "/mileage" ? "held" : "none");
	await fillTrip(page, { start: 936_000, notes: "Swapped" });
	await page.getByLabel("Ending Odometer").fill("500");
	await logTrip(page);
	await states(page, "needs-you").getByText("Fix and send").click();
	const ending = states(page, "needs-you").getByLabel("Ending Odometer");
	await ending.fill("936044");
	// Whoever sends holds the lock until there is an answer.
	const isSending = () =>
		page.evaluate(async () => ((await navigator.locks.query()).held ?? []).length > 0);
	expect(await isSending()).toBe(true);
	network.restore();
	await expect.poll(isSending).toBe(false);
	expect((await readPhoneStorage(page)).entries.map(({ state }) => state)).toEqual(["needs-you"]);
	expect(await ending.inputValue()).toBe("936044");
	await states(page, "needs-you").getByRole("button", { name: "Send again" }).click();
	await states(page, "sent").waitFor();
	expect(await logsOf("Swapped")).toHaveLength(1);
});

it("a refused answer comes back after its page was closed", async () => {
	const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
	await insertRequest(sql, 901, "dana");
	const ada = await fleet.as("ada");
	await ada.post("/fund-requests", {
		intent: "ask",
		id: requestId(901),
		text: "Which car?",
		key: crypto.randomUUID(),
	});
	const context = await phone();
	const page = await arrive(context, "dana");
	await page.goto("/requests");
	await waitUntilPrepared(page);
	const answer = page.getByLabel("Your answer").first();
	await answer.evaluate((field) => field.removeAttribute("maxlength"));
	await answer.fill("x".repeat(1001));
	await page.getByRole("button", { name: "Send answer" }).first().click();
	await page.locator("[aria-invalid=true]").first().waitFor();
	await expect.poll(async () => (await readPhoneStorage(page)).entries).toEqual([]);
	await page.close();
	const later = await context.newPage();
	await later.goto("/requests");
	await later.getByText(/^Restored what you typed on [^.]+\.$/).waitFor();
	expect(await later.getByLabel("Your answer").first().inputValue()).toHaveLength(1001);
});

it("the offline page says it is back online when only entries to correct are left", async () => {
	const page = await arrive(await phone(), "omar");
	await insertLog((query, ...values) => fleet.sql(query, ...values), 77, "omar", daysAgo(0), 10, {
		notes: "The very trip",
	});
	const [row] = await fleet.sql<{ start_miles: number; end_miles: number }>(
		"select start_miles, end_miles from mileage_logs where notes = 'The very trip'",
	);
	network.cut();
	await waitUntilPrepared(page);
	await page.getByLabel("Starting Odometer").fill(String(row?.start_miles));
	await page.getByLabel("Ending Odometer").fill(String(row?.end_miles));
	await logTrip(page);
	await page.getByText(SAVED).waitFor();
	network.restore();
	await page.evaluate(() => window.dispatchEvent(new Event("online")));
	await states(page, "needs-you").waitFor();
	await page.getByText("You're back online, but something can't be sent yet.").waitFor();
	expect(await page.getByText(SAVED).count()).toBe(0);
});

it("the offline page doesn't claim to be online after an entry is discarded", async () => {
	const page = await arrive(await phone(), "dana");
	network.cut();
	await waitUntilPrepared(page);
	await fillTrip(page, { start: 960_000, notes: "Turned round, and kept" });
	await page.getByLabel("Ending Odometer").fill("500");
	await logTrip(page);
	await states(page, "needs-you").waitFor();
	await page.goto("/mileage");
	await waitUntilPrepared(page);
	await fillTrip(page, { start: 970_000, notes: "Discarded without a signal" });
	await logTrip(page);
	await page.getByText(SAVED).waitFor();
	await states(page, "waiting").getByRole("button", { name: "Discard" }).click();
	await page.getByRole("button", { name: "Discard permanently" }).click();
	await expect.poll(() => states(page, "waiting").count()).toBe(0);
	expect(await page.getByText("You're back online, but").count()).toBe(0);
	expect(await states(page, "needs-you").count()).toBe(1);
});
