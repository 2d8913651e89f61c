/** Reads of settlements. Every query is a statement; every list is one page of a cursor. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { settlements } from "../../db/schema.ts";
import type { Position } from "../../values/cursor.ts";
import type { ListSource } from "../kernel/list.server.ts";
import { firstDayOfWeek } from "../statements/settlement-week.server.ts";
import { SETTLEMENT_CHANGES } from "./changes.server.ts";
import { type SettlementRow, settlementsWithLines } from "./rows.server.ts";
import { type SettlementCursor, type SettlementFilters, settlementCursors } from "./search.ts";

/** The settlements of a filter; the narrowest column is left to its index. */
function isIn({ week, driver, status }: SettlementFilters): SQL | undefined {
	const isNarrow = week !== undefined || driver !== undefined;
	return and(
		week === undefined
			? undefined
			: sql`${driver ? sql`+` : sql``}${settlements.weekFrom} = ${firstDayOfWeek(week)}`,
		driver === undefined ? undefined : eq(settlements.driverId, driver),
		status && sql`${isNarrow ? sql`+` : sql``}${settlements.status} = ${status}`,
	);
}

/** One page of settlements, latest first. */
export function listSettlements(
	build: Builder,
	limit: number,
	filters: SettlementFilters = {},
	position?: Position<SettlementCursor>,
) {
	const values = position && [position.cursor.number];
	const { past, order } = keyset(
		[settlements.number],
		"desc",
		position && { way: position.way, values },
	);
	return settlementsWithLines(build)
		.where(and(isIn(filters), past))
		.orderBy(order)
		.limit(limit);
}

/** The API's list. */
export const settlementList = (
	filters: SettlementFilters,
): ListSource<SettlementRow, SettlementCursor> => ({
	cursors: settlementCursors,
	cursorOf: ({ settlement }) => settlement,
	idOf: ({ settlement }) => settlement.id,
	rows: (build, _, limit, cursor) =>
		listSettlements(build, limit, filters, cursor && { way: "after", cursor }),
	changes: {
		source: SETTLEMENT_CHANGES,
		rows: (build, ids) =>
			settlementsWithLines(build).where(and(sql`${settlements.id} in ${ids}`, isIn(filters))),
	},
});

/** One settlement. */
export const findSettlement = (build: Builder, id: string) =>
	settlementsWithLines(build).where(eq(settlements.id, id));
