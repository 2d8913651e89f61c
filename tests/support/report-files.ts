/** Reads reports with different libraries than wrote them. */
import { readFileSync } from "node:fs";
import Papa from "papaparse";
import readWorkbook from "read-excel-file/node";
import { extractText, getDocumentProxy, getMeta } from "unpdf";
import { fallbackFontsFor } from "../../app/domain/reports/fallback-fonts.ts";

const FONTS = "node_modules/dejavu-fonts-ttf/ttf";
/** The fonts that the Worker reads from its static files. */
export const fonts = () => ({
	regular: new Uint8Array(readFileSync(`${FONTS}/DejaVuSansCondensed.ttf`)),
	bold: new Uint8Array(readFileSync(`${FONTS}/DejaVuSansCondensed-Bold.ttf`)),
	loadFallbacks: async (characters: string) =>
		fallbackFontsFor(characters).map(
			(path) => new Uint8Array(readFileSync(path.replace(/^\//, ""))),
		),
});

export async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
	const all: Uint8Array[] = [];
	for await (const piece of pieces) all.push(piece);
	return new Uint8Array(Buffer.concat(all));
}

export type ReadPdf = {
	/** The text of each page. */
	readonly pages: readonly string[];
	readonly text: string;
	readonly info: Readonly<Record<string, unknown>>;
	readonly language: string | undefined;
};

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
	// The reader takes ownership of the bytes it is given.
	const pdf = await getDocumentProxy(bytes.slice());
	const { text } = await extractText(pdf, { mergePages: false });
	const { info } = await getMeta(pdf);
	const pages = text.map((each) => each.replace(/\s+/g, " "));
	return {
		pages,
		text: pages.join(" "),
		info: info as Record<string, unknown>,
		language: (info as { Language?: string }).Language,
	};
}

export type ReadSheet = { readonly name: string; readonly rows: readonly (readonly unknown[])[] };

/** Reads every sheet: empty cells as null, dates as midnight UTC. */
export async function readXlsx(bytes: Uint8Array): Promise<ReadSheet[]> {
	const sheets = await readWorkbook(Buffer.from(bytes));
	return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data as unknown[][] }));
}

export type ReadCsv = {
	readonly facts: readonly string[][];
	readonly sections: ReadonlyMap<string, readonly string[][]>;
};

/** A report's facts, and the rows of its sections by title. */
export function readCsv(bytes: Uint8Array): ReadCsv {
	const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
	if (!text.startsWith("\ufeff")) throw new Error("no byte order mark");
	const { data, errors } = Papa.parse<string[]>(text.slice(1), { delimiter: ",", newline: "\r\n" });
	if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join());
	const blocks: string[][][] = [[]];
	for (const line of data) {
		if (line.length === 1 && line[0] === "") blocks.push([]);
		else blocks.at(-1)?.push(line);
	}
	const [facts = [], ...sections] = blocks.filter((block) => block.length > 0);
	return {
		facts,
		sections: new Map(sections.map(([title = [], ...lines]) => [title[0] ?? "", lines])),
	};
}
