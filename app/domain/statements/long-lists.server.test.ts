/** Files whose rows are longer than the 2 MB that D1 takes as one value. */
import { expect, it } from "vitest";
import { openDatabase } from "../../../tests/support/database.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { keepStatement } from "../../../tests/support/waiting-statements.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { MAX_DESCRIPTION } from "./columns.ts";
import { importStatement } from "./commands/import.server.ts";
import { fileKey } from "./object-writer.server.ts";
import { openStatement } from "./open.server.ts";
import { planStatement } from "./plan.server.ts";
import { MAX_STATEMENT_BYTES } from "./rules.ts";

const bench = await openDatabase("everyone", Date.UTC(2026, 10, 25, 17));
const store = await openFileStore();

it("are imported, each with as long a description as a fee may have", async () => {
	const admin = await bench.admin("ada");
	const rows = Array.from({ length: 6000 }, (_, row) => {
		const day = 1 + (row % 20);
		const words = `Trip ${row} `.padEnd(MAX_DESCRIPTION, "to the airport ").trim();
		return `Dana Driver,commission,${1 + row / 100},2026-11-${String(day).padStart(2, "0")},T-${row},${words}`;
	});
	const content = ["Driver,Category,Amount,Date,Reference,Description", ...rows].join("\n");
	expect(content.length).toBeLessThan(MAX_STATEMENT_BYTES);
	const id = crypto.randomUUID();
	await store.put(fileKey(id), content);
	const upload = { kind: "stored", id, fileName: "fees.csv", contentTag: id } as const;
	const opened = await openStatement(admin, store, { ...upload, size: content.length }, {});
	if (!opened.ok) throw new Error(JSON.stringify(opened));
	const outcome = await importStatement(admin, store, opened.value, "all");
	expect(outcome).toMatchObject({ ok: true });
	expect(
		await bench.rows(
			"select count(*) as fees, sum(length(description)) > 5000000 as isLong from uber_fees",
		),
	).toEqual([{ fees: rows.length, isLong: 1 }]);
});

it("are looked up, however long the names of their drivers are", async () => {
	const admin = await bench.admin("ada");
	const lines = Array.from({ length: 5000 }, (_, row) => {
		const name = `${row} `.padEnd(200, "คนขับ");
		const key = `uber:name=${name}:commission`;
		const date = "2026-11-18" as CalendarDate;
		return { key, platformId: "", name, date, category: "commission" as const, cents: 100 };
	});
	const statement = await keepStatement(admin, store, lines, { hasIds: false });
	const { needs, fees } = await planStatement(admin, store, statement);
	expect({ needs, fees: fees.length }).toEqual({ needs: ["drivers"], fees: lines.length });
});
