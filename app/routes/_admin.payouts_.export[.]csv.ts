/** The payouts as a CSV file: what the filters show, all pages. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { payoutNumber } from "../domain/fund-requests/payment.ts";
import { listPayouts } from "../domain/payouts/queries.server.ts";
import { STATUS_LABELS } from "../domain/payouts/rules.ts";
import { parseFilters } from "../domain/payouts/search.ts";
import { csvFile } from "../http/csv.server.ts";
import { STREAM_PAGE } from "../http/list.server.ts";
import { renderTooManyPage } from "../http/plain-page.ts";
import { isOverTransferLimit } from "../http/rate-limit.server.ts";
import { dateIn } from "../values/calendar-date.ts";
import { toDecimal } from "../values/money.ts";

const HEAD = [
	"Payout",
	"Created",
	"Status",
	"Paid",
	"Reference",
	"Drivers",
	"Requests",
	"Amount",
	"Settlements",
];

export async function loader(args: LoaderFunctionArgs) {
	const filters = parseFilters(new URL(args.request.url).searchParams);
	const { reader, first } = await requireReader(args, ({ build }) => ({
		first: listPayouts(build, STREAM_PAGE, undefined, filters),
	}));
	if (await isOverTransferLimit(args.context.env, "downloads", reader.user.id))
		return renderTooManyPage(args.context.requestId);
	const { db, today, timeZone } = reader;
	const next = async ({ payout }: (typeof first)[number]) => {
		const rows = listPayouts(db.build, STREAM_PAGE, { way: "after", cursor: payout }, filters);
		return (await db.batch({ rows })).rows;
	};
	const fileName = `payouts-${today}.csv`;
	if (args.context.method !== "HEAD")
		await recordDownload(reader, { action: "payouts.export", fileName, chosen: filters });
	return csvFile(
		fileName,
		HEAD,
		first,
		next,
		({ payout, partCents, drivers, requests, settlements }) => [
			payoutNumber(payout.number),
			dateIn(timeZone, payout.createdAt),
			STATUS_LABELS[payout.status],
			payout.paidOn,
			payout.reference,
			String(drivers),
			String(requests),
			toDecimal(partCents),
			String(settlements),
		],
		STREAM_PAGE,
	);
}
