/** POST /api/reports/generate (docs/product.md §7): answers the file. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { asAdmin } from "../auth/guard.server.ts";
import type { RequestContext } from "../auth/request-context.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { buildReport } from "../domain/reports/build.server.ts";
import { chosenIn, type ReportRequest, reportInput } from "../domain/reports/input.ts";
import { reportFileName, TOO_LONG_FOR_PDF, TOO_MANY_REPORTS } from "../domain/reports/rules.ts";
import { writeReport } from "../domain/reports/write.server.ts";
import { download } from "../http/download.server.ts";
import { submitted } from "../http/form.server.ts";
import { received } from "../http/json.server.ts";
import { isOverLimit, LIMIT_HEADERS } from "../http/rate-limit.server.ts";
import { apiRefusal } from "../http/refusal.ts";
import type { CalendarDate } from "../values/calendar-date.ts";

/** The request, as JSON or as a form. */
async function asked(context: RequestContext, request: Request, today: CalendarDate): Promise<ReportRequest> {
	if (request.headers.get("Content-Type")?.toLowerCase().includes("json")) return received(context, reportInput(today));
	const submission = await submitted(context, reportInput(today));
	if (submission.status === "success") return submission.value;
	const faults = Object.fromEntries(Object.entries(submission.error ?? {}).map(([name, messages]) => [name, messages ?? []]));
	throw apiRefusal(400, Object.values(faults)[0]?.[0] ?? "The form could not be read", faults);
}

export async function action(args: ActionFunctionArgs) {
	const { context, request } = args;
	const { admin } = await asAdmin(args);
	const input = await asked(context, request, admin.today);
	if (await isOverLimit(context.env.REPORT_LIMIT, admin.user.id)) throw apiRefusal(429, TOO_MANY_REPORTS, undefined, LIMIT_HEADERS);
	const document = await buildReport(admin, input, context.settings.appName);
	const fileName = reportFileName(admin.today, input.format);
	const file = await writeReport(document, input, admin.timeZone, context.staticFile);
	if (!file) throw apiRefusal(400, TOO_LONG_FOR_PDF, { format: [TOO_LONG_FOR_PDF] });
	await recordDownload(admin, { action: "report.download", fileName, chosen: chosenIn(input) });
	return download(fileName, file);
}
