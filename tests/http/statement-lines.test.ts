/** The lines of ride platforms' statements: each is imported once, and money given back is subtracted. */
import { describe, expect, it } from "vitest";
import { daysAgo } from "../support/fleet-days.ts";
import { fileOf, openStatements, textFile } from "../support/statement-bench.ts";
import { callStatements, centsOf } from "../support/statement-calls.ts";
import { sampleText } from "../support/statements.ts";

const { ada, ben, sql, matchAll, recorded, totalsAgree } = await openStatements();

describe("lines", () => {
	const lines = sampleText("uber-payments-order").trimEnd().split(/\r?\n/);
	const part = (from: number, to: number) =>
		textFile([lines[0], ...lines.slice(from, to)].join("\n"), "payments_order.csv");

	it("of overlapping files add up to the whole in any order, and can be imported again after an undo", async () => {
		const { body } = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const answer = { mode: "ready", drivers: matchAll(body) };
		for (const [from, to] of [
			[20, 47],
			[1, 30],
			[1, 47],
			[10, 25],
			[1, 12],
		] as const)
			expect((await callStatements(ada, answer, part(from, to))).status).toBe(201);
		expect((await recorded())?.cents).toBe(18_685);
		await totalsAgree();
		const imports = await sql<{ id: string }>("select id from fee_imports order by created_at");
		expect(imports).toHaveLength(2);
		// Deleting a fee doesn't make its lines importable again.
		const [gone] = await sql<{ id: string; amount_cents: number }>(
			"select id, amount_cents from uber_fees where is_credit = 0 limit 1",
		);
		expect((await ada.call("DELETE", `/api/uber-fees/${gone?.id}`)).status).toBe(204);
		await callStatements(ada, answer, fileOf("uber-payments-order"));
		expect((await recorded())?.cents).toBe(18_685 - (gone?.amount_cents ?? 0));
		// Another administrator undoes the second import, after which only its lines can be imported
		// again.
		const undone = await ben.post("/uber-fees/import", {
			intent: "undo",
			id: imports[1]?.id ?? "",
		});
		expect(undone.status).toBe(303);
		await totalsAgree();
		const again = await callStatements(ada, answer, fileOf("uber-payments-order"));
		expect(again.body.fees.some(({ state }) => state === "imported")).toBe(true);
		const [left] = await sql<{ gone: number }>(
			"select count(*) as gone from uber_fees as fee join fee_imports as made on made.id = fee.import_id where fee.id = ? and made.undone_at is null",
			gone?.id,
		);
		expect((await recorded())?.cents).toBe(18_685 - (left?.gone ? (gone?.amount_cents ?? 0) : 0));
		await totalsAgree();
	});

	it("that can't be read keep a script from importing all, and not from importing the rest", async () => {
		const { body } = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const torn = lines.map((line) => line.replace(",-4.65,", ",########,")).join("\n");
		const send = (mode: string) =>
			callStatements(ada, { mode, drivers: matchAll(body) }, textFile(torn, "payments_order.csv"));
		const refused = await send("all");
		expect(refused.status, refused.text.slice(0, 300)).toBe(409);
		expect(refused.body).toMatchObject({
			needs: [],
			message: "Some of its rows can't be imported.",
		});
		expect(refused.body.leftOut).toContainEqual({
			row: 3,
			reason: "unreadable-amount",
			amount: null,
		});
		expect(await recorded()).toEqual({ count: 0, cents: 0 });
		expect((await send("ready")).status).toBe(201);
		expect((await recorded())?.count).toBeGreaterThan(0);
	});

	const dated = (day: string) => (line: string) => line.replace(/2026-09-\d\d/, day);
	it.each([
		["a day too long ago", "too-old", dated("2019-09-22")],
		["a day in the future", "after-today", dated(daysAgo(-3))],
	])("with %s keep a script from importing all", async (_, reason, change) => {
		const whole = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const at = lines.findIndex((line) => line.includes(",-4.65,"));
		const text = lines.map((line, row) => (row === at ? change(line) : line)).join("\n");
		const send = (mode: string) =>
			callStatements(
				ada,
				{ mode, drivers: matchAll(whole.body) },
				textFile(text, "payments_order.csv"),
			);
		const refused = await send("all");
		expect(refused.body.leftOut).toContainEqual(expect.objectContaining({ row: at + 1, reason }));
		expect([refused.status, refused.body.message]).toEqual([
			409,
			"Some of its rows can't be imported.",
		]);
		expect(await recorded()).toEqual({ count: 0, cents: 0 });
		expect((await send("ready")).status).toBe(201);
	});

	it("that are all left out aren't said to be imported before", async () => {
		const unreadable = lines.join("\n").replaceAll(/,2026-09-\d\d /g, ",someday ");
		const { body } = await callStatements(ada, {}, textFile(unreadable, "payments_order.csv"));
		expect([body.fees, body.netted]).toEqual([[], []]);
		const { text } = await ada.get(`/uber-fees/import?statement=${body.id}`);
		expect(text).toContain("This statement has no fees to import.");
		expect(text).not.toContain("already been imported");
	});

	it("without an id are told apart by their trip, however long its text is", async () => {
		const { body } = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const long = lines
			.map((line, row) =>
				row === 0
					? line
					: line.replace(/^[^,"]*,([^,"]*,[^,"]*,[^,"]*),[^,"]*/, `,$1,${"x".repeat(600)}`),
			)
			.join("\n");
		const send = () =>
			callStatements(
				ada,
				{ mode: "ready", drivers: matchAll(body) },
				textFile(long, "payments_order.csv"),
			);
		const sent = await send();
		expect(sent.status, sent.text.slice(0, 500)).toBe(201);
		const first = await recorded();
		expect(first?.count).toBeGreaterThan(0);
		await send();
		expect(await recorded()).toEqual(first);
	});

	it("are imported once, however many people send them at the same time", async () => {
		const { body } = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const answer = { mode: "ready", drivers: matchAll(body) };
		const sent = await Promise.all(
			Array.from({ length: 8 }, (_, at) =>
				callStatements(at % 2 ? ada : ben, answer, fileOf("uber-payments-order")),
			),
		);
		for (const { status, text } of sent) expect(status, text.slice(0, 200)).toBe(201);
		expect(sent.filter(({ body: { importId } }) => importId !== null)).toHaveLength(1);
		expect(await recorded()).toEqual({ count: 18, cents: 18_685 });
		expect(await sql("select * from staged_fees")).toEqual([]);
		expect(await sql("select * from staged_imports")).toEqual([]);
		expect(await sql("select * from statement_lines where is_live = 0")).toEqual([]);
		await totalsAgree();
	});
});

describe("credits", () => {
	it("are negative in the API and subtracted from fee totals", async () => {
		const { body } = await callStatements(ada, {}, fileOf("uber-payments-order"));
		await callStatements(ada, { id: body.id, mode: "all", drivers: matchAll(body) });
		const fees = JSON.parse((await ada.call("GET", "/api/uber-fees")).text) as {
			amount: string;
			isCredit?: true;
			id: string;
		}[];
		expect(fees.reduce((sum, { amount }) => sum + centsOf(amount), 0)).toBe(18_685);
		const credits = fees.filter(({ isCredit }) => isCredit);
		expect(credits.map(({ amount }) => amount).sort()).toEqual(["-0.85", "-3.10"]);
		const page = await ada.get("/uber-fees");
		expect(page.text).toContain("€186.85");
		expect(page.text).toContain("-€3.10");
		const edit = await ada.get(`/uber-fees?dialog=edit&id=${credits[0]?.id}`);
		expect(edit.text).not.toContain("Delete and re-add</a>");
	});
});
