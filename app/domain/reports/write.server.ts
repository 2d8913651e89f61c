/**
 * Turns a report into a file. The code for PDFs and workbooks is large, so it is loaded only when
 * one is generated.
 */

import regular from "dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf?url";
import bold from "dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf?url";
import type { ReportDocument } from "./document.ts";
import { fallbackFontsFor } from "./fallback-fonts.ts";
import { writeCsv } from "./formats/csv.ts";
import { defaultPaper, type Format, type PaperSize } from "./rules.ts";

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
	pdf: "application/pdf",
	csv: "text/csv; charset=utf-8",
	excel: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** A file's bytes, or pieces of them that are made while they are sent. */
export type WrittenReport = {
	readonly mediaType: string;
	readonly content: Uint8Array | AsyncGenerator<Uint8Array>;
};

/**
 * The report in the requested format, or undefined if its PDF would be too long. CSV and workbooks
 * are streamed; a PDF is built first.
 * @param timeZone of the fleet, which determines the usual paper size
 * @param staticFile reads one of the app's own files: the fonts
 */
export async function writeReport(
	document: ReportDocument,
	{ format, paper }: { readonly format: Format; readonly paper?: PaperSize | undefined },
	timeZone: string,
	staticFile: (path: string) => Promise<Uint8Array>,
): Promise<WrittenReport | undefined> {
	const mediaType = MEDIA_TYPES[format];
	if (format === "csv") return { mediaType, content: writeCsv(document) };
	if (format === "excel") {
		const { writeXlsx: xlsxOf } = await import("./formats/xlsx.ts");
		return { mediaType, content: xlsxOf(document) };
	}
	const [{ writePdf: pdfOf, TooManyRowsError }, ...fonts] = await Promise.all([
		import("./formats/pdf.ts"),
		staticFile(regular),
		staticFile(bold),
	]);
	try {
		const content = await pdfOf(document, paper ?? defaultPaper(timeZone), {
			regular: fonts[0],
			bold: fonts[1],
			// What no font can write has a substitute, even if a font can't be read.
			loadFallbacks: async (characters) =>
				(await Promise.allSettled(fallbackFontsFor(characters).map(staticFile))).flatMap((font) =>
					font.status === "fulfilled" ? [font.value] : [],
				),
		});
		return { mediaType, content };
	} catch (error) {
		if (error instanceof TooManyRowsError) return undefined;
		throw error;
	}
}
