/** What a bulk approval would do, for its confirmation. */

import type { FlaggedRequest } from "../../domain/fund-requests/queries.server.ts";
import { effectiveAmount } from "../../domain/fund-requests/rules.ts";
import { ownRequestMessage } from "../../domain/fund-requests/status-messages.ts";
import type { ReaderContext } from "../../domain/kernel/context.ts";
import { pluralize } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";
import { isToCheck, toRequestView } from "./row.server.ts";

/** `3 requests` */
export const formatRequests = (count: number) => pluralize(count, "request");
/** The words for selected requests that don't exist; none if all do. */
export const unknownRequests = (count: number): string[] =>
	count === 0
		? []
		: [`${formatRequests(count)} that you selected ${count === 1 ? "doesn't" : "don't"} exist.`];

/**
 * @param ids as ticked
 * @param rows of those that exist, in the order of the list
 */
export function toBulkView(
	ids: readonly string[],
	rows: readonly FlaggedRequest[],
	reader: ReaderContext,
) {
	const shown = rows.map((row) => ({
		...toRequestView(row, reader),
		cents: effectiveAmount(row.request),
	}));
	const approvable = shown.filter(({ isPending, isOwn }) => isPending && !isOwn);
	return {
		/** The selected ones, for the URL without the dialog. */
		ids,
		approvable: approvable.map(({ id }) => id),
		count: formatRequests(approvable.length),
		sum: formatDollars(approvable.reduce((sum, { cents }) => sum + cents, 0)),
		/** The largest first. */
		flagged: approvable.filter(isToCheck).sort((one, other) => other.cents - one.cents),
		/** Why the others are left out. */
		leftOut: [
			...shown.filter(({ isPending }) => !isPending).map(({ statusSentence }) => statusSentence),
			...shown
				.filter(({ isPending, isOwn }) => isPending && isOwn)
				.map(({ number }) => ownRequestMessage(number)),
			...unknownRequests(ids.length - rows.length),
		],
	};
}

export type BulkView = ReturnType<typeof toBulkView>;
