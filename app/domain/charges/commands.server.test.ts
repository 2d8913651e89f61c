/** Adding charges, and voiding those that no settlement has. */
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { chargeOf } from "../../../tests/support/agreements.ts";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertLine, insertSettlement, published } from "../../../tests/support/settlements.ts";
import { builder } from "../../db/client.server.ts";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { factsOf } from "../settlements/facts.server.ts";
import { addCharge } from "./commands/add.server.ts";
import { voidCharge } from "./commands/void.server.ts";
import type { NewCharge } from "./input.ts";
import { chargeJson } from "./json.ts";
import { countSettledInstalments } from "./rows.server.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const bench = await openDatabase("everyone", NOW);
const DANA = idOf("dana");
const day = parseCalendarDate;

async function added(more: Partial<NewCharge> = {}, driverId = DANA) {
	const outcome = await addCharge(await bench.admin("ada"), chargeOf(driverId, more));
	if (!outcome.ok) throw new Error(outcome.reason);
	return outcome.value.row;
}
const events = (id: string) =>
	bench.rows<{ action: string; before: string | null; after: string }>(
		"select action, before, after from audit_events where entity = 'charge' and entity_id = ? order by id",
		id,
	);
const countAgain = async (id: string) => {
	const { db } = await bench.admin("ada");
	await db.batch({ count: countSettledInstalments(builder, sql`id = ${id}`) });
};

describe("a charge", () => {
	it("is stored and audited", async () => {
		const row = await added({ note: "Rear bumper" });
		expect(chargeJson(row)).toEqual({
			id: row.id,
			driverId: DANA,
			kind: "damage",
			date: "2026-11-18",
			amount: "250.00",
			direction: "against",
			instalments: 4,
			note: "Rear bumper",
		});
		const [entry] = await events(row.id);
		expect(entry?.action).toBe("charge.add");
		expect(JSON.parse(entry?.after ?? "")).toEqual({
			kind: "damage",
			date: "2026-11-18",
			amountCents: 25_000,
			direction: "against",
			instalments: 4,
			note: "Rear bumper",
		});
	});

	it("is added once by a form that is sent twice", async () => {
		const ada = await bench.admin("ada");
		const form = chargeOf(DANA, { key: "twice" });
		const [first, again] = [await addCharge(ada, form), await addCharge(ada, form)];
		expect(first).toMatchObject({ ok: true, value: { isReplay: false } });
		expect(again).toMatchObject({ ok: true, value: { isReplay: true } });
		expect(await addCharge(ada, { ...form, amount: 1 })).toMatchObject({ reason: "key-reused" });
		expect(await bench.rows("select 1 from charges")).toHaveLength(1);
	});

	it("is refused for anyone but an approved driver", async () => {
		for (const name of ["ben", "nora", "rex"] as const)
			expect(await addCharge(await bench.admin("ada"), chargeOf(idOf(name)))).toMatchObject({
				reason: "no-such-driver",
			});
	});

	it("is refused in a closed week, and accepted in the first one after it", async () => {
		const ada = await bench.admin("ada");
		const on = (date: string, key?: string) =>
			addCharge(ada, chargeOf(DANA, { date: day(date), key }));
		const key = crypto.randomUUID();
		expect(await on("2025-04-06", key)).toMatchObject({ ok: true });
		await bench.rows("insert into archived_years (year, closed_at) values (2024, 1)");
		for (const date of ["2024-12-31", "2025-04-06"])
			expect(await on(date), date).toMatchObject({ reason: "closed-week" });
		expect(await on("2025-04-07")).toMatchObject({ ok: true });
		expect(await on("2025-04-06", key)).toMatchObject({ ok: true, value: { isReplay: true } });
	});

	it("keeps its values, whoever tries to change them", async () => {
		const { id } = await added();
		for (const set of ["amount_cents = 5", "instalments = 2", "charged_on = '2026-11-19'"])
			await expect(bench.rows(`update charges set ${set} where id = ?`, id)).rejects.toThrow(
				/values of a charge are final/,
			);
	});

	it("is voided once, and its row stays with who did it", async () => {
		const { id } = await added();
		expect(await voidCharge(await bench.admin("ben"), id)).toMatchObject({ ok: true });
		expect(await voidCharge(await bench.admin("ada"), id)).toMatchObject({ reason: "not-found" });
		expect(await bench.rows("select voided_at, voided_by from charges")).toEqual([
			{ voided_at: NOW, voided_by: idOf("ben") },
		]);
		const [, entry] = await events(id);
		expect(entry?.action).toBe("charge.void");
		expect(JSON.parse(entry?.after ?? "")).toEqual({ voidedAt: NOW });
		expect(await voidCharge(await bench.admin("ada"), "nothing")).toMatchObject({
			reason: "not-found",
		});
	});

	it("isn't voided while a published settlement has an instalment of it", async () => {
		const { id } = await added();
		const week = await insertSettlement(bench.rows, 1, "dana", "2026-11-16", published(-25_000));
		await insertLine(bench.rows, week, 0, -25_000, { charge_id: id });
		await countAgain(id);
		expect(await voidCharge(await bench.admin("ada"), id)).toMatchObject({ reason: "settled" });
		await bench.rows(
			"update settlements set status = 'void', voided_at = 1, voided_by = ? where id = ?",
			...[idOf("ada"), week],
		);
		await countAgain(id);
		expect(await voidCharge(await bench.admin("ada"), id)).toMatchObject({ ok: true });
		const again = await insertSettlement(bench.rows, 2, "dana", "2026-11-16", published(-25_000));
		await insertLine(bench.rows, again, 0, -25_000, { charge_id: id });
		await expect(countAgain(id)).rejects.toThrow(/CHECK constraint failed/);
	});

	it("is found for each week that it can have an instalment in, voided ones left out", async () => {
		const long = await added({ instalments: 52 });
		const short = await added({ instalments: 1, date: day("2026-11-22") });
		await added({ date: day("2026-11-23") });
		await added({}, idOf("omar"));
		await voidCharge(await bench.admin("ada"), (await added()).id);
		const around = async (weekFrom: string) => {
			const { db } = await bench.admin("ada");
			const week = { driverId: sql`${DANA}`, from: sql`${weekFrom}` };
			const { rows } = await db.batch({
				rows: builder.all<{ facts: string }>(sql`select ${factsOf(week)} as facts`),
			});
			const { charges }: { charges: [id: string][] } = JSON.parse(rows[0]?.facts ?? "");
			return charges.map(([id]) => id);
		};
		expect(await around("2026-11-09")).toEqual([]);
		expect(await around("2026-11-16")).toEqual([long.id, short.id]);
		expect(await around("2027-11-08")).toHaveLength(3);
		expect(await around("2027-11-15")).toHaveLength(1);
	});
});
