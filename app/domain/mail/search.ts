/** Which page of the mail queue a URL asks for. */
import { cursors, type Position, readPosition, setPosition } from "../../values/cursor.ts";

/** An email's position in the list, latest first. */
export const mailCursors = cursors({ createdAt: "number", id: "id" });
export type MailCursor = NonNullable<ReturnType<typeof mailCursors.parse>>;

/** Parses a URL; the first page by default. */
export function parseSearch(query: URLSearchParams): Position<MailCursor> | undefined {
	return readPosition(query, mailCursors.parse);
}

/** The URL of a page. */
export function listUrl(position: Position<MailCursor> | undefined): string {
	const query = new URLSearchParams();
	setPosition(query, position, mailCursors.format);
	return `/email${query.size > 0 ? `?${query}` : ""}`;
}
