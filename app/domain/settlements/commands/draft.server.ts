import { sql } from "drizzle-orm";
import { settlements } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { Period } from "../../../values/period.ts";
import { WEEKS_OPEN_FROM } from "../../archive/closed-years.server.ts";
import { auditActor, hasAccess } from "../../kernel/actor.server.ts";
import { auditStatement } from "../../kernel/audit-entry.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { isOverLimit } from "../../kernel/limits.server.ts";
import { throwAccessLost, throwTooMany } from "../../kernel/transition.server.ts";
import { firstDayOfWeek } from "../../statements/settlement-week.server.ts";
import { readDraft } from "../draft.ts";
import { draftOf } from "../facts.server.ts";
import { DRIVERS_PER_STEP } from "../rules.ts";
import { isDue } from "../settlement.ts";

export type DraftRefusal = Refused<"no-such-driver" | "closed">;
/** How many drafts were made. */
export type DraftedWeek = { readonly made: number };

/** Someone whose week is looked at, and what it follows from. */
type Candidate = {
	readonly id: string;
	readonly isActive: number;
	/** Whether their invitation was canceled before they claimed it. */
	readonly isCanceled: number;
	readonly draft: string;
};

/**
 * Makes the drafts of a week, for everyone with anything due in it or for some, in bounded steps.
 * Whoever has a settlement of the week keeps it.
 * @param driverIds absent for everyone
 */
export async function draftWeek(
	admin: AdminContext,
	{ from }: Period,
	driverIds?: readonly string[],
): Promise<Outcome<DraftedWeek, DraftRefusal>> {
	const { db } = admin;
	const named = driverIds && JSON.stringify(driverIds);
	if (named !== undefined) {
		const { known } = await db.batch({
			known: db.build.all<{ count: number }>(sql`select count(*) as count
				from json_each(${named}) as each
				cross join users on users.id = each.value and users.driver_number is not null`),
		});
		if (known[0]?.count !== driverIds?.length) return refused("no-such-driver");
	}
	let made = 0;
	for (let after = ""; ; ) {
		const { candidates, closed } = await db.batch({
			closed: db.build.all<{ isClosed: number }>(
				sql`select ${from} < ${WEEKS_OPEN_FROM} as isClosed`,
			),
			candidates: db.build.all<Candidate>(sql`
				select asked.id as id, asked.is_active as isActive,
					asked.deleted_at is not null as isCanceled, ${draftOf({
						driverId: sql`asked.id`,
						from: sql`asked.week_from`,
					})} as draft
				from (select users.id, users.is_active, users.deleted_at, ${from} as week_from from users
					where ${named === undefined ? sql`` : sql`users.id in (select value from json_each(${named})) and`}
						users.id > ${after} and +users.driver_number is not null
					order by users.id limit ${DRIVERS_PER_STEP}) as asked`),
		});
		if (closed[0]?.isClosed) return refused("closed");
		const due = candidates.filter(({ isActive, isCanceled, draft }) =>
			isDue(readDraft(draft, from), { isActive: isActive === 1, isCanceled: isCanceled === 1 }),
		);
		if (due.length > 0) made += await insertDrafts(admin, from, due);
		const last = candidates.at(-1);
		if (!last || candidates.length < DRIVERS_PER_STEP) break;
		after = last.id;
	}
	return done({ made });
}

/**
 * Inserts drafts of those who have no settlement of the week, if it is still one of the fleet's
 * weeks and isn't closed; returns how many.
 */
async function insertDrafts(
	admin: AdminContext,
	weekFrom: string,
	due: readonly Candidate[],
): Promise<number> {
	const { db, user, now } = admin;
	const { build } = db;
	const changeId = crypto.randomUUID();
	const rows = JSON.stringify(due.map(({ id }) => [crypto.randomUUID(), id]));
	const isMade = sql`settlements.id in (select value ->> 0 from json_each(${rows}))
		and settlements.last_change_id = ${changeId}`;
	const { verdict } = await db.batch({
		inserted: build.run(sql`
			insert into settlements (id, number, driver_id, week_from, status, created_at, created_by,
				last_change_id)
			select each.value ->> 0, (select coalesce(max(number), 0) from settlements)
					+ row_number() over (order by users.driver_number),
				users.id, ${weekFrom}, 'draft', ${now}, ${user.id}, ${changeId}
			from json_each(${rows}) as each cross join users on users.id = each.value ->> 1
			where ${hasAccess(admin)} and not ${isOverLimit(admin)}
				and ${weekFrom} >= ${WEEKS_OPEN_FROM} and ${weekFrom} = ${firstDayOfWeek(weekFrom)}
				and not exists (select 1 from settlements as live where live.driver_id = users.id
					and live.week_from = ${weekFrom} and live.status <> 'void')`),
		audit: auditStatement(
			build,
			auditActor(admin),
			{
				action: "settlement.draft",
				entity: "settlement",
				after: sql`json_object('week', week_from)`,
			},
			settlements,
			// If D1 runs the batch twice, the entries are already there.
			sql`${isMade} and not exists (select 1 from audit_events as told
				where told.entity = 'settlement' and told.entity_id = settlements.id
					and told.action = 'settlement.draft')`,
		),
		verdict: build.all<{ isAllowed: number; isTooMany: number; made: number }>(sql`
			select ${hasAccess(admin)} as isAllowed, ${isOverLimit(admin)} as isTooMany,
				(select count(*) from settlements where ${isMade}) as made`),
	});
	if (!verdict[0]?.isAllowed) return throwAccessLost(admin);
	if (verdict[0].isTooMany) return throwTooMany(admin);
	return verdict[0].made;
}
