/**
 * Reads a statement as it was downloaded, from its bytes to its lines. Pure: it has no clock, no
 * database and no drivers, and keeps only a piece of the file in memory.
 */
import { createColumnReader } from "./column-rows.ts";
import { type ChosenColumns, guessMapping, MAX_COLUMNS } from "./columns.ts";
import { whyDamaged } from "./damaged-text.ts";
import { USUAL_ORDERS } from "./day.ts";
import type { RecognizedFile } from "./layout.ts";
import { DOWNLOAD_EITHER, otherFileByName, refuse } from "./other-files.ts";
import { recognize } from "./recognize.ts";
import { type Dialect, firstRows, RowSplitter } from "./records.ts";
import { createRowReader, type RowReader } from "./rows.ts";
import { MAX_STATEMENT_ROWS } from "./rules.ts";
import type {
	ReadOptions,
	RecognizedStatement,
	RefusedFile,
	StatementEvent,
	StatementReading,
	UnknownFile,
} from "./statement.ts";
import { dialectsOf, findTable } from "./table-start.ts";
import { openText } from "./text.ts";
import { UNREADABLE, UnreadableFile } from "./unreadable-file.ts";

/**
 * How many characters and rows may precede the end of the header: some files have a few lines above
 * it.
 */
const LEAD_CHARACTERS = 64 * 1024;
const LEAD_ROWS = 10;

type Pieces = AsyncGenerator<string>;
type Lead = { readonly text: string; readonly isWhole: boolean };

async function readLead(pieces: Pieces): Promise<Lead> {
	let text = "";
	while (text.length < LEAD_CHARACTERS) {
		const { value, done } = await pieces.next();
		if (done) return { text, isWhole: true };
		text += value;
	}
	return { text, isWhole: false };
}

type Start = {
	readonly dialect: Dialect;
	/** The header's row number in a spreadsheet. */
	readonly headerRow: number;
};
type Found = RecognizedFile & Start;

function damageIn(header: readonly string[]): RefusedFile | undefined {
	const damage = whyDamaged(header);
	return damage === undefined ? undefined : refuse(`${damage} ${DOWNLOAD_EITHER}`);
}

/** Finds the header in the first rows, with any separator. */
function findHeader({ text, isWhole }: Lead, fileName: string): Found | RefusedFile | UnknownFile {
	let refused: RefusedFile | undefined;
	let unknown: UnknownFile | undefined;
	for (const dialect of dialectsOf(text)) {
		const rows = firstRows(text, isWhole, dialect, LEAD_ROWS);
		for (const [at, cells] of rows.entries()) {
			// Fewer cells are a title, or a row with another separator.
			if (cells.filter((cell) => cell.trim() !== "").length < 3) continue;
			const recognized = recognize(cells, fileName);
			// Fee columns with damaged names would be left out.
			const damage = recognized.kind === "unknown" ? undefined : damageIn(cells);
			if (damage) return damage;
			if (recognized.kind === "statement") return { ...recognized, dialect, headerRow: at + 1 };
			if (recognized.kind === "refused") refused ??= recognized;
			else unknown ??= recognized;
		}
	}
	return (
		refused ??
		otherFileByName(fileName) ??
		damageIn(findTable(text, isWhole)?.header ?? []) ??
		unknown ?? { kind: "unknown", reason: "It has no row of column names." }
	);
}

async function* eventsOf(
	lead: Lead,
	pieces: Pieces,
	{ dialect, headerRow }: Start,
	width: number,
	reader: RowReader,
): AsyncGenerator<StatementEvent> {
	const splitter = new RowSplitter(dialect, width);
	let { text, isWhole: isLast } = lead;
	let filled = 0;
	try {
		for (;;) {
			for (const sheetRow of splitter.push(text, isLast)) {
				if (sheetRow.row <= headerRow) continue;
				if (sheetRow.cells.some((cell) => cell.trim() !== "")) filled += 1;
				if (filled > MAX_STATEMENT_ROWS) throw new UnreadableFile(UNREADABLE.tooManyRows);
				yield* reader.read(sheetRow);
			}
			if (isLast) break;
			const next = await pieces.next();
			isLast = next.done === true;
			text = next.done ? "" : next.value;
		}
		yield* reader.end();
	} catch (error) {
		if (!(error instanceof UnreadableFile)) throw error;
		yield { kind: "broken", message: error.message };
	} finally {
		await pieces.return(undefined);
	}
}

/** A file with custom columns, if the text is a table. */
async function readColumns(
	lead: Lead,
	pieces: Pieces,
	unknown: UnknownFile,
	{ orders = USUAL_ORDERS, fileTag = "", chosen, recall }: ReadOptions,
): Promise<StatementReading> {
	const start = findTable(lead.text, lead.isWhole);
	if (!start) return unknown;
	const head = start.header.map((name) => name.trim());
	if (head.length > MAX_COLUMNS) return refuse(UNREADABLE.tooManyColumns);
	const mapping = chosen ?? (await recall?.(head)) ?? guessMapping(head);
	const columns: ChosenColumns = { head, mapping, unrecognized: unknown.reason };
	const { separator, inner = separator } = start.dialect;
	const reader = createColumnReader(columns, { separator: inner, orders, fileTag });
	return {
		...{ kind: "statement", format: "columns", platform: "columns", columns },
		...{ period: null, isByPeriod: false, needs: [], currency: null, isAllCommission: false },
		...{ feeColumns: [], notFeeColumns: [] },
		events: eventsOf(lead, pieces, start, head.length, reader),
	};
}

/**
 * Recognizes a statement by its header and reads its rows on demand. The file's period comes from
 * its name or else the options; without either its lines have no date.
 */
export async function readStatement(
	bytes: ReadableStream<Uint8Array>,
	options: ReadOptions,
): Promise<StatementReading> {
	const { fileName, period: answered, orders = USUAL_ORDERS } = options;
	const opened = await openText(bytes);
	if ("kind" in opened) return opened;
	const { pieces } = opened;
	try {
		const lead = await readLead(pieces);
		const found = findHeader(lead, fileName);
		if (found.kind !== "statement") {
			const reading =
				found.kind === "unknown" ? await readColumns(lead, pieces, found, options) : found;
			if (reading.kind !== "statement") await pieces.return(undefined);
			return reading;
		}
		const period = found.statement.period ?? answered ?? null;
		const statement: RecognizedStatement = {
			...found.statement,
			period,
			needs: found.statement.isByPeriod && !period ? ["period"] : [],
		};
		const { separator, inner = separator } = found.dialect;
		const again = (cells: readonly string[]) => recognize(cells, fileName);
		const reader = createRowReader(found, period, again, { separator: inner, orders });
		const { length } = found.layout.header;
		return { ...statement, events: eventsOf(lead, pieces, found, length, reader) };
	} catch (error) {
		if (!(error instanceof UnreadableFile)) throw error;
		return { kind: "refused", message: error.message };
	}
}
