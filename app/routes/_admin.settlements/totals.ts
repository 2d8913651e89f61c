/** How many settlements a week has, and what those of a page come to. */
import type { WeekCount } from "../../domain/settlements/queries.server.ts";
import { MAX_COUNTED, STATUS_LABELS } from "../../domain/settlements/rules.ts";
import type { Settlement } from "../../domain/settlements/settlement.ts";
import { formatCount, pluralize } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";

/** @param shown settlements of the page */
export function describeWeek([counts]: readonly WeekCount[], shown: number) {
	const countOf = (part: keyof WeekCount) => counts?.[part] ?? 0;
	const all = countOf("all");
	const isMany = all > MAX_COUNTED;
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
		count: isMany ? `More than ${formatCount(MAX_COUNTED)}` : formatCount(all),
		/** Whether the sums are of one page among several. */
		isPart: isMany || all > shown,
	};
}

const sumOf = (settlements: readonly Settlement[], part: "payableCents" | "carriedOutCents") =>
	formatDollars(settlements.reduce((sum, each) => sum + each[part], 0));

/** What the settlements of a page come to. */
export const sumWeek = (settlements: readonly Settlement[]) => ({
	payable: sumOf(settlements, "payableCents"),
	carriedOut: sumOf(settlements, "carriedOutCents"),
});
