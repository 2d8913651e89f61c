/**
 * What a backup holds, found out from the database itself: a table that a later release adds is
 * backed up without anybody remembering to.
 */

/** Not backed up, each with its reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
	sessions: "everyone signs in again after a restore",
	sign_in_attempts: "they live for minutes",
	staged_imports: "an import under way is done again",
	staged_fees: "an import under way is done again",
	statement_files: "what waits for an hour is uploaded again",
	payout_totals: "recalculated from the rows",
	driver_totals: "recalculated from the rows, and compared",
	person_names: "worked out from the people again",
	letters: "the migration brings them",
	daily_tasks: "today's tasks run again",
	loose_objects: "files that no receipt stands for",
};

export type Table = {
	readonly name: string;
	/** The columns that can be written. */
	readonly columns: readonly string[];
	/** Its id and what refers to other rows: by these a row is found again that a change touched. */
	readonly idColumns: readonly string[];
	/** The columns that refer to rows of the same table. */
	readonly selfColumns: readonly string[];
	/** The tables it refers to. */
	readonly parents: readonly string[];
};

/** A row as it is kept: its values in the order of the table's columns. */
export type Value = string | number | null;

type Column = { name: string; hidden: number; pk: number };
type ForeignKey = { table: string; from: string };

/** Every table of a backup; one that refers to another comes after it. */
export async function backupTables(db: D1Database): Promise<Table[]> {
	const { results } = await db
		.prepare(
			`select name from sqlite_master where type = 'table'
			and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'
			and name not like 'd1\\_%' escape '\\' order by name`,
		)
		.all<{ name: string }>();
	const tables: Table[] = [];
	for (const { name } of results.filter((each) => !(each.name in LEFT_OUT))) {
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
