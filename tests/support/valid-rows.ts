/**
 * A database with little more than the schema, and a valid row for every table, so that a test can
 * break one column at a time.
 */

import { expect } from "vitest";
import { openDatabase } from "./database.ts";
import { insertRow } from "./rows.ts";

let counter = 0;
/** A unique number. */
export const next = () => ++counter;
/** A unique id or key. */
export const uniqueId = () => `${next().toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;

export type Row = Record<string, string | number | null>;

export const user = (more: Row = {}): Row => ({
	id: uniqueId(),
	role: "driver",
	first_name: "Dana",
	last_name: "Driver",
	approval_status: "approved",
	created_at: 1,
	...more,
});
export const trip = (more: Row = {}): Row => ({
	id: uniqueId(),
	driver_id: "driver",
	driven_on: "2026-11-21",
	start_miles: next(),
	end_miles: counter + 10,
	source: "form",
	created_at: 1,
	payload_hash: "x",
	...more,
});
export const request = (more: Row = {}): Row => ({
	id: uniqueId(),
	number: next(),
	driver_id: "driver",
	type: "gas",
	amount_cents: 1250,
	description: "Fuel",
	status: "pending",
	source: "form",
	created_at: 1,
	requested_on: "2026-11-21",
	payload_hash: "x",
	...more,
});
export const message = (more: Row = {}): Row => ({
	id: uniqueId(),
	request_id: "request",
	position: 1,
	author_id: "admin",
	author_role: "admin",
	text: "Which car?",
	source: "form",
	created_at: 1,
	payload_hash: "x",
	...more,
});
export const fee = (more: Row = {}): Row => ({
	id: uniqueId(),
	driver_id: "driver",
	category: "commission",
	amount_cents: 1250,
	charged_on: "2026-11-21",
	added_by: "admin",
	created_at: 1,
	payload_hash: "x",
	...more,
});
export const agreement = (more: Row = {}): Row => ({
	id: uniqueId(),
	driver_id: "driver",
	number: next(),
	starts_on: "2026-11-16",
	base: "net",
	fares_basis_points: 6000,
	tips_basis_points: 10_000,
	promotions_basis_points: 10_000,
	tolls_to: "driver",
	weekly_rent_cents: 12_000,
	weekly_fee_cents: 0,
	fleet_basis_points: 0,
	per_mile_mills: 725,
	created_at: 1,
	created_by: "admin",
	payload_hash: "x",
	...more,
});
export const charge = (more: Row = {}): Row => ({
	id: uniqueId(),
	driver_id: "driver",
	kind: "damage",
	charged_on: "2026-11-18",
	amount_cents: 25_000,
	direction: "against",
	instalments: 4,
	created_at: 1,
	created_by: "admin",
	payload_hash: "x",
	...more,
});
/** A draft, each in its own week. */
export const settlement = (more: Row = {}): Row => ({
	id: uniqueId(),
	number: next(),
	driver_id: "driver",
	week_from: new Date(Date.UTC(2000, 0, 3 + 7 * next())).toISOString().slice(0, 10),
	status: "draft",
	created_at: 1,
	created_by: "admin",
	...more,
});
export const settlementLine = (more: Row = {}): Row => ({
	settlement_id: "settlement",
	place: next(),
	kind: "rent",
	text: "Weekly rent",
	amount_cents: -12_000,
	...more,
});
export const settlementMessage = (more: Row = {}): Row => ({
	...{ id: uniqueId(), settlement_id: "settlement", position: 1, author_id: "driver" },
	...{ author_role: "driver", text: "Why?", source: "form", created_at: 1 },
	payload_hash: "h",
	...more,
});
export const receipt = (more: Row = {}): Row => ({
	id: uniqueId(),
	owner_id: "driver",
	object_key: uniqueId(),
	media_type: "image/png",
	byte_size: 100,
	sha256: "a".repeat(64),
	file_name: "receipt.png",
	created_at: 1,
	...more,
});
export const session = (more: Row = {}): Row => ({
	token_hash: uniqueId().padEnd(64, "0"),
	user_id: "driver",
	created_at: 1,
	last_seen_at: 1,
	expires_at: 2,
	ends_at: 3,
	...more,
});
export const webhook = (more: Row = {}): Row => ({
	id: uniqueId(),
	added_by: "admin",
	url: "https://example.com/",
	events: "[]",
	secret: "whsec_".padEnd(50, "A"),
	created_at: 1,
	payload_hash: "x",
	...more,
});
export const token = (more: Row = {}): Row => ({
	id: uniqueId(),
	owner_id: "admin",
	name: "Payroll",
	scope: "read",
	token_hash: uniqueId().padEnd(64, "0"),
	created_at: 1,
	expires_at: 2,
	payload_hash: "x",
	...more,
});
export const feeImport = (more: Row = {}): Row => ({
	id: uniqueId(),
	added_by: "admin",
	file_name: "fees.csv",
	row_count: 1,
	created_at: 1,
	payload_hash: "x",
	...more,
});
export const audit = (more: Row = {}): Row => ({
	at: 1,
	actor_role: "admin",
	action: "driver.approve",
	entity: "user",
	entity_id: "x",
	...more,
});
export const mail = (more: Row = {}): Row => ({
	id: uniqueId(),
	kind: "decision",
	address: "dana@milepost.test",
	subject: "s",
	body: "b",
	about_id: "x",
	status: "queued",
	created_at: 1,
	send_after: 1,
	dedupe_key: uniqueId(),
	...more,
});

/**
 * Opens the database of one test file, with the people that the rows refer to: `driver`, `other`
 * and `admin`.
 */
export async function openSchema() {
	const { rows: run } = await openDatabase("nobody");
	async function insert(table: string, row: Row): Promise<Row> {
		await insertRow(run, table, row);
		return row;
	}
	const refused = (table: string, row: Row, why: RegExp) =>
		expect(insert(table, row), JSON.stringify(row)).rejects.toThrow(why);
	await insert("users", user({ id: "driver" }));
	await insert("users", user({ id: "other" }));
	await insert("users", user({ id: "admin", role: "admin" }));
	return { run, insert, refused };
}
