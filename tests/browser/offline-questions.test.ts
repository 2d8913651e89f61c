/** A driver answers a question while offline, and the answer reaches its thread once. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { openOfflineStage } from "../offline/stage.ts";
import { PHOTO, SAVED, untilDrafted, waitUntilPrepared } from "../offline/steps.ts";
import { idOf } from "../support/cast.ts";
import { insertQuestion, insertRequest } from "../support/requests.ts";

const { fleet, network, phone, arrive } = await openOfflineStage();
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const photo = readFileSync("tests/fixtures/receipts/baseline.jpg");
const outbox = (page: Page) => page.getByRole("region", { name: "Outbox" });
const entry = (page: Page, state: string) => outbox(page).locator(`[data-entry="${state}"]`);

let number = 0;
/** Opens a pending request with a question on Dana's phone. */
async function questioned() {
	number += 1;
	const id = await insertRequest(sql, number, "dana");
	await insertQuestion(sql, id, `Which car, ${number}?`);
	const page = await arrive(await phone(), "dana", "/requests");
	await waitUntilPrepared(page);
	const row = page.locator(`#request-${id}`);
	await row.getByText(`Which car, ${number}?`).waitFor();
	await row.getByLabel("Your answer").fill("The white one");
	return { id, page, row };
}
const answers = (id: string) =>
	sql<{ text: string; source: string }>(
		"select text, source from request_messages where request_id = ? and author_role = 'driver'",
		id,
	);
const receiptOf = async (id: string) =>
	(
		await sql<{ file_name: string | null }>(
			"select file_name from fund_requests left join receipts on receipts.id = receipt_id where fund_requests.id = ?",
			id,
		)
	)[0]?.file_name;

it("saves text and receipt without a connection, and sends both once", async () => {
	const { id, page, row } = await questioned();
	await row.locator('input[type="file"]').setInputFiles({ ...PHOTO, buffer: photo });
	network.cut();
	await row.getByRole("button", { name: "Send answer" }).click();
	await page.getByText(SAVED).waitFor();
	await entry(page, "waiting").waitFor();
	expect(await outbox(page).textContent()).toContain("Answer about FR-000001: The white one");
	expect(await outbox(page).textContent()).toContain("with a receipt");
	expect(await answers(id)).toEqual([]);
	// The page is left first: it might send what waits and not see the answer.
	await page.goto("about:blank");
	network.restore();
	await page.goto("/requests");
	await entry(page, "sent").waitFor();
	expect(await outbox(page).textContent()).toContain("Received: Answer about FR-000001");
	expect(await answers(id)).toEqual([{ text: "The white one", source: "outbox" }]);
	expect(await receiptOf(id)).toBe(PHOTO.name);
});

it("sends at once when online, and restores what was typed but not sent", async () => {
	const { id, page, row } = await questioned();
	await untilDrafted(page, "The white one");
	await page.goto("/history");
	await page.goto("/requests");
	await waitUntilPrepared(page);
	expect(await row.getByLabel("Your answer").inputValue()).toBe("The white one");
	await row.getByRole("button", { name: "Send answer" }).click();
	await page.getByText("Answer sent").waitFor();
	expect(await answers(id)).toEqual([{ text: "The white one", source: "form" }]);
	await row.getByText("Answered", { exact: true }).waitFor();
	expect(await row.getByLabel("Your answer").inputValue()).toBe("");
});

it("says so when the request was decided before the answer arrived", async () => {
	const { id, page, row } = await questioned();
	network.cut();
	await row.getByRole("button", { name: "Send answer" }).click();
	await page.getByText(SAVED).waitFor();
	await sql(
		"update fund_requests set status = 'rejected', decided_at = 1, decided_by = ? where id = ?",
		idOf("ada"),
		id,
	);
	network.restore();
	await page.goto("/requests");
	await entry(page, "needs-you").waitFor();
	expect(await outbox(page).textContent()).toContain("is already rejected.");
	expect(await answers(id)).toEqual([]);
});
