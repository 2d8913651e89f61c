/**
 * The schema on real D1: the migrations build what app/db/schema.ts declares, and can be repeated
 * and interrupted.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as schema from "../app/db/schema.ts";
import { migrate, migrationFiles } from "../tools/migrate.ts";
import { runtimeSettings } from "../tools/wrangler-config.ts";
import { D1_PROXY, proxiedDatabase } from "./support/d1-proxy.ts";
import { INDEX_USES } from "./support/index-uses.ts";

/** Indexes that only release 0.1.0 reads; the next one drops them. */
const RELEASED_INDEXES = ["users_by_last_name"];

/** What the migrations add by hand: every trigger, by name, with its table. */
const TRIGGERS = [
	["agreement_starts_are_final", "agreements"],
	["agreements_are_final", "agreements"],
	["audit_events_no_delete", "audit_events"],
	["audit_events_no_replace", "audit_events"],
	["audit_events_no_update", "audit_events"],
	["audit_seals_in_order", "audit_seals"],
	["audit_seals_no_delete", "audit_seals"],
	["audit_seals_no_update", "audit_seals"],
	["charge_values_are_final", "charges"],
	["credit_changes_added", "credit_changes"],
	["credit_changes_taken", "credit_changes"],
	["credits_are_never_negative", "block_totals"],
	["fee_credit_is_final", "uber_fees"],
	["fee_is_credit_or_not", "uber_fees"],
	["fee_totals_on_delete", "uber_fees"],
	["fee_totals_on_deletion", "uber_fees"],
	["fee_totals_on_insert", "uber_fees"],
	["fee_values_are_final", "uber_fees"],
	["messages_are_final", "request_messages"],
	["mileage_days_on_archiving", "mileage_logs"],
	["mileage_readings_are_final", "mileage_logs"],
	["mileage_totals_on_delete", "mileage_logs"],
	["mileage_totals_on_insert", "mileage_logs"],
	["mileage_totals_on_void", "mileage_logs"],
	["payout_day_follows", "payouts"],
	["payout_day_on_insert", "payout_requests"],
	["payout_requests_are_final", "payout_requests"],
	["payout_settlement_count_is_final", "payouts"],
	["payout_settlements_are_final", "payout_settlements"],
	["payout_standing", "payouts"],
	["payout_status_follows", "payouts"],
	["payout_totals_changed", "payout_total_changes"],
	["payout_values_are_final", "payouts"],
	["person_names_on_delete", "users"],
	["person_names_on_insert", "users"],
	["person_names_on_update", "users"],
	["receipts_claim_object", "receipts"],
	["request_approved_amount_cleared", "fund_requests"],
	["request_approved_amount_on_insert", "fund_requests"],
	["request_approved_amount_on_update", "fund_requests"],
	["request_enters_payout", "fund_requests"],
	["request_in_payout_is_final", "fund_requests"],
	["request_leaves_payout", "fund_requests"],
	["request_question_on_message", "request_messages"],
	["request_question_on_receipt", "fund_requests"],
	["request_standing_on_delete", "fund_requests"],
	["request_standing_on_insert", "fund_requests"],
	["request_standing_on_update", "fund_requests"],
	["request_totals_on_delete", "fund_requests"],
	["request_totals_on_insert", "fund_requests"],
	["request_totals_on_update", "fund_requests"],
	["request_values_are_final", "fund_requests"],
	["settled_agreement_on_insert", "agreements"],
	["settled_charge_on_insert", "charges"],
	["settled_charge_on_void", "charges"],
	["settled_day_follows", "payouts"],
	["settled_day_on_insert", "payout_settlements"],
	["settled_miles_on_insert", "mileage_logs"],
	["settled_miles_on_void", "mileage_logs"],
	["settled_money_on_delete", "statement_money"],
	["settled_money_on_update", "statement_money"],
	["settled_totals_changed", "settled_total_changes"],
	["settlement_enters_payout", "settlements"],
	["settlement_gets_agreement", "agreements"],
	["settlement_in_payout_is_final", "settlements"],
	["settlement_lacks_agreement", "settlements"],
	["settlement_leaves_payout", "settlements"],
	["settlement_lines_are_final", "settlement_lines"],
	["settlement_messages_are_final", "settlement_messages"],
	["settlement_question_on_message", "settlement_messages"],
	["settlement_standing_on_delete", "settlements"],
	["settlement_standing_on_insert", "settlements"],
	["settlement_standing_on_update", "settlements"],
	["settlement_sums_are_final", "settlements"],
	["settlement_values_are_final", "settlements"],
	["settlements_follow_payout", "payouts"],
	["standing_changed", "standing_changes"],
	["standing_counted", "standings"],
	["standing_discounted", "standings"],
	["standing_of_new_person", "users"],
	["standing_of_nobody", "users"],
	["standing_of_person", "users"],
	["standing_rebuilt", "standing_rebuilds"],
	["standing_recounted", "standings"],
	["standings_followed", "total_changes"],
	["total_changes_added", "total_changes"],
	["total_changes_taken", "total_changes"],
	["total_moved", "total_moves"],
	["webhooks_are_told", "audit_events"],
] as const;

const worker = new Miniflare({
	...runtimeSettings(),
	modules: [{ type: "ESModule", path: "d1-proxy.mjs", contents: D1_PROXY }],
	d1Databases: { DB: "migrated", DECLARED: "declared", EMPTY: "empty", BROKEN: "broken" },
	host: "127.0.0.1",
	cf: false,
});
const [db, declared, empty, broken] = ["DB", "DECLARED", "EMPTY", "BROKEN"].map((name) =>
	proxiedDatabase((body) =>
		worker.dispatchFetch(`http://database/${name}`, { method: "POST", body }),
	),
) as [D1Database, D1Database, D1Database, D1Database];
afterAll(() => worker.dispose());

async function rowsOf<Row = Record<string, unknown>>(
	from: D1Database,
	query: string,
	...values: unknown[]
): Promise<Row[]> {
	const { results } = await from
		.prepare(query)
		.bind(...values)
		.all<Row>();
	return results;
}

beforeAll(async () => {
	expect((await migrate(db)).length).toBe(migrationFiles().length);
});

describe("the migrations create what the code declares", () => {
	beforeAll(async () => {
		const before = await generateSQLiteDrizzleJson({}, undefined, "snake_case");
		const after = await generateSQLiteDrizzleJson(schema, undefined, "snake_case");
		for (const statement of await generateSQLiteMigration(before, after))
			await declared.prepare(statement).run();
	});

	const ours = "name not like 'sqlite_%' and name not like 'd1_%' and name not like '_cf_%'";
	const tablesOf = async (from: D1Database) =>
		(
			await rowsOf<{ name: string }>(
				from,
				`select name from sqlite_master where type = 'table' and ${ours} order by name`,
			)
		).map(({ name }) => name);

	/**
	 * SQL without what does not matter: quotes, blanks, letter case of keywords, and the STRICT and
	 * WITHOUT ROWID that drizzle-kit cannot say.
	 */
	const normalized = (sql: string) =>
		sql
			.replace(/["`]/g, "")
			.replace(/\s+/g, " ")
			.replace(/\s*([(),=<>])\s*/g, "$1")
			.replace(/\)\s*STRICT(,\s*WITHOUT ROWID)?$/i, ")")
			// A column that was added later declares its own reference.
			.replace(
				/(\w+ text) references (\w+)\(id\)\s*on delete restrict(.*?)(,constraint)/is,
				(_, column: string, table: string, between: string, rest: string) =>
					`${column}${between},foreign key(${column.split(" ")[0]})references ${table}(id)on update no action on delete restrict${rest}`,
			)
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
				// Foreign keys have no order; a column that was added later declares its own.
				const asked =
					pragma === "foreign_key_list"
						? `select "from", "table", "to", on_update, on_delete from pragma_foreign_key_list('${table}') order by "from"`
						: `select * from pragma_${pragma}('${table}')`;
				const read = (from: D1Database) => rowsOf(from, asked);
				expect(await read(db), `${pragma} of ${table}`).toEqual(await read(declared));
			}
			for (const { name } of await rowsOf<{ name: string }>(
				declared,
				`select name from pragma_index_list('${table}')`,
			)) {
				// The key alone: what else an index carries depends on whether its table has row ids.
				const read = (from: D1Database) =>
					rowsOf(from, `select * from pragma_index_xinfo('${name}') where key = 1`);
				expect(await read(db), name).toEqual(await read(declared));
			}
		}
	});

	it("no column with the name that backups give to a row's number", async () => {
		for (const table of await tablesOf(db)) {
			const columns = await rowsOf<{ name: string }>(
				db,
				`select name from pragma_table_info('${table}')`,
			);
			expect(columns.length, table).toBeGreaterThan(0);
			expect(columns, table).not.toContainEqual({ name: "row_of_backup" });
		}
	});

	it("no index without a statement that uses it, in the test file that INDEX_USES names", async () => {
		const indexes = await rowsOf<{ name: string }>(
			db,
			`select name from sqlite_master where type = 'index' and sql like 'create index%' and ${ours} order by name`,
		);
		const named = [...Object.values(INDEX_USES).flat(), ...RELEASED_INDEXES];
		expect(named.sort()).toEqual(indexes.map(({ name }) => name));
		expect(Object.keys(INDEX_USES).filter((file) => !existsSync(file))).toEqual([]);
	});

	it("the same statements: every CHECK, every partial index", async () => {
		const read = async (from: D1Database) =>
			Object.fromEntries(
				(
					await rowsOf<{ name: string; sql: string }>(
						from,
						`select name, sql from sqlite_master where type in ('table', 'index') and sql is not null and ${ours} order by name`,
					)
				).map(({ name, sql }) => [name, normalized(sql)]),
			);
		expect(await read(db)).toEqual(await read(declared));
	});

	it("every table STRICT", async () => {
		const loose = await rowsOf(
			db,
			`select name from pragma_table_list where type = 'table' and strict = 0 and ${ours}`,
		);
		expect(loose).toEqual([]);
	});

	it("exactly the known triggers, and the views that they write through", async () => {
		const found = await rowsOf<{ name: string; tbl_name: string }>(
			db,
			"select name, tbl_name from sqlite_master where type = 'trigger' order by name",
		);
		expect(found.map(({ name, tbl_name }) => [name, tbl_name])).toEqual(TRIGGERS);
		expect(
			await rowsOf(db, "select name from sqlite_master where type = 'view' order by name"),
		).toEqual([
			{ name: "credit_changes" },
			{ name: "driver_totals" },
			{ name: "names_of_people" },
			{ name: "payout_total_changes" },
			{ name: "settled_total_changes" },
			{ name: "standing_changes" },
			{ name: "standing_rebuilds" },
			{ name: "total_changes" },
			{ name: "total_moves" },
		]);
	});

	it("foreign keys in force, every one RESTRICT", async () => {
		const lists = (await tablesOf(db)).map((table) =>
			rowsOf<{ on_delete: string; on_update: string }>(
				db,
				`select * from pragma_foreign_key_list('${table}')`,
			),
		);
		const keys = (await Promise.all(lists)).flat();
		expect(keys.length).toBe(59);
		for (const key of keys)
			expect([key.on_delete, key.on_update]).toEqual(["RESTRICT", "NO ACTION"]);
	});
});

describe("migrate()", () => {
	it("applies everything once", async () => {
		expect(await migrate(empty)).toEqual(migrationFiles().map(({ name }) => name));
		const before = await rowsOf(empty, "select name, sql from sqlite_master order by name");
		expect(await migrate(empty)).toEqual([]);
		expect(await rowsOf(empty, "select name, sql from sqlite_master order by name")).toEqual(
			before,
		);
	});

	it("leaves nothing of a file that fails midway, and applies it once it is fixed", async () => {
		const here = process.cwd();
		const folder = mkdtempSync(join(tmpdir(), "migrations-"));
		const write = (name: string, sql: string) =>
			writeFileSync(join(folder, "migrations", name), sql);
		const tables = async () =>
			(
				await rowsOf<{ name: string }>(
					broken,
					"select name from sqlite_master where name in ('one', 'two', 'three') order by name",
				)
			).map(({ name }) => name);
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
			expect(await rowsOf(broken, "select name from d1_migrations")).toEqual([
				{ name: "0000_one.sql" },
			]);
			write("0001_two.sql", "create table two (id text)");
			expect(await migrate(broken)).toEqual(["0001_two.sql", "0002_three.sql"]);
			expect(await tables()).toEqual(["one", "three", "two"]);
		} finally {
			process.chdir(here);
			rmSync(folder, { recursive: true });
		}
	});
});
