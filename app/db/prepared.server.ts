/**
 * Statements whose text is written once in an isolate: to build one takes longer than to run it, and
 * those of every request are always the same but for their values. The text alone is kept, never a
 * value or an answer.
 */
import { fillPlaceholders, type Placeholder, type SQL, sql } from "drizzle-orm";
import { type Builder, builder, type Statement, writeStatement } from "./client.server.ts";
import { type Owner, SessionUser } from "./owner.server.ts";

/** Texts of one statement that are kept; more than that are few pages of a very busy day. */
const MAX_TEXTS = 50;

type Value<Name extends string> = (name: Name) => Placeholder;
type Values<Name extends string> = Readonly<Record<Name, unknown>>;
type Written = ReturnType<typeof writeStatement>;

const placeholder = (name: string) => sql.placeholder(name);

/** A written statement with its values, for one batch. */
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
 * A statement to be asked for with its values only.
 * @param write builds it, with a placeholder for each value; the shape is what the text depends on
 * beside them, such as a window, and is plain data
 */
export function prepared<S extends Statement, Name extends string = never, Shape = undefined>(
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
 * The same about one person's rows: an id, or whoever a session belongs to. Any other sub-select has
 * a text of its own, and is written each time.
 */
export function preparedOf<S extends Statement, Name extends string = never, Shape = undefined>(
	write: (build: Builder, owner: SQL<string>, value: Value<Name>, shape: Shape | undefined) => S,
): (owner: Owner, values: Values<Name>, shape?: Shape) => S {
	const byId = prepared((build, value: Value<Name | "owner">, shape: Shape | undefined) =>
		write(build, sql<string>`${value("owner")}`, value, shape),
	);
	const bySession = prepared(
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
