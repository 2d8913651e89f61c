/** Real D1 with the cast in it for the domain tests, and the session proofs that commands need. */
import { Miniflare, type MiniflareOptions } from "miniflare";
import { afterAll, beforeEach } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import type {
	AdminContext,
	DriverContext,
	SelfContext,
	UserRow,
} from "../../app/domain/kernel/context.ts";
import { toFleetSettings } from "../../app/domain/kernel/fleet-settings.ts";
import { getStanding, roleOf } from "../../app/domain/kernel/standing.ts";
import { dateIn } from "../../app/values/calendar-date.ts";
import { storageOptions } from "../../tools/local-worker.ts";
import { migrationFiles } from "../../tools/migrate.ts";
import { insertSeed } from "../../tools/seed-database.ts";
import { type CastName, idOf, seedOf, ZONE } from "./cast.ts";
import { currentTime } from "./clock.ts";
import { D1_PROXY, proxiedDatabase } from "./d1-proxy.ts";
import { ask } from "./direct.ts";
import { expectPlans, shapeOf } from "./plans.ts";
import { goBackTo, migrateQuickly, type Snapshot, takeSnapshot } from "./snapshot.ts";

const SESSION_REF = "test";

/** Thrown by commands in these tests when their actor has lost access. */
export class AccessLost extends Error {}
/** Thrown by commands in these tests when their actor has changed too much in an hour. */
export class TooMany extends Error {}

export type TestDatabase = {
	/** The database, for the test's own statements. */
	readonly d1: D1Database;
	/** The same database for the application's statements, none of which may scan a whole table. */
	readonly batches: D1Database;
	/** The archive database, empty. */
	readonly archive: D1Database;
	readonly rows: <Row = Record<string, unknown>>(
		query: string,
		...values: unknown[]
	) => Promise<Row[]>;
	/** A new request's proof of this person's session. */
	readonly driver: (name: CastName, now?: number) => Promise<DriverContext>;
	readonly admin: (name: CastName, now?: number) => Promise<AdminContext>;
	readonly self: (name: CastName, now?: number) => Promise<SelfContext>;
};

/** Matches statements that may change something. */
const CHANGES = /\b(?:insert|replace|update|delete|alter|create|drop)\b/i;

/** Inserts a session that began at a given time, for actions that need a recent sign-in. */
export async function signIn({ rows }: TestDatabase, name: CastName, at: number): Promise<void> {
	await rows(
		`insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at, ends_at)
		values (?, ?, ?, ?, ?, ?)`,
		SESSION_REF.padEnd(64, name),
		idOf(name),
		at,
		at,
		at + 86_400_000,
		at + 86_400_000,
	);
}

/**
 * Opens a separate database for the tests in one file. Each begins with what the file has stored in
 * it before the first one; in a large database, which is only read, with what is there.
 */
export async function openDatabase(
	seed: "everyone" | "nobody" = "everyone",
	now = currentTime(),
	{ isLarge = false } = {},
): Promise<TestDatabase> {
	const worker = new Miniflare({
		...storageOptions(undefined),
		modules: [{ type: "ESModule", path: "d1-proxy.mjs", contents: D1_PROXY }],
	} as MiniflareOptions);
	const changes = new Set<string>();
	const [d1, archive] = ["DB", "ARCHIVE"].map((name) =>
		proxiedDatabase((body) => {
			for (const { sql } of JSON.parse(body) as { sql: string }[])
				if (CHANGES.test(sql)) changes.add(sql);
			return ask(worker, `http://database/${name}`, { method: "POST", body });
		}),
	) as [D1Database, D1Database];
	const asked = new Map<string, string>();
	const batches = watched(d1, asked);
	await migrateQuickly(d1);
	if (seed === "everyone") await insertSeed(d1, seedOf(now, "everyone"));
	let first: Snapshot | undefined;
	if (!isLarge)
		beforeEach(async () => {
			first ??= await takeSnapshot(d1);
			if (changes.size > 0) await goBackTo(d1, first, changes);
			changes.clear();
		});
	// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures here, and there are none.
	afterAll(async ({}, file) => {
		await expectPlans(asked.values(), d1, file).finally(() => worker.dispose());
	}, 60_000);
	const rows = async <Row>(query: string, ...values: unknown[]) =>
		(await d1.batch<Row>([d1.prepare(query).bind(...values)]))[0]?.results ?? [];
	const proven = async (name: CastName, at: number) => {
		const user = await userOf(rows, name);
		const chosen = await rows<{ chosen: string }>("select chosen from settings where id = 'fleet'");
		return {
			user,
			role: roleOf(user),
			sessionRef: SESSION_REF,
			requestId: "test",
			now: at,
			db: new Database(batches),
			archive: new Database(archive),
			timeZone: ZONE,
			today: dateIn(ZONE, at),
			settings: toFleetSettings(chosen, { fleetName: "Milepost" }),
			reportFault: () => undefined,
			tooMany: () => new TooMany(`${name} has changed too much in an hour`),
			accessLost: async () => new AccessLost(`${name} may no longer do this`),
		};
	};
	return {
		d1,
		batches,
		archive,
		rows,
		driver: async (name, at = now) => (await proven(name, at)) as unknown as DriverContext,
		admin: async (name, at = now) => (await proven(name, at)) as unknown as AdminContext,
		self: async (name, at = now) => {
			const person = await proven(name, at);
			return { ...person, standing: getStanding(person.user) } as unknown as SelfContext;
		},
	};
}

/** An empty database as before a migration, and a function that applies it and all later ones. */
export async function openBefore(migration: string) {
	const bench = await openDatabase("nobody");
	const files = migrationFiles();
	const position = files.findIndex(({ name }) => name.includes(migration));
	const apply = async (some: typeof files) => {
		for (const { statements } of some)
			await bench.d1.batch(statements.map((statement) => bench.d1.prepare(statement)));
	};
	const tables = await bench.rows<{ type: string; name: string }>(
		"select type, name from sqlite_master where type in ('view', 'table') and name not like 'sqlite_%' and name not like '_cf_%'",
	);
	await bench.d1.batch([
		bench.d1.prepare("pragma defer_foreign_keys = true"),
		...tables.map(({ type, name }) => bench.d1.prepare(`drop ${type} ${name}`)),
	]);
	await apply(files.slice(0, position));
	return { bench, applyRest: () => apply(files.slice(position)) };
}

/**
 * A database that records the statements of its batches.
 * @param asked one statement per shape
 */
const watched = (db: D1Database, asked: Map<string, string>): D1Database =>
	({
		prepare: (sql: string) => db.prepare(sql),
		batch: (list: D1PreparedStatement[]) => {
			for (const { sql } of list as unknown as { sql: string }[]) asked.set(shapeOf(sql), sql);
			return db.batch(list);
		},
	}) as unknown as D1Database;

async function userOf(rows: TestDatabase["rows"], name: CastName): Promise<UserRow> {
	const [row] = await rows<Record<string, unknown>>("select * from users where id = ?", idOf(name));
	if (!row) throw new Error(`${name} is not in this database`);
	const camel = Object.entries(row).map(([key, value]) => [
		key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
		value,
	]);
	return { ...Object.fromEntries(camel), isActive: row.is_active === 1 } as UserRow;
}
