/** A year of a driver's own records as a download. */
import type { RequestContext } from "../../auth/request-context.ts";
import { recordDownload } from "../../domain/audit/downloads.server.ts";
import type { DriverContext } from "../../domain/kernel/context.ts";
import type { DriverReport } from "../../domain/reports/figures.ts";
import { type NoOwnYear, parseOwnYear } from "../../domain/reports/input.ts";
import { type ReportRefusal, whyNoOwnYear } from "../../domain/reports/refusals.ts";
import { EXTENSIONS, type Format } from "../../domain/reports/rules.ts";
import { writeReport } from "../../domain/reports/write.server.ts";
import { download } from "../../http/download.server.ts";
import { type NextLink, refusedFile } from "../../http/plain-page.ts";
import { isOverTransferLimit } from "../../http/rate-limit.server.ts";
import { refused } from "../../values/outcome.ts";

const BACK: NextLink = { href: "/history", words: "Back to History" };

type OwnYear = {
	/** The name of the file, also in the audit. */
	readonly name: "mileage-log" | "year-summary";
	readonly formats: readonly [Format, ...Format[]];
	readonly build: (driver: DriverContext, year: number, fleet: string) => Promise<DriverReport>;
	/** The same year in a format without a limit, offered if a PDF would be too long. */
	readonly unlimited?: (year: number) => NextLink;
};

/** Answers with the requested file, or with a page that says why there is none. */
export async function downloadYear(
	request: Request,
	context: RequestContext,
	driver: DriverContext,
	{ name, formats, build, unlimited }: OwnYear,
): Promise<Response> {
	const refuse = (why: NoOwnYear | ReportRefusal, ways: readonly NextLink[] = [BACK]) =>
		refusedFile(whyNoOwnYear(why, driver), context.requestId, ways);
	const asked = parseOwnYear(new URL(request.url).searchParams, driver.today, formats);
	if (!asked.ok) return refuse(asked);
	if (await isOverTransferLimit(context.env, "downloads", driver.user.id))
		return refuse(refused("limited"));
	const { year, format } = asked.value;
	const { document, code } = await build(driver, year, driver.settings.fleetName);
	const fileName = `${name}-${code}-${year}.${EXTENSIONS[format]}`;
	const file = await writeReport(document, { format }, driver.timeZone, context.staticFile);
	if (!file) return refuse(refused("too-long"), [...(unlimited ? [unlimited(year)] : []), BACK]);
	if (context.method !== "HEAD")
		await recordDownload(driver, {
			action: `${name}.download`,
			fileName,
			chosen: { year: String(year), format },
		});
	return download(fileName, file);
}
