/** Records downloads before the first byte is sent. */
import { sql } from "drizzle-orm";
import type { AuthenticatedContext } from "../kernel/context.ts";
import { isOverLimit } from "../kernel/limits.server.ts";

export type Download = {
	readonly action:
		| "request.export"
		| "mileage.export"
		| "history.export"
		| "payouts.export"
		| "payout.export"
		| "payout.statement"
		| "settlement.statement"
		| "statement.export"
		| "report.download"
		| "mileage-log.download"
		| "year-summary.download"
		| "person.export";
	readonly fileName: string;
	/** The person the whole file is about, who is then the entry's subject. */
	readonly personId?: string;
	/** What was chosen, such as filters, dates or a format; undefined where nothing was. */
	readonly chosen: Readonly<Record<string, string | number | undefined>>;
};

/**
 * Records a download, once per request.
 * @throws when it can't be recorded, or the person has reached their limit; nothing may be sent then
 */
export async function recordDownload(
	person: AuthenticatedContext,
	download: Download,
): Promise<void> {
	const { db, user, role, sessionRef, requestId, now } = person;
	const { action, fileName, personId, chosen } = download;
	const thing =
		personId === undefined
			? { entity: "file", entityId: fileName, after: chosen }
			: { entity: "user", entityId: personId, after: { ...chosen, fileName } };
	// A batch whose answer was lost is sent again, and finds its own entry.
	const { limit } = await db.batch({
		limit: db.build.all<{ isTooMany: number }>(sql`select ${isOverLimit(person)} as isTooMany`),
		audit: db.build.run(sql`
			insert into audit_events (at, actor_id, actor_role, session_ref, request_id, action, entity, entity_id, after)
			select ${now}, ${user.id}, ${role}, ${sessionRef}, ${requestId}, ${action}, ${thing.entity},
				${thing.entityId}, ${JSON.stringify(thing.after)}
			where not ${isOverLimit(person)} and not exists (select 1 from audit_events
				where actor_id = ${user.id} and at = ${now} and request_id = ${requestId} and action = ${action})`),
	});
	if (limit[0]?.isTooMany) throw person.tooMany();
}
