/**
 * What the database enforces about the past on real D1, whatever the application does: what must be
 * unique, what other rows depend on, and what is final once written.
 */
import { describe, expect, it } from "vitest";
import {
	audit,
	fee,
	feeImport,
	mail,
	message,
	next,
	openSchema,
	type Row,
	receipt,
	request,
	session,
	trip,
	uniqueId,
	user,
} from "./support/valid-rows.ts";

const { run, insert, refused } = await openSchema();

describe("what must be unique", () => {
	const twice = /UNIQUE constraint failed/;

	it("a live email address, free again when its invitation is cancelled", async () => {
		await insert("users", user({ id: "first", email: "one@milepost.test" }));
		await refused("users", user({ email: "one@milepost.test" }), twice);
		await insert("users", user({ email: "one@milepost.test", deleted_at: 1 }));
		await run("update users set deleted_at = 2 where id = 'first'");
		await insert("users", user({ email: "one@milepost.test" }));
		// An unproven value reserves nothing.
		await insert("users", user({ unverified_email: "one@milepost.test" }));
		await insert("users", user({ unverified_email: "one@milepost.test" }));
	});

	it("an identity, and one for each person", async () => {
		const [a, b] = [await insert("users", user()), await insert("users", user())];
		await insert("identities", { issuer: "i", subject: "s", user_id: a.id ?? null, created_at: 1 });
		await refused(
			"identities",
			{ issuer: "i", subject: "s", user_id: b.id ?? null, created_at: 1 },
			twice,
		);
		await refused(
			"identities",
			{ issuer: "i", subject: "s2", user_id: a.id ?? null, created_at: 1 },
			twice,
		);
		await insert("identities", {
			issuer: "i2",
			subject: "s",
			user_id: b.id ?? null,
			created_at: 1,
		});
	});

	it("a driver's code, even after the driver has left", async () => {
		await insert("users", user({ driver_number: 7001, is_active: 0, deleted_at: 1 }));
		await refused("users", user({ driver_number: 7001 }), twice);
		await insert("users", user());
		await insert("users", user());
	});

	it("a request's number, a receipt's use, a receipt's object, a mail", async () => {
		await insert("fund_requests", request({ number: 900_001 }));
		await refused("fund_requests", request({ number: 900_001 }), twice);
		const { id = null } = await insert("receipts", receipt({ object_key: "r/1" }));
		await refused("receipts", receipt({ object_key: "r/1" }), twice);
		await insert("fund_requests", request({ receipt_id: id }));
		await refused("fund_requests", request({ receipt_id: id }), twice);
		await insert("mails", mail({ dedupe_key: "once" }));
		await refused("mails", mail({ dedupe_key: "once" }), twice);
	});

	it("an object's note, removed once its receipt exists", async () => {
		const note = { object_key: "r/noted", owner_id: "driver", byte_size: 1, created_at: 1 };
		await insert("loose_objects", note);
		await refused("loose_objects", note, twice);
		await insert("receipts", receipt({ object_key: "r/noted" }));
		expect(await run("select * from loose_objects")).toEqual([]);
	});

	it("the same trip, which may be logged again once it is voided", async () => {
		const same = { driver_id: "other", driven_on: "2026-11-20", start_miles: 500, end_miles: 600 };
		const first = await insert("mileage_logs", trip(same));
		await refused("mileage_logs", trip(same), twice);
		await insert("mileage_logs", trip({ ...same, driver_id: "driver" }));
		await insert("mileage_logs", trip({ ...same, driven_on: "2026-11-19" }));
		await run("update mileage_logs set voided_at = 1, voided_by = 'admin' where id = ?", first.id);
		await insert("mileage_logs", trip(same));
		await refused("mileage_logs", trip(same), twice);
		await expect(
			run("update mileage_logs set voided_at = null, voided_by = null where id = ?", first.id),
		).rejects.toThrow(twice);
	});

	it("a submission key per person, who may leave it out any number of times", async () => {
		const tables: [string, (more: Row) => Row, string][] = [
			["mileage_logs", trip, "driver_id"],
			["fund_requests", request, "driver_id"],
			["uber_fees", fee, "added_by"],
			["fee_imports", feeImport, "added_by"],
		];
		for (const [table, valid, owner] of tables) {
			await insert(table, valid({ submission_key: "same-key", [owner]: "driver" }));
			await refused(table, valid({ submission_key: "same-key", [owner]: "driver" }), twice);
			await insert(table, valid({ submission_key: "same-key", [owner]: "other" }));
			await insert(table, valid({ submission_key: null, [owner]: "driver" }));
			await insert(table, valid({ submission_key: null, [owner]: "driver" }));
		}
	});

	it("a session and a sign-in's state", async () => {
		const row = await insert("sessions", session());
		await refused("sessions", row, twice);
		await insert("sign_in_attempts", { state_hash: "s", used_at: 1 });
		await refused("sign_in_attempts", { state_hash: "s", used_at: 2 }, twice);
	});
});

describe("what history protects", () => {
	const held = /FOREIGN KEY constraint failed/;

	it("nobody with history can be deleted, and nothing can have an unknown owner", async () => {
		const { id = null } = await insert("users", user());
		const owned: [string, Row][] = [
			["mileage_logs", trip({ driver_id: id })],
			["fund_requests", request({ driver_id: id })],
			["uber_fees", fee({ driver_id: id })],
			["receipts", receipt({ owner_id: id })],
			["sessions", session({ user_id: id })],
			["identities", { issuer: "h", subject: uniqueId(), user_id: id, created_at: 1 }],
			["mails", mail({ recipient_id: id })],
			["users", user({ created_by: id })],
			["users", user({ decided_by: id })],
		];
		for (const [table, row] of owned) {
			await insert(table, row);
			await expect(run("delete from users where id = ?", id), table).rejects.toThrow(held);
			const orphan = Object.fromEntries(
				Object.entries(row).map(([name, value]) => {
					if (value === id) return [name, "nobody"];
					return [
						name,
						["id", "object_key", "token_hash", "dedupe_key", "subject"].includes(name)
							? uniqueId().padEnd(name === "token_hash" ? 64 : 36, "0")
							: value,
					];
				}),
			);
			if (typeof orphan.number === "number") orphan.number = next();
			await refused(table, orphan, held);
			const key = table === "sessions" ? "token_hash" : table === "identities" ? "subject" : "id";
			await run(`delete from ${table} where ${key} = ?`, row[key]);
		}
		await run("delete from users where id = ?", id);
	});

	it("a receipt on a request, a trip that was corrected, a request and a fee that were replaced, an import with fees", async () => {
		const file = await insert("receipts", receipt());
		await insert("fund_requests", request({ receipt_id: file.id ?? null }));
		await expect(run("delete from receipts where id = ?", file.id)).rejects.toThrow(held);
		const pairs: [string, (more: Row) => Row, string][] = [
			["mileage_logs", trip, "corrects_id"],
			["fund_requests", request, "replaces_id"],
			["uber_fees", fee, "replaces_id"],
		];
		for (const [table, valid, column] of pairs) {
			const old = await insert(table, valid({}));
			await insert(table, valid({ [column]: old.id ?? null }));
			await expect(run(`delete from ${table} where id = ?`, old.id), table).rejects.toThrow(held);
			await refused(table, valid({ [column]: "nothing" }), held);
		}
		const source = await insert("fee_imports", feeImport());
		await insert("uber_fees", fee({ import_id: source.id ?? null }));
		await expect(run("delete from fee_imports where id = ?", source.id)).rejects.toThrow(held);
	});

	it("the audit is never changed, in any column, nor deleted, nor replaced", async () => {
		await insert("audit_events", audit({ entity_id: "kept", after: '{"a":1}' }));
		const [event] = await run<{ id: number }>(
			"select * from audit_events where entity_id = 'kept'",
		);
		const before = await run("select * from audit_events order by id");
		for (const column of Object.keys(event ?? {}))
			await expect(
				run(`update audit_events set ${column} = ${column} where id = ?`, event?.id),
				column,
			).rejects.toThrow(/append-only/);
		await expect(run("delete from audit_events where id = ?", event?.id)).rejects.toThrow(
			/append-only/,
		);
		await expect(run("delete from audit_events")).rejects.toThrow(/append-only/);
		await expect(
			run(
				"insert into audit_events (id, at, actor_role, action, entity, entity_id) values (?, 2, 'x', 'x', 'x', 'x') on conflict (id) do update set at = 2",
				event?.id,
			),
		).rejects.toThrow(/append-only/);
		// REPLACE deletes without firing the delete trigger.
		await expect(
			run(
				"insert or replace into audit_events (id, at, actor_role, action, entity, entity_id) values (?, 2, 'x', 'x', 'x', 'x')",
				event?.id,
			),
		).rejects.toThrow(/append-only/);
		expect(await run("select * from audit_events order by id")).toEqual(before);
	});

	it("a logged trip's driver, date and readings are final; voiding and flags are not", async () => {
		const { id = null } = await insert("mileage_logs", trip());
		for (const change of [
			"start_miles = 1",
			"end_miles = 9999999",
			"driven_on = '2026-01-01'",
			"driver_id = 'other'",
			"start_miles = start_miles",
		])
			await expect(
				run(`update mileage_logs set ${change} where id = ?`, id),
				change,
			).rejects.toThrow(/voiding it and logging again/);
		await run(
			"update mileage_logs set is_long = 1, gap_miles = 4, voided_at = 1, voided_by = 'admin', void_reason = 'typo' where id = ?",
			id,
		);
	});
});

describe("a message", () => {
	it("is final", async () => {
		const { id = null } = await insert("fund_requests", request());
		const written = await insert("request_messages", message({ request_id: id }));
		for (const change of ["text = 'Other'", "author_id = 'other'", "text = text"])
			await expect(
				run(`update request_messages set ${change} where id = ?`, written.id ?? null),
				change,
			).rejects.toThrow(/a message is final/);
	});

	it("asks or answers, and so does a receipt that was asked for", async () => {
		const { id = null } = await insert("fund_requests", request());
		const question = async () =>
			(
				await run<{ question: string | null }>(
					"select question from fund_requests where id = ?",
					id,
				)
			)[0]?.question;
		const add = async (position: number, author_role: string) => {
			await insert("request_messages", message({ request_id: id, position, author_role }));
			return question();
		};
		expect(await question()).toBe(null);
		expect(await add(1, "admin")).toBe("asked");
		expect(await add(2, "driver")).toBe("answered");
		expect(await add(3, "admin")).toBe("asked");
		const { id: file = null } = await insert("receipts", receipt());
		await run("update fund_requests set receipt_id = ? where id = ?", file, id);
		expect(await question()).toBe("answered");
		expect(await add(4, "admin")).toBe("asked");
		await expect(add(4, "driver")).rejects.toThrow(/UNIQUE constraint failed/);
	});
});

describe("a fee", () => {
	it("has a driver, a category, an amount and a date that are final; deleting it is not", async () => {
		const { id = null } = await insert("uber_fees", fee());
		for (const change of [
			"driver_id = 'other'",
			"category = 'other'",
			"amount_cents = 1",
			"charged_on = '2026-01-01'",
		])
			await expect(run(`update uber_fees set ${change} where id = ?`, id), change).rejects.toThrow(
				/deleting it and adding it again/,
			);
		await run("update uber_fees set deleted_at = 1, deleted_by = 'admin' where id = ?", id);
	});
});

describe("a request", () => {
	it("has a driver, a type, an amount and a moment that are final", async () => {
		const { id = null } = await insert("fund_requests", request());
		for (const change of [
			"driver_id = 'other'",
			"type = 'other'",
			"amount_cents = 1",
			"created_at = 2",
		])
			await expect(
				run(`update fund_requests set ${change} where id = ?`, id),
				change,
			).rejects.toThrow(/withdrawing it and submitting another/);
	});
});
