/** A fleet in which all text and numbers are as long as allowed, for checking narrow columns. */

import { CAST, idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { insertReceipt, insertRequest } from "../support/requests.ts";

type Sql = (query: string, ...values: unknown[]) => Promise<unknown>;

const WORD = "Donaudampfschifffahrtsgesellschaft";
const NAMES = {
	first: "Maximiliane-Alexandrine Theodora",
	last: "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh",
};
const TEXT = `A description of a usual kind, then one word without an end: ${WORD.repeat(5)}. And some more.\nA second line.`;

/** Gives the cast long names, emails and IDs, and rows of every kind. */
export async function insertLongWords(sql: Sql): Promise<void> {
	for (const name of Object.keys(CAST) as (keyof typeof CAST)[]) {
		if (name === "ada" || name === "nina") continue;
		const address = `${name}.${"a-long-mailbox-name.".repeat(3)}${"x".repeat(40)}@${"subsidiary.".repeat(4)}milepost.test`;
		await sql(
			"update users set first_name = ?, last_name = ? where id = ?",
			`${NAMES.first} ${name}`,
			NAMES.last,
			idOf(name),
		);
		if (name !== "dana") await sql("update users set email = ? where id = ?", address, idOf(name));
	}
	await sql(
		"update users set driver_number = driver_number + 123455 where driver_number is not null",
	);
	const [one, two] = [
		await insertReceipt(sql, 1, "dana", { file_name: `${WORD.repeat(3)}.png` }),
		await insertReceipt(sql, 11, "omar", { file_name: "b.pdf", media_type: "application/pdf" }),
	];
	const long = { type: "maintenance", amount_cents: 10_000_000, description: TEXT };
	const decided = { decided_at: currentTime(), decided_by: idOf("ada"), admin_notes: TEXT };
	await insertRequest(sql, 1, "omar", long);
	await insertRequest(sql, 2, "dana", { ...long, is_possible_duplicate: 1, receipt_id: one });
	await insertRequest(sql, 3, "omar", { ...long, is_possible_duplicate: 1, receipt_id: two });
	await insertRequest(sql, 4, "dana", { ...long, receipt_name: `${WORD.repeat(4)}.jpg` });
	const three = await insertReceipt(sql, 12, "dana");
	await insertRequest(sql, 5, "dana", {
		...long,
		...decided,
		status: "approved",
		receipt_id: three,
	});
	await insertRequest(sql, 6, "dana", { ...long, ...decided, status: "rejected" });
	await insertRequest(sql, 7, "ada", long);
	await insertRequest(sql, 8, "dana", {
		...long,
		status: "withdrawn",
		withdrawn_at: currentTime(),
	});
	await insertRequest(sql, 9, "omar", { ...long, ...decided, status: "approved" });
	const flags = { is_long: 1, is_overlap: 1, is_out_of_order: 1, notes: TEXT };
	await insertLog(sql, 4990, "dana", daysAgo(1), 1999, flags);
	await insertLog(sql, 4980, "omar", daysAgo(2), 1999, { ...flags, gap_miles: 9_000_000 });
	await insertLog(sql, 4970, "dana", daysAgo(2), 1999, {
		voided_at: currentTime(),
		voided_by: idOf("ben"),
		void_reason: TEXT,
	});
	for (const number of [1, 2, 3, 4])
		await insertFee(sql, number, number % 2 ? "dana" : "omar", daysAgo(number), {
			category: ["commission", "service_fee", "booking_fee", "other"][number - 1] ?? "",
			amount_cents: 10_000_000,
			reference_number: "REFERENCE-".repeat(10),
			description: TEXT,
		});
	const imported = {
		added_by: idOf("ada"),
		file_name: `${WORD.repeat(5)}.csv`,
		row_count: 5000,
		payload_hash: "x",
	};
	for (const [id, undoneAt] of [
		["80000000-0000-4000-8000-000000000001", null],
		["80000000-0000-4000-8000-000000000002", currentTime()],
	] as const) {
		const row = { id, created_at: currentTime(), undone_at: undoneAt, ...imported };
		await sql(
			`insert into fee_imports (${Object.keys(row)}) values (${Object.keys(row).map(() => "?")})`,
			...Object.values(row),
		);
	}
	const mail = {
		kind: "decision",
		subject: TEXT.slice(0, 150),
		body: TEXT,
		about_id: "x",
		created_at: currentTime(),
		last_error: TEXT.slice(0, 150),
	};
	for (const [key, status] of ["failed", "sent", "queued"].entries()) {
		const row = {
			id: `90000000-0000-4000-8000-00000000000${key}`,
			address: `${WORD.repeat(3)}@milepost.test`.toLowerCase(),
			status,
			...mail,
		};
		const all = {
			...row,
			sent_at: status === "sent" ? currentTime() : null,
			send_after: currentTime() + 600_000,
			dedupe_key: `${key}`,
		};
		await sql(
			`insert into mails (${Object.keys(all)}) values (${Object.keys(all).map(() => "?")})`,
			...Object.values(all),
		);
	}
	const before = JSON.stringify({
		firstName: NAMES.first,
		lastName: NAMES.last,
		email: "x".repeat(100),
	});
	for (const action of ["driver.rename", "driver.approve", "request.approve"])
		await sql(
			"insert into audit_events (at, actor_id, actor_role, action, entity, entity_id, before, after) values (?, ?, 'admin', ?, ?, ?, ?, ?)",
			currentTime(),
			idOf("ben"),
			action,
			action.startsWith("driver") ? "user" : "fund-request",
			action.startsWith("driver") ? idOf("omar") : "30000000-0000-4000-8000-000000000002",
			before,
			before.replace("Theodora", WORD),
		);
}
