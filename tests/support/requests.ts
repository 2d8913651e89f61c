/** Fund requests and receipts inserted directly into a test's database. */
import { dateIn } from "../../app/values/calendar-date.ts";
import { type CastName, idOf, ZONE } from "./cast.ts";
import { earlierToday } from "./fleet-days.ts";
import { insertRow, type Row, type Sql } from "./rows.ts";

/** An id that sorts by its number. */
export const requestId = (number: number) =>
	`30000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/**
 * Inserts a pending request of $12.50 for gas, made earlier today unless given otherwise.
 * @param number the 1 of FR-000001; smaller numbers are older
 * @returns its id
 */
export async function insertRequest(
	sql: Sql,
	number: number,
	owner: CastName,
	more: Row = {},
): Promise<string> {
	const id = requestId(number);
	const created_at = Number(more.created_at ?? earlierToday() + number);
	await insertRow(sql, "fund_requests", {
		id,
		number,
		driver_id: idOf(owner),
		type: "gas",
		amount_cents: 1250,
		description: "Fuel",
		status: "pending",
		source: "form",
		created_at,
		requested_on: dateIn(ZONE, created_at),
		payload_hash: "x",
		...more,
	});
	return id;
}

/**
 * Inserts a receipt's row, without storing a file.
 * @returns its id
 */
export async function insertReceipt(
	sql: Sql,
	number: number,
	owner: CastName,
	more: Row = {},
): Promise<string> {
	const id = `50000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
	await insertRow(sql, "receipts", {
		id,
		owner_id: idOf(owner),
		object_key: id,
		media_type: "image/png",
		byte_size: 100,
		sha256: String(number % 10).repeat(64),
		file_name: `receipt-${number}.png`,
		created_at: 1,
		...more,
	});
	return id;
}

/** Asks about a request, as Ada. */
export async function insertQuestion(sql: Sql, requestId: string, text: string): Promise<void> {
	await insertRow(sql, "request_messages", {
		id: crypto.randomUUID(),
		request_id: requestId,
		position: 1,
		author_id: idOf("ada"),
		author_role: "admin",
		text,
		source: "json",
		created_at: 1,
		payload_hash: "x",
	});
}
