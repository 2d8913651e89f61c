/** Reads of the audit, the newest entry first. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { addDays, startOfDay } from "../../values/calendar-date.ts";
import type { AuditView } from "./view.ts";

/** Entries on one page. */
export const AUDIT_PAGE = 20;
/** Entries looked at for one page when two filters share no index: what is further back is a page further on. */
const MOST_LOOKED_AT = 50;

/** A row of the audit with the names of who acted and whom it is about. */
export type AuditRow = {
	readonly id: number;
	readonly at: number;
	readonly actorId: string | null;
	readonly actorRole: string;
	readonly action: string;
	readonly entity: string;
	readonly entityId: string;
	readonly before: string | null;
	readonly after: string | null;
	readonly reason: string | null;
	/** 0 for an entry of another kind, looked at on the way. */
	readonly isAsked: number;
	readonly actorFirstName: string | null;
	readonly actorLastName: string | null;
	readonly actorEmail: string | null;
	readonly subjectFirstName: string | null;
	readonly subjectLastName: string | null;
	readonly subjectEmail: string | null;
	readonly subjectNumber: number | null;
	readonly requestNumber: number | null;
	readonly receiptName: string | null;
	readonly importName: string | null;
};

/**
 * One page of entries and one more, or as many as were looked at.
 * @param timeZone the fleet's: the dates of the filter are dates there
 */
export function auditEntries(build: Builder, { person, kind, from, to, after }: AuditView, timeZone: string) {
	const isBoth = person.id !== "" && kind !== undefined;
	const conditions: SQL[] = [sql`at >= ${from ? startOfDay(timeZone, from) : 0}`];
	if (kind && !person.id) conditions.push(sql`action = ${kind}`);
	if (to) conditions.push(sql`at < ${startOfDay(timeZone, addDays(to, 1))}`);
	if (after) conditions.push(sql`(at, id) < (${after.at}, ${after.id})`);
	const limit = isBoth ? MOST_LOOKED_AT : AUDIT_PAGE + 1;
	// The index is named, because the planner knows nothing of how the entries are spread.
	const latest = (index: string, ...more: SQL[]) =>
		sql`select * from (select * from audit_events indexed by ${sql.identifier(index)} where ${sql.join([...conditions, ...more], sql` and `)}
			order by at desc, id desc limit ${limit})`;
	const entries = person.id
		? sql`${latest("audit_by_actor", sql`actor_id = ${person.id}`)}
			union all ${latest("audit_by_entity", sql`entity = 'user'`, sql`entity_id = ${person.id}`)} where actor_id is not ${person.id}
			order by at desc, id desc limit ${limit}`
		: latest(kind ? "audit_by_action" : "audit_by_time");
	const isAsked = isBoth ? sql`entry.action = ${kind}` : sql`1`;
	/** The thing's id, where it is of that kind: of nothing else is a row read. */
	const thing = (entity: string) => sql`iif(entry.entity = ${entity} and ${isAsked}, entry.entity_id, null)`;
	return build.all<AuditRow>(sql`
		select entry.id as id, entry.at as at, entry.actor_id as actorId, entry.actor_role as actorRole, entry.action as action,
			entry.entity as entity, entry.entity_id as entityId, entry.before as before, entry.after as after, entry.reason as reason,
			${isAsked} as isAsked, actor.first_name as actorFirstName, actor.last_name as actorLastName, actor.email as actorEmail,
			subject.first_name as subjectFirstName, subject.last_name as subjectLastName, subject.email as subjectEmail,
			subject.driver_number as subjectNumber, request.number as requestNumber, receipt.file_name as receiptName, import.file_name as importName
		from (${entries}) as entry
		left join users as actor on actor.id = iif(${isAsked}, entry.actor_id, null)
		left join fund_requests as request on request.id = ${thing("fund-request")}
		left join receipts as receipt on receipt.id = ${thing("receipt")}
		left join fee_imports as import on import.id = ${thing("fee-import")}
		left join mileage_logs as log on log.id = ${thing("mileage-log")}
		left join uber_fees as fee on fee.id = ${thing("uber-fee")}
		left join users as subject on subject.id = coalesce(${thing("user")}, request.driver_id, receipt.owner_id, log.driver_id, fee.driver_id)
		order by entry.at desc, entry.id desc`);
}

/** The rows to show, and where the next page begins: after the last one shown, or after the last one looked at. */
export function auditPage(rows: readonly AuditRow[], { person, kind }: AuditView) {
	const asked = rows.filter(({ isAsked }) => isAsked === 1);
	const page = asked.slice(0, AUDIT_PAGE);
	const isMore = asked.length > AUDIT_PAGE;
	const isFurtherBack = person.id !== "" && kind !== undefined && rows.length === MOST_LOOKED_AT;
	const last = isMore ? page.at(-1) : isFurtherBack ? rows.at(-1) : undefined;
	return { page, next: last && { at: last.at, id: last.id }, isFurtherBack: isFurtherBack && !isMore };
}
