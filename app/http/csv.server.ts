/**
 * CSV files: UTF-8 with a byte order mark, RFC 4180, written page by page (docs/product.md,
 * 'Reports and exports').
 */
import { BYTE_ORDER_MARK, type CsvCell, csvLines } from "../values/csv.ts";
import { inUnits } from "../values/fleet-units.ts";

/**
 * A download that is streamed and never in memory as a whole.
 * @param fileName letters, digits, dots and hyphens
 * @param first the first page, already read in the trip that proved the caller
 * @param next the page after a row, empty at the end
 * @param hasByteOrderMark false for programs that would treat it as text
 */
export function csvFile<Row>(
	fileName: string,
	head: readonly string[],
	first: readonly Row[],
	next: (last: Row) => Promise<readonly Row[]>,
	show: (row: Row) => readonly CsvCell[],
	pageSize: number,
	hasByteOrderMark = true,
): Response {
	const encoder = new TextEncoder();
	const lead = (hasByteOrderMark ? BYTE_ORDER_MARK : "") + csvLines([head.map(inUnits)]);
	let last: Row | undefined;
	const body = new ReadableStream<Uint8Array>({
		// Read only after the previous page has been sent, so that a failure doesn't lose that one.
		async pull(controller) {
			const isFirst = last === undefined;
			const page = last === undefined ? first : await next(last);
			const text = csvLines(page.map(show));
			if (isFirst || text) controller.enqueue(encoder.encode(isFirst ? lead + text : text));
			last = page.at(-1);
			if (page.length < pageSize || last === undefined) controller.close();
		},
	});
	return new Response(body, {
		headers: {
			"Content-Type": "text/csv; charset=utf-8",
			"Content-Disposition": `attachment; filename="${fileName}"`,
		},
	});
}
