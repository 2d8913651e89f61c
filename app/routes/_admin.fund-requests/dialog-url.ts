/**
 * The URL that opens a request's dialog and keeps the filters.
 * @param query the page's own query, `` or `?...`
 */
export function dialogUrl(
	query: string,
	dialog: "approve" | "reject" | "ask" | "reopen" | "receipt" | "timeline",
	id: string,
): string {
	return `/fund-requests${query}${query ? "&" : "?"}dialog=${dialog}&id=${id}`;
}

/**
 * The URL that opens a request beside the list.
 * @param number as `FR-000001`
 */
export const openUrl = (query: string, number: string) =>
	`/fund-requests${query}${query ? "&" : "?"}open=${number}`;

/** The button for the selected requests, which gets focus when its dialog is closed. */
export const BULK_BUTTON = "bulk-approve";
