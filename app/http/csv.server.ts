/** CSV files: UTF-8 with a byte order mark, RFC 4180, written page by page (decisions.md, 'Reports and exports'). */
import Papa from "papaparse";

/** A cell; numbers are given as decimal text, so that no digit changes on the way. */
export type CsvCell = string | null;

/**
 * Text that a spreadsheet would run as a formula gets an apostrophe before it, plain negative numbers do not. papaparse's own pattern
 * lets through a formula that is followed by a line break.
 */
const FORMULA = /^(?!-\d+(?:\.\d+)?$)[=+\-@\t\r\n|＝＋－＠]/;

const linesOf = (rows: readonly (readonly CsvCell[])[]) =>
	rows.length > 0 ? `${Papa.unparse(rows as CsvCell[][], { newline: "\r\n", escapeFormulae: FORMULA })}\r\n` : "";

/**
 * A download that is never held in memory whole.
 * @param fileName letters, digits, dots and hyphens
 * @param first the first page, already read in the trip that proved the caller
 * @param next the page after a row, empty at the end
 */
export function csvFile<Row>(
	fileName: string,
	head: readonly string[],
	first: readonly Row[],
	next: (last: Row) => Promise<readonly Row[]>,
	show: (row: Row) => readonly CsvCell[],
	pageSize: number,
): Response {
	const encoder = new TextEncoder();
	let page = first;
	let lead = `\ufeff${linesOf([head])}`;
	const body = new ReadableStream<Uint8Array>({
		async pull(controller) {
			controller.enqueue(encoder.encode(lead + linesOf(page.map(show))));
			lead = "";
			const last = page.at(-1);
			if (page.length < pageSize || last === undefined) return controller.close();
			page = await next(last);
			if (page.length === 0) controller.close();
		},
	});
	return new Response(body, {
		headers: { "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": `attachment; filename="${fileName}"` },
	});
}
