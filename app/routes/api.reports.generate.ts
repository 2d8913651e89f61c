/** POST /api/reports/generate (docs/product.md §7): answers the file. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { asAdmin } from "../auth/guard.server.ts";
import { callRefusal } from "../auth/refusal.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { buildReport } from "../domain/reports/build.server.ts";
import { chosenIn, type ReportRequest, reportInput } from "../domain/reports/input.ts";
import { reportFileName, TOO_LONG_FOR_PDF, TOO_MANY_REPORTS } from "../domain/reports/rules.ts";
import type { RequestContext } from "../http/context.server.ts";
import { submitted } from "../http/form.server.ts";
import { received } from "../http/json.server.ts";
import { isLimited, LIMIT_HEADERS, reportFile } from "../http/report-file.server.ts";
import type { CalendarDate } from "../values/calendar-date.ts";

/** The request, as JSON or as a form. */
async function asked(context: RequestContext, request: Request, today: CalendarDate): Promise<ReportRequest> {
	if (request.headers.get("Content-Type")?.toLowerCase().includes("json")) return received(context, reportInput(today));
	const submission = await submitted(context, reportInput(today));
	if (submission.status === "success") return submission.value;
	const faults = Object.fromEntries(Object.entries(submission.error ?? {}).map(([name, messages]) => [name, messages ?? []]));
	throw callRefusal(400, Object.values(faults)[0]?.[0] ?? "The form could not be read", faults);
}

export async function action(args: ActionFunctionArgs) {
	const { context, request } = args;
	const { admin } = await asAdmin(args);
	const input = await asked(context, request, admin.today);
	if (await isLimited(context, admin.user.id)) throw callRefusal(429, TOO_MANY_REPORTS, undefined, LIMIT_HEADERS);
	const document = await buildReport(admin, input, context.settings.appName);
	const fileName = reportFileName(admin.today, input.format);
	const file = await reportFile(context, document, input, fileName);
	if (!file) throw callRefusal(400, TOO_LONG_FOR_PDF, { format: [TOO_LONG_FOR_PDF] });
	await recordDownload(admin, { action: "report.download", fileName, chosen: chosenIn(input) });
	return file;
}
