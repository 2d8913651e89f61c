/** A photo that can't be stored now holds up nothing else in the outbox, and is sent later. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { afterAll, expect, it } from "vitest";
import { openOfflineStage } from "../offline/stage.ts";
import {
	fillRequest,
	fillTrip,
	logTrip,
	PHOTO,
	SAVED,
	submitRequest,
	waitUntilPrepared,
} from "../offline/steps.ts";
import { idOf } from "../support/cast.ts";
import { withoutFileStore } from "../support/failing-store.ts";
import { useUpReceipts } from "../support/receipt-quota.ts";
import { insertQuestion, insertRequest } from "../support/requests.ts";

const state = mkdtempSync(join(tmpdir(), "milepost-outbox-files-"));
// Registered before the fleet is opened, which still writes there while it closes.
afterAll(() => rmSync(state, { recursive: true, force: true }));
const { fleet, network, phone, arrive } = await openOfflineStage({}, state);
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const photo = readFileSync("tests/fixtures/receipts/baseline.jpg");

const outbox = (page: Page) => page.getByRole("region", { name: "Outbox" });
const entries = (page: Page, state: string) => outbox(page).locator(`[data-entry="${state}"]`);
const isLogged = (notes: string) =>
	expect
		.poll(() => sql("select 1 from mileage_logs where notes = ?", notes), { message: notes })
		.toHaveLength(1);
const sendAgain = (page: Page) =>
	page.evaluate(() => void window.dispatchEvent(new Event("online")));

let reading = 300_000;
async function log(page: Page, notes: string): Promise<void> {
	await page.goto("/mileage");
	await waitUntilPrepared(page);
	reading += 20;
	await fillTrip(page, { start: reading, notes });
	await logTrip(page);
}

it("the store fails: trips go past a request with a photo, online too, and the photo follows", async () => {
	const page = await arrive(await phone(), "dana", "/requests");
	await waitUntilPrepared(page);
	await fillRequest(page, "The first one", photo);
	await submitRequest(page);
	await page.getByText("Fund request submitted successfully").waitFor();
	network.cut();
	await page.goto("/requests");
	await waitUntilPrepared(page);
	await fillRequest(page, "With a photo that waits", photo);
	await submitRequest(page);
	await page.getByText(SAVED).waitFor();
	await log(page, "Behind the photo");
	await page.getByText(SAVED).waitFor();
	await withoutFileStore(state, async () => {
		network.restore();
		await page.goto("/");
		await isLogged("Behind the photo");
		await entries(page, "waiting").getByText("This receipt can't be saved right now.").waitFor();
		await outbox(page).getByText("1 entry waiting on this phone. It will be sent later.").waitFor();
		await log(page, "While the photo waits");
		await page.getByText("Mileage log created successfully").waitFor();
		await isLogged("While the photo waits");
	});
	await sendAgain(page);
	await expect
		.poll(() =>
			sql(
				"select source, file_name from fund_requests join receipts on receipts.id = receipt_id where description = ?",
				"With a photo that waits",
			),
		)
		.toEqual([{ source: "outbox", file_name: PHOTO.name }]);
	const failures = fleet.takeErrors().filter((line) => line.includes('"fileStore"'));
	expect(failures.length).toBeGreaterThan(0);
});

it("the day's quota is used up: an answer's photo waits for tomorrow, or is refused on screen", async () => {
	const id = await insertRequest(sql, 501, "omar");
	await insertQuestion(sql, id, "Where is the receipt?");
	await useUpReceipts(sql, "omar");
	const page = await arrive(await phone(), "omar", "/requests");
	const request = page.locator(`#request-${id}`);
	const choose = async () => {
		await page.goto("/requests");
		await waitUntilPrepared(page);
		await request.locator('input[type="file"]').setInputFiles({ ...PHOTO, buffer: photo });
	};
	const answer = request.getByRole("button", { name: "Send answer" });
	const limit = "You've reached today's limit of 50 receipts. Add this one tomorrow.";
	await choose();
	await answer.click();
	await request.getByText(limit).waitFor();
	await choose();
	network.cut();
	await answer.click();
	await page.getByText(SAVED).waitFor();
	await log(page, "Behind the answer");
	await page.getByText(SAVED).waitFor();
	network.restore();
	await page.goto("/");
	await isLogged("Behind the answer");
	const row = entries(page, "waiting");
	await row.getByText(limit.replace("Add this one", "This phone will send it")).waitFor();
	expect(await row.getByRole("heading").textContent()).toBe("Answer about FR-000501");
	await sql("update receipts set created_at = 0 where owner_id = ?", idOf("omar"));
	await sendAgain(page);
	await expect
		.poll(() =>
			sql(
				"select file_name from fund_requests join receipts on receipts.id = receipt_id where fund_requests.id = ?",
				id,
			),
		)
		.toEqual([{ file_name: PHOTO.name }]);
});
