/**
 * Statements whose text is kept in the isolate. Building one takes longer than running it, and
 * those of every request differ only in their values. Only the text is kept, never a value or a
 * result.
 */
import { fillPlaceholders, type Placeholder, type SQL, sql } from "drizzle-orm";
import {
	type Builder,
	builder,
	type Statement,
	type Statements,
	writeStatement,
} from "./client.server.ts";
import { type Owner, SessionUser } from "./owner.server.ts";

/** How many texts of one statement are kept; more than a busy day needs. */
const MAX_TEXTS = 50;

type Value<Name extends string> = (name: Name) => Placeholder;
type Values<Name extends string> = Readonly<Record<Name, unknown>>;
type Written = ReturnType<typeof writeStatement>;

const placeholder = (name: string) => sql.placeholder(name);

/** A kept statement with its values, for one batch. */
function fill<S extends Statement>(
	{ getQuery: read, ...rest }: Written,
	values: Values<string>,
): S {
	const { sql: text, params } = read();
	const filled = { sql: text, params: fillPlaceholders(params, values) };
	const getQuery = () => filled;
	const statement = { _prepare: () => ({ ...rest, getQuery }), getQuery, toSQL: getQuery };
	return statement as unknown as S;
}

/**
 * A statement that only needs its values.
 * @param write builds it, with a placeholder for each value; its shape is anything else the text
 * depends on, such as a window, as plain data
 */
export function prepare<S extends Statement, Name extends string = never, Shape = undefined>(
	write: (build: Builder, value: Value<Name>, shape: Shape | undefined) => S,
): (values: Values<Name>, shape?: Shape) => S {
	const texts = new Map<string, Written>();
	return (values, shape) => {
		const key = shape === undefined ? "" : JSON.stringify(shape);
		let written = texts.get(key);
		if (!written) {
			written = writeStatement(write(builder, placeholder, shape));
			if (texts.size >= MAX_TEXTS) texts.clear();
			texts.set(key, written);
		}
		return fill<S>(written, values);
	};
}

/**
 * For statements about one person's rows, by their id or their session. Any other sub-select has
 * its own text and is written each time.
 */
export function prepareForOwner<
	S extends Statement,
	Name extends string = never,
	Shape = undefined,
>(
	write: (build: Builder, owner: SQL<string>, value: Value<Name>, shape: Shape | undefined) => S,
): (owner: Owner, values: Values<Name>, shape?: Shape) => S {
	const byId = prepare((build, value: Value<Name | "owner">, shape: Shape | undefined) =>
		write(build, sql<string>`${value("owner")}`, value, shape),
	);
	const bySession = prepare(
		(build, value: Value<Name | "tokenHash" | "askedAt">, shape: Shape | undefined) =>
			write(build, new SessionUser(value("tokenHash"), value("askedAt")), value, shape),
	);
	return (owner, values, shape) => {
		if (typeof owner === "string") return byId({ ...values, owner }, shape);
		if (owner instanceof SessionUser)
			return bySession({ ...values, tokenHash: owner.tokenHash, askedAt: owner.askedAt }, shape);
		return fill<S>(writeStatement(write(builder, owner, placeholder, shape)), values);
	};
}

/**
 * A screen's statements that depend only on a few plain values, such as today's date and a window:
 * built once for each combination, values included.
 */
export function prepareSet<S extends Statements, Args extends readonly unknown[]>(
	write: (build: Builder, ...args: Args) => S,
): (...args: Args) => S {
	const sets = new Map<string, S>();
	return (...args) => {
		const key = JSON.stringify(args);
		let set = sets.get(key);
		if (!set) {
			const statements = Object.entries(write(builder, ...args)).map(([name, each]) => [
				name,
				each && fill(writeStatement(each), {}),
			]);
			set = Object.fromEntries(statements) as S;
			if (sets.size >= MAX_TEXTS) sets.clear();
			sets.set(key, set);
		}
		return set;
	};
}
