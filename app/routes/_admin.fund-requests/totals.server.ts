/**
 * `51–100 of 1,234 requests · $5,678.00`: the sum of the whole filter, and the position of the
 * page.
 */
import { type ListTotals, MAX_COUNTED } from "../../domain/fund-requests/listing.server.ts";
import type { RequestSearch } from "../../domain/fund-requests/search.ts";
import { formatCount, pluralize } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";

/**
 * @param shown rows of the page
 * @param decided rows kept in place despite the filter, since they were just decided
 */
export function describeTotals(
	{ position }: RequestSearch,
	{ count, cents, earlier, isSearchCut }: ListTotals,
	shown: number,
	decided: number,
): string {
	const kept = decided > 0 ? ` · ${formatCount(decided)} just decided` : "";
	const limit = formatCount(MAX_COUNTED);
	// The rows before a position include those of the page.
	const first =
		earlier === undefined ? undefined : earlier + 1 - (position?.way === "before" ? shown : 0);
	const range =
		first === undefined || shown === 0
			? formatCount(shown)
			: shown === 1
				? formatCount(first)
				: `${formatCount(first)}–${formatCount(first + shown - 1)}`;
	if (count !== undefined && cents !== undefined)
		return `${range} of ${pluralize(count, "request")} · ${formatDollars(cents)}${kept}`;
	return isSearchCut
		? `${formatCount(shown)} shown. There are more than ${limit} requests to search, too many to count.`
		: `${range} of more than ${limit} requests${kept}`;
}
