/** A driver's history as a CSV file: what the filters show, all pages. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../auth/guard.server.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { effectiveAmount } from "../domain/fund-requests/rules.ts";
import { historyPage } from "../domain/history/queries.server.ts";
import {
	describeItem,
	type HistoryItem,
	mergeHistory,
	paymentOf,
} from "../domain/history/rules.ts";
import { parseSearch } from "../domain/history/search.ts";
import { csvFile } from "../http/csv.server.ts";
import { STREAM_PAGE } from "../http/list.server.ts";
import { renderTooManyPage } from "../http/plain-page.ts";
import { isOverTransferLimit } from "../http/rate-limit.server.ts";
import type { CalendarDate } from "../values/calendar-date.ts";
import type { CsvCell } from "../values/csv.ts";
import { toDecimal } from "../values/money.ts";

const HEAD = [
	"Date",
	"Type",
	"Description",
	"Amount/Miles",
	"Status",
	"Asked",
	"Purpose",
	"Personal Miles",
	"Spent On",
];

function cells(item: HistoryItem, today: CalendarDate): CsvCell[] {
	const { type, description, status } = describeItem(item);
	return [
		item.date,
		type,
		description,
		item.kind === "request" ? toDecimal(effectiveAmount(item)) : String(item.miles),
		// Its payment status; the list shows both.
		paymentOf(item, today) ?? status,
		item.kind === "request" ? toDecimal(item.amountCents) : null,
		item.kind === "mileage" ? item.purpose : null,
		item.kind === "mileage" && item.personalMiles !== null ? String(item.personalMiles) : null,
		item.kind === "request" ? item.spentOn : null,
	];
}

export async function loader(args: LoaderFunctionArgs) {
	const { settings, today } = args.context;
	const view = {
		...parseSearch(new URL(args.request.url).searchParams, today, settings.timeZone),
		position: undefined,
	};
	const { driver, requests, logs } = await requireDriver(args, ({ build, me, timeZone }) =>
		historyPage(build, me, view, timeZone, STREAM_PAGE),
	);
	if (await isOverTransferLimit(args.context.env, "downloads", driver.user.id))
		return renderTooManyPage(args.context.requestId);
	const { db, timeZone } = driver;
	const next = async (last: HistoryItem) => {
		const page = await db.batch(
			historyPage(
				db.build,
				driver.user.id,
				{ ...view, position: { way: "after", cursor: last } },
				timeZone,
				STREAM_PAGE,
			),
		);
		return mergeHistory(page.requests, page.logs, timeZone, STREAM_PAGE);
	};
	const first = mergeHistory(requests, logs, timeZone, STREAM_PAGE);
	const fileName = `history-${today}.csv`;
	const { from, to } = view.period;
	if (args.context.method !== "HEAD")
		await recordDownload(driver, {
			action: "history.export",
			fileName,
			chosen: { from, to, type: view.type },
		});
	return csvFile(fileName, HEAD, first, next, (item) => cells(item, today), STREAM_PAGE);
}
