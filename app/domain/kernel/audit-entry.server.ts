/**
 * The audit log: who did what to what. Each entry is written in the batch of its change, and only
 * if that change happens.
 */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Builder } from "../../db/client.server.ts";
import { auditEvents } from "../../db/schema.ts";
import { auditActor } from "./actor.server.ts";
import type { AuditAction } from "./audit-kinds.ts";
import type { AuditActor, SystemContext } from "./context.ts";

export type AuditEntry = {
	/** A verb such as `driver.approve` or `mileage.void`; SQL over the row if the row decides. */
	readonly action: AuditAction | SQL;
	/** The kind of row: `user`, `mileage-log`. */
	readonly entity: string;
	/**
	 * Writes one entry for all rows, under this id, instead of one per row; `before` and `after` are
	 * then aggregates.
	 */
	readonly entityId?: string;
	/**
	 * The changed fields before and after, as SQL that makes JSON from the row; absent if there is no
	 * such state.
	 */
	readonly before?: SQL;
	readonly after?: SQL;
	readonly reason?: string | undefined;
};

/**
 * Writes one entry for each row of `table` that meets a condition, or one for all of them. Placed
 * before the change, with the change's own condition, it sees the old state; placed after it, with
 * the change id as the condition, the new one.
 */
export function auditStatement(
	build: Builder,
	actor: AuditActor,
	entry: AuditEntry,
	table: SQLiteTable,
	condition: SQL,
) {
	const { entityId } = entry;
	return build.run(sql`
		insert into audit_events (at, actor_id, actor_role, session_ref, request_id, action, entity, entity_id, before, after, reason)
		select ${actor.now}, ${actor.id}, ${actor.role}, ${actor.sessionRef}, ${actor.requestId}, ${entry.action}, ${entry.entity}, ${entityId ?? sql`${table}.id`},
			${entry.before ?? sql`null`}, ${entry.after ?? sql`null`}, ${entry.reason ?? null}
		from ${table} where ${condition} ${entityId === undefined ? sql`` : sql`having count(*) > 0`}`);
}

/** What the audit records of a scheduled task. */
type SystemEntry = Pick<AuditEntry, "action" | "entity"> & {
	readonly entityId: string;
	readonly after: Readonly<Record<string, number | string>>;
};

/** Records what a scheduled task did. */
export function systemEntry(
	system: SystemContext,
	{ action, entity, entityId, after }: SystemEntry,
) {
	const { now, role } = auditActor(system);
	return system.db.build
		.insert(auditEvents)
		.values({ at: now, actorRole: role, action, entity, entityId, after: JSON.stringify(after) });
}
