/** Statements whose text is written once: which values they run with, and on which database. */
import { and, eq, gte, type Placeholder, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { idOf } from "../../tests/support/cast.ts";
import { currentTime } from "../../tests/support/clock.ts";
import { openDatabase, signIn } from "../../tests/support/database.ts";
import { Database } from "./client.server.ts";
import { SessionUser } from "./owner.server.ts";
import { prepare, prepareForOwner, prepareSet } from "./prepared.server.ts";
import { users } from "./schema.ts";

const bench = await openDatabase();
const plain = () => new Database(bench.batches);
/** A database session, as D1 opens them where it has replicas. */
const sessions = {
	withSession: () => ({
		prepare: (text: string) => bench.d1.prepare(text),
		batch: (list: D1PreparedStatement[]) => bench.d1.batch(list),
		getBookmark: () => "0001",
	}),
} as unknown as D1Database;
const withReplicas = () => new Database(sessions, undefined, undefined, true);

let written = 0;
const personOf = prepare((build, value: (name: "id") => Placeholder) => {
	written += 1;
	return build
		.select({ id: users.id })
		.from(users)
		.where(eq(users.id, value("id")));
});
const selfOf = prepareForOwner((build, me) =>
	build.select({ id: users.id }).from(users).where(eq(users.id, me)),
);

describe("a prepared statement", () => {
	it("keeps the values of two requests at the same time apart", async () => {
		const [dana, omar] = [idOf("dana"), idOf("omar")];
		// Both are built before either runs, and the second one runs first.
		const [first, second] = [personOf({ id: dana }), personOf({ id: omar })];
		const answers = await Promise.all([
			plain().batch({ second, first }),
			plain().batch({ first, again: personOf({ id: omar }) }),
		]);
		expect(answers).toEqual([
			{ second: [{ id: omar }], first: [{ id: dana }] },
			{ first: [{ id: dana }], again: [{ id: omar }] },
		]);
		expect(written).toBe(1);
	});

	it("runs on every binding that an isolate gets, and on a database session", async () => {
		const statement = () => personOf({ id: idOf("dana") });
		const expected = { rows: [{ id: idOf("dana") }] };
		const other = await openDatabase();
		expect(await plain().batch({ rows: statement() })).toEqual(expected);
		expect(await new Database(other.d1).batch({ rows: statement() })).toEqual(expected);
		const primary = withReplicas();
		expect(await primary.batch({ rows: statement() })).toEqual(expected);
		const near = withReplicas().readReplica(primary.bookmark ?? "", { rows: statement() });
		expect(await near).toEqual(expected);
		expect(written).toBe(1);
	});

	it("needs all of its values", () => {
		const values = {} as { id: string };
		expect(() => personOf(values)).toThrow("id");
	});

	it("has a text for each shape, however many there have been", async () => {
		const named = prepare((build, value: (name: "id") => Placeholder, column: string | undefined) =>
			build.all<{ found: string }>(
				sql`select ${sql.raw(`'${column}'`)} as found from ${users} where ${users.id} = ${value("id")}`,
			),
		);
		const found = async (column: string) =>
			(await plain().batch({ rows: named({ id: idOf("dana") }, column) })).rows[0]?.found;
		for (let each = 0; each < 60; each++) expect(await found(`f${each}`)).toBe(`f${each}`);
		expect(await found("f0")).toBe("f0");
	});
});

describe("a statement about one person", () => {
	it("is about an id, a live session's user, or whoever a sub-select finds", async () => {
		const now = currentTime();
		await signIn(bench, "dana", now);
		const [session] = await bench.rows<{ token_hash: string }>(
			"select token_hash from sessions where user_id = ?",
			idOf("dana"),
		);
		const hash = session?.token_hash ?? "";
		const find = async (owner: Parameters<typeof selfOf>[0]) =>
			(await plain().batch({ rows: selfOf(owner, {}) })).rows.map(({ id }) => id);
		expect(await find(idOf("dana"))).toEqual([idOf("dana")]);
		expect(await find(new SessionUser(hash, now))).toEqual([idOf("dana")]);
		expect(await find(sql<string>`(select ${idOf("omar")})`)).toEqual([idOf("omar")]);
		expect(await find(sql<string>`(select ${idOf("ada")})`)).toEqual([idOf("ada")]);
		// No user's: another token, or an expired session.
		expect(await find(new SessionUser("0".repeat(64), now))).toEqual([]);
		expect(await find(new SessionUser(hash, now + 86_400_001))).toEqual([]);
	});

	it("accepts other values too", async () => {
		const joined = prepareForOwner((build, me, value: (name: "since") => Placeholder) =>
			build
				.select({ id: users.id })
				.from(users)
				.where(and(eq(users.id, me), gte(users.createdAt, value("since")))),
		);
		const count = async (since: number) =>
			(await plain().batch({ rows: joined(idOf("dana"), { since }) })).rows.length;
		expect([await count(0), await count(Number.MAX_SAFE_INTEGER)]).toEqual([1, 0]);
	});
});

describe("a screen's statements", () => {
	it("are built once for each combination of values", async () => {
		let times = 0;
		const peopleOf = prepareSet((build, first: string, { second }: { second?: string }) => {
			times += 1;
			const one = (id: string) =>
				build.select({ id: users.id }).from(users).where(eq(users.id, id));
			return { first: one(first), second: second === undefined ? undefined : one(second) };
		});
		const [dana, omar] = [idOf("dana"), idOf("omar")];
		const both = { first: [{ id: dana }], second: [{ id: omar }] };
		expect(await plain().batch(peopleOf(dana, { second: omar }))).toEqual(both);
		expect(await plain().batch(peopleOf(omar, {}))).toEqual({ first: [{ id: omar }], second: [] });
		expect(await plain().batch(peopleOf(dana, { second: omar }))).toEqual(both);
		expect(times).toBe(2);
	});
});

it("returns no rows for a statement that isn't needed, and the others' rows under their names", async () => {
	const db = plain();
	const answers = await db.batch({
		none: undefined,
		dana: personOf({ id: idOf("dana") }),
		neither: undefined,
		omar: personOf({ id: idOf("omar") }),
	});
	const [dana, omar] = [[{ id: idOf("dana") }], [{ id: idOf("omar") }]];
	expect(answers).toEqual({ none: [], dana, neither: [], omar });
	expect(db.cost).toMatchObject({ trips: 1, statements: 2 });
});

it("binds no limit that SQLite would prepare the statement again for", async () => {
	const texts: string[] = [];
	const recording = {
		prepare(text: string) {
			texts.push(text);
			return bench.d1.prepare(text);
		},
		batch: (list: D1PreparedStatement[]) => bench.d1.batch(list),
	} as unknown as D1Database;
	const db = new Database(recording);
	const answers = await db.batch({
		built: db.build.select({ id: users.id }).from(users).orderBy(users.id).limit(1),
		written: db.build.all(
			sql`select id from (select id from users order by id limit ${2}) LIMIT ${1}`,
		),
	});
	expect([answers.built.length, answers.written.length]).toEqual([1, 1]);
	expect(texts).toEqual([
		'select "id" from "users" order by "users"."id" limit ? + 0',
		"select id from (select id from users order by id limit ? + 0) limit ? + 0",
	]);
});
