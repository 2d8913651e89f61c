/** A published week as a PDF, for its driver and for those who read everyone's. */
import type { RequestContext } from "../../auth/request-context.ts";
import type { Results } from "../../db/client.server.ts";
import { recordDownload } from "../../domain/audit/downloads.server.ts";
import type { DriverContext, ReaderContext } from "../../domain/kernel/context.ts";
import { reportMeta } from "../../domain/reports/figures.ts";
import { weekDocument } from "../../domain/reports/week-statement.ts";
import { writeReport } from "../../domain/reports/write.server.ts";
import type { weekStatement } from "../../domain/settlements/own.server.ts";
import { toSettlement } from "../../domain/settlements/settlement.ts";
import { settlementNumber } from "../../domain/statements/settlement-week.ts";
import { download } from "../../http/download.server.ts";
import { renderPlainPage, renderTooManyPage } from "../../http/plain-page.ts";
import { isOverTransferLimit } from "../../http/rate-limit.server.ts";

/** Answers with the file, or 404 if there is no such published week; the download is recorded. */
export async function weekPdf(
	context: RequestContext,
	person: DriverContext | ReaderContext,
	{ found, money, agreement }: Results<ReturnType<typeof weekStatement>>,
): Promise<Response> {
	const [row] = found;
	if (!row) return renderPlainPage(404, "404 Page Not Found", "Week not found.", context.requestId);
	if (await isOverTransferLimit(context.env, "downloads", person.user.id))
		return renderTooManyPage(context.requestId);
	const document = weekDocument(
		toSettlement(row),
		money,
		agreement[0],
		row.driver,
		reportMeta(person, person.settings.fleetName),
	);
	const file = await writeReport(document, { format: "pdf" }, person.timeZone, context.staticFile);
	if (!file) throw new Error("a week has few lines");
	const fileName = `settlement-${settlementNumber(row.settlement.number)}.pdf`;
	if (context.method !== "HEAD")
		await recordDownload(person, { action: "settlement.statement", fileName, chosen: {} });
	return download(fileName, file);
}
