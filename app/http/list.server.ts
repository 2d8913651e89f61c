/** Lists in the API: a number of rows, or all of them as a stream. */
import { json } from "@remix-run/cloudflare";
import { isOverTransferLimit, LIMIT_PERIOD, type Limiter } from "./rate-limit.server.ts";
import { apiRefusal } from "./refusal.ts";

/** A request for a list by someone whom the guard has admitted. */
type ListCall = {
	readonly request: Request;
	readonly context: {
		readonly env: { readonly TRANSFER_LIMIT?: Limiter };
		readonly userId: string | undefined;
		/** Set here for an answer that is streamed. */
		isStreamed: boolean;
	};
};

/**
 * Counts a list that is read to its end, however long it is.
 * @throws a 429 answer for one too many in a minute
 */
export async function limitLists({
	env,
	userId = "",
}: Pick<ListCall["context"], "env" | "userId">): Promise<void> {
	if (await isOverTransferLimit(env, "lists", userId))
		throw apiRefusal(
			429,
			"Too many long lists in the last minute. Please try again in a minute, or ask for fewer rows with limit.",
			undefined,
			{ "Retry-After": LIMIT_PERIOD },
		);
}

/**
 * A JSON array written page by page, so that a list of any length is never in memory as a whole.
 * @param first the first page, already read in the trip that proved the caller
 * @param next the page after a row, empty at the end
 */
function streamJsonArray<Row>(
	context: ListCall["context"],
	first: readonly Row[],
	next: (last: Row) => Promise<readonly Row[]>,
	show: (row: Row) => object,
	pageSize: number,
): Response {
	context.isStreamed = true;
	const encoder = new TextEncoder();
	let last: Row | undefined;
	const body = new ReadableStream<Uint8Array>({
		// Read only after the previous page has been sent, so that a failure doesn't lose that one.
		async pull(controller) {
			const isFirst = last === undefined;
			const page = last === undefined ? first : await next(last);
			const text = page.map((row) => JSON.stringify(show(row))).join(",");
			const lead = isFirst ? "[" : text && ",";
			last = page.at(-1);
			const isEnd = page.length < pageSize || last === undefined;
			controller.enqueue(encoder.encode(`${lead}${text}${isEnd ? "]" : ""}`));
			if (isEnd) controller.close();
		},
	});
	return new Response(body, { headers: { "Content-Type": "application/json; charset=utf-8" } });
}

/**
 * A JSON array of all items in the pages, each page written before the next one is read.
 * @param pages some may be empty
 */
export function streamJsonPages<Row>(
	context: ListCall["context"],
	pages: AsyncGenerator<readonly Row[]>,
	show: (row: Row) => object,
): Response {
	context.isStreamed = true;
	const encoder = new TextEncoder();
	let lead = "[";
	const body = new ReadableStream<Uint8Array>({
		async pull(controller) {
			const { done, value: page = [] } = await pages.next();
			const text = page.map((row: Row) => JSON.stringify(show(row))).join(",");
			controller.enqueue(
				encoder.encode(`${text && lead}${text}${done ? (lead === "[" ? "[]" : "]") : ""}`),
			);
			if (text) lead = ",";
			if (done) controller.close();
		},
	});
	return new Response(body, { headers: { "Content-Type": "application/json; charset=utf-8" } });
}

/** Rows per page of a streamed list: D1 allows 1,000 queries per request. */
export const STREAM_PAGE = 2500;

/** How many rows a request asks for, 1 to 500; absent means all of them. */
function parseLimit(request: Request): number | undefined {
	const text = new URL(request.url).searchParams.get("limit");
	if (text === null) return undefined;
	const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
	if (limit < 1 || limit > 500)
		throw apiRefusal(400, "limit must be a whole number from 1 to 500", {
			limit: ["must be 1 to 500"],
		});
	return limit;
}

/**
 * How many rows the first statement of a list reads: the requested limit, or a page of the stream.
 * Nothing is refused here, because this runs before the guard; `listResponse` refuses an invalid
 * limit afterwards.
 */
export function firstPageSize(request: Request, pageSize = STREAM_PAGE): number {
	const limit = Number(new URL(request.url).searchParams.get("limit") ?? pageSize);
	return limit >= 1 ? Math.floor(Math.min(limit, pageSize)) : 1;
}

/**
 * A list as JSON: `limit` rows, or all of them, streamed. Continuing past the first page is
 * rate-limited per person.
 * @param first what was read with `firstPageSize`
 * @param next at most this many rows after a row
 * @param pageSize rows read at once; fewer where each is large
 * @throws a 400 answer if the limit is malformed
 */
export async function listResponse<Row>(
	{ request, context }: ListCall,
	first: readonly Row[],
	next: (last: Row, size: number) => Promise<readonly Row[]>,
	show: (row: Row) => object,
	pageSize = STREAM_PAGE,
): Promise<Response> {
	const limit = parseLimit(request);
	if (first.length < pageSize || limit === pageSize) return json(first.map(show));
	let left = (limit ?? Number.POSITIVE_INFINITY) - first.length;
	const further = async (last: Row) => {
		const rows = left > 0 ? await next(last, Math.min(pageSize, left)) : [];
		left -= rows.length;
		return rows;
	};
	await limitLists(context);
	return streamJsonArray(context, first, further, show, pageSize);
}
