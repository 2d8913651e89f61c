/** Reads of settlements. Every query is a statement; every list is one page of a cursor. */
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { literal } from "../../db/literal.ts";
import type { Owner } from "../../db/owner.server.ts";
import { auditEvents, settlements, users } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { Position } from "../../values/cursor.ts";
import type { ListSource } from "../kernel/list.server.ts";
import type { Named } from "../people/rules.ts";
import { firstDayOfWeek } from "../statements/settlement-week.server.ts";
import { PUBLISHED_CHANGES, SETTLEMENT_CHANGES } from "./changes.server.ts";
import { isOwn } from "./own.server.ts";
import { type SettlementRow, settlementsWithLines } from "./rows.server.ts";
import { MAX_COUNTED, MAX_VOIDED, type SettlementStatus } from "./rules.ts";
import { type SettlementCursor, type SettlementFilters, settlementCursors } from "./search.ts";

/** The settlements of a filter; only the narrowest column uses an index. */
function isIn({ week, driver, status }: SettlementFilters): SQL | undefined {
	const isNarrow = week !== undefined || driver !== undefined;
	return and(
		week === undefined
			? undefined
			: sql`${driver ? sql`+` : sql``}${settlements.weekFrom} = ${firstDayOfWeek(week)}`,
		driver === undefined ? undefined : eq(settlements.driverId, driver),
		status && sql`${isNarrow ? sql`+` : sql``}${settlements.status} = ${literal(status)}`,
	);
}

/**
 * One page of settlements, latest first.
 * @param me only this driver's published ones
 */
export function listSettlements(
	build: Builder,
	limit: number,
	filters: SettlementFilters,
	position?: Position<SettlementCursor>,
	me?: Owner,
) {
	const values = position && [position.cursor.number];
	const { past, order } = keyset(
		[settlements.number],
		"desc",
		position && { way: position.way, values },
	);
	return settlementsWithLines(build)
		.where(and(isIn(filters), me === undefined ? undefined : isOwn(me), past))
		.orderBy(order)
		.limit(limit);
}

/**
 * The API's list.
 * @param isDrivers whether it is a driver's, which has changes of published settlements only
 */
export const settlementList = (
	filters: SettlementFilters,
	isDrivers: boolean,
): ListSource<SettlementRow, SettlementCursor> => ({
	cursors: settlementCursors,
	cursorOf: ({ settlement }) => settlement,
	idOf: ({ settlement }) => settlement.id,
	rows: (build, whose, limit, cursor) =>
		listSettlements(build, limit, filters, cursor && { way: "after", cursor }, whose),
	changes: {
		source: isDrivers ? PUBLISHED_CHANGES : SETTLEMENT_CHANGES,
		rows: (build, ids) =>
			settlementsWithLines(build).where(and(sql`${settlements.id} in ${ids}`, isIn(filters))),
	},
});

/** One settlement. */
export const findSettlement = (build: Builder, id: string) =>
	settlementsWithLines(build).where(eq(settlements.id, id));

const isInWeek = (day: CalendarDate) => sql`${settlements.weekFrom} = ${firstDayOfWeek(day)}`;
const IS_LIVE = sql`${settlements.status} <> 'void'`;

/**
 * One page of a week's settlements without the void ones, in the order of their numbers.
 * @param day any day of the week
 */
export function listWeek(
	build: Builder,
	limit: number,
	day: CalendarDate,
	position?: Position<SettlementCursor>,
) {
	const values = position && [position.cursor.number];
	const { past, order } = keyset(
		[settlements.number],
		"asc",
		position && { way: position.way, values },
	);
	return settlementsWithLines(build)
		.where(and(isInWeek(day), IS_LIVE, past))
		.orderBy(order)
		.limit(limit);
}

/** How many live settlements of a week there are, and of each status. */
export type WeekCount = Readonly<Record<"all" | Exclude<SettlementStatus, "void">, number>>;

/** Counts a week's live settlements, up to one more than is shown; always one row. */
export const countWeek = (build: Builder, day: CalendarDate) =>
	build.all<WeekCount>(sql`
		select count(*) as "all", total(status = 'draft') as draft,
			total(status = 'published') as published, total(status = 'paid') as paid
		from (select status from settlements
			where week_from = ${firstDayOfWeek(day)} and status <> 'void'
			order by number limit ${MAX_COUNTED + 1})`);

/** The first day of the week that a day is in, by the fleet's settings. */
export const selectFirstDay = (build: Builder, day: CalendarDate) =>
	build.all<{ readonly first: CalendarDate }>(sql`select ${firstDayOfWeek(day)} as first`);

/** The void settlements of a week, latest first: one more than are listed says that there are more. */
export const listVoided = (build: Builder, day: CalendarDate) =>
	build
		.select({
			id: settlements.id,
			number: settlements.number,
			firstName: users.firstName,
			lastName: users.lastName,
			driverNumber: users.driverNumber,
		})
		.from(settlements)
		.innerJoin(users, eq(users.id, settlements.driverId))
		.where(and(isInWeek(day), sql`${settlements.status} = 'void'`))
		.orderBy(desc(settlements.number))
		.limit(MAX_VOIDED + 1);

/** The next or the previous live settlement of the same week. */
export const selectBeside = (build: Builder, id: string, way: "next" | "previous") => {
	const [than, order] = way === "next" ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
	return build.all<Named & { readonly id: string }>(
		sql`select beside.id as id, users.first_name as firstName, users.last_name as lastName,
				users.driver_number as driverNumber
			from settlements as own
			cross join settlements as beside on beside.week_from = own.week_from
				and beside.number ${than} own.number and beside.status <> 'void'
			cross join users on users.id = beside.driver_id
			where own.id = ${id} order by beside.number ${order} limit 1`,
	);
};

/**
 * The live settlements of the weeks that one may correct: those that its lines name or, for drafts,
 * those since the driver's books changed.
 */
export const selectCorrected = (build: Builder, id: string) =>
	build.all<{ readonly id: string; readonly weekFrom: CalendarDate }>(sql`
		select other.id as id, other.week_from as weekFrom from settlements as own
			cross join settlement_lines as line on line.settlement_id = own.id
				and line.about_week is not null
			cross join settlements as other on other.driver_id = own.driver_id
				and other.week_from = line.about_week and other.status <> 'void'
			where own.id = ${id}
		union all select other.id, other.week_from from settlements as own
			cross join settlement_marks as mark on mark.driver_id = own.driver_id
			cross join settlements as other on other.driver_id = own.driver_id
				and other.week_from >= date(mark.since, '-6 days') and other.week_from < own.week_from
				and other.status <> 'void'
			where own.id = ${id} and own.status = 'draft'`);

/** The settlement with a number, for the search box. */
export const findSettlementByNumber = (build: Builder, number: number) =>
	build
		.select({
			id: settlements.id,
			number: settlements.number,
			status: settlements.status,
			weekFrom: settlements.weekFrom,
			firstName: users.firstName,
			lastName: users.lastName,
			driverNumber: users.driverNumber,
		})
		.from(settlements)
		.innerJoin(users, eq(users.id, settlements.driverId))
		.where(eq(settlements.number, number));

/** What was done with a settlement, latest first. */
export const selectHistory = (build: Builder, id: string) =>
	build
		.select({
			id: auditEvents.id,
			at: auditEvents.at,
			action: auditEvents.action,
			firstName: users.firstName,
			lastName: users.lastName,
		})
		.from(auditEvents)
		.leftJoin(users, eq(users.id, auditEvents.actorId))
		.where(and(eq(auditEvents.entity, "settlement"), eq(auditEvents.entityId, id)))
		.orderBy(desc(auditEvents.at), desc(auditEvents.id))
		.limit(50);
