/**
 * Statements whose text is written once in an isolate: to build one takes longer than to run it, and
 * those of every request are always the same but for their values.
 */
import { fillPlaceholders, type Placeholder, sql } from "drizzle-orm";
import { type Builder, builder, type Statement, writeStatement } from "./client.server.ts";

/**
 * A statement to be asked for with its values only.
 * @param write builds it, with a placeholder for each value
 */
export function prepared<S extends Statement, Name extends string = never>(
	write: (build: Builder, value: (name: Name) => Placeholder) => S,
): (values: Readonly<Record<Name, unknown>>) => S {
	let written: ReturnType<typeof writeStatement> | undefined;
	return (values) => {
		written ??= writeStatement(write(builder, (name) => sql.placeholder(name)));
		const { getQuery, ...rest } = written;
		const { sql: text, params } = getQuery();
		const filled = { sql: text, params: fillPlaceholders(params, values) };
		return { _prepare: () => ({ ...rest, getQuery: () => filled }) } as unknown as S;
	};
}
