/** A statement whose amounts name another currency, on real D1 and R2. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { fieldFile } from "../../../tests/support/field-files.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { importFile, openFile } from "../../../tests/support/sent-statements.ts";
import { DEFAULT_UNITS, setFleetUnits } from "../../values/fleet-units.ts";
import { foreignText } from "./file-currency.ts";
import { openStatement } from "./open.server.ts";

const bench = await openDatabase("everyone", Date.UTC(2026, 10, 25, 17));
const store = await openFileStore();
const FILE = "20260921-20260928-payments_order-Example.csv";
const mixed = fieldFile("accounting-formats-payments_order.csv");
const inEuros = mixed.replaceAll("$", "€");
const inPounds = mixed.replace("-$6.02", "-£6.02");
const drivers = { "f1e1d000-0000-4000-8000-000000000004": idOf("dana") };

beforeEach(async () => {
	for (const table of [
		"uber_fees",
		"fee_imports",
		"statement_lines",
		"statement_money",
		"platform_drivers",
	])
		await bench.rows(`delete from ${table}`);
});

afterEach(() => setFleetUnits(DEFAULT_UNITS));

it("is refused, and nothing of it is kept", async () => {
	const { objects: before } = await store.list();
	const refused = await openFile(await bench.admin("ada"), store, inEuros, FILE, { drivers });
	expect(refused).toMatchObject({ reason: "foreign", details: { currency: "EUR" } });
	expect(foreignText("EUR")).toBe(
		"The amounts in this statement are in euros, but the fleet's are in US dollars. Amounts are never converted, so it can't be imported.",
	);
	expect((await store.list()).objects).toHaveLength(before.length);
});

it.each(["ready", "all"] as const)(
	"is imported (%s) without a question if it is the fleet's own",
	async (mode) => {
		setFleetUnits({ currency: "EUR", distanceUnit: "km" });
		const admin = await bench.admin("ada");
		const made = await importFile(mode, admin, store, inEuros, FILE, { drivers });
		expect(made).toMatchObject({ ok: true, value: { plan: { needs: [] } } });
	},
);

it.each(["USD", "EUR"] as const)(
	"counts as the fleet's own %s if its amounts have that sign and another, as spreadsheets leave them",
	async (currency) => {
		setFleetUnits({ ...DEFAULT_UNITS, currency });
		const made = await importFile("all", await bench.admin("ada"), store, mixed, FILE, { drivers });
		expect(made).toMatchObject({
			ok: true,
			value: { plan: { needs: [], leftOut: [] } },
		});
		expect(await bench.rows("select sum(amount_cents) as cents from uber_fees")).toEqual([
			{ cents: 251_749 },
		]);
	},
);

it("is refused in a fleet that counts in it no more, although it waited", async () => {
	setFleetUnits({ currency: "EUR", distanceUnit: "km" });
	const admin = await bench.admin("ada");
	const opened = await openFile(admin, store, inEuros, FILE, { drivers });
	if (!opened.ok) return expect.unreachable();
	setFleetUnits(DEFAULT_UNITS);
	const { id } = opened.value;
	expect(await openStatement(admin, store, { kind: "waiting", id }, {})).toMatchObject({
		reason: "foreign",
	});
});

it("is refused if others of its amounts are in a third, with one cell of each", async () => {
	const admin = await bench.admin("ada");
	expect(await openFile(admin, store, inPounds, FILE, { drivers })).toMatchObject({
		reason: "not-a-statement",
		details: { message: expect.stringContaining("-£6.02 and -6.06 €") },
	});
});
