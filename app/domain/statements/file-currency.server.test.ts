/** A statement whose amounts name another currency, on real D1 and R2. */
import { beforeEach, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { fieldFile } from "../../../tests/support/field-files.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { importFile, openFile } from "../../../tests/support/sent-statements.ts";

const bench = await openDatabase("everyone", Date.UTC(2026, 10, 25, 17));
const store = await openFileStore();
const FILE = "20260921-20260928-payments_order-Example.csv";
const mixed = fieldFile("accounting-formats-payments_order.csv");
const inPounds = mixed.replace("-$6.02", "-£6.02");
const drivers = { "f1e1d000-0000-4000-8000-000000000004": idOf("dana") };

beforeEach(async () => {
	for (const table of ["uber_fees", "fee_imports", "statement_lines", "platform_drivers"])
		await bench.rows(`delete from ${table}`);
});

it.each(["ready", "all"] as const)("is imported (%s) only after a question", async (mode) => {
	const admin = await bench.admin("ada");
	const asked = await importFile(mode, admin, store, mixed, FILE, { drivers });
	expect(asked).toMatchObject({
		reason: "open-needs",
		details: { needs: ["currency"] },
	});
	expect(await bench.rows("select id from uber_fees")).toEqual([]);
	const made = await importFile(mode, admin, store, mixed, FILE, { drivers, currency: "USD" });
	expect(made).toMatchObject({ ok: true, value: { plan: { needs: [] } } });
});

it("is refused if others of its amounts are in a third, with one cell of each", async () => {
	const admin = await bench.admin("ada");
	expect(await openFile(admin, store, inPounds, FILE, { drivers })).toMatchObject({
		reason: "not-a-statement",
		details: { message: expect.stringContaining("-£6.02 and -6.06 €") },
	});
});
