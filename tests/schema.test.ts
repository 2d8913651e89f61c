/**
 * The schema on real D1: that the migrations build what app/db/schema.ts declares, and that the database itself refuses what the
 * application must never write.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as schema from "../app/db/schema.ts";
import { runtimeSettings } from "../tools/local-worker.ts";
import { migrate, migrationFiles } from "../tools/migrate.ts";
import { DOOR, throughDoor } from "./door.ts";

/** What the migrations add by hand: every trigger, by name, with its table. */
const TRIGGERS = [
	["audit_events_no_delete", "audit_events"],
	["audit_events_no_replace", "audit_events"],
	["audit_events_no_update", "audit_events"],
	["fee_totals_on_delete", "uber_fees"],
	["fee_totals_on_deletion", "uber_fees"],
	["fee_totals_on_insert", "uber_fees"],
	["fee_values_are_final", "uber_fees"],
	["mileage_readings_are_final", "mileage_logs"],
	["mileage_totals_on_delete", "mileage_logs"],
	["mileage_totals_on_insert", "mileage_logs"],
	["mileage_totals_on_void", "mileage_logs"],
	["request_totals_on_delete", "fund_requests"],
	["request_totals_on_insert", "fund_requests"],
	["request_totals_on_update", "fund_requests"],
	["request_values_are_final", "fund_requests"],
	["total_changes_added", "total_changes"],
	["total_changes_taken", "total_changes"],
] as const;

const worker = new Miniflare({
	...runtimeSettings(),
	modules: [{ type: "ESModule", path: "door.mjs", contents: DOOR }],
	d1Databases: { DB: "migrated", DECLARED: "declared", EMPTY: "empty", BROKEN: "broken" },
	host: "127.0.0.1",
	cf: false,
});
const [db, declared, empty, broken] = ["DB", "DECLARED", "EMPTY", "BROKEN"].map((name) =>
	throughDoor((body) => worker.dispatchFetch(`http://database/${name}`, { method: "POST", body })),
) as [D1Database, D1Database, D1Database, D1Database];
afterAll(() => worker.dispose());

async function rowsOf<Row = Record<string, unknown>>(from: D1Database, query: string, ...values: unknown[]): Promise<Row[]> {
	const { results } = await from
		.prepare(query)
		.bind(...values)
		.all<Row>();
	return results;
}
const run = (query: string, ...values: unknown[]) => rowsOf(db, query, ...values);

let counter = 0;
/** An id or a key that no other row has. */
const fresh = () => `${(++counter).toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;

type Row = Record<string, string | number | null>;
async function insert(table: string, row: Row): Promise<Row> {
	const names = Object.keys(row);
	await run(`insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`, ...Object.values(row));
	return row;
}
const refused = (table: string, row: Row, why: RegExp) => expect(insert(table, row), JSON.stringify(row)).rejects.toThrow(why);

// One valid row of every table; a test spoils one column at a time.
const user = (more: Row = {}): Row => ({
	id: fresh(),
	role: "driver",
	first_name: "Dana",
	last_name: "Driver",
	approval_status: "approved",
	created_at: 1,
	...more,
});
const trip = (more: Row = {}): Row => ({
	id: fresh(),
	driver_id: "driver",
	driven_on: "2026-11-21",
	start_miles: ++counter,
	end_miles: counter + 10,
	source: "form",
	created_at: 1,
	payload_hash: "x",
	...more,
});
const request = (more: Row = {}): Row => ({
	id: fresh(),
	number: ++counter,
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
const fee = (more: Row = {}): Row => ({
	id: fresh(),
	driver_id: "driver",
	category: "commission",
	amount_cents: 1250,
	charged_on: "2026-11-21",
	added_by: "admin",
	created_at: 1,
	payload_hash: "x",
	...more,
});
const receipt = (more: Row = {}): Row => ({
	id: fresh(),
	owner_id: "driver",
	object_key: fresh(),
	media_type: "image/png",
	byte_size: 100,
	sha256: "a".repeat(64),
	file_name: "receipt.png",
	created_at: 1,
	...more,
});
const session = (more: Row = {}): Row => ({
	token_hash: fresh().padEnd(64, "0"),
	user_id: "driver",
	created_at: 1,
	last_seen_at: 1,
	expires_at: 2,
	ends_at: 3,
	...more,
});
const feeImport = (more: Row = {}): Row => ({
	id: fresh(),
	added_by: "admin",
	file_name: "fees.csv",
	row_count: 1,
	created_at: 1,
	payload_hash: "x",
	...more,
});
const audit = (more: Row = {}): Row => ({ at: 1, actor_role: "admin", action: "driver.approve", entity: "user", entity_id: "x", ...more });
const mail = (more: Row = {}): Row => ({
	id: fresh(),
	kind: "decision",
	address: "dana@milepost.test",
	subject: "s",
	body: "b",
	about_id: "x",
	status: "queued",
	created_at: 1,
	send_after: 1,
	dedupe_key: fresh(),
	...more,
});

beforeAll(async () => {
	expect((await migrate(db)).length).toBe(migrationFiles().length);
	await insert("users", user({ id: "driver" }));
	await insert("users", user({ id: "other" }));
	await insert("users", user({ id: "admin", role: "admin" }));
});

describe("the migrations build what the code declares", () => {
	beforeAll(async () => {
		const before = await generateSQLiteDrizzleJson({}, undefined, "snake_case");
		const after = await generateSQLiteDrizzleJson(schema, undefined, "snake_case");
		for (const statement of await generateSQLiteMigration(before, after)) await declared.prepare(statement).run();
	});

	const ours = "name not like 'sqlite_%' and name not like 'd1_%' and name not like '_cf_%'";
	const tablesOf = async (from: D1Database) =>
		(await rowsOf<{ name: string }>(from, `select name from sqlite_master where type = 'table' and ${ours} order by name`)).map(
			({ name }) => name,
		);

	/** SQL without what does not matter: quotes, blanks, letter case of keywords, and the STRICT and WITHOUT ROWID that drizzle-kit cannot say. */
	const normalised = (sql: string) =>
		sql
			.replace(/["`]/g, "")
			.replace(/\s+/g, " ")
			.replace(/\s*([(),=<>])\s*/g, "$1")
			.replace(/\)\s*STRICT(,\s*WITHOUT ROWID)?$/i, ")")
			.trim()
			.toLowerCase();

	it("the same tables", async () => {
		const tables = await tablesOf(db);
		expect(tables).toEqual(await tablesOf(declared));
		expect(tables.length).toBeGreaterThanOrEqual(12);
	});

	it("the same columns, indexes and foreign keys, as SQLite understood them", async () => {
		for (const table of await tablesOf(declared)) {
			for (const pragma of ["table_xinfo", "index_list", "foreign_key_list"]) {
				const read = (from: D1Database) => rowsOf(from, `select * from pragma_${pragma}('${table}')`);
				expect(await read(db), `${pragma} of ${table}`).toEqual(await read(declared));
			}
			for (const { name } of await rowsOf<{ name: string }>(declared, `select name from pragma_index_list('${table}')`)) {
				// The key alone: what else an index carries depends on whether its table has row ids.
				const read = (from: D1Database) => rowsOf(from, `select * from pragma_index_xinfo('${name}') where key = 1`);
				expect(await read(db), name).toEqual(await read(declared));
			}
		}
	});

	it("the same statements: every CHECK, every partial index", async () => {
		const read = async (from: D1Database) =>
			Object.fromEntries(
				(
					await rowsOf<{ name: string; sql: string }>(
						from,
						`select name, sql from sqlite_master where type in ('table', 'index') and sql is not null and ${ours} order by name`,
					)
				).map(({ name, sql }) => [name, normalised(sql)]),
			);
		expect(await read(db)).toEqual(await read(declared));
	});

	it("every table STRICT", async () => {
		const loose = await rowsOf(db, `select name from pragma_table_list where type = 'table' and strict = 0 and ${ours}`);
		expect(loose).toEqual([]);
	});

	it("exactly the triggers that are known, and the one view that they write through", async () => {
		const found = await rowsOf<{ name: string; tbl_name: string }>(
			db,
			"select name, tbl_name from sqlite_master where type = 'trigger' order by name",
		);
		expect(found.map(({ name, tbl_name }) => [name, tbl_name])).toEqual(TRIGGERS);
		expect(await rowsOf(db, "select name from sqlite_master where type = 'view'")).toEqual([{ name: "total_changes" }]);
	});

	it("foreign keys in force, every one RESTRICT", async () => {
		const lists = (await tablesOf(db)).map((table) =>
			rowsOf<{ on_delete: string; on_update: string }>(db, `select * from pragma_foreign_key_list('${table}')`),
		);
		const keys = (await Promise.all(lists)).flat();
		expect(keys.length).toBe(20);
		for (const key of keys) expect([key.on_delete, key.on_update]).toEqual(["RESTRICT", "NO ACTION"]);
	});
});

describe("migrate()", () => {
	it("applies everything once and nothing the second time", async () => {
		expect(await migrate(empty)).toEqual(migrationFiles().map(({ name }) => name));
		const before = await rowsOf(empty, "select name, sql from sqlite_master order by name");
		expect(await migrate(empty)).toEqual([]);
		expect(await rowsOf(empty, "select name, sql from sqlite_master order by name")).toEqual(before);
	});

	it("leaves nothing of a file that fails half-way, and takes it up again when it is mended", async () => {
		const here = process.cwd();
		const folder = mkdtempSync(join(tmpdir(), "migrations-"));
		const write = (name: string, sql: string) => writeFileSync(join(folder, "migrations", name), sql);
		const tables = async () =>
			(await rowsOf<{ name: string }>(broken, "select name from sqlite_master where name in ('one', 'two', 'three') order by name")).map(
				({ name }) => name,
			);
		const { mkdirSync } = await import("node:fs");
		mkdirSync(join(folder, "migrations"));
		try {
			process.chdir(folder);
			write("0000_one.sql", "create table one (id text)");
			write(
				"0001_two.sql",
				"create table two (id text)\n--> statement-breakpoint\ninsert into one values ('x')\n--> statement-breakpoint\ncreate table one (id text)",
			);
			write("0002_three.sql", "create table three (id text)");
			await expect(migrate(broken)).rejects.toThrow(/already exists/);
			expect(await tables()).toEqual(["one"]);
			expect(await rowsOf(broken, "select * from one")).toEqual([]);
			expect(await rowsOf(broken, "select name from d1_migrations")).toEqual([{ name: "0000_one.sql" }]);
			write("0001_two.sql", "create table two (id text)");
			expect(await migrate(broken)).toEqual(["0001_two.sql", "0002_three.sql"]);
			expect(await tables()).toEqual(["one", "three", "two"]);
		} finally {
			process.chdir(here);
			rmSync(folder, { recursive: true });
		}
	});
});

describe("what a row may not be", () => {
	// SQLite refuses a word such as now before the CHECK that holds date() has an answer.
	const check = /CHECK constraint failed|non-deterministic use of date\(\) in a CHECK/;
	const wrongType = /cannot store|datatype mismatch/i;
	const missing = /NOT NULL constraint failed/;

	it("takes the valid row of every table, or the refusals below would mean nothing", async () => {
		await insert("users", user());
		await insert("identities", { issuer: "i", subject: fresh(), user_id: String((await insert("users", user())).id), created_at: 1 });
		await insert("sessions", session());
		await insert("sign_in_attempts", { state_hash: fresh(), used_at: 1 });
		await insert("mileage_logs", trip());
		await insert("receipts", receipt());
		await insert("fund_requests", request());
		await insert("fee_imports", feeImport());
		await insert("uber_fees", fee());
		await insert("audit_events", audit());
		await insert("mails", mail());
	});

	const days = [
		"2026-02-30",
		"2026-02-29",
		"2026-13-01",
		"2026-2-1",
		"2026-11-21 ",
		"2026-11-21T00:00",
		"11/21/2026",
		"now",
		"today",
		"",
		"0",
	];
	const cases: [string, (more: Row) => Row, [string, (string | number | null)[]][]][] = [
		[
			"users",
			user,
			[
				["role", ["Admin", "superuser", ""]],
				["approval_status", ["Approved", "invited", ""]],
				["is_active", [2, -1]],
				["first_name", ["x".repeat(81)]],
				["last_name", ["x".repeat(81)]],
				["email", ["Dana@milepost.test", "DANA@MILEPOST.TEST", "ab", `${"a".repeat(250)}@b.cd`]],
				["driver_number", [0, -1]],
			],
		],
		[
			"mileage_logs",
			trip,
			[
				["driven_on", days],
				["start_miles", [-1, 10_000_000]],
				["end_miles", [10_000_000, 0]],
				["notes", ["", "x".repeat(1001)]],
				["source", ["FORM", "api", ""]],
				["gap_miles", [0, -1]],
				["is_overlap", [2]],
				["is_out_of_order", [2]],
				["is_long", [-1]],
				["voided_at", [1]],
				["voided_by", ["admin"]],
				["void_reason", ["", "x".repeat(501)]],
			],
		],
		[
			"fund_requests",
			request,
			[
				["number", [0, -1]],
				["type", ["fuel", "Gas", ""]],
				["status", ["processed", "Pending", "", "approved", "rejected", "withdrawn"]],
				["source", ["api"]],
				["amount_cents", [0, -1, 10_000_001]],
				["description", ["", "x".repeat(2001)]],
				["receipt_name", ["", "x".repeat(201)]],
				["admin_notes", ["", "x".repeat(2001)]],
				["is_possible_duplicate", [2]],
				["decided_at", [1]],
				["decided_by", ["admin"]],
				["withdrawn_at", [1]],
			],
		],
		[
			"uber_fees",
			fee,
			[
				["category", ["service fee", "tip", ""]],
				["amount_cents", [0, -1, 10_000_001]],
				["charged_on", days],
				["reference_number", ["", "x".repeat(101)]],
				["description", ["", "x".repeat(1001)]],
				["deleted_at", [1]],
				["deleted_by", ["admin"]],
			],
		],
		[
			"receipts",
			receipt,
			[
				["media_type", ["image/svg+xml", "text/html", "image/heic", "IMAGE/PNG"]],
				["byte_size", [0, 8_388_609]],
				["sha256", ["a".repeat(63), "a".repeat(65)]],
				["file_name", ["", "x".repeat(201)]],
			],
		],
		[
			"sessions",
			session,
			[
				["token_hash", ["short", "a".repeat(65)]],
				["ended_at", [1]],
				["ended_reason", ["signed-out"]],
			],
		],
		[
			"fee_imports",
			feeImport,
			[
				["file_name", ["", "x".repeat(201)]],
				["row_count", [0, -1]],
			],
		],
		[
			"audit_events",
			audit,
			[
				["action", ["", "x".repeat(61)]],
				["before", ["{", "undefined"]],
				["after", ["{'a':1}"]],
			],
		],
		[
			"mails",
			mail,
			[
				["status", ["Sent", "delivered", ""]],
				["attempts", [-1]],
			],
		],
	];
	for (const [table, valid, columns] of cases)
		it(`of ${table}`, async () => {
			for (const [column, values] of columns) for (const value of values) await refused(table, valid({ [column]: value }), check);
		});

	it("an end that is not after the start", async () => {
		await refused("mileage_logs", trip({ start_miles: 100, end_miles: 100 }), check);
		await refused("mileage_logs", trip({ start_miles: 101, end_miles: 100 }), check);
		await refused("mileage_logs", trip({ start_miles: 1, end_miles: 2, miles: 5 }), /generated column/);
	});

	it("an administrator with a driver's code, an ended session with an unknown reason", async () => {
		await refused("users", user({ role: "admin", driver_number: 900 }), check);
		await refused("sessions", session({ ended_at: 1, ended_reason: "tired" }), check);
	});

	it("a decided request without its decision, or a decision on a withdrawn one", async () => {
		for (const status of ["approved", "rejected"]) {
			await refused("fund_requests", request({ status, decided_at: 1 }), check);
			await refused("fund_requests", request({ status, decided_by: "admin" }), check);
			await insert("fund_requests", request({ status, decided_at: 1, decided_by: "admin" }));
		}
		await refused("fund_requests", request({ status: "withdrawn", withdrawn_at: 1, decided_at: 1, decided_by: "admin" }), check);
		await insert("fund_requests", request({ status: "withdrawn", withdrawn_at: 1 }));
	});

	it("money at its limits is taken, and no other type passes for it", async () => {
		for (const cents of [1, 10_000_000]) {
			await insert("fund_requests", request({ amount_cents: cents }));
			await insert("uber_fees", fee({ amount_cents: cents }));
		}
		for (const value of [12.5, "12.50", "abc"]) {
			await refused("fund_requests", request({ amount_cents: value }), wrongType);
			await refused("uber_fees", fee({ amount_cents: value }), wrongType);
		}
		await refused("mileage_logs", trip({ start_miles: 1.5 }), wrongType);
	});

	it("a row without what it must have", async () => {
		const required: [string, (more: Row) => Row, string[]][] = [
			["users", user, ["id", "role", "approval_status", "created_at", "first_name"]],
			["mileage_logs", trip, ["id", "driver_id", "driven_on", "start_miles", "end_miles", "source", "created_at", "payload_hash"]],
			["fund_requests", request, ["id", "number", "driver_id", "type", "amount_cents", "description", "status", "created_at"]],
			["uber_fees", fee, ["id", "driver_id", "category", "amount_cents", "charged_on", "added_by"]],
			["sessions", session, ["token_hash", "user_id", "expires_at", "ends_at"]],
			["audit_events", audit, ["at", "actor_role", "action", "entity", "entity_id"]],
		];
		for (const [table, valid, columns] of required) for (const column of columns) await refused(table, valid({ [column]: null }), missing);
	});
});

describe("what may be there once only", () => {
	const twice = /UNIQUE constraint failed/;

	it("a live e-mail address, free again when its invitation is cancelled", async () => {
		await insert("users", user({ id: "first", email: "one@milepost.test" }));
		await refused("users", user({ email: "one@milepost.test" }), twice);
		await insert("users", user({ email: "one@milepost.test", deleted_at: 1 }));
		await run("update users set deleted_at = 2 where id = 'first'");
		await insert("users", user({ email: "one@milepost.test" }));
		// What nobody has proved reserves nothing.
		await insert("users", user({ unverified_email: "one@milepost.test" }));
		await insert("users", user({ unverified_email: "one@milepost.test" }));
	});

	it("an identity, and one for each person", async () => {
		const [a, b] = [await insert("users", user()), await insert("users", user())];
		await insert("identities", { issuer: "i", subject: "s", user_id: a.id ?? null, created_at: 1 });
		await refused("identities", { issuer: "i", subject: "s", user_id: b.id ?? null, created_at: 1 }, twice);
		await refused("identities", { issuer: "i", subject: "s2", user_id: a.id ?? null, created_at: 1 }, twice);
		await insert("identities", { issuer: "i2", subject: "s", user_id: b.id ?? null, created_at: 1 });
	});

	it("a driver's code, even of somebody long gone", async () => {
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

	it("the same trip, which may be logged again once it is voided", async () => {
		const same = { driver_id: "other", driven_on: "2026-11-20", start_miles: 500, end_miles: 600 };
		const first = await insert("mileage_logs", trip(same));
		await refused("mileage_logs", trip(same), twice);
		await insert("mileage_logs", trip({ ...same, driver_id: "driver" }));
		await insert("mileage_logs", trip({ ...same, driven_on: "2026-11-19" }));
		await run("update mileage_logs set voided_at = 1, voided_by = 'admin' where id = ?", first.id);
		await insert("mileage_logs", trip(same));
		await refused("mileage_logs", trip(same), twice);
		await expect(run("update mileage_logs set voided_at = null, voided_by = null where id = ?", first.id)).rejects.toThrow(twice);
	});

	it("a submission key of one person, who may leave it out as often as he likes", async () => {
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

describe("what history holds on to", () => {
	const held = /FOREIGN KEY constraint failed/;

	it("nobody with history can be deleted, and nothing can belong to nobody", async () => {
		const { id = null } = await insert("users", user());
		const owned: [string, Row][] = [
			["mileage_logs", trip({ driver_id: id })],
			["fund_requests", request({ driver_id: id })],
			["uber_fees", fee({ driver_id: id })],
			["receipts", receipt({ owner_id: id })],
			["sessions", session({ user_id: id })],
			["identities", { issuer: "h", subject: fresh(), user_id: id, created_at: 1 }],
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
							? fresh().padEnd(name === "token_hash" ? 64 : 36, "0")
							: value,
					];
				}),
			);
			if (typeof orphan.number === "number") orphan.number = ++counter;
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
		const [event] = await rowsOf<{ id: number }>(db, "select * from audit_events where entity_id = 'kept'");
		const before = await run("select * from audit_events order by id");
		for (const column of Object.keys(event ?? {}))
			await expect(run(`update audit_events set ${column} = ${column} where id = ?`, event?.id), column).rejects.toThrow(/append-only/);
		await expect(run("delete from audit_events where id = ?", event?.id)).rejects.toThrow(/append-only/);
		await expect(run("delete from audit_events")).rejects.toThrow(/append-only/);
		await expect(
			run(
				"insert into audit_events (id, at, actor_role, action, entity, entity_id) values (?, 2, 'x', 'x', 'x', 'x') on conflict (id) do update set at = 2",
				event?.id,
			),
		).rejects.toThrow(/append-only/);
		// REPLACE deletes without asking the delete trigger.
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
			await expect(run(`update mileage_logs set ${change} where id = ?`, id), change).rejects.toThrow(/voiding it and logging again/);
		await run(
			"update mileage_logs set is_long = 1, gap_miles = 4, voided_at = 1, voided_by = 'admin', void_reason = 'typo' where id = ?",
			id,
		);
	});
});

describe("a fee", () => {
	it("has a driver, a category, an amount and a date that are final; deleting it is not", async () => {
		const { id = null } = await insert("uber_fees", fee());
		for (const change of ["driver_id = 'other'", "category = 'other'", "amount_cents = 1", "charged_on = '2026-01-01'"])
			await expect(run(`update uber_fees set ${change} where id = ?`, id), change).rejects.toThrow(/deleting it and adding it again/);
		await run("update uber_fees set deleted_at = 1, deleted_by = 'admin' where id = ?", id);
	});
});

describe("a request", () => {
	it("has a driver, a type, an amount and a moment that are final", async () => {
		const { id = null } = await insert("fund_requests", request());
		for (const change of ["driver_id = 'other'", "type = 'other'", "amount_cents = 1", "created_at = 2"])
			await expect(run(`update fund_requests set ${change} where id = ?`, id), change).rejects.toThrow(
				/withdrawing it and submitting another/,
			);
	});
});
