import { type SQL, sql } from "drizzle-orm";
import { settlements } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import { WEEKS_OPEN_FROM } from "../../archive/closed-years.server.ts";
import { countSettledInstalments } from "../../charges/rows.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { displayName } from "../../people/rules.ts";
import { cancelPublishedEmails, queueVoidedEmails } from "../emails.server.ts";
import { isPublished } from "../facts.server.ts";
import { hasIdIn, type SettlementRow, settlementsWithLines } from "../rows.server.ts";
import { MAX_AT_ONCE } from "../rules.ts";
import { type Settlement, toSettlement } from "../settlement.ts";

export type VoidRefusal =
	| Refused<"not-found">
	| Refused<"void-already" | "in-payout" | "closed" | "published-since", Settlement>
	/** `by` is the number of the latest week that carries or corrects it. */
	| Refused<"carried", { readonly settlement: Settlement; readonly by: number }>;

/** The number of the latest published week that carries its sum or corrects it. */
const CARRIER = sql`(select later.number from settlements as later
	where later.driver_id = settlements.driver_id and later.week_from > settlements.week_from
		and ${isPublished("later")} and (later.id = settlements.carried_by or exists (
			select 1 from settlement_lines as line
			where line.settlement_id = later.id and line.about_week = settlements.week_from))
	order by later.week_from desc limit 1)`;
/** Whether its week couldn't be drafted again. */
const IS_CLOSED = sql`settlements.week_from < ${WEEKS_OPEN_FROM}`;
const IS_OPEN = sql`(settlements.status = 'draft' or settlements.status = 'published')
	and settlements.payout_id is null and ${CARRIER} is null and not (${IS_CLOSED})`;

/**
 * Voids drafts and published settlements, all or none: what they carried and corrected is open
 * again, and their weeks can be drafted again.
 * @param seen how the administrator saw them: drafts aren't voided once they are published
 * @throws RangeError for too many at once
 */
export async function voidSettlements(
	admin: AdminContext,
	ids: readonly string[],
	seen?: "draft",
): Promise<Outcome<readonly SettlementRow[], VoidRefusal>> {
	if (ids.length > MAX_AT_ONCE) throw new RangeError(`at most ${MAX_AT_ONCE} settlements at once`);
	const { db, user, now } = admin;
	const { build } = db;
	const list = JSON.stringify(ids);
	const isOpen = seen ? sql`${IS_OPEN} and settlements.status = 'draft'` : IS_OPEN;
	const { changed, rows, answers } = await transition(admin, {
		table: settlements,
		rows: hasIdIn(ids),
		when: sql`${isOpen} and (select count(*) from json_each(${list}) as each
			cross join settlements on settlements.id = each.value where ${isOpen}) = ${ids.length}`,
		set: { status: "void", voidedAt: now, voidedBy: user.id },
		audit: {
			action: "settlement.void",
			entity: "settlement",
			before: sql`json_object('status', status, 'week', week_from, 'amountCents', result_cents)`,
			after: sql`json_object('status', 'void')`,
		},
		first: {
			kept: build.all<{ id: string; by: number | null }>(sql`
				select settlements.id as id, ${CARRIER} as "by" from json_each(${list}) as each
				cross join settlements on settlements.id = each.value
				where "by" is not null or ${IS_CLOSED}`),
		},
		next: (voided) => ({
			...afterVoid(build, list, sql`exists (select 1 from settlements where ${voided})`),
			told: queueVoidedEmails(build, list, voided, displayName(user), now),
		}),
		read: (reader) => settlementsWithLines(reader).where(hasIdIn(ids)).orderBy(settlements.number),
	});
	if (rows.length < ids.length) return refused("not-found");
	if (changed.size === ids.length) return done(rows);
	const kept = new Map(answers.kept.map(({ id, by }) => [id, by]));
	for (const each of rows.map(toSettlement)) {
		if (each.status === "void") return refused("void-already", each);
		if (seen && each.status !== seen) return refused("published-since", each);
		if (each.payout) return refused("in-payout", each);
		const by = kept.get(each.id);
		if (by === null) return refused("closed", each);
		if (by !== undefined) return refused("carried", { settlement: each, by });
	}
	// Someone else has voided all of them, which the rows show by now.
	return refused("not-found");
}

/** @param isDone whether they were voided */
function afterVoid(build: Parameters<typeof countSettledInstalments>[0], ids: string, isDone: SQL) {
	const lines = sql`settlement_lines as line
		where line.settlement_id in (select value from json_each(${ids}))`;
	return {
		emails: cancelPublishedEmails(build, ids, isDone),
		released: build.run(sql`update settlements set carried_by = null
			where carried_by in (select value from json_each(${ids})) and ${isDone}`),
		instalments: countSettledInstalments(
			build,
			sql`id in (select line.charge_id from ${lines}) and ${isDone}`,
		),
		// The weeks that they corrected are worked out again.
		marks: build.run(sql`
			insert into settlement_marks (driver_id, since)
			select settled.driver_id, min(line.about_week)
			from json_each(${ids}) as each cross join settlements as settled on settled.id = each.value
				join settlement_lines as line on line.settlement_id = settled.id
			where line.about_week is not null and ${isDone} group by settled.driver_id
			on conflict (driver_id) do update set since = min(since, excluded.since)`),
	};
}
