/** How many settlements a week has, and what those of a page come to. */
import {
	MAX_CHECKED,
	type SettlementStatus,
	STATUS_LABELS,
} from "../../domain/settlements/rules.ts";
import type { Settlement } from "../../domain/settlements/settlement.ts";
import { formatCount, pluralize } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";

type Counts = readonly { readonly status: SettlementStatus; readonly count: number }[];

/** @param shown settlements of the page */
export function describeWeek(counts: Counts, shown: number) {
	const countOf = (status: SettlementStatus) =>
		counts.find((each) => each.status === status)?.count ?? 0;
	const counted = counts.reduce((sum, { count }) => sum + count, 0);
	const live = counted - countOf("void");
	const isMany = counted > MAX_CHECKED;
	return {
		/** `3 drafts, 47 published` */
		statuses: isMany
			? ""
			: (["draft", "published", "paid"] as const)
					.filter((status) => countOf(status) > 0)
					.map((status) =>
						status === "draft"
							? pluralize(countOf(status), "draft")
							: `${formatCount(countOf(status))} ${STATUS_LABELS[status].toLowerCase()}`,
					)
					.join(", "),
		count: isMany ? `More than ${formatCount(MAX_CHECKED)}` : formatCount(live),
		/** Whether the sums are of one page among several. */
		isPart: isMany || live > shown,
	};
}

const sumOf = (settlements: readonly Settlement[], part: "payableCents" | "carriedOutCents") =>
	formatDollars(settlements.reduce((sum, each) => sum + each[part], 0));

/** What the settlements of a page come to. */
export const sumWeek = (settlements: readonly Settlement[]) => ({
	payable: sumOf(settlements, "payableCents"),
	carriedOut: sumOf(settlements, "carriedOutCents"),
});
