/** A report as a download, for the form of the screen: what is wrong with it is said on the screen, with everything that was typed. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { asAdmin } from "../auth/guard.server.ts";
import { buildReport } from "../domain/reports/build.server.ts";
import { reportInput } from "../domain/reports/input.ts";
import { reportFileName, TOO_MANY_REPORTS } from "../domain/reports/rules.ts";
import { submitted } from "../http/form.server.ts";
import { plainPage } from "../http/plain-page.ts";
import { isLimited, LIMIT_HEADERS, reportFile } from "../http/report-file.server.ts";
import { seeOther } from "../http/toast.server.ts";
import { refusedReportAddress, reportFieldsIn } from "./_admin.reports/address.ts";

/** Somebody who had to sign in first comes back by a link: the form is on the screen. */
export async function loader(args: LoaderFunctionArgs) {
	await asAdmin(args);
	return seeOther("/reports", args.context.settings);
}

export async function action(args: ActionFunctionArgs) {
	const { context } = args;
	const { admin } = await asAdmin(args);
	const typed = reportFieldsIn(await context.form());
	const submission = await submitted(context, reportInput(admin.today));
	if (submission.status !== "success") return seeOther(refusedReportAddress(typed, "invalid"), context.settings, "reportFailed");
	if (await isLimited(context, admin.user.id))
		return plainPage(429, "Too many reports", TOO_MANY_REPORTS, context.requestId, LIMIT_HEADERS);
	const document = await buildReport(admin, submission.value, context.settings.appName);
	const file = await reportFile(context, document, submission.value, reportFileName(admin.today, submission.value.format));
	return file ?? seeOther(refusedReportAddress(typed, "too-long"), context.settings, "reportFailed");
}
