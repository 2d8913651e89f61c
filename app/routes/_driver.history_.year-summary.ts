/** A driver's own year in sums as a download. */
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
	const refuse = (why: NoOwnYear | ReportRefusal) =>
		refusedFile(whyNoOwnYear(why, driver), context.requestId, [BACK]);
	const asked = parseOwnYear(new URL(request.url).searchParams, driver.today, ["pdf", "csv"]);
	if (!asked.ok) return refuse(asked);
	if (await isOverLimit(context.env.REPORT_LIMIT, driver.user.id))
		return refuse(refused("limited"));
	const { year, format } = asked.value;
	const { buildYearSummary } = await import("../domain/reports/year-summary.server.ts");
	const { document, code } = await buildYearSummary(driver, year, driver.settings.fleetName);
	const fileName = `year-summary-${code}-${year}.${EXTENSIONS[format]}`;
	const file = await writeReport(document, { format }, driver.timeZone, context.staticFile);
	if (!file) return refuse(refused("too-long"));
	if (context.method !== "HEAD")
		await recordDownload(driver, {
			action: "year-summary.download",
			fileName,
			chosen: { year: String(year), format },
		});
	return download(fileName, file);
}
