import { type SQL, sql } from "drizzle-orm";
import { payouts } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { RequestWithPeople } from "../../fund-requests/json.ts";
import { effectiveCents, hasIdIn, requestsWithPeople } from "../../fund-requests/rows.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import type { Gathering } from "../input.ts";
import { type FullPayoutRow, payoutsWithRequests } from "../rows.server.ts";
import { MAX_REQUESTS } from "../rules.ts";

export type MadePayout = { readonly row: FullPayoutRow; readonly isReplay: boolean };
/** Requests that can't be paid, and ids that don't exist. */
export type InTheWay = {
	readonly asked: number;
	readonly requests: readonly RequestWithPeople[];
	readonly unknown: readonly string[];
};
export type MakeRefusal =
	| Refused<"key-reused">
	| Refused<"no-such-driver">
	| Refused<"nothing-unpaid">
	| Refused<"changed", { readonly found: number; readonly cents: number }>
	| Refused<"in-the-way", InTheWay>;

/**
 * The requests that can be paid, with their effective amounts, oldest first. Each names the index
 * that reads no others: left to the planner, all unpaid requests of the fleet are read each time.
 */
function selectGathered(gathering: Gathering): SQL {
	const chosen = (from: SQL) => sql`select fund_requests.id as id,
		fund_requests.driver_id as driver_id, ${effectiveCents} as cents from fund_requests ${from}`;
	const isUnpaid = sql`fund_requests.status = 'approved' and fund_requests.payout_id is null`;
	const oldest = sql`order by fund_requests.number limit ${MAX_REQUESTS}`;
	switch (gathering.kind) {
		case "all":
			return sql`(${chosen(sql`indexed by requests_unpaid where ${isUnpaid}`)} ${oldest})`;
		case "driver":
			return sql`(${chosen(sql`indexed by requests_unpaid_by_driver where ${isUnpaid}`)}
				and fund_requests.driver_id = ${gathering.driverId} ${oldest})`;
		case "requests":
			// A sign hides the two columns from the indexes, which leaves the key.
			return sql`(${chosen(sql`where ${hasIdIn(gathering.ids)}`)}
				and +fund_requests.status = 'approved' and +fund_requests.payout_id is null)`;
	}
}

/**
 * Makes an open payout of approved and unpaid requests: all named ones, or none. If none is named
 * and there are more than 500, it takes the oldest.
 * @param key of the submission, which makes one payout however often it is sent
 * @throws RangeError for more ids than a payout may have
 */
export async function makePayout(
	admin: AdminContext,
	gathering: Gathering,
	key: string | undefined,
): Promise<Outcome<MadePayout, MakeRefusal>> {
	const ids = gathering.kind === "requests" ? gathering.ids : [];
	if (ids.length > MAX_REQUESTS) throw new RangeError(`at most ${MAX_REQUESTS} requests at once`);
	const { db, user, now } = admin;
	const id = crypto.randomUUID();
	const chosen = selectGathered(gathering);
	const driverId = gathering.kind === "driver" ? gathering.driverId : null;
	const created = await createOnce(admin, {
		table: payouts,
		id,
		creator: payouts.createdBy,
		key,
		payload: ["payout", gathering.kind, driverId, ...ids.toSorted()],
		facts: {
			found: sql<number>`(select count(*) from ${chosen} as chosen)`,
			cents: sql<number>`(select coalesce(sum(cents), 0) from ${chosen} as chosen)`,
			drivers: sql<number>`(select count(distinct driver_id) from ${chosen} as chosen)`,
			hasDriver: driverId
				? sql<number>`exists (select 1 from users where id = ${driverId} and deleted_at is null)`
				: sql<number>`1`,
		},
		accepts:
			gathering.kind === "requests"
				? sql`found = ${ids.length}`
				: sql`found > 0 and cents = ${gathering.shownCents ?? sql`cents`}`,
		values: {
			number: sql`(select coalesce(max(number), 0) + 1 from payouts)`,
			status: "open",
			totalCents: sql`cents`,
			driverCount: sql`drivers`,
			requestCount: sql`found`,
			createdAt: now,
			createdBy: user.id,
		},
		audit: {
			action: "payout.make",
			entity: "payout",
			after: sql`json_object('amountCents', total_cents, 'drivers', driver_count,
				'requests', request_count)`,
		},
		first: {
			asked: gathering.kind === "requests" ? requestsWithPeople(db.build, ids) : undefined,
		},
		// Only while it is as it was made: a batch that D1 ran twice finds its own work done.
		next: (made) => {
			const isNew = sql`exists (select 1 from ${payouts} where ${made}
				and ${payouts.lastChangeId} = ${id})`;
			return {
				requests: db.build.run(sql`
					insert into payout_requests (payout_id, request_id, driver_id, amount_cents)
					select ${id}, chosen.id, chosen.driver_id, chosen.cents from ${chosen} as chosen
					where ${isNew} and not exists (select 1 from payout_requests where payout_id = ${id})`),
				gathered: db.build.run(sql`
					update fund_requests set payout_id = ${id}, last_change_id = ${id}
					where id in (select request_id from payout_requests where payout_id = ${id})
						and payout_id is null and ${isNew}`),
			};
		},
		read: (build, rows) => payoutsWithRequests(build).where(rows),
	});
	switch (created.kind) {
		case "created":
			return done({ row: created.row, isReplay: false });
		case "replayed":
			return done({ row: created.row, isReplay: true });
		case "key-reused":
			return refused("key-reused");
		case "refused": {
			const { found, cents, hasDriver } = created.facts;
			if (!hasDriver) return refused("no-such-driver");
			if (gathering.kind !== "requests")
				return found > 0 ? refused("changed", { found, cents }) : refused("nothing-unpaid");
			const asked = created.answers.asked ?? [];
			const known = new Set(asked.map(({ request }) => request.id));
			return refused("in-the-way", {
				asked: ids.length,
				requests: asked.filter(
					({ request }) => request.status !== "approved" || request.payoutId !== null,
				),
				unknown: ids.filter((each) => !known.has(each)),
			});
		}
	}
}
