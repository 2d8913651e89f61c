/** Positions in lists of trips, and the mileage screen's URL parameters. */
import { cursors, type Position, readPosition, setPosition } from "../../values/cursor.ts";

/** A position in a list of trips. */
export const logCursors = cursors({ drivenOn: "date", endMiles: "miles", id: "id" });
export type LogCursor = NonNullable<ReturnType<typeof logCursors.parse>>;

/** A position in a list of trips by when they were received. */
const receivedCursors = cursors({ createdAt: "number", id: "id" });
export type ReceivedCursor = NonNullable<ReturnType<typeof receivedCursors.parse>>;

/** Parses a URL of the mileage screen; the first page of its entries by default. */
export function parsePosition(query: URLSearchParams): Position<ReceivedCursor> | undefined {
	return readPosition(query, receivedCursors.parse);
}

/** The URL of a page of the entries, plus more parameters. */
export function mileageUrl(
	position: Position<ReceivedCursor> | undefined,
	more: Readonly<Record<string, string>> = {},
): string {
	const query = new URLSearchParams(more);
	setPosition(query, position, receivedCursors.format);
	return `/mileage${query.size > 0 ? `?${query}` : ""}`;
}
