/** Splits a text that arrives in pieces into rows, as a spreadsheet counts them. */
import Papa from "papaparse";
import type { SheetRow } from "./rows.ts";
import { UNREADABLE, UnreadableFile } from "./unreadable-file.ts";

/** The separator of a file's cells. */
export type Dialect = {
	readonly separator: string;
	/** If a spreadsheet treated each line as one cell and quoted it again, the separator inside. */
	readonly inner: string | undefined;
};

const SEPARATORS = [",", ";", "\t"] as const;
/** The plain ones first: a wrapped file makes no sense as one of them. */
export const DIALECTS: readonly Dialect[] = [
	...SEPARATORS.map((separator) => ({ separator, inner: undefined })),
	...SEPARATORS.flatMap((separator) => SEPARATORS.map((inner) => ({ separator, inner }))),
];

/** A longer row has an unclosed quotation mark. */
const MAX_ROW_LENGTH = 256 * 1024;

type Parsed = {
	readonly data: string[][];
	readonly errors: readonly { readonly code: string; readonly row?: number }[];
	readonly meta: { readonly cursor: number };
};

function parse(text: string, separator: string, isLast: boolean): Parsed {
	const parser = new Papa.Parser({ delimiter: separator, newline: "\n" });
	const parsed: Parsed = parser.parse(text, 0, !isLast);
	return parsed;
}

/** The cells of a line that is in the first cell of its row. */
function unwrap(cells: readonly string[], { separator, inner = "" }: Dialect): readonly string[] {
	const [first = "", ...others] = cells;
	const isWrapped = others.every((text) => text.trim() === "");
	if (!isWrapped && separator === inner) return cells;
	const line = isWrapped ? first : cells.join(separator);
	return parse(line, inner, true).data[0] ?? [];
}

/**
 * The first rows of a text, to look for its header; a row with an unclosed quotation mark ends
 * them.
 */
export function firstRows(
	text: string,
	isWhole: boolean,
	dialect: Dialect,
	count: number,
): readonly (readonly string[])[] {
	const { data, errors } = parse(text, dialect.separator, isWhole);
	const sound = Math.min(count, ...errors.map(({ row = 0 }) => row));
	const rows = data.slice(0, sound);
	return dialect.inner === undefined ? rows : rows.map((cells) => unwrap(cells, dialect));
}

/** Splits a text into rows, wherever it is cut. */
export class RowSplitter {
	#rest = "";
	#row = 0;
	readonly #dialect: Dialect;
	readonly #columnCount: number;

	constructor(dialect: Dialect, columnCount: number) {
		this.#dialect = dialect;
		this.#columnCount = columnCount;
	}

	/** The rows that this piece completes; all of them with the last one. */
	push(piece: string, isLast: boolean): readonly SheetRow[] {
		const text = this.#rest + piece;
		const { data, errors, meta } = parse(text, this.#dialect.separator, isLast);
		for (const { code, row = 0 } of errors) {
			const cells = data[row];
			// `"Jean "JJ" Roy"` is read as intended; one that swallowed other cells isn't.
			const isHarmless = code !== "MissingQuotes" && cells?.length === this.#columnCount;
			if (cells && !isHarmless) throw new UnreadableFile(UNREADABLE.tornQuote(this.#row + row + 1));
		}
		this.#rest = isLast ? "" : text.slice(meta.cursor);
		if (this.#rest.length > MAX_ROW_LENGTH)
			throw new UnreadableFile(UNREADABLE.tornQuote(this.#row + data.length + 1));
		return data.map((cells) => {
			this.#row += 1;
			const isWhole = this.#dialect.inner === undefined;
			return { row: this.#row, cells: isWhole ? cells : unwrap(cells, this.#dialect) };
		});
	}
}
