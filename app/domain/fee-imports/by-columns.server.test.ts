/** Importing by columns while someone else adds the same fees, on real D1 and R2. */
import { beforeEach, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertFee } from "../../../tests/support/fees.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { insertRow } from "../../../tests/support/rows.ts";
import { waitingToImport } from "../../../tests/support/waiting-statements.ts";
import { NO_ANSWERS } from "../statements/answers.ts";
import { fileKey } from "../statements/object-writer.server.ts";
import { importByColumns } from "./commands/import.server.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const bench = await openDatabase("everyone", NOW);
const store = await openFileStore();

beforeEach(async () => {
	for (const table of ["uber_fees", "fee_imports"]) await bench.rows(`delete from ${table}`);
});

/** Imports all of a file with these rows, waiting before the transaction that does. */
async function send(by: "ada" | "ben", rows: readonly string[], until: () => Promise<unknown>) {
	const id = crypto.randomUUID();
	const head = "Driver,Category,Amount,Date,Reference";
	await store.put(fileKey(id), [head, ...rows].join("\n"));
	return importByColumns(
		waitingToImport(await bench.admin(by), until),
		store,
		{ id, fileName: "fees.csv", contentTag: id, facts: { format: "columns" }, answers: NO_ANSWERS },
		"all",
	);
}
const row = (reference: string, amount: string) =>
	`DRV-0001,other,${amount},2026-11-18,${reference}`;
const count = async () => (await bench.rows("select 1 from uber_fees")).length;

it("never claims more than it stored", async () => {
	let first: Awaited<ReturnType<typeof send>> | undefined;
	const second = await send("ben", [row("B", "2.00"), row("C", "3.00")], async () => {
		first = await send("ada", [row("A", "1.00"), row("B", "2.00")], async () => undefined);
	});
	expect(first?.ok && first.value.plan.fees.map(({ state }) => state)).toEqual([
		"imported",
		"imported",
	]);
	expect(second.ok && second.value.import?.rowCount).toBe(1);
	expect(second.ok && second.value.plan.fees.map(({ state }) => state)).toEqual([
		"imported-before",
		"imported",
	]);
	expect(await count()).toBe(3);
});

it.each(["", "A"])("asks about a fee that is added by hand meanwhile (%j)", async (reference) => {
	const outcome = await send("ben", [row(reference, "5.00")], () =>
		insertFee(bench.rows, 1, "dana", "2026-11-18", {
			category: "other",
			amount_cents: 500,
			created_at: NOW,
		}),
	);
	expect(outcome).toMatchObject({ reason: "open-needs", details: { needs: ["overlap"] } });
	expect(await count()).toBe(1);
});

it("asks about a fee that a platform's statement recorded", async () => {
	const made = crypto.randomUUID();
	await insertRow(bench.rows, "fee_imports", {
		id: made,
		added_by: idOf("ada"),
		file_name: "uber.csv",
		row_count: 1,
		created_at: NOW,
		payload_hash: made,
		platform: "uber",
	});
	await insertFee(bench.rows, 1, "dana", "2026-11-18", {
		category: "other",
		amount_cents: 500,
		created_at: NOW,
		import_id: made,
	});
	const outcome = await send("ben", [row("", "5.00")], async () => undefined);
	expect(outcome).toMatchObject({ reason: "open-needs", details: { needs: ["overlap"] } });
	expect(await count()).toBe(1);
});
