/**
 * How SQLite plans the application's statements: none may cost more as history grows (decision 11).
 */

/** A statement without its literal numbers, which don't affect the plan. */
export const shapeOf = (sql: string): string => sql.replace(/\b\d{4,}\b/g, "1");

/**
 * The statements whose plan walks a whole table or sorts what it walked. An index walked in the
 * order of a page, up to its limit, is no such walk.
 */
export async function fullScans(statements: Iterable<string>, db: D1Database): Promise<string[]> {
	const found: string[] = [];
	for (const sql of statements) {
		// What an insert selects; of its own table a plan names only what is looked up for references,
		// and only when some are broken.
		const read =
			/^\s*insert into "?\w+"? \([^)]*\)\s+(select[\s\S]*?)(?:on conflict[\s\S]*)?$/i.exec(
				sql,
			)?.[1] ?? sql;
		const parameters = new Array(read.split("?").length - 1).fill(null);
		const plan = await db
			.prepare(`explain query plan ${read}`)
			.bind(...parameters)
			.all<{ detail: string }>();
		const steps = plan.results.map(({ detail }) => detail);
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

/**
 * True when what is walked is no table but what a sub-select of the statement has answered, whose
 * own plan is looked at too, or the schema, which is as long as it was written.
 */
function isDerived(step: string, sql: string): boolean {
	const name = /^SCAN (\w+)/.exec(step)?.[1] ?? "";
	return new RegExp(
		`\\b${name}\\s*(\\([^)]*\\))? as (materialized )?\\(|\\)\\s+as "?${name}\\b|\\bsqlite_master as ${name}\\b`,
		"i",
	).test(sql);
}

/**
 * Rows that a statement brings along or has already found: constants, its parameters, a
 * sub-select's answer. The closed years are as many rows as there are such years.
 */
const HARMLESS =
	/^SCAN (CONSTANT ROW|\d+ CONSTANT ROWS?|\d+-ROW VALUES CLAUSE|\w+ VIRTUAL TABLE|archived_years|\(?subquery-\d+\)?)/i;
