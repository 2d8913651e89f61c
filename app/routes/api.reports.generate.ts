/** POST /api/reports/generate (docs/product.md §7): returns the file. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import type { RequestContext } from "../auth/request-context.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { buildReport } from "../domain/reports/build.server.ts";
import { type ReportRequest, reportAuditDetails, reportInput } from "../domain/reports/input.ts";
import { whyNoReport } from "../domain/reports/refusals.ts";
import { reportFileName } from "../domain/reports/rules.ts";
import { writeReport } from "../domain/reports/write.server.ts";
import { download } from "../http/download.server.ts";
import { parseForm } from "../http/form.server.ts";
import { parseJson } from "../http/json.server.ts";
import { isOverLimit } from "../http/rate-limit.server.ts";
import { apiRefusal, refusedCall } from "../http/refusal.ts";
import type { CalendarDate } from "../values/calendar-date.ts";
import { refused } from "../values/outcome.ts";

/** The request, as JSON or as a form. */
async function readReportRequest(
	context: RequestContext,
	request: Request,
	today: CalendarDate,
): Promise<ReportRequest> {
	if (request.headers.get("Content-Type")?.toLowerCase().includes("json"))
		return parseJson(context, reportInput(today));
	const submission = await parseForm(context, reportInput(today));
	if (submission.status === "success") return submission.value;
	const faults = Object.fromEntries(
		Object.entries(submission.error ?? {}).map(([name, messages]) => [name, messages ?? []]),
	);
	throw apiRefusal(400, Object.values(faults)[0]?.[0] ?? "The form couldn't be read", faults);
}

export async function action(args: ActionFunctionArgs) {
	const { context, request } = args;
	const { reader } = await requireReader(args);
	const input = await readReportRequest(context, request, reader.today);
	if (await isOverLimit(context.env.REPORT_LIMIT, reader.user.id))
		throw refusedCall(whyNoReport(refused("limited"), reader));
	const document = await buildReport(reader, input, reader.settings.fleetName);
	const fileName = reportFileName(reader.today, input.format);
	const file = await writeReport(document, input, reader.timeZone, context.staticFile);
	if (!file) throw refusedCall(whyNoReport(refused("too-long"), reader));
	await recordDownload(reader, {
		action: "report.download",
		fileName,
		chosen: reportAuditDetails(input),
	});
	return download(fileName, file);
}
