/**
 * The kernel of every change: rows that meet a condition are changed, audited and announced in one
 * batch, all or nothing, and only while the actor still has access and hasn't reached the limit of
 * changes in an hour. A command declares what changes; the kernel adds what no command may forget.
 */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type {
	Builder,
	Results,
	Statement,
	StatementResult,
	Statements,
} from "../../db/client.server.ts";
import { auditActor, hasAccess } from "./actor.server.ts";
import { type AuditEntry, auditStatement } from "./audit-entry.server.ts";
import type { Actor } from "./context.ts";
import { isOverLimit } from "./limits.server.ts";

/** A table of business rows: each row has the id of the last change to it. */
export type BusinessTable = SQLiteTable & {
	readonly id: SQLiteColumn;
	readonly lastChangeId: SQLiteColumn;
};

/** One conditional change of rows. */
export type Transition<T extends BusinessTable, R extends Statement, S extends Statements> = {
	readonly table: T;
	/** The rows it is about, by id or another unique column; they are read again afterwards. */
	readonly rows: SQL;
	/** The condition that a row must still meet. */
	readonly when: SQL;
	readonly set: SQLiteUpdateSetSource<T>;
	/** How the audit records each changed row; its SQL sees the row before the change. */
	readonly audit: AuditEntry;
	/** Whether no limit applies, because each change consumes what it needs. */
	readonly isUnlimited?: true;
	/** Statements before the change, such as the row of a file. */
	readonly first?: S;
	/**
	 * Statements after the change: emails, ended sessions, dependent rows.
	 * @param changed matches the rows of the table that this change has just changed
	 * @param changeId the change's id, for keys that must be written once
	 */
	readonly next?: (changed: SQL, changeId: string) => Statements;
	/** Reads the rows as the caller needs them, after the change. */
	readonly read: (build: Builder) => R;
};

/** The result of a transition. */
export type TransitionResult<R extends Statement, S extends Statements> = {
	/** Ids of the rows that this call changed. */
	readonly changed: ReadonlySet<string>;
	readonly rows: StatementResult<R>;
	/** The results of `first`. */
	readonly answers: Results<S>;
};

/** What the last statement of every batch returns. */
type Verdict = {
	readonly isAllowed: number;
	readonly isTooMany: number;
	readonly changed: string;
};

/**
 * Changes the rows that still meet the condition. If D1 runs the batch twice, the second run finds
 * the work done.
 * @throws the actor's `accessLost` or `tooMany` error if they lost access meanwhile or reached their
 * limit; nothing is changed
 */
export async function transition<
	T extends BusinessTable,
	R extends Statement,
	S extends Statements = Record<never, Statement>,
>(actor: Actor, spec: Transition<T, R, S>): Promise<TransitionResult<R, S>> {
	const { table, rows, when, set, audit, first, next, read } = spec;
	const { build } = actor.db;
	const changeId = crypto.randomUUID();
	const isTooMany = spec.isUnlimited ? sql<number>`0` : isOverLimit(actor);
	const isMet = sql`(${rows}) and (${when}) and ${table.lastChangeId} is not ${changeId}
		and ${hasAccess(actor)}`;
	const isOpen = sql`${isMet} and not ${isTooMany}`;
	const changed = sql`(${rows}) and ${table.lastChangeId} = ${changeId}`;
	const answers = await actor.db.batch({
		...(first as Statements | undefined),
		audit: auditStatement(build, auditActor(actor), audit, table, isOpen),
		change: build
			.update(table)
			.set({ ...set, lastChangeId: changeId } as SQLiteUpdateSetSource<T>)
			.where(isOpen),
		...next?.(changed, changeId),
		rows: read(build),
		verdict: build.all<Verdict>(sql`select ${hasAccess(actor)} as isAllowed,
			exists (select 1 from ${table} where ${isMet}) and ${isTooMany} as isTooMany,
			(select json_group_array(${table.id}) from ${table} where ${changed}) as changed`),
	});
	const ids = new Set(answers.verdict.flatMap(({ changed }) => JSON.parse(changed) as string[]));
	const isAllowed = answers.verdict.some((verdict) => verdict.isAllowed === 1);
	if (!isAllowed && ids.size === 0) return throwAccessLost(actor);
	if (ids.size === 0 && answers.verdict.some((verdict) => verdict.isTooMany === 1))
		return throwTooMany(actor);
	return { changed: ids, rows: answers.rows, answers: answers as unknown as Results<S> };
}

/** Ends the request of someone who lost access. */
export async function throwAccessLost(actor: Actor): Promise<never> {
	if (!("accessLost" in actor)) throw new Error("only a person can lose access");
	throw await actor.accessLost();
}

/** Ends the request of someone who has changed too much in the last hour. */
export function throwTooMany(actor: Actor): never {
	if (!("tooMany" in actor)) throw new Error("only a person has a limit");
	throw actor.tooMany();
}
