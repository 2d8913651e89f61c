/** Uploading files with custom columns to POST /api/statements. */
import { beforeEach, expect, it } from "vitest";
import { insertDriver } from "../support/drivers.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { callStatements } from "../support/statement-calls.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const ben = await fleet.as("ben");
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const day = daysAgo(3);
const [nora, omar] = await Promise.all(
	[
		{ driver_number: 6001, first_name: "Nora", last_name: "Columnson" },
		{ driver_number: 6002, first_name: "Omar", last_name: "Columnson" },
	].map((values) => insertDriver((query, ...rest) => sql(query, ...rest), values)),
);

const HEAD = "Driver,Fee Category,Amount,Date,Reference Number";
const file = (...rows: readonly string[]) => ({
	bytes: new TextEncoder().encode([HEAD, ...rows, ""].join("\n")),
	name: "other-platform.csv",
});
const live = async () =>
	(
		await sql<{ count: number; cents: number }>(
			"select count(*) as count, coalesce(sum(amount_cents), 0) as cents from uber_fees where deleted_at is null",
		)
	)[0];
const waiting = async () =>
	(await fleet.files.list({ prefix: "s/" })).objects.filter(({ key }) => key.endsWith("/file"))
		.length;

beforeEach(async () => {
	for (const table of [
		"statement_lines",
		"statement_money",
		"uber_fees",
		"fee_imports",
		"statement_files",
		"platform_drivers",
		"column_choices",
	])
		await sql(`delete from ${table}`);
});

const TWO = [`Nora Columnson,Commission,12.50,${day},T-1`, `DRV-6002,Booking fee,3.00,${day},`];

it("are read by their column names, and a preview stores nothing", async () => {
	const { status, body } = await callStatements(ada, {}, file(...TWO));
	expect(status).toBe(200);
	expect(body).toMatchObject({
		format: "columns",
		platform: null,
		importId: null,
		period: { from: day, to: day },
		needs: [],
		leftOut: [],
		columns: { driver: "Driver", category: "Fee Category", amount: "Amount", date: "Date" },
		fees: [
			{ row: 2, driverId: nora, category: "commission", amount: "12.50", state: "ready" },
			{ row: 3, driverId: omar, category: "booking_fee", amount: "3.00", state: "ready" },
		],
	});
	expect(await live()).toEqual({ count: 0, cents: 0 });
});

it("say in the file of what is left out which row each is", async () => {
	const { body } = await callStatements(ada, {}, file(...TWO, `Hugo Unknown,Other,8.00,${day},`));
	const csv = await ada.get(`/uber-fees/import/left-out.csv?statement=${body.id}`);
	expect(csv.text).toContain(`\n4,Unknown driver,Hugo Unknown,,${day},other,8.00`);
});

it("are imported by their preview's id, and add nothing the second time", async () => {
	const before = await waiting();
	const { body: preview } = await callStatements(ada, {}, file(...TWO));
	expect(await waiting()).toBe(before + 1);
	expect((await callStatements(ben, { id: preview.id, mode: "all" })).status).toBe(404);
	const made = await callStatements(ada, { id: preview.id, mode: "all" });
	expect(made.status, made.text).toBe(201);
	expect(made.body.importId).not.toBeNull();
	expect(made.body.fees.map(({ state }) => state)).toEqual(["imported", "imported"]);
	expect(await live()).toEqual({ count: 2, cents: 1550 });
	expect(await waiting()).toBe(before);
	for (const client of [ada, ben]) {
		const again = await callStatements(client, { mode: "all" }, file(...TWO));
		expect(again.status, again.text).toBe(201);
		expect(again.body.importId).toBeNull();
		expect(again.body.fees.map(({ state }) => state)).toEqual([
			"imported-before",
			"imported-before",
		]);
	}
	expect(await live()).toEqual({ count: 2, cents: 1550 });
	expect(await waiting()).toBe(before);
});

it("name drivers whose matches are chosen and remembered", async () => {
	const rows = file(...TWO, `N. Columnson,Other,1.25,${day},T-9`);
	const { body: preview } = await callStatements(ada, {}, rows);
	expect(preview.needs).toEqual(["drivers"]);
	expect(preview.fees[2]).toMatchObject({
		name: "N. Columnson",
		driverId: null,
		state: "no-driver",
	});
	const open = await callStatements(ada, { id: preview.id, mode: "all" });
	expect(open.status).toBe(409);
	expect(open.body.needs).toEqual(["drivers"]);
	const ready = await callStatements(ada, { mode: "ready" }, rows);
	expect(ready.status, ready.text).toBe(201);
	expect(await live()).toEqual({ count: 2, cents: 1550 });
	const nobody = await callStatements(
		ada,
		{ drivers: JSON.stringify({ "N. Columnson": crypto.randomUUID() }) },
		rows,
	);
	expect(nobody.status).toBe(400);
	const drivers = JSON.stringify({ "N. Columnson": nora });
	const rest = await callStatements(ada, { mode: "all", drivers }, rows);
	expect(rest.status, rest.text).toBe(201);
	expect(rest.body.fees.map(({ state }) => state)).toEqual([
		"imported-before",
		"imported-before",
		"imported",
	]);
	expect(await live()).toEqual({ count: 3, cents: 1675 });
	const later = await callStatements(ben, {}, file(`n. columnson,Other,2.00,${day},T-10`));
	expect(later.body.fees[0]).toMatchObject({ driverId: nora, state: "ready" });
	const other = JSON.stringify({ "N. Columnson": omar });
	expect((await callStatements(ben, { drivers: other }, rows)).status).toBe(409);
});

it("refuse one name that is written in two ways for different drivers", async () => {
	const rows = file(`N. Columnson,Other,1.25,${day},T-9`);
	const ask = (drivers: object, more: Record<string, string> = {}) =>
		callStatements(ada, { drivers: JSON.stringify(drivers), ...more }, more.id ? undefined : rows);
	const refused = await ask({ "N. Columnson": nora, "n.  columnson": omar });
	expect(refused.status).toBe(400);
	expect(refused.body.message).toBe(
		'"N. Columnson" and "n.  columnson" are the same driver in the statement, but are matched to different people. Match only one of them.',
	);
	expect(JSON.parse(refused.text).fields.drivers).toHaveLength(1);
	// A later answer replaces an earlier one, however the name is written.
	const { body } = await ask({ "N. Columnson": nora, "n. columnson": nora });
	expect(body.fees[0]?.driverId).toBe(nora);
	const changed = await ask({ "N. COLUMNSON": omar }, { id: body.id, mode: "all" });
	expect(changed.status, changed.text).toBe(201);
	expect(changed.body.fees[0]?.driverId).toBe(omar);
});

it("with unreadable rows are imported without those rows, or not at all", async () => {
	const rows = file(
		...TWO,
		`Nora Columnson,Commission,twelve,${day},`,
		`Nora Columnson,Commission,5.00,soon,`,
		`Nora Columnson,Lottery,5.00,${day},`,
		`,Commission,5.00,${day},`,
		`Nora Columnson,Commission,12.50,${day},T-1`,
	);
	const all = await callStatements(ada, { mode: "all" }, rows);
	expect(all.status).toBe(409);
	expect(all.body.leftOut.map(({ row, reason }) => [row, reason])).toEqual([
		[4, "unreadable-amount"],
		[5, "unreadable-date"],
		[6, "no-category"],
		[7, "no-driver"],
		[8, "duplicate"],
	]);
	expect(await live()).toEqual({ count: 0, cents: 0 });
	const ready = await callStatements(ada, { id: all.body.id, mode: "ready" });
	expect(ready.status, ready.text).toBe(201);
	expect(await live()).toEqual({ count: 2, cents: 1550 });
});

it("ask about a fee that already exists without a reference number", async () => {
	await callStatements(ada, { mode: "all" }, file(TWO[1] ?? ""));
	const rows = file(`DRV-6002,Booking fee,3.00,${day},`, `Nora Columnson,Other,9.00,${day},`);
	const asked = await callStatements(ada, { mode: "ready" }, rows);
	expect(asked.status).toBe(409);
	expect(asked.body.needs).toEqual(["overlap"]);
	expect(asked.body.fees.map(({ isPossibleDuplicate }) => isPossibleDuplicate)).toEqual([
		true,
		false,
	]);
	const made = await callStatements(ada, { id: asked.body.id, mode: "all", overlap: "yes" });
	expect(made.status, made.text).toBe(201);
	expect(await live()).toEqual({ count: 3, cents: 1500 });
});

it("ask about the same fee without a reference number, and not about one with another", async () => {
	await insertFee(sql, 1, "ada", day, {
		driver_id: omar ?? null,
		category: "booking_fee",
		amount_cents: 300,
	});
	await insertFee(sql, 2, "ada", day, {
		...{ driver_id: nora ?? null, category: "other", amount_cents: 900, reference_number: "T-7" },
	});
	const rows = file(`DRV-6002,Booking fee,3.00,${day},T-8`, `Nora Columnson,Other,9.00,${day},T-9`);
	const asked = await callStatements(ada, { mode: "all" }, rows);
	expect(asked.status, asked.text).toBe(409);
	expect(asked.body.needs).toEqual(["overlap"]);
	expect(asked.body.fees.map(({ isPossibleDuplicate }) => isPossibleDuplicate)).toEqual([
		true,
		false,
	]);
	const { status } = await callStatements(ada, { id: asked.body.id, mode: "all", overlap: "yes" });
	expect(status).toBe(201);
	expect(await live()).toEqual({ count: 4, cents: 2400 });
});

it("know anyone who ever had a driver ID by it, and flag those who are inactive", async () => {
	const people: Record<string, string | number>[] = [
		{ driver_number: 6003, first_name: "Lea", last_name: "Columnson", is_active: 0 },
		{ driver_number: 6004, approval_status: "rejected" },
	];
	const [left, rejected] = await Promise.all(
		people.map((values) => insertDriver((query, ...rest) => sql(query, ...rest), values)),
	);
	const rows = ["DRV-6003", "drv-06004", "DRV-6001", "DRV-6999"].map(
		(code, at) => `${code},Other,1.0${at},${day},`,
	);
	const { body } = await callStatements(ada, {}, file(...rows));
	expect(body.fees.map((fee) => [fee.driverId, fee.isDriverInactive])).toEqual([
		[left, true],
		[rejected, false],
		[nora, false],
		[null, false],
	]);
	await sql("delete from users where id in (?, ?)", left, rejected);
});

it("are imported only once when several people do so at the same time", async () => {
	const answers = await Promise.all(
		Array.from({ length: 8 }, (_, at) =>
			callStatements(at % 2 ? ada : ben, { mode: "all" }, file(...TWO)),
		),
	);
	for (const { status, text } of answers) expect(status, text).toBe(201);
	expect(answers.filter(({ body }) => body.importId !== null)).toHaveLength(1);
	expect(await live()).toEqual({ count: 2, cents: 1550 });
});
