/** A driver's own mileage log of a year as a download. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../auth/guard.server.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { type NoOwnYear, parseOwnYear } from "../domain/reports/input.ts";
import { type ReportRefusal, whyNoOwnYear } from "../domain/reports/refusals.ts";
import { EXTENSIONS } from "../domain/reports/rules.ts";
import { writeReport } from "../domain/reports/write.server.ts";
import { download } from "../http/download.server.ts";
import { refusedFile } from "../http/plain-page.ts";
import { isOverLimit } from "../http/rate-limit.server.ts";
import { refused } from "../values/outcome.ts";

const BACK = { href: "/history", words: "Back to History" };

export async function loader(args: LoaderFunctionArgs) {
	const { context, request } = args;
	const { driver } = await requireDriver(args);
	const refuse = (why: NoOwnYear | ReportRefusal, ways = [BACK]) =>
		refusedFile(whyNoOwnYear(why, driver), context.requestId, ways);
	const asked = parseOwnYear(new URL(request.url).searchParams, driver.today, ["pdf", "excel"]);
	if (!asked.ok) return refuse(asked);
	if (await isOverLimit(context.env.REPORT_LIMIT, driver.user.id))
		return refuse(refused("limited"));
	const { year, format } = asked.value;
	const { buildOwnMileageLog } = await import("../domain/reports/mileage-log.server.ts");
	const { document, code } = await buildOwnMileageLog(driver, year, driver.settings.fleetName);
	const fileName = `mileage-log-${code}-${year}.${EXTENSIONS[format]}`;
	const file = await writeReport(document, { format }, driver.timeZone, context.staticFile);
	if (!file) {
		const asWorkbook = `/history/tax-year?year=${year}&format=xlsx`;
		return refuse(refused("too-long"), [{ href: asWorkbook, words: "Download it as Excel" }, BACK]);
	}
	if (context.method !== "HEAD")
		await recordDownload(driver, {
			action: "mileage-log.download",
			fileName,
			chosen: { year: String(year), format },
		});
	return download(fileName, file);
}
