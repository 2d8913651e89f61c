/** Finds where a text's table starts: below a `sep=` line, titles and empty rows. */
import { isMoney } from "./amount.ts";
import { readDay } from "./day.ts";
import { DIALECTS, type Dialect, firstRows } from "./records.ts";

/** How many rows tell the separator. */
const SAMPLE_ROWS = 50;

const SEPARATOR_LINE = /^"?sep=([^\n"])"?[^\n\p{L}\p{N}]*(?:\n|$)/iu;

/** The separators that a text may have, likeliest first: the one that it names. */
export function dialectsOf(text: string): readonly Dialect[] {
	const separator = SEPARATOR_LINE.exec(text)?.[1];
	return separator === undefined ? DIALECTS : [{ separator, inner: undefined }, ...DIALECTS];
}

export type TableStart = {
	readonly dialect: Dialect;
	/** The number of the row of column names in a spreadsheet. */
	readonly headerRow: number;
	readonly header: readonly string[];
};

const isFilled = (cell: string) => cell.trim() !== "";
const isName = (cell: string) => !isMoney(cell) && readDay(cell) === undefined;

/** The number of cells that most rows have, and how many rows have it. */
function widthOf(rows: readonly (readonly string[])[]): { width: number; count: number } {
	const counts = new Map<number, number>();
	for (const { length } of rows.filter((cells) => cells.filter(isFilled).length > 1))
		counts.set(length, (counts.get(length) ?? 0) + 1);
	const [most] = [...counts].sort(([a, x], [b, y]) => y - x || b - a);
	return most ? { width: most[0], count: most[1] } : { width: 0, count: 0 };
}

/**
 * The row of column names: the first one of the table's width that is mostly filled, and neither
 * with money nor with dates, which a title above it may have.
 */
function headerIn(rows: readonly (readonly string[])[], width: number): number {
	const isMostlyFilled = (cells: readonly string[]) => cells.filter(isFilled).length * 2 > width;
	const named = rows.findIndex((cells) => isMostlyFilled(cells) && cells.every(isName));
	return named < 0 ? rows.findIndex(isMostlyFilled) : named;
}

/**
 * Where a table with any column names starts; nothing if the text isn't a table of at least two
 * columns.
 * @param text the beginning of a file, with `\n` as line ends
 * @param isWhole whether that is all of it
 */
export function findTable(text: string, isWhole: boolean): TableStart | undefined {
	let best: TableStart | undefined;
	let bestScore = 0;
	const own = SEPARATOR_LINE.exec(text)?.[1];
	const dialects = dialectsOf(text).filter(
		({ separator }) => own === undefined || separator === own,
	);
	for (const dialect of dialects) {
		const rows = firstRows(text, isWhole, dialect, SAMPLE_ROWS);
		const { width, count } = widthOf(rows);
		const score = (width - 1) * count;
		const at = score > bestScore ? headerIn(rows, width) : -1;
		const header = rows[at];
		if (!header) continue;
		best = { dialect, headerRow: at + 1, header };
		bestScore = score;
	}
	return best;
}
