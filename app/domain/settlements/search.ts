/** The parameters of the list of settlements, and of the screens of a week and of one of them. */
import { addDays, type CalendarDate } from "../../values/calendar-date.ts";
import {
	cursors,
	type Position,
	positionParameter,
	readPosition,
	setPosition,
} from "../../values/cursor.ts";
import { queryDate } from "../../values/date-input.ts";
import { FIRST_DATE } from "../../values/period.ts";
import { isRowId } from "../../values/row-id.ts";
import { type SettlementStatus, STATUSES } from "./rules.ts";

/** A settlement's position in the list, latest first. */
export const settlementCursors = cursors({ number: "number" });
export type SettlementCursor = NonNullable<ReturnType<typeof settlementCursors.parse>>;

/** A week's position in its driver's list, latest first. */
export const ownWeekCursors = cursors({ weekFrom: "date" });
export type OwnWeekCursor = NonNullable<ReturnType<typeof ownWeekCursors.parse>>;

/** Where a driver sees their weeks. */
export const EARNINGS = "/earnings";
/** The URL of one page. */
export function earningsUrl(position: Position<OwnWeekCursor> | undefined): string {
	const query = new URLSearchParams(positionParameter(position, ownWeekCursors.format)).toString();
	return query ? `${EARNINGS}?${query}` : EARNINGS;
}

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

/** The parameters of the screen of a week. */
export type WeekSearch = {
	/** Any day of the week. */
	readonly day: CalendarDate;
	readonly position: Position<SettlementCursor> | undefined;
};

/** Parses a URL; last week by default, or if the week can't be settled. */
export function parseWeek(query: URLSearchParams, today: CalendarDate): WeekSearch {
	const asked = queryDate(query.get("week"));
	const isPossible = asked !== undefined && asked >= FIRST_DATE && asked <= addDays(today, 6);
	return {
		day: isPossible ? asked : addDays(today, -7),
		position: readPosition(query, settlementCursors.parse),
	};
}

/** The URL of a page of a week. */
export function weekPath(day: CalendarDate, position?: Position<SettlementCursor>): string {
	const query = new URLSearchParams({ week: day });
	setPosition(query, position, settlementCursors.format);
	return `/settlements?${query}`;
}

export const DIALOGS = ["publish", "void"] as const;
export type DialogName = (typeof DIALOGS)[number];

/** The URL of a settlement's page, with a dialog over it if one is named. */
export const settlementPath = (id: string, dialog?: DialogName) =>
	`/settlements/${id}${dialog ? `?dialog=${dialog}` : ""}`;
