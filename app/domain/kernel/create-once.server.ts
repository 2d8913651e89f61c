/**
 * The kernel of every creation: one row per submission, however often and from wherever it is sent.
 * The batch decides and writes in one transaction, so its decision still holds when it writes.
 */
import { getTableColumns, is, SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type {
	Builder,
	Results,
	Statement,
	StatementResult,
	Statements,
} from "../../db/client.server.ts";
import { computeFingerprint } from "../../values/fingerprint.ts";
import { auditActor, hasAccess } from "./actor.server.ts";
import { type AuditEntry, auditStatement } from "./audit-entry.server.ts";
import type { Actor } from "./context.ts";
import { isOverLimit } from "./limits.server.ts";
import { type BusinessTable, throwAccessLost, throwTooMany } from "./transition.server.ts";

/** A table whose rows remember the submission that made them. */
export type KeyedTable = BusinessTable & {
	readonly submissionKey: SQLiteColumn;
	readonly payloadHash: SQLiteColumn;
};

/** What the database determines before it decides: names, and SQL for their values. */
export type Facts = Readonly<Record<string, SQL>>;
type Found<F extends Facts> = { readonly [K in keyof F]: F[K] extends SQL<infer V> ? V : never };
type Values<T extends SQLiteTable> = {
	readonly [K in keyof T["$inferInsert"]]?: T["$inferInsert"][K] | SQL | undefined;
};

/** One creation. */
export type Creation<
	T extends KeyedTable,
	F extends Facts,
	R extends Statement,
	S extends Statements,
> = {
	readonly table: T;
	/** The new row's id, chosen by the caller, who may need it below. */
	readonly id: string;
	/** The column with the row's creator; keys are per creator. */
	readonly creator: SQLiteColumn;
	/** The submission's key; without one every submission is new. */
	readonly key: string | undefined;
	/** The values that make two submissions the same. */
	readonly payload: readonly (string | number | null)[];
	readonly facts: F;
	/** The condition for making the row: SQL over the names of the facts. */
	readonly accepts: SQL;
	/** The row's other columns; SQL may use the names of the facts. */
	readonly values: Values<T>;
	readonly audit: Pick<AuditEntry, "action" | "entity" | "after">;
	/** The row that the new one replaces, changed in the same step. */
	readonly replaces?: Replacement<T> | undefined;
	/** Statements before it, such as the row of a file. */
	readonly first?: S;
	/** Statements after it: emails, dependent rows. */
	readonly next?: (made: SQL) => Statements;
	/** Reads the rows that meet a condition, as the caller needs them. */
	readonly read: (build: Builder, rows: SQL) => R;
};

type Replacement<T extends KeyedTable> = {
	readonly id: string;
	/** The condition that row must still meet. */
	readonly when: SQL;
	readonly set: SQLiteUpdateSetSource<T>;
	readonly audit: AuditEntry;
};

type Row<R extends Statement> = StatementResult<R> extends readonly (infer One)[] ? One : never;

/** The result of a creation; `answers` has those of `first` by name. */
export type CreateOnceResult<F extends Facts, R extends Statement, S extends Statements> =
	| {
			readonly kind: "created" | "replayed";
			readonly row: Row<R>;
			readonly answers: Results<S>;
	  }
	/** The key was used for another payload; its row. */
	| { readonly kind: "key-reused"; readonly row: Row<R> }
	| {
			readonly kind: "refused";
			readonly facts: Found<F>;
			readonly payloadHash: string;
			readonly answers: Results<S>;
	  };

/**
 * Creates the row, or returns the one that the same submission created before.
 * @throws the actor's `accessLost` or `tooMany` error when they lost access meanwhile or reached
 * their limit; nothing is written
 */
export async function createOnce<
	T extends KeyedTable,
	F extends Facts,
	R extends Statement,
	S extends Statements = Record<never, Statement>,
>(actor: Actor, spec: Creation<T, F, R, S>): Promise<CreateOnceResult<F, R, S>> {
	const { table, id, creator, key, audit, replaces, first, next, read } = spec;
	const { build } = actor.db;
	const payloadHash = await computeFingerprint(spec.payload);
	const { id: actorId } = auditActor(actor);
	const sameSubmission = sql`${creator} = ${actorId} and ${table.submissionKey} = ${key ?? null}`;
	const facts = factsSql({
		replayHash: sql`(select ${table.payloadHash} from ${table} where ${sameSubmission})`,
		isAllowed: hasAccess(actor),
		isTooMany: isOverLimit(actor),
		...spec.facts,
	});
	const isAccepted = sql`replayHash is null and isAllowed and not isTooMany and (${spec.accepts})`;
	const accepted = sql`${facts} where ${isAccepted}`;
	const made = sql`${table.id} = ${id}`;
	const values = { ...spec.values, id, submissionKey: key, payloadHash, lastChangeId: id };
	const creation = {
		...(first as Statements | undefined),
		...(replaces ? replacement(actor, table, id, replaces, accepted) : {}),
		// The facts no longer hold once the old row is changed; its change for this row shows that they
		// did.
		insert: build.run(
			insertSql(
				table,
				values,
				replaces ? sql`${facts} where ${isReplaced(table, replaces.id, id)}` : accepted,
			),
		),
		...next?.(made),
		audit: auditStatement(
			build,
			auditActor(actor),
			audit,
			table,
			// If D1 runs the batch twice, the entry is already there.
			sql`${made} and not exists (select 1 from audit_events where entity = ${audit.entity}
				and entity_id = ${id} and action = ${audit.action})`,
		),
		made: read(build, made),
	};
	for (let tries = 1; ; tries++) {
		const answered = await actor.db.batch(creation);
		const answers = answered as unknown as Results<S>;
		const [row] = answered.made as Row<R>[];
		if (row) return { kind: "created", row, answers };
		// Finding out why it wasn't made costs as much as making it, so that is a separate trip.
		const why = await actor.db.batch({
			facts: build.all<Found<F> & BasicFacts>(
				sql`select *, (${isAccepted}) as isAccepted from ${facts}`,
			),
			earlier: read(build, sameSubmission),
		});
		const [seen] = why.facts;
		if (!seen?.isAllowed) return throwAccessLost(actor);
		const [earlier] = why.earlier as Row<R>[];
		if (earlier && seen.replayHash !== payloadHash) return { kind: "key-reused", row: earlier };
		if (earlier) return { kind: "replayed", row: earlier, answers };
		if (seen.isTooMany) return throwTooMany(actor);
		// Nothing stands in the way anymore.
		if (seen.isAccepted && tries < TRIES) continue;
		return { kind: "refused", facts: seen, payloadHash, answers };
	}
}

/** How often a creation is attempted if what prevented it is gone by the time it is looked for. */
const TRIES = 3;

/** The facts of every creation. */
type BasicFacts = {
	readonly replayHash: string | null;
	readonly isAllowed: number;
	readonly isTooMany: number;
	readonly isAccepted: number;
};

/**
 * The facts as one row to select from. The limit keeps SQLite from inlining a fact's SQL wherever
 * its name is used, and evaluating it each time.
 */
function factsSql(facts: Facts): SQL {
	const named = Object.entries(facts).map(
		([name, fact]) => sql`${fact} as ${sql.identifier(name)}`,
	);
	return sql`(select ${sql.join(named, sql`, `)} limit 1)`;
}

/** Changes and audits the row that is replaced, if the new one is accepted. */
function replacement<T extends KeyedTable>(
	actor: Actor,
	table: T,
	newId: string,
	{ id, when, set, audit }: Replacement<T>,
	accepted: SQL,
): Record<string, Statement> {
	const { build } = actor.db;
	const isOpen = sql`${table.id} = ${id} and (${when}) and exists (select 1 from ${accepted})`;
	return {
		replacedAudit: auditStatement(build, auditActor(actor), audit, table, isOpen),
		replaced: build
			.update(table)
			.set({ ...set, lastChangeId: newId } as SQLiteUpdateSetSource<T>)
			.where(isOpen),
	};
}

const isReplaced = (table: KeyedTable, id: string, newId: string): SQL =>
	sql`exists (select 1 from ${table} where ${table.id} = ${id}
		and ${table.lastChangeId} = ${newId})`;

/** Inserts one row from a source with at most one row. drizzle would require all columns. */
function insertSql<T extends KeyedTable>(table: T, values: Values<T>, source: SQL): SQL {
	const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table);
	const given = Object.entries(values).flatMap(([name, value]) => {
		const column = columns[name];
		if (!column) throw new Error(`${name} is no column`);
		return value === undefined ? [] : [{ name: toSnakeCase(name), value, column }];
	});
	const names = given.map(({ name }) => sql.identifier(name));
	const items = given.map(({ value, column }) =>
		is(value, SQL) ? value : sql`${sql.param(value, column)}`,
	);
	return sql`insert into ${table} (${sql.join(names, sql`, `)})
		select ${sql.join(items, sql`, `)} from ${source} on conflict do nothing`;
}
