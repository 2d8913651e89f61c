/** Which emails a URL asks for: whose, in which status, and which page. */
import { cursors, type Position, readPosition, setPosition } from "../../values/cursor.ts";
import { isRowId } from "../../values/row-id.ts";

/**
 * An email's position in the list, latest first: when it was created, or in a list by status when it
 * was last due.
 */
const mailCursors = cursors({ at: "number", id: "id" });
export type MailCursor = NonNullable<ReturnType<typeof mailCursors.parse>>;

/** The statuses to filter by, without the one that lasts only seconds. */
export const FILTER_STATES = ["queued", "failed", "uncertain", "sent", "cancelled"] as const;
export type FilterState = (typeof FILTER_STATES)[number];

export type MailSearch = {
	readonly status: FilterState | undefined;
	/** A person's id. */
	readonly recipient: string | undefined;
	readonly position: Position<MailCursor> | undefined;
};

/** Parses a URL; what is unknown is ignored. */
export function parseSearch(query: URLSearchParams): MailSearch {
	const status = query.get("status");
	const recipient = query.get("recipient") ?? "";
	return {
		status: FILTER_STATES.find((each) => each === status),
		recipient: isRowId(recipient) ? recipient : undefined,
		position: readPosition(query, mailCursors.parse),
	};
}

/** The URL of a list. */
export function listUrl(
	{ status, recipient }: Pick<MailSearch, "status" | "recipient">,
	position?: Position<MailCursor>,
): string {
	const query = new URLSearchParams();
	if (recipient) query.set("recipient", recipient);
	if (status) query.set("status", status);
	setPosition(query, position, mailCursors.format);
	return `/email${query.size > 0 ? `?${query}` : ""}`;
}
