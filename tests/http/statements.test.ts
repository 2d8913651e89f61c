/** Uploading ride platforms' statements to POST /api/statements: previewing and importing them. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { idOf, platformDriverRows } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { insertRow } from "../support/rows.ts";
import { fileOf, openStatements } from "../support/statement-bench.ts";
import { callStatements, centsOf, type StatementBody } from "../support/statement-calls.ts";
import { expectedOf, SAMPLES } from "../support/statements.ts";

const { fleet, ada, ben, sql, matchAll, recorded, totalsAgree } = await openStatements();

type Key = { platformId: string; date: string | null; category: string };
const keyOf = ({ platformId, date, category }: Key) => `${platformId} ${date} ${category}`;
const sumsOf = (fees: StatementBody["fees"]) =>
	Object.fromEntries(fees.map((fee) => [keyOf(fee), centsOf(fee.amount)]));
/** All text in the database and the file store. */
async function everythingStored(): Promise<string> {
	const tables = await sql<{ name: string }>(
		"select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name not like 'sqlite_%'",
	);
	const texts: string[] = [];
	for (const { name } of tables) texts.push(JSON.stringify(await sql(`select * from ${name}`)));
	const store = fleet.files;
	for (const { key } of (await store.list()).objects)
		texts.push(await ((await store.get(key))?.text() ?? ""));
	return texts.join("\n");
}

describe.each(SAMPLES)("the sample %s", (sample) => {
	const expected = expectedOf(sample);

	it("is previewed, imported exactly to the cent, and adds nothing when sent again", async () => {
		const preview = await callStatements(ada, {}, fileOf(sample));
		expect(preview.status, preview.text.slice(0, 400)).toBe(200);
		const { body } = preview;
		expect(body).toMatchObject({
			format: expected.format,
			platform: expected.platform,
			period: { from: expected.period.from, to: expected.period.to },
			needs: ["drivers"],
		});
		const wanted = Object.fromEntries(expected.fees.map((fee) => [keyOf(fee), fee.cents]));
		expect(sumsOf(body.fees)).toEqual(wanted);
		expect(body.fees.filter(({ isCredit }) => isCredit)).toHaveLength(expected.creditCount);
		expect(new Set(body.fees.map(({ state }) => state))).toEqual(new Set(["no-driver"]));
		expect(body.netted.map(({ platformId, date }) => [platformId, date])).toEqual(
			expected.nettedToZero.map(({ platformId, date }) => [platformId, date]),
		);
		for (const { reason, rows, cents } of expected.leftOut) {
			const left = body.leftOut.filter((row) => row.reason === reason);
			expect(left.map(({ row }) => row)).toEqual(rows);
			expect(left.reduce((sum, { amount }) => sum + centsOf(amount), 0)).toBe(cents);
		}
		expect(await recorded()).toEqual({ count: 0, cents: 0 });

		const answers = { drivers: matchAll(body) };
		const made = await callStatements(ada, { id: body.id, mode: "all", ...answers });
		expect(made.status, made.text.slice(0, 400)).toBe(201);
		expect(sumsOf(made.body.fees)).toEqual(wanted);
		expect(new Set(made.body.fees.map(({ state }) => state))).toEqual(new Set(["imported"]));
		const whole = { count: expected.fees.length, cents: expected.totals.all };
		expect(await recorded()).toEqual(whole);
		await totalsAgree();

		for (const again of [
			await callStatements(ada, { id: body.id, mode: "ready" }),
			await callStatements(ben, { mode: "ready" }, fileOf(sample)),
			await callStatements(ben, { mode: "all" }, fileOf(sample, expected.uploadAs)),
		]) {
			expect(again.status, again.text.slice(0, 400)).toBe(201);
			expect(again.body.importId).toBe(null);
			expect(new Set(again.body.fees.map(({ state }) => state))).toEqual(
				new Set(["imported-before"]),
			);
		}
		// Nothing is left to import, so no questions are asked.
		const seen = await callStatements(ben, {}, fileOf(sample));
		expect(seen.body.needs).toEqual([]);
		expect(await recorded()).toEqual(whole);
		const stored = await everythingStored();
		for (const secret of expected.mustNotStore ?? []) expect(stored).not.toContain(secret);
	});

	it("is imported in part, and completed once its drivers are known", async () => {
		const { body } = await callStatements(ada, {}, fileOf(sample));
		const all = JSON.parse(matchAll(body)) as Record<string, string>;
		const some = Object.fromEntries(Object.entries(all).slice(0, 3));
		const part = await callStatements(ada, {
			id: body.id,
			mode: "ready",
			drivers: JSON.stringify(some),
		});
		expect(part.status, part.text.slice(0, 400)).toBe(201);
		expect(part.body.needs).toContain("drivers");
		const imported = part.body.fees.filter(({ state }) => state === "imported");
		expect(new Set(imported.map(({ platformId }) => platformId))).toEqual(
			new Set(Object.keys(some)),
		);
		expect((await recorded())?.count).toBe(imported.length);
		const open = await callStatements(ada, { id: body.id, mode: "all" });
		expect(open.status).toBe(409);
		expect(open.body.message).toContain("aren't matched");
		const rest = await callStatements(
			ben,
			{ mode: "all", drivers: JSON.stringify(all) },
			fileOf(sample),
		);
		expect(rest.status, rest.text.slice(0, 400)).toBe(201);
		expect(await recorded()).toEqual({
			count: expected.fees.length,
			cents: expected.totals.all,
		});
	});
});

describe("a driver's page", () => {
	it("sums the fares, tips, tolls and cash of a week", async () => {
		const path = `/drivers/${idOf("dana")}`;
		const title = "Fares by week";
		expect((await ada.get(path)).text).not.toContain(title);
		for (const rowKey of ["uber one", "uber two"])
			await insertRow(sql, "statement_money", {
				...{ import_id: "an-import", row_key: rowKey, is_live: 1, driver_id: idOf("dana") },
				...{ platform: "uber", format: "uber-payments-driver", row_number: 2, proof: "proven" },
				...{ counts_from: daysAgo(1), counts_to: daysAgo(1) },
				...{ fare_cents: 60_050, fee_cents: -10_000, tip_cents: 750, promotion_cents: 0 },
				...{ other_earning_cents: 0, toll_cents: 320, tax_cents: 0, third_party_cents: 0 },
				...{ cash_cents: -5_000, transfer_cents: 0 },
			});
		const [, weeks = ""] = (await ada.get(path)).text.split(title);
		expect(weeks.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")).toContain(
			"€1,201.00 Tips €15.00 · tolls €6.40 · cash collected €100.00",
		);
	});
});

describe("the demo fleet's sample", () => {
	it("can be imported at once, because its drivers are already matched", async () => {
		for (const row of platformDriverRows(currentTime()))
			await insertRow((query, ...values) => sql(query, ...values), "platform_drivers", row);
		const [name = ""] = readdirSync("docs/samples");
		const file = { name, bytes: new Uint8Array(readFileSync(`docs/samples/${name}`)) };
		const made = await callStatements(ada, { mode: "all" }, file);
		expect(made.status, made.text.slice(0, 300)).toBe(201);
		expect(made.body).toMatchObject({ needs: [], unknownColumns: [] });
		expect(made.body.fees.some(({ isCredit }) => isCredit)).toBe(true);
		expect(new Set(made.body.fees.map(({ driverId }) => driverId))).toEqual(
			new Set([idOf("dana"), idOf("omar"), idOf("lena")]),
		);
		const { text } = await ada.get(`/uber-fees/import?statement=${made.body.id}`);
		const [, fees = ""] = /Fees of the statement([\s\S]*?)<\/table>/.exec(text) ?? [];
		expect(fees).toContain(`href="/drivers/${idOf("omar")}"`);
	});
});

describe("a file that isn't a fee statement", () => {
	const entry = "[Content_Types].xml";
	const workbook = new TextEncoder().encode(
		`PK\x03\x04${"\0".repeat(22)}${String.fromCharCode(entry.length)}\0\0\0${entry}`,
	);
	it.each([
		["a photo", new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16]), "IMG_1.jpg"],
		["a PDF", new TextEncoder().encode("%PDF-1.7 \n"), "statement.pdf"],
		["nothing", new Uint8Array(), "empty.csv"],
		["a workbook", workbook, "fees.xlsx"],
		["an old workbook", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), "fees.xls"],
		["text in another encoding", new Uint8Array([0x61, 0xff, 0xfe, 0x62]), "fees.csv"],
		["a list of other things", new TextEncoder().encode("a,b,c\n1,2,3\n"), "list.csv"],
		[
			"trip activity",
			new TextEncoder().encode(
				"Trip UUID,Driver UUID,Pickup address,Drop off address,Trip status\n1,2,Main St,Elm St,completed\n",
			),
			"20260921-20260928-trip_activity-Fleet.csv",
		],
	])("(%s) is refused with the name of the file to download", async (_, bytes, name) => {
		const waiting = async () =>
			(await fleet.files.list({ prefix: "s/" })).objects.map(({ key }) => key);
		const before = await waiting();
		const answer = await callStatements(ada, {}, { bytes, name });
		expect(answer.status, answer.text).toBe(422);
		expect(answer.body.message).toMatch(/[Dd]ownload.*(payments_order|by transaction)/);
		expect(await waiting()).toEqual(before);
	});
});

describe("an API call", () => {
	it.each([
		["no file", {}, 400],
		["an unknown mode", { mode: "both" }, 400],
		["drivers that aren't JSON", { drivers: "{" }, 400],
		["drivers that are a list", { drivers: "[1]" }, 400],
		["drivers without ids", { drivers: '{"a": "Dana"}' }, 400],
		["half a period", { from: "2026-09-01" }, 400],
		["an impossible date", { from: "2026-09-31", to: "2026-10-01" }, 400],
		["a reversed period", { from: "2026-10-01", to: "2026-09-01" }, 400],
		["another currency", { currency: "USD" }, 400],
		["an unknown preview", { id: "00000000-0000-4000-8000-000000000000" }, 404],
	])("with %s is refused", async (name, fields, status) => {
		const file = name === "no file" || "id" in fields ? undefined : fileOf("bolt-weekly");
		const answer = await callStatements(ada, fields, file);
		expect(answer.status, answer.text).toBe(status);
		expect(answer.body.message).toBeTruthy();
	});

	it("may leave every field empty", async () => {
		const fields = { id: "", mode: "", drivers: "", from: "", to: "", overlap: "", currency: "" };
		const answer = await callStatements(ada, fields, fileOf("bolt-weekly"));
		expect(answer.status, answer.text).toBe(200);
		expect(answer.body.importId).toBe(null);
	});

	it("may name an earlier preview in JSON", async () => {
		const { body } = await callStatements(ada, {}, fileOf("bolt-weekly"));
		const call = (fields: object) =>
			ada.call("POST", "/api/statements", { id: body.id, ...fields });
		for (const drivers of [["x"], { x: 1 }, "{", 5])
			expect((await call({ drivers })).status, JSON.stringify(drivers)).toBe(400);
		const made = await call({ mode: "all", drivers: JSON.parse(matchAll(body)) });
		expect(made.status, made.text).toBe(201);
		expect((await recorded())?.count).toBe(expectedOf("bolt-weekly").fees.length);
		expect((await ada.call("POST", "/api/statements", { mode: "ready" })).status).toBe(400);
	});

	it("never sees someone else's preview, nor one's own after an hour", async () => {
		const { body } = await callStatements(ada, {}, fileOf("bolt-weekly"));
		expect((await callStatements(ben, { id: body.id })).status).toBe(404);
		expect((await callStatements(ada, { id: body.id })).status).toBe(200);
		await sql("update statement_files set expires_at = expires_at - 3600000");
		expect((await callStatements(ada, { id: body.id })).status).toBe(404);
	});
});
