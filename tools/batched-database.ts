/** A D1 database that is reached in batches, by whatever transport. */

export type BoundStatement = { readonly sql: string; readonly params: readonly unknown[] };

/** The result of one statement. */
export type BatchResult = { readonly results: readonly unknown[] };

/**
 * The part of a D1 binding that the application and the tools use.
 * @param run runs statements in one transaction, in order, and returns one result for each
 */
export function batchedDatabase(
	run: (batch: readonly BoundStatement[]) => Promise<readonly BatchResult[]>,
): D1Database {
	const statement = (sql: string, params: readonly unknown[]) => ({
		sql,
		params,
		bind: (...values: unknown[]) => statement(sql, values),
		all: async () => (await run([{ sql, params }]))[0],
		run: async () => (await run([{ sql, params }]))[0],
	});
	const prepare = (sql: string) => statement(sql, []);
	const batch = (statements: readonly BoundStatement[]) =>
		run(statements.map(({ sql, params }) => ({ sql, params })));
	return { prepare, batch } as unknown as D1Database;
}
