/** A report as a file. What writes PDFs and workbooks is large: it is loaded when one is made, and with no other request. */

import regular from "dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf?url";
import bold from "dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf?url";
import type { ReportDocument } from "../domain/reports/document.ts";
import { csvOf } from "../domain/reports/formats/csv.ts";
import { type Format, type PaperSize, usualPaper } from "../domain/reports/rules.ts";
import type { RequestContext } from "./context.server.ts";

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
	pdf: "application/pdf",
	csv: "text/csv; charset=utf-8",
	excel: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

async function staticFile({ env, settings }: RequestContext, path: string): Promise<Uint8Array> {
	const answer = await env.ASSETS.fetch(new URL(path, settings.origin));
	if (!answer.ok) throw new Error(`the static file ${path} answered ${answer.status}`);
	return new Uint8Array(await answer.arrayBuffer());
}

/** A stream that asks for a piece when somebody reads. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			const { done, value } = await pieces.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		async cancel() {
			await pieces.return(undefined);
		},
	});
}

/**
 * The download, or undefined when a PDF of it would be too long. CSV and workbooks are written while they are sent; a PDF is made first.
 * @param fileName letters, digits, dots and hyphens
 */
export async function reportFile(
	context: RequestContext,
	document: ReportDocument,
	{ format, paper }: { readonly format: Format; readonly paper?: PaperSize | undefined },
	fileName: string,
): Promise<Response | undefined> {
	const headers = { "Content-Type": MEDIA_TYPES[format], "Content-Disposition": `attachment; filename="${fileName}"` };
	if (format === "csv") return new Response(streamOf(csvOf(document)), { headers });
	if (format === "excel") {
		const { xlsxOf } = await import("../domain/reports/formats/xlsx.ts");
		return new Response(streamOf(xlsxOf(document)), { headers });
	}
	const [{ pdfOf, TooManyRows }, ...fonts] = await Promise.all([
		import("../domain/reports/formats/pdf.ts"),
		staticFile(context, regular),
		staticFile(context, bold),
	]);
	try {
		const size = paper ?? usualPaper(context.settings.timeZone);
		return new Response(await pdfOf(document, size, { regular: fonts[0], bold: fonts[1] }), { headers });
	} catch (error) {
		if (error instanceof TooManyRows) return undefined;
		throw error;
	}
}

/** True when this administrator has asked for more reports than a minute allows. */
export async function isLimited({ env }: RequestContext, adminId: string): Promise<boolean> {
	const limited = await env.REPORT_LIMIT?.limit({ key: adminId });
	return limited?.success === false;
}

/** The wait that a limited request is told, in seconds. */
export const LIMIT_HEADERS = { "Retry-After": "60" };
