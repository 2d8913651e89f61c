/** A payout as a PDF, to be signed. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { payoutDocument } from "../domain/payouts/documents.ts";
import { findPayout, selectPaidRequests } from "../domain/payouts/queries.server.ts";
import { payoutNumber } from "../domain/payouts/rules.ts";
import { reportMeta } from "../domain/reports/figures.ts";
import { writeReport } from "../domain/reports/write.server.ts";
import { download } from "../http/download.server.ts";
import { renderPlainPage, renderTooManyPage } from "../http/plain-page.ts";
import { isOverLimit } from "../http/rate-limit.server.ts";
import { dateIn } from "../values/calendar-date.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { context, params } = args;
	const id = params.id ?? "";
	const { admin, found, requests } = await requireAdmin(args, ({ build }) => ({
		found: findPayout(build, id),
		requests: selectPaidRequests(build, id),
	}));
	const [row] = found;
	if (!row)
		return renderPlainPage(404, "404 Page Not Found", "Payout not found.", context.requestId);
	if (await isOverLimit(context.env.REPORT_LIMIT, admin.user.id))
		return renderTooManyPage(context.requestId);
	const madeOn = dateIn(admin.timeZone, row.payout.createdAt);
	const file = await writeReport(
		payoutDocument(
			{ ...row.payout, madeOn, requests },
			reportMeta(admin, admin.settings.fleetName),
		),
		{ format: "pdf" },
		admin.timeZone,
		context.staticFile,
	);
	if (!file) throw new Error("a payout has at most 500 requests");
	const fileName = `payout-${payoutNumber(row.payout.number)}.pdf`;
	if (context.method !== "HEAD")
		await recordDownload(admin, { action: "payout.export", fileName, chosen: { format: "pdf" } });
	return download(fileName, file);
}
