/** Lists in the API: a page of rows, or all of them as a stream. */
import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from "@oslojs/encoding";
import { parseMoment } from "../values/moment-input.ts";
import { isRowId } from "../values/row-id.ts";
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
async function limitLists({
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
 * A JSON array of all items in the pages, each page written before the next one is read.
 * @param pages some may be empty
 */
function streamJsonPages<Row>(
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
/** The most rows that can be asked for. */
const MAX_LIMIT = 500;

/** What is specific to a list. */
export type ListKind = {
	/** The parameters that select its rows, to which its cursors are bound. */
	readonly filters?: readonly string[];
	/** Whether a text is a position in it, or among its changes. */
	readonly isCursor: (text: string, isAmongChanges: boolean) => boolean;
	/** Whether it can be asked for what has changed since a moment. */
	readonly hasChanges?: true;
	/** Rows read at once; fewer if each is large. */
	readonly pageSize?: number;
};

/**
 * What a request asks of a list. Nothing is refused while it is parsed, which is before the guard:
 * what can't be understood is left out, and `refusal` has the answer.
 */
export type ListAsk = {
	/** How many rows; absent for all of them. */
	readonly limit: number | undefined;
	/** Rows of a page. */
	readonly size: number;
	/** The position after which it continues. */
	readonly after: string | undefined;
	/** Only what has changed since then, in UTC milliseconds. */
	readonly since: number | undefined;
	readonly refusal: (() => Response) | undefined;
	/** The URL of the page after a position. */
	readonly hrefAfter: (position: string) => string;
};

const refuseParameter = (name: string, must: string) => () =>
	apiRefusal(400, `${name} ${must}`, { [name]: [must] });

/**
 * A cursor that another program passes back: the position with its list and filter, so that it
 * means nothing elsewhere.
 */
const wrapCursor = (filter: string, cursor: string): string =>
	encodeBase64urlNoPadding(new TextEncoder().encode(`${cursor} ${filter}`));

/** The cursor within, if the text is one of this list and filter. */
function unwrapCursor(filter: string, text: string): string | undefined {
	try {
		const bytes = decodeBase64urlIgnorePadding(text);
		const whole = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		const end = whole.indexOf(" ");
		return whole.slice(end + 1) === filter ? whole.slice(0, end) : undefined;
	} catch {
		return undefined;
	}
}

/** The driver whose list is requested; undefined for everyone's. */
export function queryDriver({ url }: Request): string | undefined {
	const driver = new URL(url).searchParams.get("driverId");
	return isRowId(driver) ? driver : undefined;
}

/**
 * Refuses what `queryDriver` leaves out, once the guard has admitted the caller.
 * @throws a 400 answer
 */
export function checkDriver(request: Request): void {
	if (new URL(request.url).searchParams.get("driverId") && !queryDriver(request))
		throw refuseParameter("driverId", "must be a driver's id")();
}

/** Reads the parameters of a list. */
export function parseList(
	request: Request,
	{ filters = [], isCursor, hasChanges, pageSize = STREAM_PAGE }: ListKind,
): ListAsk {
	const { pathname, searchParams: query } = new URL(request.url);
	const limitText = query.get("limit");
	const limit = /^\d{1,3}$/.test(limitText ?? "") ? Number(limitText) : 0;
	const hasLimit = limit >= 1 && limit <= MAX_LIMIT;
	const sinceText = hasChanges ? query.get("updatedSince") : null;
	const since = sinceText === null ? undefined : parseMoment(sinceText);
	const given = [...filters, "updatedSince"].flatMap((name) =>
		query.getAll(name).map((value) => [name, value]),
	);
	const filter = `${pathname}?${new URLSearchParams(given)}`;
	const cursorText = query.get("cursor");
	const cursor = cursorText === null ? undefined : unwrapCursor(filter, cursorText);
	const after = cursor !== undefined && isCursor(cursor, since !== undefined) ? cursor : undefined;
	return {
		limit: hasLimit ? limit : undefined,
		size: limitText === null ? pageSize : Math.min(hasLimit ? limit : 1, pageSize),
		after,
		since,
		refusal:
			limitText !== null && !hasLimit
				? refuseParameter("limit", `must be a whole number from 1 to ${MAX_LIMIT}`)
				: sinceText !== null && since === undefined
					? refuseParameter("updatedSince", "must be a moment such as 2026-11-21T17:00:00Z")
					: cursorText !== null && after === undefined
						? refuseParameter("cursor", "must be one that this list gave for the same filter")
						: undefined,
		hrefAfter(position) {
			const next = new URLSearchParams(query);
			next.set("cursor", wrapCursor(filter, position));
			return `${pathname}?${next}`;
		},
	};
}

/** Some rows of a list, and the position of the next ones, if there are any. */
type ListPage<Row> = { readonly rows: readonly Row[]; readonly next: string | undefined };

/**
 * A list as JSON: `limit` rows with a link to the next ones, or all of them, streamed if they are
 * more than a page. A stream is rate-limited per person.
 * @param first the first page, already read in the trip that proved the caller
 * @param further the page after a position
 * @throws a 400 answer if a parameter is malformed
 */
export async function listResponse<Row>(
	{ request, context }: ListCall,
	ask: ListAsk,
	first: ListPage<Row>,
	further: (position: string) => Promise<ListPage<Row>>,
	show: (row: Row) => object,
): Promise<Response> {
	if (ask.refusal) throw ask.refusal();
	if (ask.limit !== undefined || first.next === undefined) {
		const link = first.next === undefined ? undefined : ask.hrefAfter(first.next);
		return taggedJson(request, first.rows.map(show), link);
	}
	await limitLists(context);
	async function* pages() {
		for (let page = first; ; page = await further(page.next)) {
			yield page.rows;
			if (page.next === undefined) return;
		}
	}
	return streamJsonPages(context, pages(), show);
}

/** A whole answer with its tag, or 304 for someone who has it already. */
async function taggedJson(request: Request, rows: readonly object[], next: string | undefined) {
	const body = new TextEncoder().encode(JSON.stringify(rows));
	const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
	// The tag covers the link too: the same rows may be followed by others or by none.
	const tag = `"${encodeBase64urlNoPadding(digest.slice(0, 16))}${next === undefined ? "" : "-"}"`;
	const headers = new Headers({ ETag: tag });
	if (next !== undefined) headers.set("Link", `<${next}>; rel="next"`);
	const known = request.headers.get("If-None-Match")?.split(",") ?? [];
	if (known.some((each) => [tag, "*"].includes(each.trim().replace(/^W\//, ""))))
		return new Response(null, { status: 304, headers });
	headers.set("Content-Type", "application/json; charset=utf-8");
	return new Response(body, { headers });
}
