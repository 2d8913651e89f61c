/** `51–100 of 1,234 requests · $5,678.00`: what the whole filter adds up to, and where the page is. */
import { type ListTotals, MAX_COUNTED } from "../../domain/fund-requests/listing.server.ts";
import type { RequestSearch } from "../../domain/fund-requests/search.ts";
import { formatDollars } from "../../values/money.ts";

const formatNumber = (count: number) => count.toLocaleString("en-US");

/** @param shown rows of the page */
export function describeTotals(
	{ position }: RequestSearch,
	{ count, cents, earlier, isSearchCut }: ListTotals,
	shown: number,
): string {
	const limit = formatNumber(MAX_COUNTED);
	// Before a position there are the rows of the page too.
	const first =
		earlier === undefined ? undefined : earlier + 1 - (position?.way === "before" ? shown : 0);
	const range =
		first === undefined || shown === 0
			? formatNumber(shown)
			: shown === 1
				? formatNumber(first)
				: `${formatNumber(first)}–${formatNumber(first + shown - 1)}`;
	if (count !== undefined && cents !== undefined)
		return `${range} of ${formatNumber(count)} ${count === 1 ? "request" : "requests"} · ${formatDollars(cents)}`;
	return isSearchCut
		? `${formatNumber(shown)} shown. There are more than ${limit} requests to search, too many to count.`
		: `${range} of more than ${limit} requests`;
}
