/**
 * Sample statements as tables that tests can change, and the ways in which such files are written.
 */
import Papa from "papaparse";
import { type Sample, sampleText } from "./statements.ts";

export type Table = { readonly head: readonly string[]; readonly rows: readonly string[][] };

export function tableOf(sample: Sample): Table {
	const text = sampleText(sample).replace(/^\ufeff/, "");
	const [head = [], ...rows] = Papa.parse<string[]>(text, { skipEmptyLines: true }).data;
	return { head, rows };
}

export type Writing = {
	readonly separator?: string;
	readonly lineEnd?: string;
	readonly byteOrderMark?: boolean;
	readonly quotes?: boolean;
	/** Text after the last row. */
	readonly tail?: string;
	readonly encoding?: "utf-8" | "utf-16le" | "utf-16be";
};

/** Writes a table as text, ending with a line break. */
export function toText({ head, rows }: Table, writing: Writing = {}): string {
	const { separator = ",", lineEnd = "\n", quotes = false, tail = "" } = writing;
	const body = Papa.unparse([[...head], ...rows], {
		delimiter: separator,
		newline: lineEnd,
		quotes,
	});
	return `${writing.byteOrderMark ? "\ufeff" : ""}${body}${lineEnd}${tail}`;
}

/** Writes a table as bytes. */
export function toBytes(table: Table, writing: Writing = {}): Uint8Array {
	const text = toText(table, writing);
	const { encoding = "utf-8" } = writing;
	if (encoding === "utf-8") return new TextEncoder().encode(text);
	const bytes = new Uint8Array(2 * text.length);
	const view = new DataView(bytes.buffer);
	for (let at = 0; at < text.length; at += 1)
		view.setUint16(2 * at, text.charCodeAt(at), encoding === "utf-16le");
	return bytes;
}

/** Reorders the columns. */
export function reorderColumns({ head, rows }: Table, order: readonly number[]): Table {
	const pick = (cells: readonly string[]) => order.map((column) => cells[column] ?? "");
	return { head: pick(head), rows: rows.map(pick) };
}

/** Pseudorandom numbers below a bound, the same for the same seed. */
function numbersOf(seed: number): (bound: number) => number {
	let state = seed * 7919 + 1;
	return (bound) => {
		state = (state * 1103515245 + 12345) % 2147483648;
		return state % bound;
	};
}

export function shuffleRows(table: Table, seed: number): Table {
	const next = numbersOf(seed);
	const order = table.head.map((_, column) => column);
	for (let at = order.length - 1; at > 0; at -= 1) {
		const other = next(at + 1);
		[order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
	}
	return reorderColumns(table, order);
}

/** Writes every amount with a decimal comma. */
export function withCommas({ head, rows }: Table): Table {
	return {
		head,
		rows: rows.map((cells) =>
			cells.map((text) => (/^-?\d+\.\d{1,2}$/.test(text) ? text.replace(".", ",") : text)),
		),
	};
}

/** Renames some columns in the header. */
export function renameColumns(
	{ head, rows }: Table,
	names: Readonly<Record<string, string>>,
): Table {
	return { head: head.map((name) => names[name] ?? name), rows };
}

/** Translates a path part by part. */
export function translatePaths(
	table: Table,
	whole: Readonly<Record<string, string>>,
	parts: Readonly<Record<string, string>>,
): Table {
	const translate = (name: string) =>
		whole[name] ??
		name
			.split(/ ?: ?/)
			.map((part) => parts[part] ?? part)
			.join(name.includes(" : ") ? " : " : ":");
	return { head: table.head.map(translate), rows: table.rows };
}

/** A row of the table's width with these cells filled. */
export function rowOf({ head }: Table, cells: Readonly<Record<string, string>>): string[] {
	for (const name of Object.keys(cells))
		if (!head.includes(name)) throw new Error(`No column is called ${name}`);
	return head.map((name) => cells[name] ?? "");
}

export const withRows = (table: Table, at: number, rows: readonly string[][]): Table => ({
	head: table.head,
	rows: [...table.rows.slice(0, at), ...rows, ...table.rows.slice(at)],
});

/** Quotes each line again and ends it with `;;`, as Excel does when it reads a line as one cell. */
export function asExcelSaves(text: string): string {
	return text
		.trimEnd()
		.split("\n")
		.map((line) => `"${line.replaceAll('"', '""')}";;`)
		.join("\r\n");
}
