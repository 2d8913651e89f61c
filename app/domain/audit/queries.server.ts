/** Reads of the audit, the newest entry first. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { toPage } from "../../values/cursor.ts";
import { toOpenMomentRange } from "../../values/period.ts";
import type { AuditSearch } from "./search.ts";

/** Entries on one page. */
const AUDIT_PAGE_SIZE = 20;
/**
 * Entries read for one page when two filters share no index; what is further back is on a later
 * page.
 */
const MAX_LOOKED_AT = 50;

/** An audit row with the names of the actor and the subject. */
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
	/** 0 for an entry of another kind that was only passed over. */
	readonly isAsked: number;
	readonly actorFirstName: string | null;
	readonly actorLastName: string | null;
	readonly actorEmail: string | null;
	readonly subjectId: string | null;
	readonly subjectFirstName: string | null;
	readonly subjectLastName: string | null;
	readonly subjectEmail: string | null;
	readonly subjectNumber: number | null;
	/** The email or the delivery that it is about, if it is still kept. */
	readonly keptId: string | null;
	readonly requestId: string | null;
	readonly requestNumber: number | null;
	readonly receiptName: string | null;
	readonly importName: string | null;
	readonly payoutNumber: number | null;
	readonly settlementId: string | null;
	readonly settlementNumber: number | null;
	/** The name of the token that it is about. */
	readonly tokenName: string | null;
	/** The URL of the webhook that it is about. */
	readonly webhookUrl: string | null;
	/** The name of the token that it was done by. */
	readonly byToken: string | null;
	/** The date of a trip that isn't archived. */
	readonly tripDate: string | null;
};

/**
 * A page of entries, or as many as may be read, plus one.
 * @param timeZone the fleet's, in which the filter's dates are
 */
export function auditEntries(
	build: Builder,
	{ person, kind, from, to, position }: AuditSearch,
	timeZone: string,
) {
	const isBoth = person.id !== "" && kind !== undefined;
	const moments = toOpenMomentRange(timeZone, from, to);
	const conditions: SQL[] = [];
	if (kind && !person.id) conditions.push(sql`action = ${kind}`);
	// SQLite uses one bound at each end: a position, which is within the window, replaces the bound at
	// its end.
	if (position?.way !== "before") conditions.push(sql`at >= ${moments.from ?? 0}`);
	if (position?.way !== "after" && moments.before !== undefined)
		conditions.push(sql`at < ${moments.before}`);
	const { order } = keyset([sql`at`, sql`id`], "desc", position && { way: position.way });
	const limit = (isBoth ? MAX_LOOKED_AT : AUDIT_PAGE_SIZE) + 1;
	// The index is named, because the planner doesn't know how the entries are distributed.
	const ranged = (index: string, more: readonly SQL[]) =>
		sql`select * from (select * from audit_events indexed by ${sql.identifier(index)} where ${sql.join([...conditions, ...more], sql` and `)}
			order by ${order} limit ${limit})`;
	const latest = (index: string, ...more: SQL[]) => {
		if (!position) return ranged(index, more);
		// A change can make thousands of entries at one moment, among which an index finds an id only
		// beside the moment itself.
		const { at, id } = position.cursor;
		const sign = position.way === "before" ? sql`>` : sql`<`;
		return sql`select * from (${ranged(index, [...more, sql`at = ${at} and id ${sign} ${id}`])}
			union all ${ranged(index, [...more, sql`at ${sign} ${at}`])} order by ${order} limit ${limit})`;
	};
	const entries = person.id
		? sql`${latest("audit_by_actor", sql`actor_id = ${person.id}`)}
			union all ${latest("audit_by_entity", sql`entity = 'user'`, sql`entity_id = ${person.id}`)} where actor_id is not ${person.id}
			order by ${order} limit ${limit}`
		: latest(kind ? "audit_by_action" : "audit_by_time");
	const isAsked = isBoth ? sql`entry.action = ${kind}` : sql`1`;
	/** The thing's id if it is of that kind; no other row is read. */
	const thing = (entity: string) =>
		sql`iif(entry.entity = ${entity} and ${isAsked}, entry.entity_id, null)`;
	// An archived trip isn't here any more, but none that an administrator changed is archived.
	const ownTrip = sql`iif(entry.entity = 'mileage-log' and entry.actor_role = 'driver', actor.id, null)`;
	return build.all<AuditRow>(sql`
		select entry.id as id, entry.at as at, entry.actor_id as actorId, entry.actor_role as actorRole, entry.action as action,
			entry.entity as entity, entry.entity_id as entityId, entry.before as before, entry.after as after, entry.reason as reason,
			${isAsked} as isAsked, actor.first_name as actorFirstName, actor.last_name as actorLastName, actor.email as actorEmail,
			coalesce(mail.id, delivery.id) as keptId,
			subject.id as subjectId, subject.first_name as subjectFirstName, subject.last_name as subjectLastName, subject.email as subjectEmail,
			subject.driver_number as subjectNumber, request.id as requestId, request.number as requestNumber, receipt.file_name as receiptName, import.file_name as importName,
			payout.number as payoutNumber, settlement.number as settlementNumber, settlement.id as settlementId, token.name as tokenName, webhook.url as webhookUrl, own.name as byToken, log.driven_on as tripDate
		from (${entries}) as entry
		left join users as actor on actor.id = iif(${isAsked}, entry.actor_id, null)
		left join request_messages as message on message.id = ${thing("request-message")}
		left join fund_requests as request on request.id = coalesce(message.request_id, ${thing("fund-request")})
		left join receipts as receipt on receipt.id = ${thing("receipt")}
		left join fee_imports as import on import.id = ${thing("fee-import")}
		left join payouts as payout on payout.id = ${thing("payout")}
		left join api_tokens as token on token.id = ${thing("api-token")}
		left join webhooks as webhook on webhook.id = ${thing("webhook")}
		left join api_tokens as own on own.id = iif(${isAsked}, entry.session_ref, null)
		left join mileage_logs as log on log.id = ${thing("mileage-log")}
		left join agreements as agreement on agreement.id = ${thing("agreement")}
		left join charges as charge on charge.id = ${thing("charge")}
		left join settlement_messages as note on note.id = ${thing("settlement-message")}
		left join settlements as settlement on settlement.id = coalesce(note.settlement_id, ${thing("settlement")})
		left join mails as mail on mail.id = ${thing("email")}
		left join webhook_deliveries as delivery on delivery.id = ${thing("webhook-delivery")}
		left join uber_fees as fee on fee.id = ${thing("uber-fee")}
		left join users as subject on subject.id = coalesce(${thing("user")}, request.driver_id, receipt.owner_id, log.driver_id,
			${ownTrip}, fee.driver_id, agreement.driver_id, charge.driver_id, settlement.driver_id)
		order by ${keyset([sql`entry.at`, sql`entry.id`], "desc", position && { way: position.way }).order}`);
}

/**
 * The rows to show, and the neighboring pages. Where two filters share no index, a page ends after
 * the entries that were read, and the next one continues there.
 */
export function auditPage(rows: readonly AuditRow[], { person, kind, position }: AuditSearch) {
	const isBoth = person.id !== "" && kind !== undefined;
	const lookedAt = isBoth ? rows.slice(0, MAX_LOOKED_AT) : rows;
	const asked = lookedAt.filter(({ isAsked }) => isAsked === 1);
	const cursorOf = ({ at, id }: AuditRow) => ({ at, id });
	const page = toPage(asked, position, AUDIT_PAGE_SIZE, cursorOf);
	const isFurtherOn = rows.length > lookedAt.length && asked.length <= AUDIT_PAGE_SIZE;
	const [nearest] = rows;
	const furthest = isFurtherOn ? lookedAt.at(-1) : undefined;
	const isBackwards = position?.way === "before";
	const [newest, oldest] = isBackwards ? [furthest, nearest] : [position && nearest, furthest];
	return {
		rows: page.rows,
		previous: page.previous ?? (newest && { way: "before" as const, cursor: cursorOf(newest) }),
		next: page.next ?? (oldest && { way: "after" as const, cursor: cursorOf(oldest) }),
		isFurtherBack: isFurtherOn && !isBackwards,
	};
}
