/** A report as a file. What writes PDFs and workbooks is large: it is loaded when one is made, and with no other request. */

import regular from "dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf?url";
import bold from "dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf?url";
import type { ReportDocument } from "./document.ts";
import { csvOf } from "./formats/csv.ts";
import { type Format, type PaperSize, usualPaper } from "./rules.ts";

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
 * The report in the format asked for, or undefined when a PDF of it would be too long. CSV and workbooks are written while they are
 * sent; a PDF is made first.
 * @param timeZone of the fleet, which says what paper is usual there
 * @param staticFile reads one of the app's own files: the fonts
 */
export async function writeReport(
	document: ReportDocument,
	{ format, paper }: { readonly format: Format; readonly paper?: PaperSize | undefined },
	timeZone: string,
	staticFile: (path: string) => Promise<Uint8Array>,
): Promise<WrittenReport | undefined> {
	const mediaType = MEDIA_TYPES[format];
	if (format === "csv") return { mediaType, content: csvOf(document) };
	if (format === "excel") {
		const { xlsxOf } = await import("./formats/xlsx.ts");
		return { mediaType, content: xlsxOf(document) };
	}
	const [{ pdfOf, TooManyRows }, ...fonts] = await Promise.all([import("./formats/pdf.ts"), staticFile(regular), staticFile(bold)]);
	try {
		const content = await pdfOf(document, paper ?? usualPaper(timeZone), { regular: fonts[0], bold: fonts[1] });
		return { mediaType, content };
	} catch (error) {
		if (error instanceof TooManyRows) return undefined;
		throw error;
	}
}
