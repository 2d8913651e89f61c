/**
 * Another person on a driver's phone: typed text and saved entries stay the driver's, however the
 * pages are reached.
 */
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
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

const outbox = (page: Page) => page.getByRole("region", { name: "Outbox" });
const endSession = (name: CastName) =>
	fleet.sql("delete from sessions where user_id = ?", idOf(name));
const requestsOf = (description: string) =>
	fleet.sql<{ driver_id: string; source: string }>(
		"select driver_id, source from fund_requests where description = ?",
		description,
	);

it.each([
	["with JavaScript", true],
	["without JavaScript", false],
])("Back after A has signed out shows B nothing that A typed, %s", async (_, hasScript) => {
	const context = await phone({ hasScript });
	const page = hasScript ? await arrive(context, "dana") : await context.newPage();
	if (!hasScript) await signIn(page, CAST.dana.email);
	const typed: [path: string, label: string][] = [
		["/mileage", "Notes"],
		["/requests", "Description"],
	];
	for (const [path, label] of typed) {
		await page.goto(path);
		await page.getByLabel(label).fill("Typed by A");
	}
	await page.getByLabel("Request Type").selectOption("maintenance");
	await page.getByRole("button", { name: "Sign Out" }).click();
	await page.getByText("Secure access for drivers and fleet administrators").waitFor();
	await signIn(page, CAST.omar.email);
	const seen = new Set<string>();
	for (let back = 0; back < 8; back++) {
		await page.goBack().catch(() => undefined);
		for (const [, label] of typed) {
			if ((await page.getByLabel(label).count()) === 0) continue;
			seen.add(label);
			expect(await page.getByLabel(label).inputValue()).toBe("");
		}
		if ((await page.getByLabel("Request Type").count()) > 0)
			expect(await page.getByLabel("Request Type").inputValue()).toBe("");
	}
	expect([...seen].sort()).toEqual(["Description", "Notes"]);
});

it.each<[string, CastName]>([
	["another driver", "omar"],
	["an administrator", "ada"],
	["an applicant", "nora"],
])(
	"a form that A sends while %s is signed in is saved for A with a message, and sent once",
	async (_, name) => {
		const context = await phone();
		const page = await arrive(context, "dana", "/requests");
		await waitUntilPrepared(page);
		const description = `Sent beside ${name}`;
		await fillRequest(page, description);
		await page.request.post("/api/login", {
			form: { email: CAST[name].email },
			headers: { Origin: origin },
		});
		await submitRequest(page);
		await page
			.getByText("Saved on this phone for the account that filled it out, and hidden from others.")
			.waitFor();
		await page.goto("/");
		await waitForControl(page);
		expect(await outbox(page).isVisible()).toBe(false);
		expect((await readPhoneStorage(page)).entries).toMatchObject([
			{ userId: idOf("dana"), state: UNSENT, heldUntil: 0 },
		]);
		expect(await requestsOf(description)).toEqual([]);
		await page.getByRole("button", { name: "Sign Out" }).first().click();
		await page.getByText("Secure access for drivers and fleet administrators").waitFor();
		await signIn(page, CAST.dana.email);
		await outbox(page).getByText("Sent", { exact: true }).waitFor();
		expect(await requestsOf(description)).toEqual([{ driver_id: idOf("dana"), source: "outbox" }]);
	},
);

it.each<[string, CastName, RegExp]>([
	["an administrator", "ada", /Fleet Overview/],
	["an applicant", "nora", /Application Under Review/],
])(
	"%s on the phone sees nothing of A's, online or offline, and A has it all when back",
	async (_, name, heading) => {
		const page = await arrive(await phone(), "lena");
		network.cut();
		await fillTrip(page, { start: name === "ada" ? 800_000 : 800_100, notes: `Kept from ${name}` });
		await logTrip(page);
		await page.getByText(SAVED).waitFor();
		network.faultFor = (method, path) =>
			path.startsWith("/api/outbox") && method === "POST" ? "before" : "none";
		await page.goto("/requests");
		await waitUntilPrepared(page);
		await page.getByLabel("Description").pressSequentially("A draft of hers");
		await untilDrafted(page, "A draft of hers");
		await endSession("lena");
		await signIn(page, CAST[name].email);
		await page.getByRole("heading", { name: heading }).first().waitFor();
		await expect.poll(async () => (await readPhoneStorage(page)).user).toBeUndefined();
		const seesNothing = async () => {
			expect(await outbox(page).isVisible()).toBe(false);
			expect(await page.content()).not.toContain("Kept from");
			// As a number of its own: a random key can hold these digits too.
			expect(await page.locator("body").textContent()).not.toMatch(/\b800,?[01]\d\d\b/);
			expect(await page.getByLabel("Description").inputValue()).toBe("");
		};
		await page.goto("/offline");
		await waitUntilPrepared(page);
		await seesNothing();
		network.cut();
		await page.goto("/");
		await page.getByText("No driver is signed in on this phone").waitFor();
		await waitUntilPrepared(page);
		await seesNothing();
		network.restore();
		await endSession(name);
		await signIn(page, CAST.lena.email);
		await outbox(page).getByText("Sent", { exact: true }).waitFor();
		expect(
			await fleet.sql("select driver_id from mileage_logs where notes = ?", `Kept from ${name}`),
		).toEqual([{ driver_id: idOf("lena") }]);
	},
);

it("a form sent while no one is signed in is refused, and keeps what was typed", async () => {
	const page = await arrive(await phone(), "dana");
	await page.getByRole("button", { name: "Sign Out" }).click();
	await page.getByText("Secure access for drivers and fleet administrators").waitFor();
	network.cut();
	await page.goto("/");
	await page.getByRole("heading", { name: "You're offline" }).waitFor();
	await waitUntilPrepared(page);
	expect(await page.getByLabel("Date").inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/);
	await fillTrip(page, { start: 810_000, notes: "Typed by nobody" });
	await logTrip(page);
	await page
		.getByText(
			"No driver is signed in on this phone, so this was NOT saved. What you typed is below.",
		)
		.waitFor();
	await expect.poll(() => page.getByLabel("Notes").inputValue()).toBe("Typed by nobody");
	expect(await page.getByLabel("Starting Odometer").inputValue()).toBe("810000");
	expect((await readPhoneStorage(page)).entries).toEqual([]);
});
