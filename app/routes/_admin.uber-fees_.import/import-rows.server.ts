/** What the list of imports shows of each. */

import type { ReaderContext } from "../../domain/kernel/context.ts";
import { weekPath } from "../../domain/settlements/search.ts";
import type { listImports } from "../../domain/statements/queries.server.ts";
import { settlementWeek, startingWeekday } from "../../domain/statements/settlement-week.ts";
import { describeLeftOut } from "../../domain/statements/unknown-drivers.ts";
import { formatMoment } from "../../values/calendar-date.ts";
import { formatPeriod, type Period } from "../../values/period.ts";

type Listed = Awaited<ReturnType<typeof listImports>>[number];

export function toImportRow(
	{ import: each, firstName, lastName }: Listed,
	{ timeZone, settings }: Pick<ReaderContext, "timeZone" | "settings">,
) {
	const { periodFrom, periodTo, unmatchedDrivers, unmatchedCents, undoneAt } = each;
	const period = periodFrom && periodTo && { from: periodFrom, to: periodTo };
	return {
		id: each.id,
		when: formatMoment(timeZone, each.createdAt),
		who: `${firstName} ${lastName}`,
		fileName: each.fileName,
		fees: each.isMoneyOnly ? 0 : each.rowCount,
		undone: undoneAt === null ? "" : formatMoment(timeZone, undoneAt),
		days: period ? formatPeriod(period) : "",
		/** The unknown drivers that it left out; they may have been imported since. */
		leftOut: unmatchedDrivers
			? `Left out ${describeLeftOut({ unmatchedDrivers, unmatchedCents })}`
			: "",
		isUndoable: undoneAt === null,
		/** The settlements of the week that its period lies in. */
		settlements: undoneAt === null && period ? weekOfPeriod(period, settings) : "",
	};
}

export type ImportRow = ReturnType<typeof toImportRow>;

/** Where a period's drivers are settled; nothing if it lies in several weeks. */
function weekOfPeriod({ from, to }: Period, settings: ReaderContext["settings"]): string {
	const week = settlementWeek(to, startingWeekday(settings));
	return from >= week.from ? weekPath(week.from) : "";
}
