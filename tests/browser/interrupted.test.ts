/** What is pressed while a form is being sent: Stop, a key of the desk, a button twice. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Route } from "@playwright/test";
import { afterAll, expect, it } from "vitest";
import { fixture } from "../receipts/corpus-file.ts";
import { PDF } from "../receipts/other-files.ts";
import { CAST, idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { oneIn } from "../support/extent.ts";
import { insertRequest } from "../support/requests.ts";
import { insertRow } from "../support/rows.ts";
import { awake, giveSession, openStage } from "./browser.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);

/** Holds back what a page posts, as a slow connection does, until it is let go. */
async function holdPosts(page: Page): Promise<{ arrived: Promise<void>; letGo: () => void }> {
	const held: Route[] = [];
	let tell = () => {};
	const arrived = new Promise<void>((pass) => {
		tell = pass;
	});
	let isHolding = true;
	await page.route("**/*", (route) => {
		if (!isHolding || route.request().method() !== "POST") return route.continue();
		held.push(route);
		tell();
		return undefined;
	});
	return {
		arrived,
		letGo: () => {
			isHolding = false;
			// What the browser has given up is gone.
			for (const route of held) void route.continue().catch(() => undefined);
		},
	};
}

/** The browser's Stop button. */
async function stop(page: Page): Promise<void> {
	const session = await page.context().newCDPSession(page);
	await session.send("Page.stopLoading");
}

/** Fills in a fee, presses its button, and stops the form on its way. */
async function stopFee(page: Page, reference: string): Promise<void> {
	await giveSession(page, CAST.ada.email);
	await page.goto("/uber-fees");
	await page.locator("#driverId").selectOption(idOf("dana"));
	await page.getByLabel("Fee Category").selectOption("other");
	await page.getByLabel("Amount").fill("3.75");
	await page.getByLabel("Reference Number").fill(reference);
	const { arrived, letGo } = await holdPosts(page);
	// A click returns once its page has come.
	const pressed = page.getByRole("button", { name: "Add Uber Fee" }).click();
	await arrived;
	await stop(page);
	await pressed;
	letGo();
}

it("a form whose sending was stopped can be sent again", async () => {
	const page = await stage.visit({ phone: false });
	await stopFee(page, "STOPPED-1");
	await page.getByRole("button", { name: "Add Uber Fee" }).click();
	await page.getByText("Uber fee added successfully").waitFor();
	expect(await sql("select 1 from uber_fees where reference_number = 'STOPPED-1'")).toHaveLength(1);
});

it("also in a browser that doesn't tell pages what was stopped, ten seconds later", async () => {
	const page = await stage.visit({ phone: false });
	await page.addInitScript(() => {
		Object.defineProperty(window, "navigation", { value: undefined });
	});
	await page.clock.install({ time: currentTime() });
	await stopFee(page, "STOPPED-2");
	const button = page.getByRole("button", { name: "Adding..." });
	expect(await button.getAttribute("aria-disabled")).toBe("true");
	await page.clock.fastForward(10_000);
	expect(await button.getAttribute("aria-disabled")).toBeNull();
	await button.click();
	await page.getByText("Uber fee added successfully").waitFor();
	expect(await sql("select 1 from uber_fees where reference_number = 'STOPPED-2'")).toHaveLength(1);
});

it("a large statement whose sending was stopped can be sent again", async () => {
	const page = await stage.visit({ phone: false, mayRefuse: true });
	await giveSession(page, CAST.ada.email);
	await page.goto("/uber-fees/import");
	await page.getByLabel("CSV file").hover();
	await awake(page, "statement-drop");
	await page.getByLabel("CSV file").setInputFiles({
		name: "large.csv",
		mimeType: "text/csv",
		buffer: Buffer.from(`a,b\n${"1,2\n".repeat(80_000)}`),
	});
	await page.getByText("Chosen: large.csv").waitFor();
	const { arrived, letGo } = await holdPosts(page);
	await page.getByRole("button", { name: "Show preview" }).click();
	await arrived;
	await page.getByRole("progressbar", { name: "Sent so far" }).waitFor();
	await stop(page);
	letGo();
	await page.getByText("Chosen: large.csv").waitFor();
	await page.getByRole("button", { name: "Show preview" }).click();
	await page.locator("#file-error").waitFor();
});

/** Makes the page's browser take its time over a photo, as a phone does, until it is let go. */
async function holdPhotos(page: Page): Promise<() => void> {
	let letGo = () => {};
	const isLetGo = new Promise<void>((pass) => {
		letGo = pass;
	});
	await page.exposeFunction("untilLetGo", () => isLetGo);
	await page.addInitScript(() => {
		const make = createImageBitmap;
		window.createImageBitmap = async (...given: [ImageBitmapSource]) => {
			await (window as unknown as { untilLetGo(): Promise<void> }).untilLetGo();
			return make(...given);
		};
	});
	return letGo;
}

const folder = mkdtempSync(join(tmpdir(), "milepost-large-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A large file on the disk: a browser takes seconds to get one that a test has in memory. */
function largeFile(name: string, content: Uint8Array, bytes: number): string {
	// A browser can't read a chosen file that has changed since.
	const path = join(mkdtempSync(join(folder, "file-")), name);
	writeFileSync(path, Buffer.concat([content, Buffer.alloc(bytes - content.length, " ")]));
	return path;
}
const largePhoto = () => largeFile("pump.jpg", fixture("baseline.jpg"), 9 * 1024 * 1024);

it("a request sent while its photo is still being made smaller has the smaller photo", async () => {
	const page = await stage.visit();
	const letGo = await holdPhotos(page);
	await giveSession(page, CAST.dana.email);
	await page.goto("/requests");
	await page.getByLabel("Request Type").selectOption("gas");
	await page.getByLabel("Amount").fill("45.50");
	await page.getByLabel("Description").fill("With a large photo");
	await page.locator("#receipt").setInputFiles(largePhoto());
	await page.getByText("Receipt selected: pump.jpg").waitFor();
	await page.getByRole("button", { name: "Submit Request" }).click();
	await page.getByText("Preparing the photo...").waitFor();
	await page.getByRole("button", { name: "Submit Request" }).click();
	letGo();
	await page.getByText("Fund request submitted successfully", { exact: true }).waitFor();
	const stored = await sql(
		"select byte_size < 1000000 as small from fund_requests left join receipts on receipts.id = receipt_id where description = 'With a large photo'",
	);
	expect(stored).toEqual([{ small: 1 }]);
});

it.each(
	oneIn(
		2,
		[
			{ name: "a receipt added later", isAsked: false, isEarly: false, button: "Send receipt" },
			{
				...{ name: "one chosen before scripts run", isAsked: false, isEarly: true },
				button: "Send receipt",
			},
			{ name: "the receipt of an answer", isAsked: true, isEarly: false, button: "Send answer" },
		],
		1,
	),
)(
	"$name is made smaller too, and its form waits for that",
	async ({ isAsked, isEarly, button }) => {
		for (const table of ["request_messages", "fund_requests"]) await sql(`delete from ${table}`);
		const request = await insertRequest(sql, 1, "dana");
		if (isAsked)
			await insertRow(sql, "request_messages", {
				id: crypto.randomUUID(),
				request_id: request,
				position: 1,
				author_id: idOf("ada"),
				author_role: "admin",
				text: "Which car?",
				source: "form",
				created_at: currentTime(),
				payload_hash: "hash",
			});
		const page = await stage.visit();
		const letGo = await holdPhotos(page);
		await giveSession(page, CAST.dana.email);
		let runScripts = () => {};
		if (isEarly) {
			const mayRun = new Promise<void>((pass) => {
				runScripts = pass;
			});
			await page.route("**/*.js", (route) => mayRun.then(() => route.continue()));
		}
		// A page has loaded only when its scripts have run.
		await page.goto("/requests", { waitUntil: isEarly ? "commit" : "load" });
		const form = page.locator("form").filter({ has: page.getByRole("button", { name: button }) });
		if (!isAsked) {
			await page.locator(`#request-${request} summary`).first().click();
			await page.getByText("Add receipt").click();
		}
		if (isAsked) await form.getByLabel("Answer").fill("The white one");
		await form.locator("input[type=file]").setInputFiles(largePhoto());
		runScripts();
		await page.waitForLoadState("load");
		await form.getByRole("button", { name: button }).click();
		await form.getByText("Preparing the photo...").waitFor();
		letGo();
		await expect
			.poll(() =>
				sql(
					"select media_type, byte_size < 1000000 as small from receipts where id = (select receipt_id from fund_requests)",
				),
			)
			.toEqual([{ media_type: "image/jpeg", small: 1 }]);
	},
);

it.each(oneIn(2, ["a new request", "a receipt added later"]))(
	"a file over the limit isn't kept for $0, and its field says so",
	async (where) => {
		for (const table of ["request_messages", "fund_requests"]) await sql(`delete from ${table}`);
		const request = await insertRequest(sql, 1, "dana");
		const page = await stage.visit();
		await giveSession(page, CAST.dana.email);
		await page.goto("/requests");
		const isNew = where === "a new request";
		const button = isNew ? "Submit Request" : "Send receipt";
		const form = page.locator("form").filter({ has: page.getByRole("button", { name: button }) });
		if (isNew) {
			await form.getByLabel("Request Type").selectOption("gas");
			await form.getByLabel("Amount").fill("47.50");
			await form.getByLabel("Description").fill("With a large PDF");
		} else {
			await page.locator(`#request-${request} summary`).first().click();
			await page.getByText("Add receipt").click();
		}
		const field = form.locator("input[type=file]");
		const choose = (megabytes: number) =>
			field.setInputFiles(
				largeFile("scan.pdf", Buffer.from(PDF), PDF.length + megabytes * 1024 * 1024),
			);
		await choose(8);
		const words = form.getByText("This file is over 8 MB. Upload a smaller image or PDF.");
		await words.waitFor();
		expect(await field.inputValue()).toBe("");
		await choose(1);
		await words.waitFor({ state: "detached" });
		let posts = 0;
		page.on("request", (request) => {
			if (request.method() === "POST") posts += 1;
		});
		await choose(8);
		await words.waitFor();
		// It can go without a receipt, or with another.
		if (!isNew) await choose(1);
		await form.getByRole("button", { name: button }).click();
		const done = isNew ? "Fund request submitted successfully" : "Receipt added";
		await page.getByText(done, { exact: true }).waitFor();
		expect(posts).toBe(1);
	},
);

it("an address whose fragment can't be decoded doesn't stop the page's scripts", async () => {
	const page = await stage.visit();
	await giveSession(page, CAST.dana.email);
	await page.goto("/mileage#50%");
	await page.getByLabel("Starting Odometer").fill("100");
	await page.getByLabel("Ending Odometer").fill("142");
	await page.getByRole("status", { name: "Calculated Miles" }).filter({ hasText: "42" }).waitFor();
});

it("a key pressed while a decision is being sent doesn't take it back", async () => {
	for (const table of ["request_messages", "fund_requests"]) await sql(`delete from ${table}`);
	for (const number of [1, 2]) await insertRequest(sql, number, "dana", { receipt_name: "a.jpg" });
	const page = await stage.visit({ phone: false });
	await giveSession(page, CAST.ada.email);
	await page.goto("/fund-requests?status=pending&order=oldest&open=FR-000001");
	await page.locator(".desk dialog").waitFor({ state: "attached" });
	const { arrived, letGo } = await holdPosts(page);
	await page.keyboard.press("a");
	await arrived;
	await page.keyboard.press("j");
	letGo();
	await page.getByText("Fund request updated successfully").waitFor();
	expect(await sql("select status from fund_requests order by number")).toEqual([
		{ status: "approved" },
		{ status: "pending" },
	]);
});
