/** Drafting, publishing and voiding weeks on real D1. */
import { beforeEach, describe, expect, it } from "vitest";
import { some } from "../../../lab/torture/plan.ts";
import {
	agreementOf,
	chargeOf,
	insertAgreement,
	insertCharge,
} from "../../../tests/support/agreements.ts";
import { type CastName, idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertRow } from "../../../tests/support/rows.ts";
import {
	published as asPublished,
	insertLine,
	insertMoney,
	insertSettlement,
} from "../../../tests/support/settlements.ts";
import { addDays, parseCalendarDate } from "../../values/calendar-date.ts";
import { makeAgreement } from "../agreements/commands/make.server.ts";
import { addCharge } from "../charges/commands/add.server.ts";
import { voidCharge } from "../charges/commands/void.server.ts";
import { undoImport } from "../statements/commands/undo-import.server.ts";
import { hasChanged, selectChangedSince } from "./checks.server.ts";
import { draftWeek } from "./commands/draft.server.ts";
import { publishSettlements } from "./commands/publish.server.ts";
import { voidSettlements } from "./commands/void.server.ts";
import { settlementJson } from "./json.ts";
import { findSettlement, selectCorrected } from "./queries.server.ts";
import { whyNotVoided } from "./refusals.ts";
import type { SettlementRow } from "./rows.server.ts";
import { toSettlement } from "./settlement.ts";
import { readWeek } from "./whole-week.server.ts";

/** Each tenth one is imported at another moment. */
const ROUNDS = Math.max(10, some(50));
const NOW = Date.UTC(2026, 10, 25, 17);
const bench = await openDatabase("everyone", NOW);
const weekOf = (from: string) => {
	const first = parseCalendarDate(from);
	return { from: first, to: addDays(first, 6) };
};
const FIRST = weekOf("2026-11-02");
const SECOND = weekOf("2026-11-09");
const THIRD = weekOf("2026-11-16");
const CURRENT = weekOf("2026-11-23");
const ada = () => bench.admin("ada");

const show = (rows: readonly SettlementRow[]) =>
	rows.map(toSettlement).map((each) => settlementJson(each));
async function draft(week: typeof FIRST, ...names: CastName[]) {
	const ids = names.length > 0 ? names.map(idOf) : undefined;
	const outcome = await draftWeek(await ada(), week, ids);
	if (!outcome.ok) throw new Error(outcome.reason);
	const isNew = outcome.value.made > 0;
	return { isNew, rows: show(await readWeek(await ada(), week, ids, isNew)) };
}
async function drafted(week: typeof FIRST, name: CastName = "dana") {
	const { rows } = await draft(week, name);
	const [row] = rows;
	if (!row) throw new Error("no draft");
	return row;
}
async function publish(ids: readonly string[], results: Record<string, number> = {}) {
	const outcome = await publishSettlements(await ada(), ids, results);
	return outcome.ok ? show(outcome.value) : outcome.reason;
}
async function published(week: typeof FIRST) {
	const { id } = await drafted(week);
	const rows = await publish([id]);
	if (typeof rows === "string") throw new Error(rows);
	const [row] = rows;
	if (!row) throw new Error("not published");
	return row;
}
async function read(id: string) {
	const { db } = await ada();
	const { rows } = await db.batch({ rows: findSettlement(db.build, id) });
	return show(rows)[0];
}
const unpublish = async (...ids: string[]) => {
	const outcome = await voidSettlements(await bench.admin("ben"), ids);
	return outcome.ok ? show(outcome.value).map(({ status }) => status) : outcome.reason;
};
const whyKept = async (id: string) => {
	const admin = await bench.admin("ben");
	const outcome = await voidSettlements(admin, [id]);
	return outcome.ok ? undefined : whyNotVoided(outcome, admin).message;
};
const amounts = (row: Awaited<ReturnType<typeof read>>) =>
	row?.lines.map(({ kind, amount }) => [kind, amount]);
let imports = 0;
/** Money of a week, imported now as a statement's import would leave it. */
async function money(week: typeof FIRST, cents: Record<string, number>, name: CastName = "dana") {
	const id = await staged(week, cents, name);
	await bench.rows("update statement_money set is_live = 1 where import_id = ?", id);
	return id;
}
/** The same before it counts. */
async function staged(week: typeof FIRST, cents: Record<string, number>, name: CastName = "dana") {
	imports += 1;
	const id = `import-${imports}`;
	await insertRow(bench.rows, "fee_imports", {
		...{ id, added_by: idOf("ada"), file_name: "week.csv", row_count: 1, payload_hash: "x" },
		...{ created_at: NOW, is_money_only: 1, last_change_id: id },
	});
	await insertMoney(bench.rows, id, name, week, cents, { import_id: id, is_live: 0 });
	return id;
}
/** Makes it count, and says so in the audit, in one batch as an import does. */
const activate = (id: string) =>
	bench.d1.batch([
		bench.d1.prepare("update statement_money set is_live = 1 where import_id = ?").bind(id),
		bench.d1
			.prepare(
				`insert into audit_events (at, actor_id, actor_role, action, entity, entity_id)
				values (?, ?, 'admin', 'fee.import', 'fee-import', ?)`,
			)
			.bind(NOW, idOf("ada"), id),
	]);
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const marks = () => bench.rows("select driver_id, since from settlement_marks");

beforeEach(async () => {
	await insertAgreement(bench.rows, 1, "dana", "2026-11-02", { weekly_rent_cents: 10_000 });
});

describe("drafts", () => {
	it("are made once for everyone with anything due, and follow the books", async () => {
		await money(FIRST, { fare_cents: 50_000, fee_cents: -10_000, tip_cents: 2_000 });
		await money(FIRST, { fare_cents: 10_000 }, "omar");
		const first = await draft(FIRST);
		expect(first.isNew).toBe(true);
		expect(first.rows.map(({ driverId, number }) => [driverId, number])).toEqual([
			[idOf("dana"), "ST-000001"],
			[idOf("omar"), "ST-000002"],
		]);
		expect(first.rows[0]).toEqual({
			id: first.rows[0]?.id,
			number: "ST-000001",
			driverId: idOf("dana"),
			driverIdCode: "DRV-0001",
			week: FIRST,
			status: "draft",
			carriedIn: "0.00",
			lines: [
				{
					...{ kind: "fares", platform: "uber", amount: "240.00" },
					text: "Fares after fees: 60% of $400.00",
				},
				{ kind: "tips", platform: "uber", text: "Tips: 100% of $20.00", amount: "20.00" },
				{ kind: "rent", platform: null, text: "Weekly rent", amount: "-100.00" },
			],
			result: "160.00",
			carriedOut: "0.00",
			payable: "160.00",
			payout: null,
		});
		// Without an agreement nothing can be said about it.
		expect(first.rows[1]).toMatchObject({ lines: [], result: "0.00" });
		const again = await draft(FIRST);
		expect(again.isNew).toBe(false);
		expect(again.rows).toEqual(first.rows);
		await money(FIRST, { tip_cents: 500 });
		expect(await read(first.rows[0]?.id ?? "")).toMatchObject({ result: "165.00" });
	});

	it("leave out rows that don't add up, or whose days lie in two weeks", async () => {
		await money(FIRST, { tip_cents: 700 });
		await insertMoney(bench.rows, "wrong", "dana", FIRST, { tip_cents: 5 }, { proof: "unproven" });
		const across = { from: addDays(FIRST.from, -1), to: FIRST.to };
		await insertMoney(bench.rows, "across", "dana", across, { tip_cents: 5 });
		const inside = { from: FIRST.to, to: FIRST.to };
		await insertMoney(bench.rows, "inside", "dana", inside, { tip_cents: 30 });
		expect(amounts(await drafted(FIRST))).toEqual([
			["tips", "7.30"],
			["rent", "-100.00"],
		]);
	});

	it("are made for some, who must be drivers, and not for those with nothing due", async () => {
		expect((await draft(FIRST, "omar")).rows).toEqual([]);
		expect(await draftWeek(await ada(), FIRST, [idOf("ada")])).toMatchObject({
			reason: "no-such-driver",
		});
		expect((await draft(FIRST, "dana")).rows).toHaveLength(1);
	});

	it("have no rent of someone who left, unless something else is due", async () => {
		await bench.rows("update users set is_active = 0 where id = ?", idOf("dana"));
		expect((await draft(FIRST)).rows).toEqual([]);
		await money(FIRST, { tip_cents: 700 });
		expect(await drafted(FIRST)).toMatchObject({ result: "-93.00" });
	});

	it("have no charges of someone whose invitation was canceled, unless something else is due", async () => {
		await bench.rows("update users set is_active = 0, deleted_at = 1 where id = ?", idOf("dana"));
		await insertCharge(bench.rows, 9, "dana", { charged_on: FIRST.from });
		expect((await draft(FIRST, "dana")).rows).toEqual([]);
		await money(FIRST, { tip_cents: 30_000 });
		expect((await drafted(FIRST)).lines.map(({ kind }) => kind)).toEqual([
			...["tips", "rent", "charge"],
		]);
	});

	it("pay business miles by their days, by the tax year's threshold", async () => {
		await insertAgreement(bench.rows, 2, "dana", "2026-11-09", {
			...{ per_mile_mills: 550, threshold_miles: 100, thereafter_mills: 250 },
			tax_year_start: "04-06",
		});
		const trip = (id: string, day: string, start: number, miles: number, more = {}) =>
			insertRow(bench.rows, "mileage_logs", {
				...{ id, driver_id: idOf("dana"), driven_on: day, start_miles: start },
				...{ end_miles: start + miles, source: "form", created_at: 1, payload_hash: "x" },
				...more,
			});
		await bench.rows("update mileage_logs set voided_at = 1, voided_by = driver_id");
		await trip("t1", "2026-11-04", 900_000, 40);
		await trip("t2", "2026-11-10", 900_040, 50, { personal_miles: 10 });
		await trip("t3", "2026-11-12", 900_090, 60);
		await trip("t4", "2026-11-13", 900_200, 90, { voided_at: 1, voided_by: idOf("dana") });
		await trip("t5", "2026-11-16", 900_300, 90);
		// 40 miles before, 60 more at the first rate, 40 beyond.
		expect(amounts(await drafted(SECOND))).toEqual([["miles", "43.00"]]);
	});
});

describe("publishing", () => {
	it("stores the lines and sums for good, and marks the instalments as settled", async () => {
		await money(FIRST, { fare_cents: 100_001, cash_cents: -3_000 });
		const charge = await addCharge(
			await ada(),
			chargeOf(idOf("dana"), { date: parseCalendarDate("2026-11-04"), amount: 10_001 }),
		);
		if (!charge.ok) throw new Error("no charge");
		const { id } = await drafted(FIRST);
		const rows = await publish([id], { [id]: 44_501 });
		expect(rows).toMatchObject([{ status: "published", result: "445.01" }]);
		expect(amounts(await read(id))).toEqual([
			["fares", "600.01"],
			["cash", "-30.00"],
			["rent", "-100.00"],
			["charge", "-25.00"],
		]);
		expect(await voidCharge(await ada(), charge.value.row.id)).toMatchObject({
			reason: "settled",
		});
		await money(FIRST, { tip_cents: 100 });
		expect(await read(id)).toMatchObject({ result: "445.01" });
		expect(await publish([id])).toBe("not-draft");
		await expect(
			bench.rows("update settlements set result_cents = 1 where id = ?", id),
		).rejects.toThrow(/stays as it is/);
	});

	it("needs a week that is over, an agreement, and the sum that was shown", async () => {
		const current = await drafted(CURRENT);
		expect(await publish([current.id])).toBe("not-over");
		await money(FIRST, { fare_cents: 1_000 }, "omar");
		const unagreed = await drafted(FIRST, "omar");
		expect(await publish([unagreed.id])).toBe("no-agreement");
		const { id } = await drafted(FIRST);
		expect(await publish([id], { [id]: -9_999 })).toBe("changed");
		expect(await publish([id, unagreed.id])).toBe("no-agreement");
		expect(await read(id)).toMatchObject({ status: "draft" });
		expect(await publish([id, "90000000-0000-4000-8000-000000000099"])).toBe("not-found");
	});

	it("carries what is below zero to the next week, once", async () => {
		await money(SECOND, { tip_cents: 4_000 });
		await money(THIRD, { tip_cents: 30_000 });
		const first = await drafted(FIRST);
		const second = await drafted(SECOND);
		const third = await drafted(THIRD);
		expect(await published(FIRST)).toMatchObject({
			...{ result: "-100.00", carriedOut: "-100.00", payable: "0.00" },
		});
		expect(await read(second.id)).toMatchObject({
			...{ carriedIn: "-100.00", result: "-160.00" },
		});
		// Of one driver's weeks in one call, the later follows the earlier.
		expect(await publish([third.id, second.id])).toMatchObject([
			{ carriedIn: "-100.00", result: "-160.00", carriedOut: "-160.00" },
			{ carriedIn: "-160.00", result: "40.00", payable: "40.00" },
		]);
		expect(await whyKept(first.id)).toBe(
			"ST-000002 carries or corrects ST-000001 (Dana Driver, Nov 2 to Nov 8, 2026). Void ST-000002 first.",
		);
		expect(await unpublish(second.id)).toBe("carried");
		expect(await unpublish(third.id)).toEqual(["void"]);
		expect(await unpublish(second.id)).toEqual(["void"]);
		expect(await drafted(SECOND)).toMatchObject({ number: "ST-000004", result: "-160.00" });
	});
});

describe("a published week", () => {
	it("is corrected in the next one, and again when the books change again", async () => {
		await money(FIRST, { fare_cents: 50_000 });
		const first = await published(FIRST);
		expect(first).toMatchObject({ result: "200.00" });
		expect(await marks()).toEqual([]);
		await money(FIRST, { tip_cents: 1_050 });
		expect(await marks()).toEqual([{ driver_id: idOf("dana"), since: FIRST.to }]);
		const second = await drafted(SECOND);
		expect(second.lines).toEqual([
			{ kind: "rent", platform: null, text: "Weekly rent", amount: "-100.00" },
			{
				...{ kind: "correction", platform: null, amount: "10.50" },
				text: "Correction of the week Nov 2 to Nov 8, 2026",
			},
		]);
		const corrected = async () => {
			const { db } = await ada();
			const { rows } = await db.batch({ rows: selectCorrected(db.build, second.id) });
			return rows;
		};
		expect(await corrected()).toEqual([{ id: first.id, weekFrom: FIRST.from }]);
		await publish([second.id]);
		expect(await marks()).toEqual([]);
		expect(await corrected()).toEqual([{ id: first.id, weekFrom: FIRST.from }]);
		await money(FIRST, { tip_cents: -50 });
		expect(amounts(await published(THIRD))).toEqual([
			["rent", "-100.00"],
			["correction", "-0.50"],
		]);
		expect(await read(first.id)).toEqual(first);
		// What a voided week had corrected is open again.
		const third = await drafted(THIRD);
		expect(await whyKept(second.id)).toContain(`Void ${third.number} first.`);
		expect(await unpublish(third.id)).toEqual(["void"]);
		expect(amounts(await drafted(THIRD))).toEqual([
			["rent", "-100.00"],
			["correction", "-0.50"],
		]);
	});

	it("is found by the week that corrected it, however many came after", async () => {
		const ids: string[] = [];
		for (let week = 0; week < 62; week++) {
			const from = addDays(parseCalendarDate("2025-01-06"), 7 * week);
			ids.push(await insertSettlement(bench.rows, 100 + week, "dana", from, asPublished(0)));
		}
		const [first, second = ""] = ids;
		await insertLine(bench.rows, second, 0, 500, { kind: "correction", about_week: "2025-01-06" });
		const { db } = await ada();
		const { rows } = await db.batch({ rows: selectCorrected(db.build, second) });
		expect(rows.map(({ id }) => id)).toEqual([first]);
	});

	it("is said to have changed if its own books have, first or by what reaches it", async () => {
		await published(FIRST);
		await published(SECOND);
		const changed = async () => {
			const { db } = await ada();
			const { first, second } = await db.batch({
				first: selectChangedSince(db.build, FIRST.from),
				second: selectChangedSince(db.build, SECOND.from),
			});
			return [first, second].map((rows) => rows.filter(hasChanged).length);
		};
		expect(await changed()).toEqual([0, 0]);
		await money(FIRST, { tip_cents: 1_050 });
		expect(await changed()).toEqual([1, 0]);
		await addCharge(await ada(), chargeOf(idOf("dana"), { date: FIRST.to, instalments: 2 }));
		expect(await changed()).toEqual([1, 1]);
		await published(THIRD);
		expect(await changed()).toEqual([0, 0]);
	});

	it("follows an agreement that reaches back, a charge and a trip of its days", async () => {
		await money(FIRST, { fare_cents: 50_000 });
		await published(FIRST);
		await makeAgreement(
			await ada(),
			agreementOf(idOf("dana"), { from: FIRST.from, faresPercent: 7_000, weeklyRent: 0 }),
		);
		await addCharge(
			await ada(),
			chargeOf(idOf("dana"), { date: FIRST.to, amount: 1_000, instalments: 1 }),
		);
		expect(amounts(await drafted(SECOND))).toEqual([["correction", "140.00"]]);
	});

	it("keeps the import that it rests on from being undone", async () => {
		const id = await money(FIRST, { fare_cents: 50_000 });
		const settled = await published(FIRST);
		expect(await undoImport(await ada(), id)).toMatchObject({
			...{ reason: "settled", details: { number: 1, weekFrom: FIRST.from } },
		});
		const later = await money(FIRST, { tip_cents: 100 });
		// A week published before it doesn't rest on it.
		await bench.rows("update fee_imports set created_at = ? where id = ?", NOW + 1, later);
		expect(await undoImport(await bench.admin("ada", NOW + 2), later)).toMatchObject({ ok: true });
		expect(await unpublish(settled.id)).toEqual(["void"]);
		expect(await undoImport(await ada(), id)).toMatchObject({ ok: true });
	});

	it("corrects only what was imported since, until that is settled too", async () => {
		await money(FIRST, { fare_cents: 50_000 });
		await published(FIRST);
		const later = await money(FIRST, { tip_cents: 100 });
		await bench.rows("update fee_imports set created_at = ? where id = ?", NOW - 1, later);
		await published(SECOND);
		expect(await undoImport(await ada(), later)).toMatchObject({ reason: "settled" });
	});
});

describe("a week of a closed year, or whose miles count in its tax year", () => {
	it("is neither drafted nor voided", async () => {
		const { id, status } = await published(FIRST);
		expect(status).toBe("published");
		await bench.rows("insert into archived_years (year, closed_at) values (2025, 1)");
		expect((await draft(SECOND)).isNew).toBe(true);
		await bench.rows("insert into archived_years (year, closed_at) values (2026, 1)");
		expect(await draftWeek(await ada(), THIRD)).toMatchObject({ reason: "closed" });
		expect(await unpublish(id)).toBe("closed");
		expect(await read(id)).toMatchObject({ status: "published" });
	});

	it("isn't said to get a correction when its books change", async () => {
		await published(FIRST);
		await money(FIRST, { tip_cents: 1_050 });
		const changed = async () => {
			const { db } = await ada();
			const { rows } = await db.batch({ rows: selectChangedSince(db.build, FIRST.from) });
			return rows.filter(hasChanged).length;
		};
		expect(await changed()).toBe(1);
		await bench.rows("insert into archived_years (year, closed_at) values (2026, 1)");
		expect(await changed()).toBe(0);
	});
});

describe("at the same time", () => {
	it(`two administrators and an import publish a week once, and nothing unseen, ${ROUNDS} times over`, async () => {
		let published = 0;
		for (let round = 0; round < ROUNDS; round++) {
			const week = weekOf(addDays(parseCalendarDate("2025-09-01"), 7 * round));
			await insertAgreement(bench.rows, 100 + round, "dana", week.from);
			await money(week, { tip_cents: 1_000 });
			const { id } = await drafted(week);
			const later = await staged(week, { tip_cents: 5 });
			const [first, second] = [await bench.admin("ada"), await bench.admin("ben")];
			const isAfter = round % 10 === 9;
			const [, one, other] = await Promise.all([
				// Before, between their reading and writing, or after.
				round % 10 === 0 ? activate(later) : undefined,
				publishSettlements(first, [id], { [id]: 1_000 }),
				publishSettlements(second, [id], { [id]: 1_000 }),
				round % 10 === 0 || isAfter
					? undefined
					: wait((round % 10) * 2).then(() => activate(later)),
			]);
			if (isAfter) await activate(later);
			const won = [one, other].filter(({ ok }) => ok);
			expect(won.length).toBeLessThanOrEqual(1);
			published += won.length;
			expect(await read(id)).toMatchObject(
				won.length === 1 ? { result: "10.00" } : { status: "draft", result: "10.05" },
			);
			// What came later is corrected: nothing is lost between the two.
			expect(await marks()).toHaveLength(won.length);
			await bench.rows("delete from settlement_marks");
			await unpublish(id);
		}
		console.log(`${ROUNDS} rounds: ${published} published before the import`);
		expect(published).toBeGreaterThan(0);
		expect(published).toBeLessThan(ROUNDS);
	}, 600_000);
});
