/**
 * The books on real D1: they balance after every step of the commands and after races, and the
 * nightly check reports when they don't. `npm run torture -- money` runs the long version.
 */
import { describe, expect, it } from "vitest";
import { half, report, some } from "../../../lab/torture/plan.ts";
import { mustBeZero } from "../../../lab/torture/table.ts";
import { faultsIn, Money, random, randomStep, type Step } from "../../../tests/money/model.ts";
import { insertAgreement } from "../../../tests/support/agreements.ts";
import { type CastName, idOf, ZONE } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import { insertRow } from "../../../tests/support/rows.ts";
import { insertMoney } from "../../../tests/support/settlements.ts";
import { Database } from "../../db/client.server.ts";
import {
	addDays,
	type CalendarDate,
	dateIn,
	parseCalendarDate,
} from "../../values/calendar-date.ts";
import { recount } from "../analytics/recount.server.ts";
import { processRequests } from "../fund-requests/commands/process.server.ts";
import { reopenRequest } from "../fund-requests/commands/reopen.server.ts";
import { submitRequest } from "../fund-requests/commands/submit.server.ts";
import { undoDecision } from "../fund-requests/commands/undo.server.ts";
import { withdrawRequest } from "../fund-requests/commands/withdraw.server.ts";
import { draftWeek } from "../settlements/commands/draft.server.ts";
import { publishSettlements } from "../settlements/commands/publish.server.ts";
import { voidSettlements } from "../settlements/commands/void.server.ts";
import { checkBooks } from "../upkeep/books-check.server.ts";
import {
	type Balance,
	isBalanced,
	isFleetBalanced,
	selectBalances,
	selectFleetBalance,
} from "./books.server.ts";
import { cancelPayout } from "./commands/cancel.server.ts";
import { makePayout } from "./commands/make.server.ts";
import { payPayout } from "./commands/pay.server.ts";
import { reopenPayout } from "./commands/reopen.server.ts";

const STEPS = Number(process.env.MONEY_STEPS ?? half(200));
/** Steps of weeks, each of several changes. */
const WEEK_STEPS = Number(process.env.MONEY_STEPS ?? half(120));
const ROUNDS = Number(process.env.MONEY_ROUNDS ?? some(4));
const SEED = Number(process.env.TORTURE_SEED ?? 20261121);
const AT_ONCE = 50;
const NOW = Date.UTC(2026, 10, 21, 17);
const TODAY = dateIn(ZONE, NOW);
const bench = await openDatabase("everyone", NOW);
const [ada, ben] = [await bench.admin("ada"), await bench.admin("ben")];
const DRIVERS = ["dana", "omar", "lena"] as const satisfies readonly CastName[];
const db = new Database(bench.batches);

const balances = async (): Promise<readonly Balance[]> =>
	(await db.batch({ found: selectBalances(db.build, "", 100) })).found;
/** Requests in two live payouts, and payouts that don't match their requests. */
const impossible = () =>
	bench.rows(`select request_id from payout_requests join payouts on payouts.id = payout_id
			where status <> 'cancelled' group by request_id having count(*) > 1
		union all select settlement_id from payout_settlements join payouts on payouts.id = payout_id
			where status <> 'cancelled' group by settlement_id having count(*) > 1
		union all select id from payouts where total_cents is not
			(select coalesce(sum(amount_cents), 0) from payout_requests where payout_id = payouts.id)
			+ (select coalesce(sum(amount_cents), 0) from payout_settlements where payout_id = payouts.id)
		union all select fund_requests.id from fund_requests left join payout_requests
			on payout_requests.request_id = fund_requests.id
				and payout_requests.payout_id = fund_requests.payout_id
			left join payouts on payouts.id = fund_requests.payout_id
			where fund_requests.payout_id is not null
				and (payout_requests.payout_id is null or payouts.status = 'cancelled')`);

/** The model and the database: each step is tried on both. */
class Fleet {
	readonly money = new Money(DRIVERS.length);
	readonly requests: string[] = [];
	readonly payouts: string[] = [];
	private asked = 0;

	private async ask({ owner, cents }: Extract<Step, { kind: "ask" }>): Promise<boolean> {
		// An hour after the previous one, so that no hourly limit is reached.
		const at = NOW - 3_600_001 * (STEPS - this.asked++);
		const driver = await bench.driver(DRIVERS[owner] ?? "dana", at);
		const outcome = await submitRequest(
			driver,
			{
				type: "gas",
				amount: cents,
				description: `Fuel ${this.asked}`,
				receiptUrl: undefined,
				key: undefined,
				confirm: undefined,
				replacesId: undefined,
			},
			"json",
		);
		if (outcome.ok) this.requests.push(outcome.value.request.id);
		return outcome.ok;
	}

	private async approve(id: string, cents: number | undefined): Promise<boolean> {
		const { decisions } = await processRequests(ada, [id], {
			status: "approved",
			adminNotes: cents === undefined ? undefined : "Part of it was personal",
			approvedAmount: cents,
		});
		return decisions[0]?.result === "decided";
	}

	private async gather(gathering: Parameters<typeof makePayout>[1]): Promise<boolean> {
		const outcome = await makePayout(ada, gathering, undefined);
		if (outcome.ok) this.payouts.push(outcome.value.row.payout.id);
		return outcome.ok;
	}

	async play(step: Step): Promise<boolean> {
		const id = "request" in step ? (this.requests[step.request] ?? "none") : "";
		const payout = "payout" in step ? (this.payouts[step.payout] ?? "none") : "";
		switch (step.kind) {
			case "ask":
				return this.ask(step);
			case "approve":
				return this.approve(id, step.cents);
			case "reject":
				return (
					(await processRequests(ada, [id], { status: "rejected", adminNotes: "No" })).decisions[0]
						?.result === "decided"
				);
			case "withdraw": {
				const owner = DRIVERS[this.money.requests[step.request]?.owner ?? 0] ?? "dana";
				return (await withdrawRequest(await bench.driver(owner), id)).ok;
			}
			case "undo":
				return (await undoDecision(ada, id)).ok;
			case "reopen":
				return (await reopenRequest(ben, id)).ok;
			case "gather":
				return this.gather({
					kind: "named",
					ids: step.requests.map((each) => this.requests[each] ?? `none ${each}`),
				});
			case "gather-all": {
				const owner = step.owner === undefined ? undefined : DRIVERS[step.owner];
				return this.gather(owner ? { kind: "driver", driverId: idOf(owner) } : { kind: "all" });
			}
			case "pay":
				return (await payPayout(ben, payout, { paidOn: TODAY, reference: undefined })).ok;
			case "cancel":
				return (await cancelPayout(ada, payout)).ok;
			case "back-to-open":
				return (await reopenPayout(ben, payout, undefined)).ok;
		}
	}

	/** What the database has for each driver must match the model. */
	async faults(): Promise<unknown[]> {
		const found = await balances();
		const wrong: unknown[] = found.filter((balance) => !isBalanced(balance));
		for (const [position, name] of DRIVERS.entries()) {
			const own = found.find(({ driverId }) => driverId === idOf(name));
			const sums = own && [own.approvedCents, own.paidCents, own.openCents + own.readyCents];
			const expected = [this.money.approved, this.money.paid, this.money.unpaid].map(
				(each) => each[position],
			);
			if (sums?.join() !== expected.join()) wrong.push({ name, sums, expected });
		}
		const [fleet] = await bench.rows<Record<string, number>>(
			"select ready_cents + open_cents as unpaid, paid_cents as paid from payout_totals where driver_id = ''",
		);
		const sum = (list: readonly number[]) => list.reduce((total, each) => total + each, 0);
		if (fleet && (fleet.unpaid !== sum(this.money.unpaid) || fleet.paid !== sum(this.money.paid)))
			wrong.push({ fleet });
		return wrong;
	}
}

it(`approved = paid + unpaid for every driver and the fleet after each of ${STEPS} random steps`, async () => {
	const fleet = new Fleet();
	const next = random(SEED);
	const played = new Set<string>();
	for (let each = 0; each < STEPS; each++) {
		const step = randomStep(fleet.money, next);
		const isAllowed = await fleet.play(step);
		expect(isAllowed, `step ${each}: ${JSON.stringify(step)}`).toBe(fleet.money.try(step));
		if (isAllowed) played.add(step.kind);
		expect(faultsIn(fleet.money)).toEqual([]);
		expect(await fleet.faults(), `after step ${each}: ${JSON.stringify(step)}`).toEqual([]);
	}
	expect(await impossible()).toEqual([]);
	expect(played.size).toBe(11);
	// Recalculated totals equal those that the triggers kept.
	const totals = () =>
		bench.rows(
			"select * from payout_totals where ready_requests + open_requests + paid_requests > 0 order by 1",
		);
	const before = await totals();
	await recount(new Database(bench.d1));
	expect(await totals()).toEqual(before);
	report("money", [mustBeZero("random steps", STEPS, "after which the books don't balance", 0)]);
}, 3_600_000);

/** Plain arithmetic: what a driver's weeks came to, and where it is. */
type Weeks = {
	settled: number;
	paid: number;
	open: number;
	ready: number;
	/** What the next week carries, at most zero. */
	carried: number;
	next: CalendarDate;
};

it(`settled = paid + carried + unpaid for every driver and the fleet after each of ${WEEK_STEPS} random steps`, async () => {
	const next = random(SEED);
	const weeks = DRIVERS.map(
		(): Weeks => ({
			...{ settled: 0, paid: 0, open: 0, ready: 0, carried: 0 },
			next: parseCalendarDate("2024-01-01"),
		}),
	);
	for (const [position, name] of DRIVERS.entries())
		await insertAgreement(bench.rows, 900 + position, name, "2024-01-01");
	type Paid = { id: string; owner: number; cents: number; status: "open" | "paid" | "cancelled" };
	const payouts: Paid[] = [];
	const published: { id: string; owner: number; cents: number; payout: Paid | undefined }[] = [];
	let voids = 0;
	for (let step = 0; step < WEEK_STEPS; step++) {
		const owner = next(DRIVERS.length);
		const [own, name] = [weeks[owner], DRIVERS[owner]];
		if (!own || !name) throw new Error("no driver");
		const roll = next(10);
		if (roll < 4) {
			const cents = next(40_000) - 15_000;
			const week = { from: own.next, to: addDays(own.next, 6) };
			own.next = addDays(own.next, 7);
			await insertMoney(bench.rows, `week ${step}`, name, week, {
				...{ tip_cents: Math.max(cents, 0), cash_cents: Math.min(cents, 0) },
			});
			await draftWeek(ada, week, [idOf(name)]);
			const [draft] = await bench.rows<{ id: string }>(
				"select id from settlements where driver_id = ? and week_from = ? and status = 'draft'",
				idOf(name),
				week.from,
			);
			const outcome = await publishSettlements(ada, [draft?.id ?? ""], {});
			if (!outcome.ok) throw new Error(outcome.reason);
			const result = own.carried + cents;
			own.settled += cents;
			own.carried = Math.min(result, 0);
			own.ready += Math.max(result, 0);
			published.push({ id: draft?.id ?? "", owner, cents: result, payout: undefined });
		} else if (roll < 6) {
			const free = published.filter((each) => each.cents > 0 && each.payout === undefined);
			const chosen = free.filter((each) => each.owner === owner);
			const outcome = await makePayout(ben, { kind: "driver", driverId: idOf(name) }, undefined);
			const hasRequests = outcome.ok && outcome.value.row.requests.length > 0;
			expect(outcome.ok).toBe(chosen.length > 0 || hasRequests);
			if (!outcome.ok) continue;
			const cents = chosen.reduce((sum, each) => sum + each.cents, 0);
			const payout: Paid = { id: outcome.value.row.payout.id, owner, cents, status: "open" };
			for (const each of chosen) each.payout = payout;
			payouts.push(payout);
			own.ready -= cents;
			own.open += cents;
		} else if (roll < 9) {
			const payout = payouts[next(payouts.length)];
			const other = weeks[payout?.owner ?? 0];
			if (!payout || !other) continue;
			const to = (["paid", "cancelled", "open"] as const)[roll - 6] ?? "open";
			const isAllowed = to === "open" ? payout.status === "paid" : payout.status === "open";
			const outcome = await (to === "paid"
				? payPayout(ben, payout.id, { paidOn: TODAY, reference: undefined })
				: to === "open"
					? reopenPayout(ben, payout.id, undefined)
					: cancelPayout(ada, payout.id));
			expect(outcome.ok).toBe(isAllowed);
			if (!isAllowed) continue;
			if (payout.status === "paid") other.paid -= payout.cents;
			else other.open -= payout.cents;
			if (to === "paid") other.paid += payout.cents;
			if (to === "open") other.open += payout.cents;
			if (to === "cancelled") {
				other.ready += payout.cents;
				for (const each of published) if (each.payout === payout) each.payout = undefined;
			}
			payout.status = to;
		} else {
			const each = published[next(published.length)];
			const other = weeks[each?.owner ?? 0];
			if (!each || !other) continue;
			const isLast = published.findLast((one) => one.owner === each.owner) === each;
			const outcome = await voidSettlements(ada, [each.id]);
			if (each.payout) expect(outcome).toMatchObject({ reason: "in-payout" });
			if (isLast && !each.payout) expect(outcome.ok).toBe(true);
			if (!outcome.ok) continue;
			voids += 1;
			published.splice(published.indexOf(each), 1);
			const [row] = await bench.rows<{ carried: number; lines: number }>(
				`select carried_in_cents as carried, result_cents - carried_in_cents as lines
				from settlements where id = ?`,
				each.id,
			);
			other.settled -= row?.lines ?? 0;
			other.ready -= Math.max(each.cents, 0);
			other.carried += (row?.carried ?? 0) - Math.min(each.cents, 0);
		}
		const found = await balances();
		expect(
			found.filter((balance) => !isBalanced(balance)),
			`after step ${step}`,
		).toEqual([]);
		for (const [position, driver] of DRIVERS.entries()) {
			const balance = found.find(({ driverId }) => driverId === idOf(driver));
			const { settled, paid, open, ready, carried } = weeks[position] as Weeks;
			expect(settled).toBe(paid + carried + open + ready);
			expect(balance, `${driver} after step ${step}`).toMatchObject({
				...{ settledCents: settled, settledPaidCents: paid, settledOpenCents: open },
				...{ settledReadyCents: ready, carriedCents: carried },
			});
		}
		const { fleet } = await db.batch({ fleet: selectFleetBalance(db.build) });
		expect(isFleetBalanced(fleet[0])).toBe(true);
	}
	expect(await impossible()).toEqual([]);
	expect(payouts.filter(({ status }) => status === "paid").length).toBeGreaterThan(0);
	expect(voids).toBeGreaterThan(0);
	report("money", [mustBeZero("random steps of weeks", WEEK_STEPS, "books don't balance", 0)]);
}, 3_600_000);

it(`no request stands in two live payouts after ${AT_ONCE} attempts at once, ${ROUNDS} times over`, async () => {
	const insert = async (number: number, owner: CastName) => {
		const id = crypto.randomUUID();
		await insertRow(bench.rows, "fund_requests", {
			id,
			number: 1_000_000 + number,
			driver_id: idOf(owner),
			type: "gas",
			amount_cents: 100 + number,
			description: "Fuel",
			status: "approved",
			source: "form",
			created_at: NOW,
			requested_on: TODAY,
			payload_hash: "x",
			decided_at: NOW,
			decided_by: idOf("ada"),
		});
		return id;
	};
	let [made, paid, undone] = [0, 0, 0];
	for (let round = 0; round < ROUNDS; round++) {
		const ids = [
			await insert(round * 3, "dana"),
			await insert(round * 3 + 1, "omar"),
			await insert(round * 3 + 2, "lena"),
		];
		const [a = "", b = "", c = ""] = ids;
		const sets = [[a, b], [b, c], [a, c], ids, [b]];
		const outcomes = await Promise.all(
			Array.from({ length: AT_ONCE }, async (_, each) => {
				const by = each % 2 ? ada : ben;
				if (each % 10 === 9) return (await undoDecision(ada, b)).ok ? "undone" : "refused";
				const outcome =
					each % 10 === 8
						? await makePayout(by, { kind: "all" }, undefined)
						: await makePayout(by, { kind: "named", ids: sets[each % 5] ?? ids }, undefined);
				if (!outcome.ok) return "refused";
				const { id } = outcome.value.row.payout;
				const settled = await Promise.all([
					payPayout(by, id, { paidOn: TODAY, reference: undefined }),
					cancelPayout(ada, id),
					reopenPayout(by, id, undefined),
				]);
				return settled[0]?.ok ? "paid" : "made";
			}),
		);
		made += outcomes.filter((each) => each === "made" || each === "paid").length;
		paid += outcomes.filter((each) => each === "paid").length;
		undone += outcomes.filter((each) => each === "undone").length;
		expect(await impossible()).toEqual([]);
		expect((await balances()).filter((each) => !isBalanced(each))).toEqual([]);
	}
	expect(made).toBeGreaterThanOrEqual(ROUNDS);
	console.log(`${ROUNDS} rounds of ${AT_ONCE}: ${made} payouts, ${paid} paid, ${undone} undone`);
	report("money", [mustBeZero(`rounds of ${AT_ONCE} at once`, ROUNDS, "requests paid twice", 0)]);
}, 3_600_000);

describe("the nightly check", () => {
	const system = (now: number) => ({ role: "system" as const, db, now });
	const DAY = 86_400_000;
	const entries = (action: string) =>
		bench.rows<{ after: string; entity_id: string; actor_role: string }>(
			"select after, entity_id, actor_role from audit_events where action = ? order by id",
			action,
		);

	it("logs its result once a day, driver by driver when the books don't balance", async () => {
		const decided = { status: "approved", decided_at: NOW, decided_by: idOf("ada") };
		await insertRequest(bench.rows, 9001, "dana", decided);
		const first = await checkBooks(system(NOW + DAY), ZONE);
		expect(first).toMatchObject({ differences: 0 });
		expect(first?.approvedCents).toBe((first?.paidCents ?? 0) + (first?.unpaidCents ?? 0));
		expect(await checkBooks(system(NOW + DAY + 60_000), ZONE)).toBeUndefined();
		expect(await entries("books.check")).toHaveLength(1);
		// Someone writes without the triggers.
		await bench.rows(
			"update payout_totals set paid_cents = paid_cents + 100, paid_requests = paid_requests + 1 where driver_id = ?",
			idOf("dana"),
		);
		expect(await checkBooks(system(NOW + 2 * DAY), ZONE)).toMatchObject({ differences: 1 });
		const [found] = await entries("books.difference");
		expect(found).toMatchObject({ entity_id: idOf("dana"), actor_role: "system" });
		const said = JSON.parse(found?.after ?? "{}") as Balance;
		expect(said.totalPaidCents).toBe(said.paidCents + 100);
		await recount(new Database(bench.d1));
		expect(await checkBooks(system(NOW + 3 * DAY), ZONE)).toMatchObject({ differences: 0 });
		await bench.rows(
			"update payout_totals set ready_cents = ready_cents + 100 where driver_id = ''",
		);
		expect(await checkBooks(system(NOW + 4 * DAY), ZONE)).toMatchObject({ differences: 1 });
		expect((await entries("books.difference")).at(-1)).toMatchObject({ entity_id: "2026-11-25" });
		await recount(new Database(bench.d1));
		const sound = await checkBooks(system(NOW + 5 * DAY), ZONE);
		expect(sound).toMatchObject({ differences: 0 });
		expect(sound?.settledCents).toBe(
			(sound?.settledPaidCents ?? 0) +
				(sound?.carriedCents ?? 0) +
				(sound?.settledUnpaidCents ?? 0),
		);
		await bench.rows(
			"update payout_totals set open_settled_cents = open_settled_cents + 100 where driver_id = ?",
			idOf("dana"),
		);
		expect(await checkBooks(system(NOW + 6 * DAY), ZONE)).toMatchObject({ differences: 1 });
		await recount(new Database(bench.d1));
		expect(await checkBooks(system(NOW + 7 * DAY), ZONE)).toMatchObject({ differences: 0 });
	});

	it("reads as many rows as there are people and their own requests, not the fleet's for each", async () => {
		const rowsRead = async () => {
			const counting = new Database(bench.batches);
			await counting.batch({ found: selectBalances(counting.build, "", 5) });
			return counting.cost.rows;
		};
		// Someone after these five has one that is unpaid, and then many.
		await bench.rows(`insert into users (id, role, first_name, last_name, approval_status, created_at)
			values ('ffffffff-0000-4000-8000-000000000000', 'driver', 'Last', 'L', 'approved', 1)`);
		const insertUnpaid = (first: number, last: number) =>
			bench.rows(
				`insert into fund_requests (id, number, driver_id, type, amount_cents, description, status,
					source, created_at, requested_on, payload_hash, decided_at, decided_by)
				with recursive n(i) as (select ? union all select i + 1 from n where i < ?)
				select printf('f1000000-0000-4000-8000-%012d', i), 700000 + i,
					'ffffffff-0000-4000-8000-000000000000', 'gas', 100, 'Fuel', 'approved', 'form', 1,
					'2026-11-01', 'hash', 2, ? from n`,
				first,
				last,
				idOf("ada"),
			);
		await insertUnpaid(1, 1);
		const before = await rowsRead();
		await insertUnpaid(2, 500);
		expect(await rowsRead()).toBe(before);
	});

	it("continues where it stopped in a large fleet, in bounded steps", async () => {
		await bench.rows(`insert into users (id, role, first_name, last_name, approval_status, created_at)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
			select printf('90000000-0000-4000-8000-%012d', i), 'driver', 'Sam', 'S', 'approved', 1 from n`);
		const at = NOW + 10 * DAY;
		expect(await checkBooks(system(at), ZONE)).toBeUndefined();
		expect(await checkBooks(system(at + 60_000), ZONE)).toMatchObject({ differences: 0 });
	});
});
