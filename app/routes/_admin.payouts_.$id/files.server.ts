/** What the downloads of a payout share, including its driver's statement. */
import type { RequestContext } from "../../auth/request-context.ts";
import { type Download, recordDownload } from "../../domain/audit/downloads.server.ts";
import { payoutNumber } from "../../domain/fund-requests/payment.ts";
import type { DriverContext, ReaderContext } from "../../domain/kernel/context.ts";
import type { ReportDocument } from "../../domain/reports/document.ts";
import { writeReport } from "../../domain/reports/write.server.ts";
import { download } from "../../http/download.server.ts";
import { renderPlainPage } from "../../http/plain-page.ts";

/** For an unknown payout, or someone else's. */
export const payoutNotFound = ({ requestId }: RequestContext): Response =>
	renderPlainPage(404, "404 Page Not Found", "Payout not found.", requestId);

/** A document about a payout as a PDF; the download is recorded. */
export async function payoutPdf(
	context: RequestContext,
	viewer: ReaderContext | DriverContext,
	number: number,
	document: ReportDocument,
	recorded: Pick<Download, "action" | "chosen">,
): Promise<Response> {
	const file = await writeReport(document, { format: "pdf" }, viewer.timeZone, context.staticFile);
	if (!file) throw new Error("a payout has at most 500 requests");
	const fileName = `payout-${payoutNumber(number)}.pdf`;
	if (context.method !== "HEAD") await recordDownload(viewer, { ...recorded, fileName });
	return download(fileName, file);
}
