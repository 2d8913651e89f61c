/**
 * How SQLite plans the application's statements, none of which may cost more as history grows
 * (decision 11).
 */

/** A statement without literal numbers, which don't affect the plan. */
export const shapeOf = (sql: string): string => sql.replace(/\b\d{4,}\b/g, "1");

/** The part of a statement that is planned as a query. */
const readOf = (sql: string): string =>
	// The select of an insert. For the table itself a plan only names lookups of references, and only
	// when some are broken.
	/^\s*insert into "?\w+"? \([^)]*\)\s+(select[\s\S]*?)(?:on conflict[\s\S]*)?$/i.exec(sql)?.[1] ??
	sql;

/** Those without a scan, by their shape: the files of one process needn't ask again. */
const known = new Set<string>();
/** How many are explained in one request. */
const AT_ONCE = 40;

/**
 * The statements whose plan scans a whole table, or sorts the rows it scanned. Reading an index in
 * a page's order up to its limit isn't such a scan.
 */
export async function fullScans(statements: Iterable<string>, db: D1Database): Promise<string[]> {
	const found: string[] = [];
	const all = new Map([...statements].map((sql) => [shapeOf(sql), sql]));
	const asked = [...all.keys()].filter((shape) => !known.has(shape));
	const plans: D1Result<{ detail: string }>[] = [];
	for (let first = 0; first < asked.length; first += AT_ONCE)
		plans.push(
			...(await db.batch<{ detail: string }>(
				asked.slice(first, first + AT_ONCE).map((shape) => {
					const read = readOf(all.get(shape) ?? shape);
					const parameters = new Array(read.split("?").length - 1).fill(null);
					return db.prepare(`explain query plan ${read}`).bind(...parameters);
				}),
			)),
		);
	for (const [at, shape] of asked.entries()) {
		const sql = all.get(shape) ?? shape;
		const read = readOf(sql);
		const steps = plans[at]?.results.map(({ detail }) => detail) ?? [];
		const isPage =
			/\blimit\b/i.test(read) && !steps.some((step) => step.includes("TEMP B-TREE FOR ORDER BY"));
		const scans = steps.filter(
			(step) =>
				/^SCAN /.test(step) &&
				!HARMLESS.test(step) &&
				!isDerived(step, read) &&
				!(isPage && step.includes(" INDEX ")),
		);
		if (scans.length === 0) known.add(shape);
		else found.push(`${scans.join("; ")}: ${sql.replace(/\s+/g, " ")}`);
	}
	return found;
}

/**
 * True if the scan is of a subquery's result, whose own plan is checked as well, or of the schema,
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
 * Rows that a statement has already: constants, its parameters, a subquery's result. archived_years
 * has only one row per closed year.
 */
const HARMLESS =
	/^SCAN (CONSTANT ROW|\d+ CONSTANT ROWS?|\d+-ROW VALUES CLAUSE|\w+ VIRTUAL TABLE|archived_years|\(?subquery-\d+\)?)/i;
