/** A driver's statement of a payout, as a PDF. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../auth/guard.server.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { statementDocument } from "../domain/payouts/documents.ts";
import { findOwnPayout, selectPaidRequests } from "../domain/payouts/queries.server.ts";
import { payoutNumber } from "../domain/payouts/rules.ts";
import { reportMeta } from "../domain/reports/figures.ts";
import { writeReport } from "../domain/reports/write.server.ts";
import { displayName, formatDriverCode } from "../domain/users/rules.ts";
import { download } from "../http/download.server.ts";
import { renderPlainPage, renderTooManyPage } from "../http/plain-page.ts";
import { isOverLimit } from "../http/rate-limit.server.ts";
import { dateIn } from "../values/calendar-date.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { context, params } = args;
	const id = params.id ?? "";
	const { driver, found, requests } = await requireDriver(args, ({ build, me }) => ({
		found: findOwnPayout(build, me, id),
		requests: selectPaidRequests(build, id, me),
	}));
	const [payout] = found;
	if (!payout)
		return renderPlainPage(404, "404 Page Not Found", "Payout not found.", context.requestId);
	if (await isOverLimit(context.env.REPORT_LIMIT, driver.user.id))
		return renderTooManyPage(context.requestId);
	const { user, timeZone } = driver;
	const code = formatDriverCode(user.driverNumber);
	const file = await writeReport(
		statementDocument(
			{ ...payout, madeOn: dateIn(timeZone, payout.createdAt), requests },
			`${displayName(user)}${code ? ` (${code})` : ""}`,
			reportMeta(driver, driver.settings.fleetName),
		),
		{ format: "pdf" },
		timeZone,
		context.staticFile,
	);
	if (!file) throw new Error("a payout has at most 500 requests");
	const fileName = `payout-${payoutNumber(payout.number)}.pdf`;
	if (context.method !== "HEAD")
		await recordDownload(driver, { action: "payout.statement", fileName, chosen: {} });
	return download(fileName, file);
}
