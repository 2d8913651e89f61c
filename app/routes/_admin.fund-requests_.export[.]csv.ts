/** The administrators' requests as a CSV file: what the filters show, all pages. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import { recordDownload } from "../domain/audit/downloads.server.ts";
import { selectFilePage } from "../domain/fund-requests/listing.server.ts";
import type { ListedRequest } from "../domain/fund-requests/queries.server.ts";
import {
	effectiveAmount,
	requestNumber,
	SHORT_TYPE_LABELS,
	STATUS_LABELS,
} from "../domain/fund-requests/rules.ts";
import { parseSearch } from "../domain/fund-requests/search.ts";
import { QUESTION_LABELS } from "../domain/messages/rules.ts";
import { shownDriverCode } from "../domain/people/rules.ts";
import { csvFile } from "../http/csv.server.ts";
import { STREAM_PAGE } from "../http/list.server.ts";
import { renderTooManyPage } from "../http/plain-page.ts";
import { isOverTransferLimit } from "../http/rate-limit.server.ts";
import { dateIn, formatTime } from "../values/calendar-date.ts";
import type { CsvCell } from "../values/csv.ts";
import { toDecimal } from "../values/money.ts";

const HEAD = [
	"Request ID",
	"Driver ID",
	"Driver",
	"Type",
	"Amount",
	"Date",
	"Status",
	"Description",
	"Receipt",
	"Admin Notes",
	"Decided by",
	"Decided at",
	"Asked",
	"Approved Amount",
	"Question",
	"Spent On",
];

function cells({ request, driver, decider, receipt }: ListedRequest, timeZone: string): CsvCell[] {
	return [
		requestNumber(request.number),
		shownDriverCode(driver.driverNumber),
		`${driver.firstName} ${driver.lastName}`,
		SHORT_TYPE_LABELS[request.type],
		toDecimal(effectiveAmount(request)),
		dateIn(timeZone, request.createdAt),
		STATUS_LABELS[request.status],
		request.description,
		receipt?.fileName ?? request.receiptName,
		request.adminNotes,
		decider && `${decider.firstName} ${decider.lastName}`,
		request.decidedAt === null
			? null
			: `${dateIn(timeZone, request.decidedAt)} ${formatTime(timeZone, request.decidedAt)}`,
		toDecimal(request.amountCents),
		request.status === "approved" ? toDecimal(effectiveAmount(request)) : null,
		request.question && QUESTION_LABELS[request.question],
		request.spentOn,
	];
}

export async function loader(args: LoaderFunctionArgs) {
	const { settings } = args.context;
	const search = {
		...parseSearch(new URL(args.request.url).searchParams),
		position: undefined,
	};
	const { reader, first } = await requireReader(args, ({ build }) => ({
		first: selectFilePage(build, search, settings.timeZone, STREAM_PAGE),
	}));
	if (await isOverTransferLimit(args.context.env, "downloads", reader.user.id))
		return renderTooManyPage(args.context.requestId);
	const { db, today, timeZone } = reader;
	const next = async ({ request }: ListedRequest) => {
		const position = { way: "after", cursor: request } as const;
		const rows = selectFilePage(db.build, { ...search, position }, timeZone, STREAM_PAGE);
		return (await db.batch({ rows })).rows;
	};
	const fileName = `fund-requests-${today}.csv`;
	if (args.context.method !== "HEAD")
		await recordDownload(reader, {
			action: "request.export",
			fileName,
			chosen: { ...search.filters, order: search.order },
		});
	return csvFile(fileName, HEAD, first, next, (row) => cells(row, timeZone), STREAM_PAGE);
}
