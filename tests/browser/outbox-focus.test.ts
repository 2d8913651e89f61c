/** Where focus is after each action in the outbox, and which keyboard its fields bring up. */
import type { BrowserContext, Page } from "@playwright/test";
import { expect, it } from "vitest";
import { openOfflineStage } from "../offline/stage.ts";
import {
	fillRequest,
	fillTrip,
	logTrip,
	SAVED,
	submitRequest,
	waitUntilPrepared,
} from "../offline/steps.ts";

const { network, phone, arrive } = await openOfflineStage();
const outbox = (page: Page) => page.getByRole("region", { name: "Outbox" });
const states = (page: Page, state: string) => outbox(page).locator(`[data-entry="${state}"]`);
const focused = (page: Page) =>
	page.evaluate(() => {
		const { activeElement } = document;
		return activeElement === document.body ? "nothing" : (activeElement?.textContent ?? "");
	});

let reading = 300_000;
/** A phone with trips that wait, their ending readings as given. */
async function queue(context: BrowserContext, ...ends: string[]): Promise<Page> {
	const page = await arrive(context, "dana");
	network.cut();
	for (const end of ends) {
		reading += 20;
		await page.goto("/mileage");
		await waitUntilPrepared(page);
		await fillTrip(page, { start: reading, notes: "Waits" });
		if (end) await page.getByLabel("Ending Odometer").fill(end);
		await logTrip(page);
		await page.getByText(SAVED).waitFor();
	}
	return page;
}

it("focus stays in the outbox while an entry is discarded, and until the last is gone", async () => {
	const page = await queue(await phone(), "", "");
	const [first] = [states(page, "waiting").first()];
	await states(page, "waiting").nth(1).waitFor();
	const press = async (name: string) => {
		await first.getByRole("button", { name, exact: true }).focus();
		await page.keyboard.press("Enter");
	};
	await press("Discard");
	// The harmless one: a key held down would press the other as well.
	await expect.poll(() => focused(page)).toBe("Keep");
	await page.keyboard.press("Enter");
	await expect.poll(() => focused(page)).toBe("Discard");
	await press("Discard");
	await press("Discard permanently");
	await expect.poll(() => states(page, "waiting").count()).toBe(1);
	await expect.poll(() => focused(page)).toBe("Outbox");
	await press("Discard");
	await press("Discard permanently");
	await outbox(page).waitFor({ state: "hidden" });
	await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
});

it("focus is where it was after another round of sending, and in the outbox after the last", async () => {
	const page = await queue(await phone(), "");
	await states(page, "waiting").waitFor();
	const send = outbox(page).getByRole("button", { name: "Send now" });
	await send.focus();
	let rounds = 0;
	network.faultFor = (method, path) => {
		if (method === "POST" && path.startsWith("/api/outbox")) rounds += 1;
		return "before";
	};
	await page.keyboard.press("Enter");
	await expect.poll(() => rounds).toBeGreaterThan(0);
	await states(page, "waiting").waitFor();
	await expect.poll(() => focused(page)).toBe("Send now");
	network.restore();
	await page.keyboard.press("Enter");
	await states(page, "sent").waitFor();
	await expect.poll(() => focused(page)).toBe("Sent");
	await outbox(page).getByRole("button", { name: "Clear sent" }).focus();
	await page.keyboard.press("Enter");
	await outbox(page).waitFor({ state: "hidden" });
	await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
});

it("a number is corrected on the keyboard that it was typed on", async () => {
	const page = await queue(await phone(), "12.5");
	await page.goto("/requests");
	await waitUntilPrepared(page);
	await fillRequest(page, "To be corrected");
	await page.getByLabel("Amount").fill("a lot");
	await submitRequest(page);
	await page.getByText(SAVED).waitFor();
	network.restore();
	await page.goto("/");
	await states(page, "needs-you").nth(1).waitFor();
	for (const item of await states(page, "needs-you").all())
		await item.getByText("Fix and send").click();
	for (const [label, keyboard] of [
		["Starting Odometer", "numeric"],
		["Ending Odometer", "numeric"],
		["Amount", "decimal"],
	] as const)
		expect(await outbox(page).getByLabel(label).getAttribute("inputmode"), label).toBe(keyboard);
});

it("an entry being corrected stays as it is, whatever happens to the others", async () => {
	const page = await queue(await phone(), "12.5", "13.5");
	network.restore();
	await page.goto("/");
	const items = states(page, "needs-you");
	await items.nth(1).waitFor();
	const first = await items.nth(0).getAttribute("id");
	const [one, other] = [page.locator(`#${first}`), items.nth(1)];
	await one.getByText("Fix and send").click();
	await one.getByLabel("Notes").fill("Being corrected");
	await other.getByRole("button", { name: "Discard", exact: true }).click();
	await other.getByRole("button", { name: "Discard permanently" }).click();
	await expect.poll(() => items.count()).toBe(1);
	expect(await one.getByLabel("Notes").inputValue()).toBe("Being corrected");
	// Also its own: what is discarded is gone, with its form.
	await one.getByRole("button", { name: "Discard", exact: true }).click();
	await one.getByRole("button", { name: "Discard permanently" }).click();
	await outbox(page).waitFor({ state: "hidden" });
});

it("the question before discarding stays while the others are sent", async () => {
	const page = await queue(await phone(), "");
	await states(page, "waiting").waitFor();
	await outbox(page).getByRole("button", { name: "Discard", exact: true }).click();
	let rounds = 0;
	network.faultFor = (method, path) => {
		if (method === "POST" && path.startsWith("/api/outbox")) rounds += 1;
		return "before";
	};
	await outbox(page).getByRole("button", { name: "Send now" }).click();
	await expect.poll(() => rounds).toBeGreaterThan(0);
	await outbox(page).getByRole("button", { name: "Send now" }).waitFor();
	await outbox(page).getByRole("button", { name: "Discard permanently" }).click();
	await outbox(page).waitFor({ state: "hidden" });
});

it("an entry is discarded while another one is being sent, and one that is on its way isn't", async () => {
	const page = await queue(await phone(), "", "");
	const rows = outbox(page).locator("[data-entry]");
	await rows.nth(1).waitFor();
	const ids = await rows.evaluateAll((all) => all.map(({ id }) => id));
	const [going, wrong] = [page.locator(`#${ids[0]}`), page.locator(`#${ids[1]}`)];
	for (const row of [going, wrong])
		await row.getByRole("button", { name: "Discard", exact: true }).click();
	let posts = 0;
	network.faultFor = (method, path) => {
		if (method !== "POST" || !path.startsWith("/api/outbox")) return "none";
		posts += 1;
		return 4000;
	};
	await outbox(page).getByRole("button", { name: "Send now" }).click();
	await expect.poll(() => posts).toBe(1);
	await wrong.getByRole("button", { name: "Discard permanently" }).click();
	await wrong.waitFor({ state: "detached", timeout: 2000 });
	await going.getByRole("button", { name: "Discard permanently" }).click();
	await expect.poll(() => focused(page)).toBe("Already being sent. Waiting for the answer...");
	await states(page, "sent").waitFor();
	expect(posts).toBe(1);
	network.restore();
});

it("screen readers are told what happened in the outbox, by an element that stays", async () => {
	const page = await queue(await phone(), "");
	await states(page, "waiting").waitFor();
	await page.evaluate(() => {
		const said: string[] = [];
		Object.assign(window, { said });
		for (const region of document.querySelectorAll('[role="status"]'))
			new MutationObserver(() => said.push(region.textContent ?? "")).observe(region, {
				childList: true,
			});
	});
	network.restore();
	await page.evaluate(() => window.dispatchEvent(new Event("online")));
	await states(page, "sent").waitFor();
	const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
	expect(said.join(" ")).toMatch(/Mileage sent\. Received: /);
});
