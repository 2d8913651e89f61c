import { sql } from "drizzle-orm";
import type { Builder, Database } from "../../../db/client.server.ts";
import { literal } from "../../../db/literal.ts";
import { archivedYears } from "../../../db/schema.ts";
import { dateIn } from "../../../values/calendar-date.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import { auditActor } from "../../kernel/actor.server.ts";
import { auditStatement } from "../../kernel/audit-entry.server.ts";
import type { OperatorContext } from "../../kernel/context.ts";
import { DRIVER_VOID_WINDOW_MS } from "../../kernel/time-limits.ts";
import { lastDayOf, latestToArchive, weeksOpenAfter } from "../rules.ts";

/** How much isn't settled yet. */
export type Unsettled = {
	readonly pending: number;
	readonly unpaid: number;
	/** Entries that their drivers can still void. */
	readonly recent: number;
	/** Drafts of its weeks and of weeks that count its miles, and its published weeks to pay. */
	readonly weeks: number;
};
export type CloseRefusal =
	| Refused<"too-early", { readonly latest: number }>
	| Refused<"unsettled", Unsettled>
	| Refused<"other-year", { readonly year: number }>
	| Refused<"archived">;

/** A year's contents, and what prevents closing it. */
export type YearState = Unsettled & {
	/** Entries up to its end that aren't in the archive. */
	readonly entries: number;
	/** Drivers with money under an agreement in weeks without a settlement: afterwards they get none. */
	readonly undrafted: number;
	/** The latest closed year, and whether it is completely archived. */
	readonly closed: number | null;
	readonly isFinished: number;
};

const countUnsettled = (year: number, now: number) => {
	const end = lastDayOf(year);
	// Requests are found by their moment, which is never a day after their date.
	const before = sql`unixepoch(${end}) * 1000 + 2 * 86400000`;
	const asked = (status: string) => sql`select count(*) from fund_requests
		where status = ${literal(status)} and created_at < ${before} and requested_on <= ${end}`;
	return {
		pending: sql`(${asked("pending")})`,
		unpaid: sql`(${asked("approved")} and not exists (select 1 from payouts
			where payouts.id = fund_requests.payout_id and payouts.status = 'paid'))`,
		recent: sql`(select count(*) from mileage_logs where driven_on <= ${end}
			and voided_at is null and created_at > ${now - DRIVER_VOID_WINDOW_MS})`,
		weeks: sql`(select count(*) from settlements
			where status = 'draft' and week_from < ${weeksOpenAfter(year)}
				or status = 'published' and result_cents > 0 and week_from <= ${end})`,
	};
};

function selectState(build: Builder, year: number, now: number) {
	const { pending, unpaid, recent, weeks } = countUnsettled(year, now);
	return build.all<YearState>(sql`select ${pending} as pending, ${unpaid} as unpaid,
		${recent} as recent, ${weeks} as weeks,
		(select count(distinct money.driver_id)
			from users cross join statement_money as money on money.driver_id = users.id
			where users.driver_number > 0 and money.is_live = 1 and money.proof <> 'unproven'
				and money.counts_to < ${weeksOpenAfter(year)}
				and exists (select 1 from agreements where agreements.driver_id = users.id
					and agreements.starts_on <= money.counts_from)
				and not exists (select 1 from settlements as settled
					where settled.driver_id = users.id and settled.status <> 'void'
						and settled.week_from between date(money.counts_to, '-6 days') and money.counts_from))
			as undrafted,
		(select count(*) from mileage_logs where driven_on <= ${lastDayOf(year)}) as entries,
		(select max(year) from archived_years) as closed,
		not exists (select 1 from archived_years where finished_at is null) as isFinished`);
}

/** A year's contents and what prevents closing it, without changing anything. */
export async function yearState(db: Database, year: number, now: number): Promise<YearState> {
	const { state } = await db.batch({ state: selectState(db.build, year, now) });
	const [found] = state;
	if (!found) throw new Error("the state of the year has no answer");
	return found;
}

/**
 * Closes a year and those before it once everything in them is settled. From then on nothing is
 * logged or voided in them, so that their entries can be moved.
 * @returns whether it was closed before and is being moved
 */
export async function closeYear(
	operator: OperatorContext,
	year: number,
	timeZone: string,
): Promise<Outcome<{ readonly isResumed: boolean }, CloseRefusal>> {
	const { db, now } = operator;
	const { build } = db;
	const latest = latestToArchive(dateIn(timeZone, now));
	if (year > latest) return refused("too-early", { latest });
	const { pending, unpaid, recent, weeks } = countUnsettled(year, now);
	const { before, after } = await db.batch({
		before: selectState(build, year, now),
		close: build.run(sql`insert into archived_years (year, closed_at) select ${year}, ${now}
			where ${pending} = 0 and ${unpaid} = 0 and ${recent} = 0 and ${weeks} = 0
				and not exists (select 1 from archived_years
					where year >= ${year} or finished_at is null)`),
		audit: auditStatement(
			build,
			auditActor(operator),
			{
				action: "year.close",
				entity: "year",
				entityId: String(year),
				after: sql`json_object('year', max(year))`,
			},
			archivedYears,
			sql`year = ${year} and closed_at = ${now} and not exists (select 1 from audit_events
				where entity = 'year' and entity_id = ${String(year)} and action = 'year.close'
					and at = ${now})`,
		),
		after: build.all<{ closedAt: number; finishedAt: number | null }>(
			sql`select closed_at as closedAt, finished_at as finishedAt from archived_years
				where year = ${year}`,
		),
	});
	const [row] = after;
	const [state] = before;
	if (row)
		return row.finishedAt === null
			? done({ isResumed: row.closedAt !== now })
			: refused("archived");
	if (state?.closed && state.closed > year) return refused("archived");
	if (state?.closed && !state.isFinished) return refused("other-year", { year: state.closed });
	const {
		pending: requests = 0,
		unpaid: owed = 0,
		recent: trips = 0,
		weeks: open = 0,
	} = state ?? {};
	return refused("unsettled", { pending: requests, unpaid: owed, recent: trips, weeks: open });
}

/**
 * Marks a year as moved.
 * @returns how many entries were moved
 */
export async function finishYear(operator: OperatorContext, year: number): Promise<number> {
	const { db, now } = operator;
	const { build } = db;
	const { row } = await db.batch({
		finish: build.run(sql`update archived_years set finished_at = ${now}
			where year = ${year} and finished_at is null`),
		audit: auditStatement(
			build,
			auditActor(operator),
			{
				action: "year.archive",
				entity: "year",
				entityId: String(year),
				after: sql`json_object('entries', sum(entries))`,
			},
			archivedYears,
			sql`year = ${year} and finished_at = ${now} and not exists (select 1 from audit_events
				where entity = 'year' and entity_id = ${String(year)} and action = 'year.archive'
					and at = ${now})`,
		),
		row: build.all<{ entries: number }>(
			sql`select entries from archived_years where year = ${year}`,
		),
	});
	return row[0]?.entries ?? 0;
}
