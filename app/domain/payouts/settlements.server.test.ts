/** Settlements in payouts, on real D1. */
import { beforeEach, describe, expect, it } from "vitest";
import { half } from "../../../lab/torture/plan.ts";
import { type CastName, idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import { insertSettlement, published } from "../../../tests/support/settlements.ts";
import { Database } from "../../db/client.server.ts";
import { dateIn } from "../../values/calendar-date.ts";
import { recount } from "../analytics/recount.server.ts";
import { payoutNumber } from "../fund-requests/payment.ts";
import { selectChanges } from "../kernel/changes.server.ts";
import { completeProfile } from "../people/commands/complete-profile.server.ts";
import { voidSettlements } from "../settlements/commands/void.server.ts";
import { settlementJson } from "../settlements/json.ts";
import { findSettlement } from "../settlements/queries.server.ts";
import { toSettlement } from "../settlements/settlement.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import { PAYOUT_CHANGES } from "./changes.server.ts";
import { cancelPayout } from "./commands/cancel.server.ts";
import { makePayout } from "./commands/make.server.ts";
import { payPayout } from "./commands/pay.server.ts";
import { reopenPayout } from "./commands/reopen.server.ts";
import type { Gathering } from "./input.ts";
import { payoutJson } from "./json.ts";
import { selectLastPaid, selectPaidSince } from "./queries.server.ts";
import { whyNotMade } from "./refusals.ts";
import { listOwed, listUnpaidSettlements } from "./unpaid.server.ts";

const ROUNDS = half(50);
const NOW = Date.UTC(2026, 10, 25, 17);
const TODAY = dateIn("America/New_York", NOW);
const bench = await openDatabase("everyone", NOW);
const [ada, ben] = [await bench.admin("ada"), await bench.admin("ben")];
const PAYMENT = { paidOn: TODAY, reference: "ACH 42" };
const FIRST = "2026-11-09";
const SECOND = "2026-11-16";

let count = 0;
const week = (owner: CastName, from: string, cents: number) =>
	insertSettlement(bench.rows, ++count, owner, from, published(cents));
const request = (owner: CastName, cents: number) =>
	insertRequest(bench.rows, 5000 + ++count, owner, {
		...{ amount_cents: cents, status: "approved", decided_at: NOW - 1, decided_by: idOf("ada") },
		requested_on: "2026-11-12",
	});
async function made(gathering: Gathering, by = ada, key?: string) {
	const outcome = await makePayout(by, gathering, key);
	if (!outcome.ok) throw new Error(`not made: ${outcome.reason}`);
	return outcome.value.row;
}
const gather = async (...settlementIds: string[]) =>
	(await made({ kind: "named", ids: [], settlementIds })).payout;
async function read(id: string) {
	const { rows } = await ada.db.batch({ rows: findSettlement(ada.db.build, id) });
	const [row] = rows;
	if (!row) throw new Error("no settlement");
	return settlementJson(toSettlement(row));
}
const totals = async (owner: CastName | "" = "") =>
	(
		await bench.rows<Record<string, number>>(
			`select ready_settled_cents as ready, open_settled_cents as open, paid_settled_cents as paid,
				ready_settlements + open_settlements + paid_settlements as count
			from payout_totals where driver_id = ?`,
			owner && idOf(owner),
		)
	)[0];

beforeEach(() =>
	bench.rows(
		"update fund_requests set status = 'withdrawn', withdrawn_at = 1, decided_at = null, decided_by = null where payout_id is null and status <> 'withdrawn'",
	),
);

describe("making a payout", () => {
	it("takes requests and settlements, with one line for each driver", async () => {
		const [dana, omar] = [await week("dana", FIRST, 311_00), await week("omar", FIRST, 20_00)];
		const numbers = [settlementNumber(count - 1), settlementNumber(count)];
		const own = await request("dana", 12_50);
		const row = await made({ kind: "named", ids: [own], settlementIds: [omar, dana] });
		expect(payoutJson(row)).toMatchObject({
			total: "343.50",
			lines: [
				{
					driverIdCode: "DRV-0001",
					amount: "323.50",
					requests: [{ id: own, amount: "12.50" }],
					settlements: [{ id: dana, number: numbers[0], amount: "311.00" }],
				},
				{
					...{ driverIdCode: "DRV-0002", name: "Omar Okafor", amount: "20.00", requests: [] },
					settlements: [{ id: omar, number: numbers[1], amount: "20.00" }],
				},
			],
		});
		expect(row.payout).toMatchObject({ requestCount: 3, settlementCount: 2, driverCount: 2 });
		expect(await read(dana)).toMatchObject({
			status: "published",
			payout: {
				id: row.payout.id,
				number: payoutNumber(row.payout.number),
				status: "open",
				paidOn: null,
			},
		});
		const [entry] = await bench.rows<{ after: string }>(
			"select after from audit_events where action = 'payout.make'",
		);
		expect(JSON.parse(entry?.after ?? "")).toEqual({
			...{ amountCents: 343_50, drivers: 2, requests: 1, settlements: 2 },
		});
		expect(await totals()).toEqual({ ready: 0, open: 331_00, paid: 0, count: 2 });
		expect(await totals("omar")).toEqual({ ready: 0, open: 20_00, paid: 0, count: 1 });
	});

	it("takes only what is published and above zero, all or nothing", async () => {
		const free = await week("dana", FIRST, 1_00);
		const taken = await week("omar", FIRST, 2_00);
		const payout = await gather(taken);
		const below = await week("lena", FIRST, -5_00);
		const draft = await insertSettlement(bench.rows, ++count, "lena", SECOND);
		const unknown = "99999999-9999-4999-8999-999999999999";
		const outcome = await makePayout(
			ada,
			{ kind: "named", ids: [], settlementIds: [free, taken, below, draft, unknown] },
			undefined,
		);
		if (outcome.ok) throw new Error("made");
		const named = new Map<string, string>();
		for (const id of [taken, below, draft]) named.set(id, (await read(id)).number);
		const { settlements = [], message } = whyNotMade(outcome, ada);
		expect(settlements.map(({ reason }) => reason)).toEqual([
			`${named.get(taken)} is in ${payoutNumber(payout.number)}.`,
			`${named.get(below)} has nothing to pay.`,
			`${named.get(draft)} is a draft.`,
			"Settlement not found.",
		]);
		expect(message).toMatch(/^No payout was created: 4 of 5 can't be paid\. ST-\d{6} is in /);
		expect(await read(free)).toMatchObject({ payout: null });
	});

	it("of one driver or of all takes both kinds, and happens once for a key", async () => {
		const ids = [await week("dana", FIRST, 1_00), await week("dana", SECOND, 2_00)];
		const other = await week("omar", FIRST, 4_00);
		await week("lena", FIRST, -9_00);
		await request("dana", 10_00);
		const driverId = idOf("dana");
		const seen = { kind: "driver", driverId, shownCents: 14_00 } as const;
		expect(await makePayout(ada, seen, undefined)).toMatchObject({
			...{ reason: "changed", details: { requests: 1, settlements: 2, cents: 13_00 } },
		});
		const own = await made({ ...seen, shownCents: 13_00 }, ada, "key");
		expect(own.settlements.map(({ settlementId }) => settlementId).sort()).toEqual(ids.sort());
		expect(own.requests).toHaveLength(1);
		const again = await makePayout(ada, { ...seen, shownCents: 13_00 }, "key");
		expect(again).toMatchObject({ ok: true, value: { isReplay: true } });
		const all = await made({ kind: "all" });
		expect(payoutJson(all)).toMatchObject({
			total: "4.00",
			lines: [{ settlements: [{ id: other }] }],
		});
		expect(await makePayout(ada, { kind: "all" }, undefined)).toMatchObject({
			reason: "nothing-unpaid",
		});
		await cancelPayout(ada, all.payout.id);
		const named = { kind: "named", ids: [], settlementIds: [other] } as const;
		await made(named, ada, "named");
		expect(
			await makePayout(ada, { kind: "named", ids: [other], settlementIds: [] }, "named"),
		).toMatchObject({ reason: "key-reused" });
	});

	it("takes at most 500, the oldest requests before the settlements", async () => {
		await bench.rows(`insert into settlements (id, number, driver_id, week_from, status, created_at,
				created_by, carried_in_cents, result_cents, published_at, published_by)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
			select printf('71000000-0000-4000-8000-%012d', i), 1000 + i, '${idOf("dana")}',
				date('2016-01-04', printf('%d days', 7 * i)), 'published', 1, '${idOf("ada")}', 0, i, 2,
				'${idOf("ada")}' from n`);
		await bench.rows(`insert into fund_requests (id, number, driver_id, type, amount_cents,
			description, status, source, created_at, requested_on, decided_at, decided_by, payload_hash)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
			select printf('72000000-0000-4000-8000-%012d', i), 9000 + i, '${idOf("omar")}', 'gas', i, 'x',
				'approved', 'seed', 2, '2026-11-01', 2, '${idOf("ada")}', 'x' from n`);
		const first = await made({ kind: "all" });
		expect(first.payout).toMatchObject({ requestCount: 500, settlementCount: 200 });
		expect((await made({ kind: "all" })).payout).toMatchObject({
			...{ requestCount: 100, settlementCount: 100 },
		});
	});
});

describe("a payout's settlements", () => {
	it("are paid, reopened and freed with it, and their totals follow", async () => {
		await bench.rows("delete from mails");
		const id = await week("dana", FIRST, 311_00);
		const payout = await gather(id);
		expect(
			await payPayout(ben, payout.id, {
				...PAYMENT,
				paidOn: dateIn("UTC", Date.UTC(2026, 10, 14)),
			}),
		).toMatchObject({
			...{ reason: "too-early", details: { newestOn: "2026-11-15", isWeek: true } },
		});
		expect(await payPayout(ben, payout.id, PAYMENT)).toMatchObject({ ok: true });
		expect(await read(id)).toMatchObject({
			...{ status: "paid", payout: { status: "paid", paidOn: TODAY } },
		});
		expect(await totals("dana")).toEqual({ ready: 0, open: 0, paid: 311_00, count: 1 });
		const [mail] = await bench.rows<{ subject: string; body: string }>(
			"select subject, body from mails where kind = 'payout-paid'",
		);
		expect(mail?.subject).toMatch(/^You were paid \$311\.00 \(PO-\d+\)$/);
		expect(mail?.body).toMatch(/\nST-\d+: \$311\.00 for the week of Nov 9, 2026$/);
		const { last, since } = await ada.db.batch({
			last: selectLastPaid(ada.db.build, idOf("dana")),
			since: selectPaidSince(ada.db.build, idOf("dana"), TODAY),
		});
		expect(last).toEqual([{ paidOn: TODAY, cents: 311_00, payoutId: payout.id }]);
		expect(since).toEqual([{ cents: 311_00 }]);
		expect(await reopenPayout(ben, payout.id, undefined)).toMatchObject({ ok: true });
		expect(await read(id)).toMatchObject({ status: "published", payout: { status: "open" } });
		expect(await totals("dana")).toEqual({ ready: 0, open: 311_00, paid: 0, count: 1 });
		expect(await cancelPayout(ada, payout.id)).toMatchObject({ ok: true });
		expect(await read(id)).toMatchObject({ status: "published", payout: null });
		expect(await totals("dana")).toEqual({ ready: 311_00, open: 0, paid: 0, count: 1 });
		expect(
			await bench.rows("select * from payout_settlements where settlement_id = ?", id),
		).toEqual([
			expect.objectContaining({ payout_id: payout.id, amount_cents: 311_00, paid_on: null }),
		]);
	});

	it("are not paid by the one who gets them", async () => {
		const payout = await gather(await week("ada", FIRST, 5_00));
		expect(await payPayout(ada, payout.id, PAYMENT)).toMatchObject({ reason: "own-line" });
		expect(await payPayout(ben, payout.id, PAYMENT)).toMatchObject({ ok: true });
	});

	it("can't be voided while it is live", async () => {
		const id = await week("omar", FIRST, 5_00);
		const payout = await gather(id);
		const refused = { reason: "in-payout", details: { payout: { number: payout.number } } };
		expect(await voidSettlements(ben, [id])).toMatchObject(refused);
		await payPayout(ada, payout.id, PAYMENT);
		expect(await voidSettlements(ben, [id])).toMatchObject(refused);
		await reopenPayout(ada, payout.id, undefined);
		await cancelPayout(ada, payout.id);
		expect(await voidSettlements(ben, [id])).toMatchObject({ ok: true });
		expect(await totals("omar")).toEqual({ ready: 0, open: 0, paid: 0, count: 0 });
	});

	it("are protected by the database, whichever release asks", async () => {
		const id = await week("dana", FIRST, 5_00);
		const payout = await gather(id);
		const other = await gather(await week("dana", SECOND, 6_00));
		const void_ = `status = 'void', voided_at = 1, voided_by = '${idOf("ada")}'`;
		const refused: readonly [string, RegExp][] = [
			[
				`update settlements set ${void_}, payout_id = null where id = '${id}'`,
				/paid as its payout|not cancelled/,
			],
			[`update settlements set ${void_} where id = '${id}'`, /paid as its payout/],
			[`update settlements set status = 'paid' where id = '${id}'`, /paid as its payout/],
			[`update settlements set payout_id = null where id = '${id}'`, /not cancelled/],
			[`update settlements set payout_id = '${other.id}' where id = '${id}'`, /may not enter/],
			[`update payouts set settlement_count = 2 where id = '${payout.id}'`, /making another/],
			[
				`update payout_settlements set amount_cents = 1 where payout_id = '${payout.id}'`,
				/kept as they are/,
			],
		];
		for (const [query, why] of refused) await expect(bench.rows(query), query).rejects.toThrow(why);
		const free = await week("omar", SECOND, 7_00);
		for (const [query, why] of [
			[`update settlements set payout_id = '${payout.id}' where id = '${free}'`, /may not enter/],
			[`update settlements set status = 'paid' where id = '${free}'`, /paid as its payout/],
		] as const)
			await expect(bench.rows(query), query).rejects.toThrow(why);
	});
});

describe("what is unpaid", () => {
	it("is listed by driver with both kinds, the largest sum first, and row by row", async () => {
		const [dana, omar] = [await week("dana", FIRST, 5_00), await week("omar", SECOND, 7_00)];
		await request("dana", 3_00);
		const { owed, rows, own } = await ada.db.batch({
			owed: listOwed(ada.db.build, 10),
			rows: listUnpaidSettlements(ada.db.build, undefined, 10),
			own: listUnpaidSettlements(ada.db.build, idOf("omar"), 10),
		});
		expect(
			owed.map((row) => [row.driverId, row.readyCents, row.readyRequests, row.readySettlements]),
		).toEqual([
			[idOf("dana"), 8_00, 1, 1],
			[idOf("omar"), 7_00, 0, 1],
		]);
		expect(rows.map(({ id }) => id)).toEqual([dana, omar]);
		expect(own.map(({ id, cents }) => [id, cents])).toEqual([[omar, 7_00]]);
		const { after } = await ada.db.batch({
			after: listOwed(ada.db.build, 10, {
				...{ way: "after", cursor: { readyCents: 8_00, driverId: idOf("dana") } },
			}),
		});
		expect(after.map(({ driverId }) => driverId)).toEqual([idOf("omar")]);
	});

	it("is the same when it is counted again", async () => {
		await week("dana", FIRST, 5_00);
		await gather(await week("omar", FIRST, 7_00));
		await payPayout(ben, (await gather(await week("lena", FIRST, 9_00))).id, PAYMENT);
		const all = () =>
			bench.rows(
				"select * from payout_totals where ready_settlements + open_settlements + paid_settlements > 0 order by 1",
			);
		const before = await all();
		expect(before).toHaveLength(4);
		await recount(new Database(bench.d1));
		expect(await all()).toEqual(before);
	});
});

describe("at the same time", () => {
	it(`pay and void, and two administrators, leave a legal history ${ROUNDS} times over`, async () => {
		const won = { paid: 0, void: 0, made: 0 };
		for (let round = 0; round < ROUNDS; round++) {
			const from = dateIn("UTC", Date.UTC(2025, 0, 6) + 7 * round * 86_400_000);
			const id = await week("dana", from, 100 + round);
			const named = { kind: "named", ids: [], settlementIds: [id] } as const;
			// One round in four voids at the same time, and one while it is being paid.
			const voidIt = (when: number) =>
				round % 4 === when ? voidSettlements(ada, [id]) : undefined;
			const pay = async (by: typeof ada) => {
				const outcome = await makePayout(by, named, undefined);
				if (!outcome.ok) return undefined;
				const { payout } = outcome.value.row;
				return Promise.all([voidIt(3), payPayout(by, payout.id, PAYMENT)]);
			};
			const [one, other, voided] = await Promise.all([
				pay(ada),
				pay(ben),
				voidIt(1),
				makePayout(ben, { kind: "driver", driverId: idOf("dana") }, undefined),
			]);
			const lines = await bench.rows<{ status: string }>(
				`select payouts.status from payout_settlements join payouts on payouts.id = payout_id
				where settlement_id = ? and payouts.status <> 'cancelled'`,
				id,
			);
			const { status, payout } = await read(id);
			expect(lines.length).toBe(voided?.ok ? 0 : 1);
			expect(status).toBe(voided?.ok ? "void" : lines[0]?.status === "paid" ? "paid" : "published");
			expect(payout?.status).toBe(lines[0]?.status);
			expect([one, other].filter(Boolean).length).toBeLessThanOrEqual(1);
			for (const late of [one, other]) expect(late?.[0]?.ok).not.toBe(true);
			won.paid += Number(status === "paid");
			won.void += Number(status === "void");
			won.made += lines.length;
		}
		expect(won.paid).toBeGreaterThan(0);
		console.log(
			`${ROUNDS} rounds: ${won.made} in a payout, ${won.paid} of them paid, ${won.void} void`,
		);
		expect((await totals("dana"))?.count).toBe(won.made);
	}, 600_000);
});

it("is a changed payout once a driver who was invited without a name has given it", async () => {
	await bench.rows("update users set first_name = '', last_name = '' where id = ?", idOf("lena"));
	const { id } = await gather(await week("lena", FIRST, 4200));
	const later = NOW + 86_400_000;
	const changed = async () => {
		const ask = { since: later, after: undefined, size: 10, isStream: false };
		const { places } = await ada.db.batch(selectChanges(ada.db.build, PAYOUT_CHANGES, ask));
		return places.map((place) => place.id);
	};
	expect(await changed()).toEqual([]);
	const name = { firstName: "Lena", lastName: "New" };
	expect(await completeProfile(await bench.self("lena", later), name)).toMatchObject({ ok: true });
	expect(await changed()).toEqual([id]);
});
