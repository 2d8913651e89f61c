/**
 * What the migrations after release 0.1.0 may do, so that the previous release keeps working on
 * them: they only add. Each one is applied completely or not at all, wherever it is killed.
 */
import { readFileSync } from "node:fs";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { afterAll, describe, expect, it } from "vitest";
import { storageOptions } from "../tools/local-worker.ts";
import { bareStatement, migrate, migrationFiles } from "../tools/migrate.ts";
import { splitCautiously } from "./support/cautious-splitter.ts";
import { D1_PROXY, proxiedDatabase } from "./support/d1-proxy.ts";
import { oneIn } from "./support/extent.ts";

/** The newest migration of release 0.1.0 (CHANGELOG.md). */
const RELEASED = "0009_flagged_in_order.sql";
const files = migrationFiles();
const later = files.filter(({ name }) => name > RELEASED);
const bare = (statement: string) =>
	statement.replace(/--.*$/gm, "").replace(/[`"]/g, "").replace(/\s+/g, " ").trim();

describe("a migration after release 0.1.0", () => {
	it("drops and renames nothing that the release reads or writes", () => {
		// Of a table that is rebuilt, or one that only triggers write, the same file leaves a table or a
		// view with the name that the release knows.
		const isThere = (name: string, all: readonly string[]) =>
			all.some((sql) =>
				new RegExp(`^create view ${name} as |\\brename to ${name};?$`, "i").test(sql),
			);
		const isKept = (sql: string, all: readonly string[]) => {
			const [, name] =
				/^drop (?:table|view) (\w+)/i.exec(sql) ?? /^alter table (\w+) rename to /i.exec(sql) ?? [];
			const isOwn = all.some((each) => each.startsWith(`CREATE TABLE ${name} (`));
			return name !== undefined && (isOwn || isThere(name, all));
		};
		const dropped = later.flatMap(({ name, statements }) => {
			const all = statements.map(bare);
			return all
				.filter(
					(sql) =>
						/^drop (table|view|column)\b|\bdrop column\b|\brename (to|column)\b/i.test(sql) &&
						!isKept(sql, all),
				)
				.map((sql) => `${name}: ${sql.slice(0, 80)}`);
		});
		expect(dropped).toEqual([]);
	});

	it("recreates a trigger, or an index that the release has, in the file that drops it", () => {
		const released = files
			.filter(({ name }) => name <= RELEASED)
			.flatMap(({ statements }) => statements.map(bare));
		/** An index's table and columns, as its statement has them, and its condition. */
		const shapeOf = (sql: string) => {
			const [, table = "", columns = "", where = ""] =
				/^create (?:unique )?index \w+ on (\w+) \((.*?)\)(?: (where .*?))?;?$/i.exec(sql) ?? [];
			return { table, columns, where };
		};
		/** Whether an index of the same file begins with what the release had. */
		const isReplaced = (index: string, all: readonly string[]) => {
			const old = released.findLast((sql) => new RegExp(`\\bindex ${index} on\\b`, "i").test(sql));
			if (old === undefined) return true;
			const { table, columns, where } = shapeOf(old);
			return all.map(shapeOf).some((other) => {
				const isLonger = other.columns.startsWith(`${columns},`);
				return isLonger && other.table === table && other.where === where;
			});
		};
		for (const { name, statements } of later) {
			const all = statements.map(bare);
			for (const [, kind = "", object = ""] of all.flatMap((sql) => [
				...sql.matchAll(/^drop (trigger|index) (?:if exists )?(\w+)/gi),
			])) {
				if (kind.toLowerCase() === "index" && isReplaced(object, all)) continue;
				const isCreated = all.some((sql) =>
					new RegExp(`^create (unique )?${kind} ${object}\\b`, "i").test(sql),
				);
				expect(isCreated, `${name} drops ${kind} ${object} for good`).toBe(true);
			}
		}
	});

	it("leaves a table that it rebuilds its triggers and its indexes", () => {
		for (const [at, { name, statements }] of files.entries()) {
			const all = statements.map(bare);
			for (const [, table] of all.flatMap((sql) => [...sql.matchAll(/^drop table (\w+)/gi)])) {
				if (name <= RELEASED) continue;
				const before = files.slice(0, at).flatMap((file) => file.statements.map(bare));
				const own = new RegExp(
					`^create (?:unique )?(?:trigger|index) (\\w+)\\b.*? on ${table}\\b`,
					"i",
				);
				const owned = (list: readonly string[]) =>
					list.flatMap((sql) => own.exec(sql.split(" BEGIN ")[0] ?? "")?.[1] ?? []);
				const dropped = before.flatMap(
					(sql) => /^drop (?:trigger|index) (\w+)/i.exec(sql)?.[1] ?? [],
				);
				const kept = owned(before).filter(
					(each) => !dropped.includes(each) || owned(all).includes(each),
				);
				expect(new Set(owned(all)), `${name} rebuilds ${table}`).toEqual(new Set(kept));
			}
		}
	});

	it("adds only columns that the release's rows can leave out", () => {
		const added = later.flatMap(({ name, statements }) =>
			statements
				.map(bare)
				.filter((sql) => /^alter table \w+ add/i.test(sql))
				.map((sql) => ({ name, sql })),
		);
		expect(added.length).toBeGreaterThan(10);
		expect(added.filter(({ sql }) => /not null/i.test(sql) && !/default/i.test(sql))).toEqual([]);
		// SQLite adds no other kind of column; a unique one would refuse what the release writes.
		expect(added.filter(({ sql }) => /\bunique\b|\bprimary key\b/i.test(sql))).toEqual([]);
	});
});

it("a migration's statements each arrive whole, however carelessly a server splits them", () => {
	for (const { name, statements } of files)
		for (const statement of statements)
			expect(splitCautiously(statement), name).toEqual([statement]);
	// A splitter that forgives everything would show nothing.
	for (const careless of [
		"select 1 -- isn't; this\n, 2",
		"create trigger t after insert on u begin delete from v; end",
		"CREATE TRIGGER t AFTER INSERT ON u BEGIN\n DELETE FROM v; END",
	])
		expect(splitCautiously(careless)).not.toEqual([careless]);
});

it("a statement loses its comments and line breaks, and nothing in quotes", () => {
	const text = "select 'it''s -- not\na comment', \"a -- b\" -- isn't; this\n\tfrom `t` ;";
	expect(bareStatement(text)).toBe(`select 'it''s -- not\na comment', "a -- b" from \`t\``);
});

describe("the numbers of migrations", () => {
	const { entries } = JSON.parse(readFileSync("migrations/meta/_journal.json", "utf8")) as {
		entries: { idx: number; tag: string }[];
	};

	it("are each used once, by the file and its line in the journal", () => {
		const numbers = files.map(({ name }) => Number(name.slice(0, 4)));
		expect(new Set(numbers).size).toBe(numbers.length);
		expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(files.map(({ name }) => name));
		// drizzle-kit numbers the next migration by the last line's idx.
		expect(entries.map(({ idx }) => idx)).toEqual(numbers);
	});

	it("lead from each snapshot to the next", () => {
		const snapshots = files.map(({ name }) => {
			const path = `migrations/meta/${name.slice(0, 4)}_snapshot.json`;
			return JSON.parse(readFileSync(path, "utf8")) as { id: string; prevId: string };
		});
		expect(snapshots.slice(1).map(({ prevId }) => prevId)).toEqual(
			snapshots.slice(0, -1).map(({ id }) => id),
		);
	});
});

describe("a migration that is killed", () => {
	const worker = new Miniflare({
		...storageOptions(undefined),
		modules: [{ type: "ESModule", path: "d1-proxy.mjs", contents: D1_PROXY }],
	} as MiniflareOptions);
	afterAll(() => worker.dispose());
	const db = proxiedDatabase((body) =>
		worker.dispatchFetch("http://database/", { method: "POST", body }),
	);
	const schema = async () =>
		JSON.stringify(
			(
				await db
					.prepare(
						"select type, name, sql from sqlite_master where name not like '\\_cf%' escape '\\' order by name",
					)
					.all()
			).results,
		);

	it("at any statement leaves everything unchanged, and then succeeds", async () => {
		let kills = 0;
		await migrate(db, []);
		for (const [number, { name, statements }] of files.entries()) {
			const before = await schema();
			for (const at of oneIn(3, [...statements.keys(), statements.length], number)) {
				const batch = [
					...statements.slice(0, at).map((sql) => db.prepare(sql)),
					db.prepare("select killed_here()"),
				];
				await expect(db.batch(batch), `${name} at ${at}`).rejects.toThrow(/killed_here/);
				kills += 1;
			}
			expect(await schema(), name).toBe(before);
			expect(await migrate(db, [name])).toEqual([name]);
		}
		expect(await migrate(db)).toEqual([]);
		console.log(`${files.length} migrations, killed at ${kills} places: all or nothing each time`);
	});
});
