/** A payout as a CSV file: by driver, by request, or as bills for an accounting program. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import {
	EXPORT_FORMATS,
	EXPORTS,
	exportFileName,
	exportFormatsOf,
} from "../domain/payouts/exports.ts";
import { findPayout, selectPaidRequests } from "../domain/payouts/queries.server.ts";
import { nothingToBill } from "../domain/payouts/refusals.ts";
import { csvFile } from "../http/csv.server.ts";
import { renderPlainPage, renderTooManyPage } from "../http/plain-page.ts";
import { isOverTransferLimit } from "../http/rate-limit.server.ts";
import { dateIn } from "../values/calendar-date.ts";
import { payoutNotFound } from "./_admin.payouts_.$id/files.server.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { context, params, request } = args;
	const asked = new URL(request.url).searchParams.get("format");
	const id = params.id ?? "";
	const { reader, found, requests } = await requireReader(args, ({ build }) => ({
		found: findPayout(build, id),
		requests: selectPaidRequests(build, id),
	}));
	if (await isOverTransferLimit(context.env, "downloads", reader.user.id))
		return renderTooManyPage(context.requestId);
	const [row] = found;
	if (!row) return payoutNotFound(context);
	const format = EXPORT_FORMATS.find((each) => each === (asked ?? "drivers"));
	if (!format)
		return renderPlainPage(
			400,
			"Unknown format",
			`format must be one of ${EXPORT_FORMATS.join(", ")}.`,
			context.requestId,
		);
	if (!exportFormatsOf(row.payout.status).includes(format)) {
		const { status, message } = nothingToBill(row.payout.number);
		return renderPlainPage(status, "Canceled payout", message, context.requestId);
	}
	const fileName = exportFileName(row.payout.number, format);
	if (context.method !== "HEAD")
		await recordDownload(reader, { action: "payout.export", fileName, chosen: { format } });
	const { head, rows, hasByteOrderMark } = EXPORTS[format];
	const payout = {
		...row.payout,
		madeOn: dateIn(reader.timeZone, row.payout.createdAt),
		requests,
		settlements: row.settlements,
	};
	const lines = rows(payout, reader.settings);
	return csvFile(
		fileName,
		head,
		lines,
		async () => [],
		(cells) => cells,
		lines.length + 1,
		hasByteOrderMark,
	);
}
