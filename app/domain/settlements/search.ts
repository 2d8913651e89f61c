/** The parameters of the list of settlements. */
import type { CalendarDate } from "../../values/calendar-date.ts";
import { cursors } from "../../values/cursor.ts";
import { queryDate } from "../../values/date-input.ts";
import { isRowId } from "../../values/row-id.ts";
import { type SettlementStatus, STATUSES } from "./rules.ts";

/** A settlement's position in the list, latest first. */
export const settlementCursors = cursors({ number: "number" });
export type SettlementCursor = NonNullable<ReturnType<typeof settlementCursors.parse>>;

/** The filters; absent means all. */
export type SettlementFilters = {
	/** Any day of the week. */
	readonly week?: CalendarDate | undefined;
	readonly driver?: string | undefined;
	readonly status?: SettlementStatus | undefined;
};

/** The filters of a URL; invalid ones are left out. */
export function parseFilters(query: URLSearchParams): SettlementFilters {
	const driver = query.get("driverId") ?? "";
	return {
		week: queryDate(query.get("week")),
		driver: isRowId(driver) ? driver : undefined,
		status: STATUSES.find((status) => status === query.get("status")),
	};
}
