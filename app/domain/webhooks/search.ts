/** Which page of the deliveries a URL asks for. */
import { cursors, type Position, readPosition, setPosition } from "../../values/cursor.ts";

/** A delivery's position in the list, latest first. */
const deliveryCursors = cursors({ createdAt: "number", id: "id" });
export type DeliveryCursor = NonNullable<ReturnType<typeof deliveryCursors.parse>>;

/** Parses a URL; the first page by default. */
export function parseSearch(query: URLSearchParams): Position<DeliveryCursor> | undefined {
	return readPosition(query, deliveryCursors.parse);
}

/** The URL of a page. */
export function webhooksUrl(position?: Position<DeliveryCursor>): string {
	const query = new URLSearchParams();
	setPosition(query, position, deliveryCursors.format);
	return `/settings/webhooks${query.size > 0 ? `?${query}` : ""}`;
}
