/** A driver's mileage log of a year as a download, for its form on the reports screen. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { selectPersonChoices } from "../domain/people/choice.server.ts";
import { isSearchPending, parsePerson, toPersonChoice } from "../domain/people/choice.ts";
import { mileageLogInput } from "../domain/reports/input.ts";
import { EXTENSIONS } from "../domain/reports/rules.ts";
import { writeReport } from "../domain/reports/write.server.ts";
import { download } from "../http/download.server.ts";
import { parseForm, textField } from "../http/form.server.ts";
import { isOverLimit } from "../http/rate-limit.server.ts";
import { seeOther } from "../http/toast.server.ts";
import {
	FIND_DRIVER,
	logFieldsIn,
	type Refused,
	refusedLogAddress,
} from "./_admin.reports/address.ts";

/** Someone who had to sign in first returns by a link: the form is on the screen. */
export async function loader(args: LoaderFunctionArgs) {
	await requireReader(args);
	return seeOther("/reports", args.context.settings);
}

export async function action(args: ActionFunctionArgs) {
	const { context } = args;
	const { reader } = await requireReader(args);
	const form = await context.form();
	const typed = logFieldsIn(form);
	const refuse = (why: Refused) =>
		seeOther(refusedLogAddress(typed, why), context.settings, "reportFailed");
	if ((await textField(context, "intent")) === FIND_DRIVER)
		return seeOther(refusedLogAddress(typed, "find"), context.settings);
	const asked = parsePerson(form, "driverId");
	const settled: Record<string, string> = {};
	if (isSearchPending(asked)) {
		const { people } = await reader.db.batch({
			people: selectPersonChoices(reader.db.build, "approvedDrivers", asked),
		});
		const { isSearch, chosen, match } = toPersonChoice(people, asked);
		// A typed name beside a different choice needs confirmation.
		const isMeant = match && (!chosen || chosen.id === match.id);
		if (isSearch && !isMeant) return refuse("whose");
		if (isMeant) settled.driverId = match.id;
	}
	const submission = await parseForm(context, mileageLogInput(reader.today), settled);
	if (submission.status !== "success") return refuse("invalid");
	if (await isOverLimit(context.env.REPORT_LIMIT, reader.user.id)) return refuse("limited");
	const { buildMileageLog } = await import("../domain/reports/mileage-log.server.ts");
	const log = await buildMileageLog(reader, submission.value, reader.settings.fleetName);
	if (!log) return refuse("no-driver");
	const fileName = `mileage-log-${log.code}-${submission.value.year}.${EXTENSIONS[submission.value.format]}`;
	const file = await writeReport(
		log.document,
		submission.value,
		reader.timeZone,
		context.staticFile,
	);
	if (!file) return refuse("too-long");
	const { driverId, year, format } = submission.value;
	await recordDownload(reader, {
		action: "mileage-log.download",
		fileName,
		chosen: { driverId, year: String(year), format },
	});
	return download(fileName, file);
}
