/** A payout as a PDF, to be signed. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
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
	const { reader, found, requests } = await requireReader(args, ({ build }) => ({
		found: findPayout(build, id),
		requests: selectPaidRequests(build, id),
	}));
	const [row] = found;
	if (!row) return payoutNotFound(context);
	if (await isOverTransferLimit(context.env, "downloads", reader.user.id))
		return renderTooManyPage(context.requestId);
	const madeOn = dateIn(reader.timeZone, row.payout.createdAt);
	const payout = { ...row.payout, madeOn, requests, settlements: row.settlements };
	const document = payoutDocument(payout, reportMeta(reader, reader.settings.fleetName));
	return payoutPdf(context, reader, payout.number, document, {
		action: "payout.export",
		chosen: { format: "pdf" },
	});
}
