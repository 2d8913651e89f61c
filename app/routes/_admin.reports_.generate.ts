/**
 * A report as a download, for the screen's form. Its errors are shown there, beside everything that
 * was typed.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { buildReport } from "../domain/reports/build.server.ts";
import { reportAuditDetails, reportInput } from "../domain/reports/input.ts";
import { reportFileName } from "../domain/reports/rules.ts";
import { writeReport } from "../domain/reports/write.server.ts";
import { download } from "../http/download.server.ts";
import { parseForm } from "../http/form.server.ts";
import { isOverLimit } from "../http/rate-limit.server.ts";
import { seeOther } from "../http/toast.server.ts";
import { type Refused, refusedReportAddress, reportFieldsIn } from "./_admin.reports/address.ts";

/** Someone who had to sign in first returns by a link: the form is on the screen. */
export async function loader(args: LoaderFunctionArgs) {
	await requireReader(args);
	return seeOther("/reports", args.context.settings);
}

export async function action(args: ActionFunctionArgs) {
	const { context } = args;
	const { reader } = await requireReader(args);
	const typed = reportFieldsIn(await context.form());
	const refuse = (why: Refused) =>
		seeOther(refusedReportAddress(typed, why), context.settings, "reportFailed");
	const submission = await parseForm(context, reportInput(reader.today));
	if (submission.status !== "success") return refuse("invalid");
	if (await isOverLimit(context.env.REPORT_LIMIT, reader.user.id)) return refuse("limited");
	const document = await buildReport(reader, submission.value, reader.settings.fleetName);
	const fileName = reportFileName(reader.today, submission.value.format);
	const file = await writeReport(document, submission.value, reader.timeZone, context.staticFile);
	if (!file) return refuse("too-long");
	await recordDownload(reader, {
		action: "report.download",
		fileName,
		chosen: reportAuditDetails(submission.value),
	});
	return download(fileName, file);
}
