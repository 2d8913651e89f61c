/** The commands on payouts, on real D1. */
import { describe, expect, it } from "vitest";
import { type CastName, idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertRow, type Row } from "../../../tests/support/rows.ts";
import { dateIn } from "../../values/calendar-date.ts";
import { processRequests } from "../fund-requests/commands/process.server.ts";
import { reopenRequest } from "../fund-requests/commands/reopen.server.ts";
import { undoDecision } from "../fund-requests/commands/undo.server.ts";
import { cancelPayout } from "./commands/cancel.server.ts";
import { makePayout } from "./commands/make.server.ts";
import { payPayout } from "./commands/pay.server.ts";
import { reopenPayout } from "./commands/reopen.server.ts";
import { payoutJson, toLines } from "./json.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const TODAY = dateIn("America/New_York", NOW);
const bench = await openDatabase("everyone", NOW);
const [ada, ben] = [await bench.admin("ada"), await bench.admin("ben")];
const later = (minutes: number) => bench.admin("ada", NOW + minutes * 60_000);
const PAYMENT = { paidOn: TODAY, reference: "ACH 42" };

let count = 0;
/** A request in the database. */
async function request(owner: CastName, cents: number, more: Row = {}): Promise<string> {
	const id = crypto.randomUUID();
	await insertRow(bench.rows, "fund_requests", {
		id,
		number: 5000 + ++count,
		driver_id: idOf(owner),
		type: "gas",
		amount_cents: cents,
		description: "Fuel",
		status: "approved",
		source: "form",
		created_at: NOW,
		requested_on: TODAY,
		payload_hash: "hash",
		decided_at: NOW - 3_600_000,
		decided_by: idOf("ada"),
		...more,
	});
	return id;
}
const pending = (owner: CastName, cents: number) =>
	request(owner, cents, { status: "pending", decided_at: null, decided_by: null });
const made = async (ids: readonly string[], by = ada, key?: string) => {
	const outcome = await makePayout(by, { kind: "named", ids }, key);
	if (!outcome.ok) throw new Error(`not made: ${outcome.reason}`);
	return outcome.value.row.payout;
};
const totalsOf = async (owner: CastName | "") =>
	(
		await bench.rows<Record<string, number>>(
			"select * from payout_totals where driver_id = ?",
			owner && idOf(owner),
		)
	)[0] ?? {};
const mailsOf = (kind: string) =>
	bench.rows<{
		recipient_id: string;
		status: string;
		subject: string;
		body: string;
		send_after: number;
	}>("select * from mails where kind = ? order by rowid", kind);
const stateOf = async (id: string) =>
	(
		await bench.rows<{ status: string; payout_id: string | null }>(
			"select status, payout_id from fund_requests where id = ?",
			id,
		)
	)[0];

describe("making a payout", () => {
	it("includes what was ticked: one line for each driver, total = lines = requests", async () => {
		const ids = [
			await request("dana", 12_50),
			await request("omar", 30_00, { amount_cents: 50_00, approved_amount_cents: 30_00 }),
			await request("dana", 7_25),
		];
		const outcome = await makePayout(ada, { kind: "named", ids }, undefined);
		expect(outcome.ok).toBe(true);
		if (!outcome.ok) return;
		const { row } = outcome.value;
		expect(payoutJson(row)).toMatchObject({
			number: expect.stringMatching(/^PO-0{5}\d$/),
			status: "open",
			total: "49.75",
			createdBy: { firstName: "Ada", lastName: "Admin" },
			paidOn: null,
			reference: null,
			lines: [
				{ driverIdCode: "DRV-0001", name: "Dana Driver", amount: "19.75" },
				{ driverIdCode: "DRV-0002", name: "Omar Okafor", amount: "30.00" },
			],
		});
		expect(row.payout).toMatchObject({ driverCount: 2, requestCount: 3, totalCents: 49_75 });
		expect(toLines(row).reduce((sum, line) => sum + line.amountCents, 0)).toBe(49_75);
		for (const id of ids)
			expect(await stateOf(id)).toEqual({ status: "approved", payout_id: row.payout.id });
		const [entry] = await bench.rows<{ after: string }>(
			"select after from audit_events where action = 'payout.make' and entity_id = ?",
			row.payout.id,
		);
		expect(JSON.parse(entry?.after ?? "")).toEqual({ amountCents: 49_75, drivers: 2, requests: 3 });
	});

	it("is all or nothing, and says what prevents it", async () => {
		const free = await request("dana", 10_00);
		const taken = await request("dana", 11_00);
		const other = await made([taken]);
		const waiting = await pending("omar", 12_00);
		const unknown = "99999999-9999-4999-8999-999999999999";
		const outcome = await makePayout(
			ada,
			{ kind: "named", ids: [free, taken, waiting, unknown] },
			undefined,
		);
		expect(outcome).toMatchObject({
			ok: false,
			reason: "in-the-way",
			details: { asked: 4, unknown: [unknown] },
		});
		if (outcome.ok || outcome.reason !== "in-the-way") return;
		expect(outcome.details.requests.map(({ request: { id } }) => id).sort()).toEqual(
			[taken, waiting].sort(),
		);
		expect(outcome.details.requests.find(({ payout }) => payout)?.payout).toEqual({
			id: other.id,
			number: other.number,
			status: "open",
			paidOn: null,
		});
		expect((await stateOf(free))?.payout_id).toBeNull();
	});

	it("happens once for a key, which is refused with another payload", async () => {
		const [first, second] = [await request("lena", 5_00), await request("lena", 6_00)];
		const payout = await made([first], ada, "key-1");
		const again = await makePayout(ada, { kind: "named", ids: [first] }, "key-1");
		expect(again).toMatchObject({
			ok: true,
			value: { isReplay: true, row: { payout: { id: payout.id } } },
		});
		expect(await makePayout(ada, { kind: "named", ids: [second] }, "key-1")).toMatchObject({
			reason: "key-reused",
		});
		// Keys are per administrator.
		expect((await made([second], ben, "key-1")).id).not.toBe(payout.id);
	});

	it("includes one driver's, then all that is left, the oldest 500 first, then nothing", async () => {
		await bench.rows(`insert into fund_requests (id, number, driver_id, type, amount_cents,
			description, status, source, created_at, requested_on, decided_at, decided_by, payload_hash)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 510)
			select printf('70000000-0000-4000-8000-%012d', i), 8000 + i, '${idOf("omar")}', 'gas', i, 'x',
				'approved', 'seed', 1, '2026-11-01', 1, '${idOf("ada")}', 'x' from n`);
		await request("dana", 1_00);
		const own = await makePayout(ada, { kind: "driver", driverId: idOf("dana") }, undefined);
		expect(own).toMatchObject({ ok: true, value: { row: { payout: { driverCount: 1 } } } });
		const all = await makePayout(ada, { kind: "all" }, undefined);
		expect(all).toMatchObject({ ok: true, value: { row: { payout: { requestCount: 500 } } } });
		const rest = await makePayout(ada, { kind: "driver", driverId: idOf("omar") }, undefined);
		expect(rest).toMatchObject({
			value: {
				row: {
					payout: {
						requestCount: 10,
						totalCents: 501 + 502 + 503 + 504 + 505 + 506 + 507 + 508 + 509 + 510,
					},
				},
			},
		});
		expect(await makePayout(ada, { kind: "all" }, undefined)).toMatchObject({
			reason: "nothing-unpaid",
		});
		expect(await makePayout(ada, { kind: "driver", driverId: "nobody" }, undefined)).toMatchObject({
			reason: "no-such-driver",
		});
		const tooMany = Array.from({ length: 501 }, () => crypto.randomUUID());
		await expect(
			makePayout(ada, { kind: "named", ids: tooMany }, undefined),
		).rejects.toBeInstanceOf(RangeError);
	});
});

describe("paying", () => {
	it("moves the money from open to paid, and is done once", async () => {
		const payout = await made([await request("lena", 20_00), await request("lena", 1_00)]);
		const before = await totalsOf("lena");
		const outcome = await payPayout(ben, payout.id, PAYMENT);
		expect(outcome).toMatchObject({
			ok: true,
			value: {
				payout: { status: "paid", paidOn: TODAY, reference: "ACH 42", paidBy: idOf("ben") },
				payer: { firstName: "Ben", lastName: "Backup" },
			},
		});
		const after = await totalsOf("lena");
		expect([after.open_cents, after.paid_cents]).toEqual([
			Number(before.open_cents) - 21_00,
			Number(before.paid_cents) + 21_00,
		]);
		expect(await payPayout(ada, payout.id, PAYMENT)).toMatchObject({ reason: "not-open" });
		expect(await cancelPayout(ada, payout.id)).toMatchObject({ reason: "not-open" });
		expect(await payPayout(ada, "nothing", PAYMENT)).toMatchObject({ reason: "not-found" });
	});

	it("is refused to someone who would pay themselves", async () => {
		const payout = await made([await request("ada", 9_00), await request("dana", 1_00)]);
		expect(await payPayout(ada, payout.id, PAYMENT)).toMatchObject({ reason: "own-line" });
		expect(await payPayout(ben, payout.id, PAYMENT)).toMatchObject({ ok: true });
	});

	it("emails each driver once, after ten minutes, with a decision that is still unsent", async () => {
		await bench.rows("delete from mails");
		const [told, untold, other] = [
			await request("dana", 40_00),
			await pending("dana", 2_50),
			await request("omar", 3_00),
		];
		await processRequests(ada, [untold], { status: "approved", adminNotes: "Thanks" });
		const payout = await made([told, untold, other]);
		await payPayout(ada, payout.id, { paidOn: TODAY, reference: undefined });
		const mails = await mailsOf("payout-paid");
		expect(mails.map(({ recipient_id, status }) => [recipient_id, status])).toEqual([
			[idOf("dana"), "queued"],
			[idOf("omar"), "queued"],
		]);
		expect(mails.map(({ send_after }) => send_after)).toEqual([NOW + 600_000, NOW + 600_000]);
		const [danas, omars] = mails;
		expect(danas?.subject).toMatch(/^You were paid \$42\.50 \(PO-\d{6}\)$/);
		expect(danas?.body).toMatch(
			/^You were paid \$42\.50 on Nov 21, 2026, in payout PO-\d{6}\.\n\nFR-\d{6}: \$40\.00 for [^\n]+\nFR-\d{6}: \$2\.50 for [^\n]+\n\nYour request FR-\d{6} for \$2\.50 was approved by Ada Admin\.\n\n[^\n]+\n\nNote: Thanks$/,
		);
		expect(omars?.body).not.toContain("approved by");
		expect((await mailsOf("request-decided")).map(({ status }) => status)).toEqual(["cancelled"]);
		// After an undo in time, the decision is emailed by itself.
		expect(await reopenPayout(await later(9), payout.id, undefined)).toMatchObject({ ok: true });
		expect((await mailsOf("payout-paid")).map(({ status }) => status)).toEqual([
			"cancelled",
			"cancelled",
		]);
		expect((await mailsOf("request-decided")).map(({ status }) => status)).toEqual(["queued"]);
		expect(await mailsOf("payout-reopened")).toEqual([]);
		// After a second payment, it is emailed again.
		await payPayout(ada, payout.id, PAYMENT);
		expect((await mailsOf("payout-paid")).map(({ status }) => status)).toEqual([
			"cancelled",
			"cancelled",
			"queued",
			"queued",
		]);
		expect((await mailsOf("payout-paid"))[2]?.body).toContain("Reference: ACH 42");
	});
});

describe("reopening", () => {
	it("needs a reason and tells the drivers after ten minutes, or for another administrator", async () => {
		await bench.rows("delete from mails");
		const payout = await made([await request("dana", 4_00)]);
		await payPayout(ada, payout.id, PAYMENT);
		expect(await reopenPayout(ben, payout.id, undefined)).toMatchObject({
			reason: "reason-needed",
		});
		await bench.rows("update mails set status = 'sent'");
		const outcome = await reopenPayout(await later(11), payout.id, "Sent to the wrong account");
		expect(outcome).toMatchObject({
			ok: true,
			value: { payout: { status: "open", paidOn: null, reference: null, paidBy: null } },
		});
		const [mail] = await mailsOf("payout-reopened");
		expect(mail?.body).toMatch(
			/^Ada Admin reopened payout PO-\d{6}\. Your \$4\.00 in it is not counted as paid for now\.\n\nReason: Sent to the wrong account$/,
		);
		expect((await mailsOf("payout-paid")).map(({ status }) => status)).toEqual(["sent"]);
		const entries = await bench.rows<{ reason: string; before: string }>(
			"select reason, before from audit_events where action = 'payout.reopen' and entity_id = ?",
			payout.id,
		);
		expect(entries).toEqual([
			{
				reason: "Sent to the wrong account",
				before: JSON.stringify({ status: "paid", date: TODAY, reference: "ACH 42" }),
			},
		]);
		expect(await reopenPayout(ada, payout.id, "Again")).toMatchObject({ reason: "not-paid" });
		expect(await reopenPayout(ada, "nothing", "Again")).toMatchObject({ reason: "not-found" });
	});
});

describe("a request in a live payout", () => {
	it("keeps its decision while the payout is live", async () => {
		const id = await pending("dana", 5_00);
		await processRequests(ada, [id], { status: "approved", adminNotes: undefined });
		const payout = await made([id]);
		expect(await undoDecision(ada, id)).toMatchObject({
			reason: "in-payout",
			details: { payout: { number: payout.number } },
		});
		expect(await reopenRequest(ben, id)).toMatchObject({ reason: "in-payout" });
		await payPayout(ada, payout.id, PAYMENT);
		expect(await reopenRequest(ben, id)).toMatchObject({ reason: "in-payout" });
		await reopenPayout(ada, payout.id, undefined);
		expect(await cancelPayout(ada, payout.id)).toMatchObject({ ok: true });
		expect(await stateOf(id)).toEqual({ status: "approved", payout_id: null });
		expect(await undoDecision(ada, id)).toMatchObject({ ok: true });
		expect(await bench.rows("select * from payout_requests where request_id = ?", id)).toHaveLength(
			1,
		);
	});

	it("is protected by the database, whichever release asks", async () => {
		const id = await request("dana", 5_00);
		const payout = await made([id]);
		const other = await made([await request("dana", 6_00)]);
		const refused: readonly [string, RegExp][] = [
			[
				`update fund_requests set status = 'pending', decided_at = null, decided_by = null where id = '${id}'`,
				/stands in a payout/,
			],
			[
				`update fund_requests set approved_amount_cents = 1 where id = '${id}'`,
				/stands in a payout/,
			],
			[`update fund_requests set payout_id = null where id = '${id}'`, /not cancelled/],
			[`update fund_requests set payout_id = '${other.id}' where id = '${id}'`, /may not enter/],
			[`update payouts set total_cents = 1 where id = '${payout.id}'`, /making another/],
			[
				`update payout_requests set amount_cents = 1 where payout_id = '${payout.id}'`,
				/kept as they are/,
			],
			[`delete from payouts where id = '${payout.id}'`, /FOREIGN KEY/],
		];
		for (const [query, why] of refused) await expect(bench.rows(query), query).rejects.toThrow(why);
		const free = await request("dana", 7_00);
		await expect(
			bench.rows("update fund_requests set payout_id = ? where id = ?", payout.id, free),
		).rejects.toThrow(/may not enter/);
		await cancelPayout(ada, payout.id);
		await expect(
			bench.rows(
				"update payouts set status = 'open', cancelled_at = null, cancelled_by = null where id = ?",
				payout.id,
			),
		).rejects.toThrow(/for good/);
	});
});
