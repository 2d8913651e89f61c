/** Searches the whole database for a text. */

type Rows = <Row>(query: string, ...values: unknown[]) => Promise<Row[]>;

/**
 * How many rows of each table contain a text in any column, ignoring case.
 * @param text in lower case
 */
export async function findRemains(rows: Rows, text: string): Promise<Record<string, number>> {
	const columns = await rows<{ name: string; column: string }>(
		`select tables.name as name, columns.name as "column"
		from sqlite_master as tables join pragma_table_xinfo(tables.name) as columns
		where tables.type = 'table' and tables.name not like '_cf%' escape '\\'`,
	);
	const names = [...new Set(columns.map(({ name }) => name))];
	const found: Record<string, number> = {};
	for (const name of names) {
		const texts = columns
			.filter((each) => each.name === name)
			.map(({ column }) => `coalesce(cast("${column}" as text), '')`);
		const [row] = await rows<{ n: number }>(
			`select count(*) as n from "${name}" where instr(lower(${texts.join(" || ' ' || ")}), ?) > 0`,
			text,
		);
		if (row && row.n > 0) found[name] = row.n;
	}
	return found;
}
