import { type SQL, sql } from "drizzle-orm";
import { payouts } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { RequestWithPeople } from "../../fund-requests/json.ts";
import { effectiveCents, hasIdIn, requestsWithPeople } from "../../fund-requests/rows.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import {
	hasIdIn as isOneOf,
	type SettlementRow,
	settlementsWithLines,
} from "../../settlements/rows.server.ts";
import { type Settlement, toSettlement } from "../../settlements/settlement.ts";
import type { Gathering } from "../input.ts";
import { type FullPayoutRow, payoutsWithParts } from "../rows.server.ts";
import { MAX_REQUESTS } from "../rules.ts";

export type MadePayout = { readonly row: FullPayoutRow; readonly isReplay: boolean };
/** Requests and settlements that can't be paid, and ids that don't exist. */
export type InTheWay = {
	readonly asked: number;
	readonly requests: readonly RequestWithPeople[];
	readonly settlements: readonly Settlement[];
	readonly unknown: readonly string[];
	readonly unknownSettlements: readonly string[];
};
/** What there is to pay. */
export type Found = {
	readonly requests: number;
	readonly settlements: number;
	readonly cents: number;
};
export type MakeRefusal =
	| Refused<"key-reused">
	| Refused<"no-such-driver">
	| Refused<"nothing-unpaid">
	| Refused<"changed", Found>
	| Refused<"in-the-way", InTheWay>;

/**
 * The requests and settlements that can be paid, with their amounts; past the limit, the oldest
 * requests, then the oldest settlements. Each names the index that reads no others: left to the
 * planner, every unpaid request of the fleet would be read.
 */
function selectGathered(gathering: Gathering): SQL {
	const requests = (from: SQL) => sql`select fund_requests.id as id, 'request' as kind,
		fund_requests.driver_id as driver_id, ${effectiveCents} as cents from fund_requests ${from}`;
	const settled = (from: SQL) => sql`select settlements.id as id, 'settlement' as kind,
		settlements.driver_id as driver_id, settlements.result_cents as cents from settlements ${from}`;
	const isUnpaid = sql`fund_requests.status = 'approved' and fund_requests.payout_id is null`;
	const isPayable = sql`settlements.status = 'published' and settlements.payout_id is null
		and settlements.result_cents > 0`;
	const both = (ofRequests: SQL, ofSettlements: SQL) => sql`(
		select * from (${ofRequests} limit ${MAX_REQUESTS})
		union all
		select * from (${ofSettlements} order by settlements.number limit ${MAX_REQUESTS})
		limit ${MAX_REQUESTS})`;
	switch (gathering.kind) {
		case "all":
			return both(
				requests(sql`indexed by requests_not_in_payout where ${isUnpaid}
					order by fund_requests.created_at, fund_requests.number`),
				settled(sql`indexed by settlements_unpaid_first where ${isPayable}`),
			);
		case "driver":
			return both(
				requests(sql`indexed by requests_unpaid_by_driver where ${isUnpaid}
					and fund_requests.driver_id = ${gathering.driverId} order by fund_requests.number`),
				settled(sql`indexed by settlements_unpaid where ${isPayable}
					and settlements.driver_id = ${gathering.driverId}`),
			);
		case "named":
			// Plus signs hide the columns from indexes, which leaves the key.
			return sql`(${requests(sql`where ${hasIdIn(gathering.ids)}`)}
					and +fund_requests.status = 'approved' and +fund_requests.payout_id is null
				union all ${settled(sql`where ${isOneOf(gathering.settlementIds ?? [])}`)}
					and +settlements.status = 'published' and +settlements.payout_id is null
					and +settlements.result_cents > 0)`;
	}
}

/**
 * Makes an open payout of approved and unpaid requests and of published and unpaid settlements: all
 * named, or none. If none are named and there are more than 500, it takes the oldest requests, then
 * the oldest settlements.
 * @param key of the submission, which makes one payout however often it is sent
 * @throws RangeError for more ids than a payout may have
 */
export async function makePayout(
	admin: AdminContext,
	gathering: Gathering,
	key: string | undefined,
): Promise<Outcome<MadePayout, MakeRefusal>> {
	const isNamed = gathering.kind === "named";
	const ids = isNamed ? gathering.ids : [];
	const settlementIds = (isNamed && gathering.settlementIds) || [];
	const asked = ids.length + settlementIds.length;
	if (asked > MAX_REQUESTS)
		throw new RangeError(`at most ${MAX_REQUESTS} requests and settlements at once`);
	const { db, user, now } = admin;
	const id = crypto.randomUUID();
	const chosen = selectGathered(gathering);
	const driverId = gathering.kind === "driver" ? gathering.driverId : null;
	const created = await createOnce(admin, {
		table: payouts,
		id,
		creator: payouts.createdBy,
		key,
		payload: [
			...["payout", isNamed ? "requests" : gathering.kind, driverId, ...ids.toSorted()],
			...(settlementIds.length > 0 ? ["settlements", ...settlementIds.toSorted()] : []),
		],
		facts: {
			found: sql<number>`(select count(*) from ${chosen} as chosen)`,
			settled: sql<number>`(select count(*) from ${chosen} as chosen where kind = 'settlement')`,
			cents: sql<number>`(select coalesce(sum(cents), 0) from ${chosen} as chosen)`,
			drivers: sql<number>`(select count(distinct driver_id) from ${chosen} as chosen)`,
			hasDriver: driverId
				? sql<number>`exists (select 1 from users where id = ${driverId} and deleted_at is null)`
				: sql<number>`1`,
		},
		accepts: isNamed
			? sql`found = ${asked}`
			: sql`found > 0 and cents = ${gathering.shownCents ?? sql`cents`}`,
		values: {
			number: sql`(select coalesce(max(number), 0) + 1 from payouts)`,
			status: "open",
			totalCents: sql`cents`,
			driverCount: sql`drivers`,
			requestCount: sql`found`,
			settlementCount: sql`settled`,
			createdAt: now,
			createdBy: user.id,
		},
		audit: {
			action: "payout.make",
			entity: "payout",
			after: sql`json_patch(json_object('amountCents', total_cents, 'drivers', driver_count,
					'requests', request_count - settlement_count),
				iif(settlement_count > 0, json_object('settlements', settlement_count), '{}'))`,
		},
		first: {
			asked: ids.length > 0 ? requestsWithPeople(db.build, ids) : undefined,
			askedWeeks:
				settlementIds.length > 0
					? settlementsWithLines(db.build).where(isOneOf(settlementIds))
					: undefined,
		},
		// Only while it is unchanged: a batch that D1 ran twice finds its own work done.
		next: (made) => {
			const isNew = sql`exists (select 1 from ${payouts} where ${made}
				and ${payouts.lastChangeId} = ${id})`;
			const into = (
				table: "payout_requests" | "payout_settlements",
				kind: string,
				column: string,
			) =>
				sql`insert into ${sql.identifier(table)} (payout_id, ${sql.identifier(column)}, driver_id,
						amount_cents)
					select ${id}, chosen.id, chosen.driver_id, chosen.cents from ${chosen} as chosen
					where chosen.kind = ${kind} and ${isNew} and not exists (
						select 1 from ${sql.identifier(table)} where payout_id = ${id})`;
			return {
				requests: db.build.run(into("payout_requests", "request", "request_id")),
				settled: db.build.run(into("payout_settlements", "settlement", "settlement_id")),
				gathered: db.build.run(sql`
					update fund_requests set payout_id = ${id}, last_change_id = ${id}
					where id in (select request_id from payout_requests where payout_id = ${id})
						and payout_id is null and ${isNew}`),
				gatheredWeeks: db.build.run(sql`
					update settlements set payout_id = ${id}, last_change_id = ${id}
					where id in (select settlement_id from payout_settlements where payout_id = ${id})
						and payout_id is null and ${isNew}`),
			};
		},
		read: (build, rows) => payoutsWithParts(build).where(rows),
	});
	switch (created.kind) {
		case "created":
			return done({ row: created.row, isReplay: false });
		case "replayed":
			return done({ row: created.row, isReplay: true });
		case "key-reused":
			return refused("key-reused");
		case "refused": {
			const { found, settled, cents, hasDriver } = created.facts;
			if (!hasDriver) return refused("no-such-driver");
			if (!isNamed)
				return found > 0
					? refused("changed", { requests: found - settled, settlements: settled, cents })
					: refused("nothing-unpaid");
			return refused("in-the-way", inTheWay(gathering, created.answers));
		}
	}
}

/** What prevents a payout of named requests and settlements. */
function inTheWay(
	{ ids, settlementIds = [] }: Extract<Gathering, { kind: "named" }>,
	answers: {
		readonly asked?: readonly RequestWithPeople[] | undefined;
		readonly askedWeeks?: readonly SettlementRow[] | undefined;
	},
): InTheWay {
	const requests = answers.asked ?? [];
	const settlements = (answers.askedWeeks ?? []).map(toSettlement);
	const known = new Set(
		[...requests.map(({ request }) => request), ...settlements].map(({ id }) => id),
	);
	const isUnknown = (id: string) => !known.has(id);
	return {
		asked: ids.length + settlementIds.length,
		requests: requests.filter(
			({ request }) => request.status !== "approved" || request.payoutId !== null,
		),
		settlements: settlements.filter(
			({ status, payout, payableCents }) =>
				status !== "published" || payout !== null || payableCents <= 0,
		),
		unknown: ids.filter(isUnknown),
		unknownSettlements: settlementIds.filter(isUnknown),
	};
}
