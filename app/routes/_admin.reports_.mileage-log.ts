/** A driver's mileage log of a year as a download, for its form on the screen of reports. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { asAdmin } from "../auth/guard.server.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { mileageLogInput } from "../domain/reports/input.ts";
import { buildMileageLog } from "../domain/reports/mileage-log.server.ts";
import { EXTENSIONS } from "../domain/reports/rules.ts";
import { askedPerson, isToSearch } from "../domain/users/choice.ts";
import { fieldOf, submitted } from "../http/form.server.ts";
import { isLimited, reportFile } from "../http/report-file.server.ts";
import { seeOther } from "../http/toast.server.ts";
import { FIND_DRIVER, logFieldsIn, type Refused, refusedLogAddress } from "./_admin.reports/address.ts";

/** Somebody who had to sign in first comes back by a link: the form is on the screen. */
export async function loader(args: LoaderFunctionArgs) {
	await asAdmin(args);
	return seeOther("/reports", args.context.settings);
}

export async function action(args: ActionFunctionArgs) {
	const { context } = args;
	const { admin } = await asAdmin(args);
	const form = await context.form();
	const typed = logFieldsIn(form);
	const refuse = (why: Refused) => seeOther(refusedLogAddress(typed, why), context.settings, "reportFailed");
	if ((await fieldOf(context, "intent")) === FIND_DRIVER || isToSearch(askedPerson(form, "driverId")))
		return seeOther(refusedLogAddress(typed, "find"), context.settings);
	const submission = await submitted(context, mileageLogInput(admin.today));
	if (submission.status !== "success") return refuse("invalid");
	if (await isLimited(context, admin.user.id)) return refuse("limited");
	const log = await buildMileageLog(admin, submission.value, context.settings.appName);
	if (!log) return refuse("no-driver");
	const fileName = `mileage-log-${log.code}-${submission.value.year}.${EXTENSIONS[submission.value.format]}`;
	const file = await reportFile(context, log.document, submission.value, fileName);
	if (!file) return refuse("too-long");
	const { driverId, year, format } = submission.value;
	await recordDownload(admin, { action: "mileage-log.download", fileName, chosen: { driverId, year: String(year), format } });
	return file;
}
