/** What is left of abandoned statements and imports, on real D1 and R2. */
import { expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { Database } from "../../db/client.server.ts";
import { importStatement } from "./commands/import.server.ts";
import { formatEvent } from "./event-lines.ts";
import { fileKey, readingKey } from "./object-writer.server.ts";
import { openStatement } from "./open.server.ts";
import { sweepStatements } from "./sweep.server.ts";
import { keepWaiting, WAITING_MS } from "./waiting.server.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const bench = await openDatabase("everyone", NOW);
const store = await openFileStore();
const count = async (table: string) =>
	(await bench.rows<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count;
const sweep = (now: number) =>
	sweepStatements({ role: "system", db: new Database(bench.batches), now }, store);
const keys = async () => (await store.list()).objects.map(({ key }) => key).sort();

const FACTS = {
	format: "bolt-earnings-per-driver" as const,
	platform: "bolt" as const,
	period: null,
	isByPeriod: false,
	isPeriodAsked: false,
	currency: null,
	feeColumns: [],
	notFeeColumns: [],
	isAllCommission: false,
	rows: 1,
	unknownColumns: [],
	hasIds: false,
};

/** Dana's statement with the given number of lines. */
async function waiting(lines: number, prefix = "sweep") {
	const admin = await bench.admin("ada");
	const id = crypto.randomUUID();
	const events = Array.from({ length: lines }, (_, row) => ({
		...{ kind: "line" as const, key: `${prefix}-${row}`, row: row + 2, platformId: "" },
		...{ name: "Dana Driver", date: admin.today, category: "other" as const, cents: 100 },
	}));
	await store.put(readingKey(id), `${events.map(formatEvent).join("\n")}\n`);
	const named = { id, fileName: "statement.csv", contentTag: "x", facts: FACTS };
	return { admin, statement: await keepWaiting(admin, named) };
}

it("forgets a statement after its hour, and no sooner", async () => {
	const { statement } = await waiting(1);
	await store.put(fileKey(statement.id), "file");
	await sweep(NOW + WAITING_MS);
	expect(await count("statement_files")).toBe(1);
	expect(await keys()).toEqual([fileKey(statement.id), readingKey(statement.id)]);
	await sweep(NOW + WAITING_MS + 1);
	expect(await count("statement_files")).toBe(0);
	expect(await keys()).toEqual([]);
});

it("doesn't fail an import whose remains can't be removed, and removes them later", async () => {
	const told: unknown[] = [];
	const admin = {
		...(await bench.admin("ben")),
		reportFault: (error: unknown) => told.push(error),
	};
	const broken = new Proxy(store, {
		get: (target, name) =>
			name === "delete"
				? () => Promise.reject(new Error("R2 is down"))
				: (Reflect.get(target, name) as (...given: unknown[]) => unknown).bind(target),
	});
	const stuck = {
		prepare: (query: string) => bench.d1.prepare(query),
		batch: (list: D1PreparedStatement[]) => {
			if (JSON.stringify(list).includes("delete from staged_imports"))
				throw new Error("D1 is down");
			return bench.d1.batch(list);
		},
	} as unknown as D1Database;
	const { statement } = await waiting(2, "tidy");
	const made = await importStatement(
		{ ...admin, db: new Database(stuck) },
		broken,
		statement,
		"ready",
	);
	expect(made).toMatchObject({ ok: true, value: { import: { rowCount: 1 } } });
	expect(told.map(String)).toEqual([
		"Error: R2 is down",
		expect.stringMatching(/^DatabaseUnavailable: .*D1 is down/),
	]);

	const text = `Driver,Category,Amount,Date\nDRV-0001,other,5.00,${admin.today}`;
	const id = crypto.randomUUID();
	await store.put(fileKey(id), text);
	const upload = { kind: "stored" as const, id, fileName: "fees.csv", size: 1, contentTag: "y" };
	const opened = await openStatement(admin, store, upload, {});
	if (!opened.ok) throw new Error(opened.reason);
	const byColumns = await importStatement(admin, broken, opened.value, "ready");
	expect(byColumns).toMatchObject({ ok: true, value: { import: { rowCount: 1 } } });
	expect(told).toHaveLength(3);

	// A later import has replaced one of its lines in the meantime.
	await bench.rows(
		"update statement_lines set is_live = 0, replaced_by = 'later' where line_key = 'tidy-0'",
	);
	await sweep(NOW + WAITING_MS + 1);
	expect(await count("statement_lines")).toBe(3);
	expect([await count("staged_imports"), await count("staged_fees"), await keys()]).toEqual([
		0,
		0,
		[],
	]);
	for (const table of ["statement_lines", "statement_money", "uber_fees", "fee_imports"])
		await bench.rows(
			`delete from ${table} where ${table === "uber_fees" ? "import_id is not null" : "1"}`,
		);
});

it("leaves nothing of an interrupted import, which counts for nothing meanwhile", async () => {
	const { admin, statement } = await waiting(12_000);
	// The isolate ends with the third trip that writes.
	let writes = 0;
	const dying = {
		prepare: (query: string) => bench.d1.prepare(query),
		batch: (list: D1PreparedStatement[]) => {
			if (JSON.stringify(list).includes("statement_lines (import_id") && ++writes > 2)
				throw new Error("the isolate ended");
			return bench.d1.batch(list);
		},
	} as unknown as D1Database;
	const broken = { ...admin, db: new Database(dying) };
	// A dead isolate undoes nothing.
	const rows = await count("uber_fees");
	await importStatement({ ...broken }, store, statement, "ready").catch(() => undefined);
	await bench.rows("insert into staged_imports (id, created_at) values ('left', ?)", NOW);
	await bench.rows("insert into statement_lines (import_id, line_key) values ('left', 'sweep-1')");
	await bench.rows(
		"insert into staged_fees (import_id, fee_id, driver_id, category, amount_cents, is_credit, charged_on) values ('left', 'fee', ?, 'other', 100, 0, '2026-11-20')",
		idOf("dana"),
	);
	expect(await count("uber_fees")).toBe(rows);
	// What it left behind affects nobody.
	const made = await importStatement(admin, store, statement, "ready");
	expect(made).toMatchObject({ ok: true, value: { import: { rowCount: 1 } } });
	await sweep(NOW + WAITING_MS - 1);
	expect(await count("staged_imports")).toBe(1);
	await sweep(NOW + WAITING_MS + 1);
	for (const table of ["staged_imports", "staged_fees"]) expect(await count(table), table).toBe(0);
	expect(await count("statement_lines")).toBe(12_000);
	expect(
		await bench.rows(
			"select sum(amount_cents) as cents from uber_fees where import_id is not null",
		),
	).toEqual([{ cents: 1_200_000 }]);
	await sweep(NOW + 2 * WAITING_MS + 2);
	expect(await count("statement_lines")).toBe(12_000);
});
