/** Rows without a driver's id, in files whose other rows have one, on real D1 and R2. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { fieldFile } from "../../../tests/support/field-files.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { importFile, openFile, planFile } from "../../../tests/support/sent-statements.ts";
import { DEFAULT_UNITS, setFleetUnits } from "../../values/fleet-units.ts";

const bench = await openDatabase("everyone", Date.UTC(2026, 10, 25, 17));
const store = await openFileStore();
const ANN = "f1e1d000-0000-4000-8000-000000000001";

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

const aliases = () =>
	bench.rows<{ platform_id: string; name: string; driver_id: string }>(
		"select platform_id, name, driver_id from platform_drivers where removed_at is null order by name desc",
	);

// The statement from Bolt is in euros.
beforeAll(() => setFleetUnits({ currency: "EUR", distanceUnit: "mi" }));
afterAll(() => setFleetUnits(DEFAULT_UNITS));

const BOLT = [
	"Motorista,Identificador do motorista,Ganhos brutos (total)|€,Ganhos líquidos|€,Comissões|€",
	`Ann Withid,${ANN},100.00,75.00,25.00`,
	"Borys Bez-Numeru,,100.00,70.00,30.00",
].join("\n");

describe.each([
	[
		"Uber by driver",
		fieldFile("names-without-ids-payments_driver.csv"),
		"20261019-20261026-payments_driver-Example.csv",
		"Halina Bez-Numeru",
	],
	[
		"Uber by transaction",
		fieldFile("names-without-ids-payments_order.csv"),
		"20261005-20261012-payments_order-Example.csv",
		"Nils Noid",
	],
	["Bolt", BOLT, "Ganhos por motorista-2026W39-Fleet.csv", "Borys Bez-Numeru"],
])("%s", (_, text, fileName, person) => {
	const drivers = { [ANN]: idOf("dana"), [person]: idOf("omar") };

	it("gives the name's fee to the person chosen by that name, and remembers it folded", async () => {
		const admin = await bench.admin("ada");
		const asked = await planFile(admin, store, text, fileName);
		expect(asked.fees.map(({ state }) => state)).toEqual(["no-driver", "no-driver"]);
		const made = await importFile("ready", admin, store, text, fileName, { drivers });
		expect(made.ok && made.value.plan.fees.map(({ state }) => state)).toEqual([
			"imported",
			"imported",
		]);
		expect(await aliases()).toEqual([
			{ platform_id: person.toLowerCase(), name: person, driver_id: idOf("omar") },
			{ platform_id: ANN, name: "Ann Withid", driver_id: idOf("dana") },
		]);
	});

	it("remembers one name, however it is written, for one person", async () => {
		const admin = await bench.admin("ada");
		await importFile("ready", admin, store, text, fileName, { drivers });
		for (const spelling of [person, person.toUpperCase(), `  ${person.replace(" ", "  ")} `]) {
			const other = { [spelling]: idOf("lena") };
			const refused = await openFile(admin, store, text, fileName, { drivers: other });
			expect(refused).toMatchObject({ ok: false, reason: "contradicts" });
		}
		const twice = { [person]: idOf("lena"), [person.toUpperCase()]: idOf("omar") };
		expect(await openFile(admin, store, text, fileName, { drivers: twice })).toMatchObject({
			ok: false,
			reason: "ambiguous",
		});
		expect(await aliases()).toHaveLength(2);
	});
});

it("knows a name of one word, which could be an id, by the rows without one", async () => {
	const text = fieldFile("names-without-ids-payments_driver.csv").replace(
		"Halina,Bez-Numeru",
		"Halina,",
	);
	const admin = await bench.admin("ada");
	const plan = await planFile(admin, store, text, "20261019-20261026-payments_driver-X.csv", {
		drivers: { Halina: idOf("omar") },
	});
	expect(plan.fees.map(({ name, state }) => [name, state])).toEqual([
		["Ann Withid", "no-driver"],
		["Halina", "ready"],
	]);
});

it("matches it with the only driver of that name, as in a file without ids", async () => {
	const text = fieldFile("names-without-ids-payments_driver.csv").replace(
		"Halina,Bez-Numeru",
		"DRIVER,Dana",
	);
	const admin = await bench.admin("ada");
	const plan = await planFile(admin, store, text, "20261019-20261026-payments_driver-X.csv");
	expect(plan.fees.map(({ state, driver }) => [state, driver?.id])).toEqual([
		["no-driver", undefined],
		["ready", idOf("dana")],
	]);
});

it("remembers a name with letters of its own as people type it elsewhere", async () => {
	const text = (named: string) =>
		fieldFile("names-without-ids-payments_driver.csv").replace("Halina,Bez-Numeru", named);
	const [first, second] = [
		"20261019-20261026-payments_driver-X.csv",
		"20261026-20261102-payments_driver-X.csv",
	];
	const admin = await bench.admin("ada");
	const drivers = { "Søren Đæł": idOf("omar") };
	await importFile("ready", admin, store, text("Søren,Đæł"), first, { drivers });
	const plan = await planFile(admin, store, text("SOREN,DAEL"), second);
	expect(plan.fees.map(({ state, driver }) => [state, driver?.id])).toEqual([
		["no-driver", undefined],
		["ready", idOf("omar")],
	]);
	const other = { drivers: { "soren dael": idOf("lena") } };
	expect(await openFile(admin, store, text("Soren,Dael"), second, other)).toMatchObject({
		ok: false,
		reason: "contradicts",
	});
});

describe("money without a fee", () => {
	const HEAD = ["", ":Your earnings:Fare:Fare", ":Your earnings:Service fee"];
	const text = (named: string) =>
		[
			`Driver UUID,Driver first name,Driver surname,${HEAD.map((name) => `Paid to you${name}`)}`,
			`${ANN},Ann,Withid,75.00,100.00,-25.00`,
			`,${named},400.00,400.00,0`,
		].join("\n");

	it.each([
		["the only driver of that name", "Driver,Dana", {}, idOf("dana")],
		["the answer for a name of one word", "Halina,", { Halina: idOf("omar") }, idOf("omar")],
	])("is matched with %s", async (_, named, drivers, driverId) => {
		const admin = await bench.admin("ada");
		const fileName = "20261109-20261116-payments_driver-X.csv";
		const answers = { drivers: { ...drivers, [ANN]: idOf("lena") } };
		const made = await importFile("ready", admin, store, text(named), fileName, answers);
		expect(made.ok && made.value.plan.money?.unmatched).toEqual([]);
		expect(await bench.rows("select driver_id from statement_money order by row_number")).toEqual([
			{ driver_id: idOf("lena") },
			{ driver_id: driverId },
		]);
	});
});
