/**
 * The only module that talks to D1. It counts every trip, so that `Server-Timing` and the tests can
 * say what a page costs.
 */
import type { BatchItem } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

/** An unexecuted drizzle statement, which is what query functions return. */
export type Statement = BatchItem<"sqlite">;
/** What a statement returns once it has run. */
export type StatementResult<S> = Awaited<S>;
export type Builder = DrizzleD1Database;
/** Statements by name. One that isn't needed is left undefined and returns no rows. */
export type Statements = Readonly<Record<string, Statement | undefined>>;
/** The statements' results by the same names. */
export type Results<S extends Statements> = {
	[K in keyof S]: StatementResult<Exclude<S[K], undefined>>;
};

/** The bookmark of the newer state; bookmarks sort as text. */
export const laterBookmark = (one: string | undefined, other: string): string =>
	one !== undefined && one > other ? one : other;

/**
 * What one request has cost so far: `rows` is the number that D1 says it read, `written` what it
 * wrote.
 */
export type Cost = {
	trips: number;
	statements: number;
	rows: number;
	written: number;
	milliseconds: number;
};

/** The database didn't answer, or answered that it is broken. */
class DatabaseUnavailable extends Error {
	override name = "DatabaseUnavailable";
}

/**
 * The number of attempts for someone at a terminal, who would rather wait than start over: about
 * five seconds.
 */
export const PATIENT_ATTEMPTS = 24;

/** Prepares and runs nothing: only `Database.batch` runs statements, so that each is counted. */
export const builder: Builder = drizzle({ prepare: () => ({}) } as unknown as D1Database, {
	casing: "snake_case",
});

/** A fault in the SQL itself is ours, not the database's. */
const SQL_ERROR =
	/constraint failed|syntax error|datatype mismatch|append-only|cannot store|parse error|too many (SQL )?variables|wrong number of/i;

/**
 * Faults after which D1 asks for a retry. A write is retried only if its statements can safely be
 * repeated.
 */
const TRANSIENT_ERROR =
	/network connection lost|reset because its code was updated|storage caused object to be reset|database is locked|SQLITE_BUSY|overloaded/i;

/**
 * Faults after which nothing of a batch is stored: SQLite's own, or D1 never started it. After any
 * other, such as a lost connection, the batch may have been stored.
 */
const NOTHING_STORED = /SQLITE_|overloaded|isn't bound/;
/** What changes rows; the result of anything else can't be in doubt. */
const WRITES = /^\s*(?:with\b.*\b(?:insert|update|delete)\b|insert\b|update\b|delete\b)/is;

/**
 * SQLite plans with the value of a bound limit, and so prepares the statement again for each run,
 * which can take longer than running it. It doesn't look into a sum.
 */
const BOUND_LIMIT = /\blimit \?/gi;

export class Database {
	/** Builds statements. It has no connection, so executing one directly fails. */
	readonly build: Builder = builder;
	readonly cost: Cost;
	/** The newest state of the database that was seen; known only with replicas. */
	bookmark: string | undefined;
	/** Whether the primary has answered; known only with replicas. */
	hasAskedPrimary = false;
	/** Whether a batch failed that changes rows and may have been stored nevertheless. */
	isInDoubt = false;

	/**
	 * @param onUnavailable makes what is thrown when D1 fails; by default the error itself
	 * @param maxAttempts how often a batch is attempted while D1 asks for a retry
	 * @param hasReplicas whether to keep the bookmarks that reading from replicas needs
	 * @param beside another database of the same request, whose cost includes this one's
	 */
	constructor(
		/** Undefined if none is bound; every batch then fails. */
		private readonly binding: D1Database | undefined,
		private readonly onUnavailable: (error: DatabaseUnavailable) => unknown = (error) => error,
		private readonly maxAttempts = 3,
		private readonly hasReplicas = false,
		beside?: Database,
	) {
		this.cost = beside?.cost ?? { trips: 0, statements: 0, rows: 0, written: 0, milliseconds: 0 };
	}

	/**
	 * Runs statements on the primary, in order, in one transaction and one trip: all or none.
	 * @returns the results under the statements' names
	 * @throws DatabaseUnavailable when D1 fails; any other error is a fault in a statement
	 */
	batch<S extends Statements>(statements: S): Promise<Results<S>> {
		return this.#named(statements, undefined);
	}

	/**
	 * Runs reads on the nearest replica that is at least as recent as a bookmark, or on the primary
	 * if that fails.
	 */
	readReplica<S extends Statements>(bookmark: string, statements: S): Promise<Results<S>> {
		return this.#named(statements, bookmark);
	}

	async #named<S extends Statements>(
		statements: S,
		atLeast: string | undefined,
	): Promise<Results<S>> {
		const needed = Object.values(statements).filter((each) => each !== undefined);
		const answers = await this.#attempt(needed, atLeast);
		let position = 0;
		return Object.fromEntries(
			Object.entries(statements).map(([name, each]) => [name, each ? answers[position++] : []]),
		) as Results<S>;
	}

	async #run(list: readonly Statement[], atLeast: string | undefined): Promise<unknown[]> {
		if (!this.binding) throw new Error("this database isn't bound to the Worker");
		const prepared = list.map(prepareStatement);
		// D1 promises the primary only to a session's first batch, so each batch gets its own session.
		const session = this.hasReplicas
			? this.binding.withSession(atLeast ?? "first-primary")
			: undefined;
		const connection = session ?? this.binding;
		this.cost.trips += 1;
		this.cost.statements += list.length;
		const started = Date.now();
		try {
			const results = await connection.batch(
				prepared.map((each) => {
					const { sql, params } = each.getQuery();
					return connection.prepare(sql.replace(BOUND_LIMIT, "limit ? + 0")).bind(...params);
				}),
			);
			if (session) this.#noteBookmark(session.getBookmark(), atLeast === undefined);
			for (const { meta } of results) {
				this.cost.rows += meta.rows_read ?? 0;
				this.cost.written += meta.rows_written ?? 0;
			}
			return results.map((result, position) => mapRows(prepared[position] as Prepared, result));
		} finally {
			this.cost.milliseconds += Date.now() - started;
		}
	}

	#noteBookmark(bookmark: string | null, isPrimary: boolean): void {
		this.hasAskedPrimary ||= isPrimary;
		if (bookmark) this.bookmark = laterBookmark(this.bookmark, bookmark);
	}

	async #attempt(list: readonly Statement[], atLeast: string | undefined): Promise<unknown[]> {
		for (let tries = 1; ; tries++) {
			const bookmark = tries === 1 ? atLeast : undefined;
			try {
				return await this.#run(list, bookmark);
			} catch (error) {
				const text = messagesOf(error);
				if (SQL_ERROR.test(text)) throw error;
				if (bookmark) continue;
				this.isInDoubt ||= !NOTHING_STORED.test(text) && list.some(doesWrite);
				// All our batches are keyed or conditional, so one that is repeated finds its work done and
				// changes nothing.
				if (tries >= this.maxAttempts || !TRANSIENT_ERROR.test(text))
					throw await this.onUnavailable(new DatabaseUnavailable(text, { cause: error }));
				await new Promise((resolve) =>
					setTimeout(resolve, Math.min(25 * tries, 250) + Math.random() * 50),
				);
			}
		}
	}
}

/**
 * A statement as drizzle prepares it for a batch. drizzle's own `batch` can't take raw statements
 * with parameters, so ours asks for the parts.
 */
type Prepared = {
	getQuery(): { sql: string; params: unknown[] };
	mapResult(result: D1Result, isFromBatch: boolean): unknown;
	/** The columns that a built select reads. */
	readonly fields?: readonly unknown[] | undefined;
};

function prepareStatement(statement: Statement): Prepared {
	return (statement as unknown as { _prepare(): Prepared })._prepare();
}

const doesWrite = (statement: Statement) => WRITES.test(prepareStatement(statement).getQuery().sql);

/** A statement's text and values, and how to read its result; all can be reused. */
export function writeStatement(statement: Statement): Prepared {
	const prepared = prepareStatement(statement);
	const query = prepared.getQuery();
	return {
		getQuery: () => query,
		mapResult: (result, isFromBatch) => prepared.mapResult(result, isFromBatch),
		fields: prepared.fields,
	};
}

/**
 * D1 returns rows of a batch by column name. Of two columns with one name only the last would
 * remain, and drizzle would misassign the rest.
 * @throws Error for such a statement, which is our bug
 */
function mapRows(prepared: Prepared, result: D1Result): unknown {
	const row = result.results?.[0];
	if (prepared.fields && row && Object.keys(row as object).length !== prepared.fields.length)
		throw new Error(`wrong number of columns, two have one name: ${prepared.getQuery().sql}`);
	return prepared.mapResult(result, true);
}

function messagesOf(error: unknown): string {
	const texts: string[] = [];
	for (let each = error; each instanceof Error; each = each.cause) texts.push(each.message);
	return texts.join(": ");
}
