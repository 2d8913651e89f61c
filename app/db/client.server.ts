/**
 * The only module that talks to D1. Every trip is counted here, so that `Server-Timing` and the
 * tests can say what a page costs.
 */
import type { BatchItem } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

/** An unexecuted drizzle statement: what a query function returns. */
export type Statement = BatchItem<"sqlite">;
/** What a statement answers once it has run. */
export type StatementResult<S> = Awaited<S>;
export type Builder = DrizzleD1Database;
/** Statements by name; one that isn't needed is left undefined and answers no rows. */
export type Statements = Readonly<Record<string, Statement | undefined>>;
/** What they answer. */
export type Answers<S extends Statements> = {
	[K in keyof S]: StatementResult<Exclude<S[K], undefined>>;
};

/** Of two bookmarks, the one of the newer state: they sort as texts do. */
export const laterBookmark = (one: string | undefined, other: string): string =>
	one !== undefined && one > other ? one : other;

/** What one request has cost so far. `rows` is the number D1 says it read, `written` what it wrote. */
export type Cost = {
	trips: number;
	statements: number;
	rows: number;
	written: number;
	milliseconds: number;
};

/**
 * The database did not answer, or answered that it is broken: nothing is known to have been
 * written.
 */
export class DatabaseUnavailable extends Error {
	override name = "DatabaseUnavailable";
}

/**
 * For a person at a terminal, who would rather wait than start over: about five seconds of attempts.
 */
export const PATIENT_ATTEMPTS = 24;

/**
 * Prepares nothing and runs nothing: statements are only ever run by `Database.batch`, where they
 * are counted.
 */
export const builder: Builder = drizzle({ prepare: () => ({}) } as unknown as D1Database, {
	casing: "snake_case",
});

/** Refusals that SQL itself makes are faults of ours, not of the database. */
const SQL_ERROR =
	/constraint failed|syntax error|datatype mismatch|append-only|cannot store|parse error|too many (SQL )?variables|wrong number of/i;

/**
 * Faults that D1 asks to try again; a write is tried again only when its statements are harmless to
 * repeat.
 */
const TRANSIENT_ERROR =
	/network connection lost|reset because its code was updated|storage caused object to be reset|database is locked|SQLITE_BUSY|overloaded/i;

export class Database {
	/** Builds statements; it holds no connection, so executing one by itself fails. */
	readonly build: Builder = builder;
	readonly cost: Cost;
	/** The newest state of the database that was seen; known with replicas only. */
	bookmark: string | undefined;
	/** True once the primary has answered; known with replicas only. */
	hasAskedPrimary = false;

	/**
	 * @param onUnavailable makes what is thrown when D1 fails; by default the error itself
	 * @param maxAttempts how often a batch is tried that D1 asks to try again
	 * @param hasReplicas true to learn the bookmarks by which replicas may be read
	 * @param beside another database of the same request, whose cost this one's is added to
	 */
	constructor(
		/** Absent where none is bound: then it never answers. */
		private readonly binding: D1Database | undefined,
		private readonly onUnavailable: (error: DatabaseUnavailable) => unknown = (error) => error,
		private readonly maxAttempts = 3,
		private readonly hasReplicas = false,
		beside?: Database,
	) {
		this.cost = beside?.cost ?? { trips: 0, statements: 0, rows: 0, written: 0, milliseconds: 0 };
	}

	/**
	 * Runs statements in one transaction and one trip, in order, all or none, on the primary.
	 * @returns the answers under the names of the statements
	 * @throws DatabaseUnavailable when D1 fails; any other error is a fault in a statement
	 */
	batch<S extends Statements>(statements: S): Promise<Answers<S>> {
		return this.#named(statements, undefined);
	}

	/**
	 * Runs reads on the nearest replica whose state is at least as new as a bookmark, and on the
	 * primary if that fails.
	 */
	readNear<S extends Statements>(bookmark: string, statements: S): Promise<Answers<S>> {
		return this.#named(statements, bookmark);
	}

	async #named<S extends Statements>(statements: S, near: string | undefined): Promise<Answers<S>> {
		const needed = Object.values(statements).filter((each) => each !== undefined);
		const answers = await this.#attempt(needed, near);
		let position = 0;
		return Object.fromEntries(
			Object.entries(statements).map(([name, each]) => [name, each ? answers[position++] : []]),
		) as Answers<S>;
	}

	async #run(list: readonly Statement[], near: string | undefined): Promise<unknown[]> {
		if (!this.binding) throw new Error("this database isn't bound to the Worker");
		const prepared = list.map(prepareStatement);
		// D1 promises the primary to the first batch of such a session alone: each gets its own.
		const session = this.hasReplicas
			? this.binding.withSession(near ?? "first-primary")
			: undefined;
		const connection = session ?? this.binding;
		this.cost.trips += 1;
		this.cost.statements += list.length;
		const started = Date.now();
		try {
			const results = await connection.batch(
				prepared.map((each) => {
					const { sql, params } = each.getQuery();
					return connection.prepare(sql).bind(...params);
				}),
			);
			if (session) this.#noteBookmark(session.getBookmark(), near === undefined);
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

	async #attempt(list: readonly Statement[], near: string | undefined): Promise<unknown[]> {
		for (let tries = 1; ; tries++) {
			const bookmark = tries === 1 ? near : undefined;
			try {
				return await this.#run(list, bookmark);
			} catch (error) {
				const text = messagesOf(error);
				if (SQL_ERROR.test(text)) throw error;
				if (bookmark) continue;
				// Every batch of ours is keyed or conditional: a repeated one finds its own work done and
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
 * A statement as drizzle has prepared it for a batch. Its own `batch` cannot carry raw statements
 * with parameters, so ours asks for the parts.
 */
type Prepared = {
	getQuery(): { sql: string; params: unknown[] };
	mapResult(result: D1Result, isFromBatch: boolean): unknown;
	/** What a built select asks for, column by column. */
	readonly fields?: readonly unknown[] | undefined;
};

function prepareStatement(statement: Statement): Prepared {
	return (statement as unknown as { _prepare(): Prepared })._prepare();
}

/** The text and values of a statement, and how its answer is read; both may be used again. */
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
 * D1 answers a batch with rows by column name: of two columns of one name only the last is left,
 * and drizzle would deal the rest out wrong.
 * @throws Error for such a statement: it is a fault of ours
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
