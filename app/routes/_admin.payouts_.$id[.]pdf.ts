/** A payout as a PDF, to be signed. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { payoutDocument } from "../domain/payouts/documents.ts";
import { findPayout, selectPaidRequests } from "../domain/payouts/queries.server.ts";
import { reportMeta } from "../domain/reports/figures.ts";
import { renderTooManyPage } from "../http/plain-page.ts";
import { isOverTransferLimit } from "../http/rate-limit.server.ts";
import { dateIn } from "../values/calendar-date.ts";
import { payoutNotFound, payoutPdf } from "./_admin.payouts_.$id/files.server.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { context, params } = args;
	const id = params.id ?? "";
	const { admin, found, requests } = await requireAdmin(args, ({ build }) => ({
		found: findPayout(build, id),
		requests: selectPaidRequests(build, id),
	}));
	const [row] = found;
	if (!row) return payoutNotFound(context);
	if (await isOverTransferLimit(context.env, "downloads", admin.user.id))
		return renderTooManyPage(context.requestId);
	const madeOn = dateIn(admin.timeZone, row.payout.createdAt);
	const payout = { ...row.payout, madeOn, requests };
	const document = payoutDocument(payout, reportMeta(admin, admin.settings.fleetName));
	return payoutPdf(context, admin, payout.number, document, {
		action: "payout.export",
		chosen: { format: "pdf" },
	});
}
