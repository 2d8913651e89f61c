/**
 * What a backup contains, taken from the database itself, so that a table added by a later release
 * is backed up without anyone remembering to.
 */
import { EXCLUDED_TABLES, REFERENCES } from "../app/domain/backups/left-out.ts";

export type Table = {
	readonly name: string;
	/** The columns that can be written. */
	readonly columns: readonly string[];
	/** Its id and its references to other rows, which identify the rows that a change touched. */
	readonly idColumns: readonly string[];
	/** The columns that refer to rows of the same table. */
	readonly selfColumns: readonly string[];
	/** The tables it refers to. */
	readonly parents: readonly string[];
};

/** A stored row: its values in the order of the table's columns. */
export type Value = string | number | null;

type Column = { name: string; hidden: number; pk: number };
type ForeignKey = { table: string; from: string };

/** Every table of a backup, each after the ones it refers to. */
export async function backupTables(db: D1Database): Promise<Table[]> {
	const { results } = await db
		.prepare(
			`select name from sqlite_master where type = 'table'
			and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'
			and name not like 'd1\\_%' escape '\\' order by name`,
		)
		.all<{ name: string }>();
	const tables: Table[] = [];
	for (const { name } of results.filter((each) => !(each.name in EXCLUDED_TABLES))) {
		const columns = await db
			.prepare(`select name, hidden, pk from pragma_table_xinfo('${name}')`)
			.all<Column>();
		const keys = await db
			.prepare(`select "table", "from" from pragma_foreign_key_list('${name}')`)
			.all<ForeignKey>();
		const names = columns.results.filter(({ hidden }) => hidden === 0).map((each) => each.name);
		const foreign = keys.results;
		tables.push({
			name,
			columns: names,
			idColumns: [
				...new Set([
					...columns.results.filter(({ pk }) => pk > 0).map((each) => each.name),
					...names.filter((each) => REFERENCES.has(each)),
					...foreign.map(({ from }) => from),
				]),
			],
			selfColumns: foreign.filter((key) => key.table === name).map(({ from }) => from),
			parents: [...new Set(foreign.map((key) => key.table))].filter((each) => each !== name),
		});
	}
	return parentsFirst(tables);
}

function parentsFirst(tables: readonly Table[]): Table[] {
	const sorted: Table[] = [];
	const left = [...tables];
	while (left.length > 0) {
		const position = left.findIndex((table) =>
			table.parents.every((parent) => !left.some(({ name }) => name === parent)),
		);
		const [next] = left.splice(position, 1);
		if (position < 0 || !next)
			throw new Error(
				`These tables refer to each other: ${left.map(({ name }) => name).join(", ")}`,
			);
		sorted.push(next);
	}
	return sorted;
}
