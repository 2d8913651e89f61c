/** Making agreements: kept as they are, followed by others, once per submission. */
import { describe, expect, it } from "vitest";
import { agreementOf } from "../../../tests/support/agreements.ts";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { builder } from "../../db/client.server.ts";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { makeAgreement } from "./commands/make.server.ts";
import type { NewAgreement } from "./input.ts";
import { agreementJson } from "./json.ts";
import { selectAgreementFor } from "./queries.server.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const bench = await openDatabase("everyone", NOW);
const DANA = idOf("dana");
const day = parseCalendarDate;

async function made(more: Partial<NewAgreement> = {}) {
	const outcome = await makeAgreement(await bench.admin("ada"), agreementOf(DANA, more));
	if (!outcome.ok) throw new Error(outcome.reason);
	return outcome.value.row;
}
async function applying(weekFrom: string) {
	const { db } = await bench.admin("ada");
	const { rows } = await db.batch({ rows: selectAgreementFor(builder, DANA, day(weekFrom)) });
	return rows[0];
}
const stored = () => bench.rows("select * from agreements order by driver_id, number");

describe("an agreement", () => {
	it("is stored and audited as it was made", async () => {
		const row = await made({ perMileMills: 725, faresPercent: 6050 });
		expect(agreementJson(row)).toEqual({
			id: row.id,
			driverId: DANA,
			from: "2026-11-16",
			base: "net",
			faresPercent: 60.5,
			tipsPercent: 100,
			promotionsPercent: 100,
			tollsTo: "driver",
			weeklyRent: "120.00",
			weeklyFee: "0.00",
			fleetPercent: 0,
			perMileMills: 725,
		});
		expect(row).toMatchObject({ number: 1, createdAt: NOW, createdBy: idOf("ada") });
		const [entry] = await bench.rows<{ action: string; after: string }>(
			"select action, after from audit_events where entity = 'agreement' and entity_id = ?",
			row.id,
		);
		expect(entry?.action).toBe("agreement.make");
		expect(JSON.parse(entry?.after ?? "")).toEqual({
			from: "2026-11-16",
			base: "net",
			faresPercent: 60.5,
			tipsPercent: 100,
			promotionsPercent: 100,
			tollsTo: "driver",
			weeklyRentCents: 12_000,
			weeklyFeeCents: 0,
			fleetPercent: 0,
			perMileMills: 725,
		});
	});

	it("is followed by a later one, also for the same day, and none is lost", async () => {
		const first = await made();
		const second = await made({ faresPercent: 7000 });
		const next = await made({ from: day("2026-11-30") });
		const past = await made({ from: day("2025-01-06") });
		expect((await applying("2025-01-06"))?.id).toBe(past.id);
		expect(await applying("2024-12-30")).toBeUndefined();
		expect((await applying("2026-11-23"))?.id).toBe(second.id);
		expect((await applying("2026-11-30"))?.id).toBe(next.id);
		expect((await stored()).map(({ id, number }) => [id, number])).toEqual(
			[first, second, next, past].map(({ id }, position) => [id, position + 1]),
		);
	});

	it("is never changed, whoever tries, but for its start while no week is settled", async () => {
		const { id } = await made();
		for (const set of ["fares_basis_points = 1", "created_at = 1", "number = 9"])
			await expect(bench.rows(`update agreements set ${set} where id = ?`, id)).rejects.toThrow(
				/an agreement is final/,
			);
	});

	it("starts on a week's first day, also if that has changed meanwhile", async () => {
		const late = agreementOf(DANA, { from: day("2026-11-17") });
		expect(await makeAgreement(await bench.admin("ada"), late)).toMatchObject({
			reason: "no-first-day",
		});
	});

	it("is made once by a form that is sent twice, and by twenty at once", async () => {
		const ada = await bench.admin("ada");
		const form = agreementOf(DANA, { key: "twice" });
		const outcomes = await Promise.all(Array.from({ length: 20 }, () => makeAgreement(ada, form)));
		expect(outcomes.filter((each) => each.ok && !each.value.isReplay)).toHaveLength(1);
		expect(outcomes.every(({ ok }) => ok)).toBe(true);
		expect(await makeAgreement(ada, { ...form, weeklyRent: 1 })).toMatchObject({
			reason: "key-reused",
		});
		expect(await stored()).toHaveLength(1);
	});

	it("is numbered for each driver, however many are made at once", async () => {
		const ada = await bench.admin("ada");
		await Promise.all(
			["dana", "omar", "dana", "omar", "dana"].map((name) =>
				makeAgreement(ada, agreementOf(idOf(name as "dana" | "omar"))),
			),
		);
		const numbers = await bench.rows(
			"select driver_id, group_concat(number, ' ') as numbers from (select * from agreements order by number) group by 1",
		);
		expect(new Set(numbers.map(({ numbers }) => numbers))).toEqual(new Set(["1 2 3", "1 2"]));
	});

	it.each([
		["is not there", "90000000-0000-4000-8000-000000000000"],
		["is an administrator", idOf("ben")],
		["is pending", idOf("nora")],
	])("is refused for a driver who %s", async (_, driverId) => {
		expect(await makeAgreement(await bench.admin("ada"), agreementOf(driverId))).toMatchObject({
			reason: "no-such-driver",
		});
		expect(await stored()).toEqual([]);
	});
});
