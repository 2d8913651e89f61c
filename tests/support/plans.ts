/**
 * How SQLite plans the application's statements, none of which may cost more as history grows
 * (decision 11).
 */

import { relative } from "node:path";
import { expect, type RunnerTestSuite } from "vitest";
import { INDEX_USES } from "./index-uses.ts";

/** A statement without literal numbers, which don't affect the plan. */
export const shapeOf = (sql: string): string => sql.replace(/\b\d{4,}\b/g, "1");

/** The part of a statement that is planned as a query. */
const readOf = (sql: string): string =>
	// The select of an insert. For the table itself a plan only names lookups of references, and only
	// when some are broken.
	/^\s*insert into "?\w+"? \([^)]*\)\s+(select[\s\S]*?)(?:on conflict[\s\S]*)?$/i.exec(sql)?.[1] ??
	sql;

/** Each statement's plan by shape: the files of one process needn't ask again. */
const plans = new Map<string, readonly string[]>();
/** How many are explained in one request. */
const AT_ONCE = 40;

/** The steps of each statement's plan, by its text. */
async function plansOf(
	statements: Iterable<string>,
	db: D1Database,
): Promise<Map<string, readonly string[]>> {
	const all = new Map([...statements].map((sql) => [shapeOf(sql), sql]));
	const asked = [...all.keys()].filter((shape) => !plans.has(shape));
	for (let first = 0; first < asked.length; first += AT_ONCE) {
		const some = asked.slice(first, first + AT_ONCE);
		const explained = await db.batch<{ detail: string }>(
			some.map((shape) => {
				const read = readOf(all.get(shape) ?? shape);
				const parameters = new Array(read.split("?").length - 1).fill(null);
				return db.prepare(`explain query plan ${read}`).bind(...parameters);
			}),
		);
		for (const [at, shape] of some.entries())
			plans.set(shape, explained[at]?.results.map(({ detail }) => detail) ?? []);
	}
	return new Map([...all].map(([shape, sql]) => [sql, plans.get(shape) ?? []]));
}

/**
 * The statements whose plan scans a whole table, or sorts the rows it scanned. Reading an index in
 * a page's order up to its limit isn't such a scan.
 */
async function fullScans(statements: Iterable<string>, db: D1Database): Promise<string[]> {
	const found: string[] = [];
	for (const [sql, steps] of await plansOf(statements, db)) {
		const read = readOf(sql);
		const isPage =
			/\blimit\b/i.test(read) && !steps.some((step) => step.includes("TEMP B-TREE FOR ORDER BY"));
		const scans = steps.filter(
			(step) =>
				/^SCAN /.test(step) &&
				!HARMLESS.test(step) &&
				!isDerived(step, read) &&
				!(isPage && step.includes(" INDEX ")),
		);
		if (scans.length > 0) found.push(`${scans.join("; ")}: ${sql.replace(/\s+/g, " ")}`);
	}
	return found;
}

type Index = { readonly name: string; readonly sql: string | null };
const INDEXES = "select tbl_name as name, sql from sqlite_master where type = 'index'";
/** Identical in every database, so one process's files needn't ask again. */
let indexes: { readonly results: readonly Index[] } | undefined;

/**
 * The statements that SQLite prepares again at each run: those that compare a column of a partial
 * index's condition with a bound value, since SQLite then plans with the value (app/db/literal.ts).
 * A row that is found by its id needs no plan.
 */
async function preparedAgain(
	statements: readonly string[],
	db: D1Database,
): Promise<readonly string[]> {
	const { results } = indexes ?? (await db.prepare(INDEXES).all<Index>());
	indexes ??= { results };
	const tables = new Set(results.map(({ name }) => name));
	const planned = results.flatMap(({ name, sql }) =>
		[...(sql?.split(/ where /i)[1] ?? "").matchAll(CONDITION)].map(([condition]) => ({
			name,
			condition,
			isIn: (text: string) =>
				new RegExp(`\\b${name}\\b`).test(text) && !new RegExp(`"${name}"."id" = \\?`).test(text),
		})),
	);
	return statements.filter((sql) =>
		[...sql.matchAll(COMPARISON)].some(([, of = "", compared = ""]) =>
			planned.some(
				({ name, condition, isIn }) =>
					condition === compared.replaceAll('"', "") &&
					(of === name || !tables.has(of)) &&
					isIn(sql),
			),
		),
	);
}

/** A column of an index's condition, with how it is compared. */
const CONDITION = /\b\w+ (?:[=<>]+|in \()/g;
/**
 * With a bound value, and the table or alias before it. Assignments aren't comparisons, and a
 * column after a plus isn't planned with.
 */
const COMPARISON =
	/(?<!(?:\bset|,) "?|\+"?|\+\S+\."?)(?:"?\b(\w+)"?\.)?("?\b\w+"? (?:[=<>]+|in \())\s*\?/g;

/** The indexes that the statements use. */
async function usedIndexes(
	statements: readonly string[],
	db: D1Database,
): Promise<ReadonlySet<string>> {
	const steps = [...(await plansOf(statements, db)).values()].flat();
	return new Set(steps.flatMap((step) => / INDEX (\w+)/.exec(step)?.[1] ?? []));
}

const isWhole = ({ tasks }: Pick<RunnerTestSuite, "tasks">): boolean =>
	tasks.every((task) => task.mode === "run" && (task.type === "test" || isWhole(task)));

/**
 * Expects that none of a file's statements scans a whole table, and, if all its tests were run,
 * that they use the indexes in `INDEX_USES`.
 */
export async function expectPlans(
	statements: Iterable<string>,
	db: D1Database,
	file: Readonly<Pick<RunnerTestSuite, "tasks">>,
): Promise<void> {
	const all = [...statements];
	expect(await fullScans(all, db), "statements that scan whole tables").toEqual([]);
	expect(
		await preparedAgain(all, db),
		"statements that bind what an index's condition compares",
	).toEqual([]);
	const path = relative(process.cwd(), expect.getState().testPath ?? "");
	const indexes = isWhole(file) ? (INDEX_USES[path] ?? []) : [];
	if (indexes.length === 0) return;
	const used = await usedIndexes(all, db);
	expect(
		indexes.filter((index) => !used.has(index)),
		"indexes that no statement uses any more (tests/support/index-uses.ts)",
	).toEqual([]);
}

/**
 * True if the scan is of a subquery's result, whose own plan is also checked, or of the schema,
 * which doesn't grow.
 */
function isDerived(step: string, sql: string): boolean {
	const name = /^SCAN (\w+)/.exec(step)?.[1] ?? "";
	return new RegExp(
		`\\b${name}\\s*(\\([^)]*\\))? as (materialized )?\\(|\\)\\s+as "?${name}\\b|\\bsqlite_master as ${name}\\b`,
		"i",
	).test(sql);
}

/**
 * Rows that a statement already has: constants, its parameters, a subquery's result. archived_years
 * has only one row per closed year.
 */
const HARMLESS =
	/^SCAN (CONSTANT ROW|\d+ CONSTANT ROWS?|\d+-ROW VALUES CLAUSE|\w+ VIRTUAL TABLE|archived_years|\(?subquery-\d+\)?)/i;
