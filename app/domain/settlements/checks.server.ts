/**
 * What to look at before a week is published: money without an agreement, rows that count nowhere,
 * books that changed later, and waiting statements. Each is bounded, however large the fleet is.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { WEEKS_OPEN_FROM } from "../archive/closed-years.server.ts";
import { MONEY_KINDS } from "../statements/money.ts";
import { firstDayOfWeek } from "../statements/settlement-week.server.ts";
import type { CountedImport } from "../statements/unknown-drivers.ts";
import { type ToldWeek, toPublishedWeek } from "./draft.ts";
import { isPublished, publishedOf } from "./facts.server.ts";
import {
	MAX_IMPORTS,
	MAX_LISTED,
	MAX_LOOKED_AT,
	MAX_WITHOUT_AGREEMENT,
	MAX_WORKED_OUT,
} from "./rules.ts";
import { workOutCorrections } from "./week.ts";

/** A settlement and its driver. */
export type Named = {
	readonly id: string;
	readonly driverId: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly driverNumber: number | null;
};

const NAMES = sql`own.id as id, own.driver_id as driverId, own.first_name as firstName,
	own.last_name as lastName, own.driver_number as driverNumber`;
const NAMED = sql`week.id, week.number, week.driver_id, week.week_from, users.first_name,
	users.last_name, users.driver_number`;
const lastDay = (day: CalendarDate) => sql`date(${firstDayOfWeek(day)}, '+6 days')`;
const HAS_MONEY = sql.raw(MONEY_KINDS.map((kind) => `money.${kind}_cents <> 0`).join(" or "));

/** What was looked at, by its settlement; without one it only says whether there was more. */
type LookedAt = { readonly [K in keyof Named]: Named[K] | null };

/** A draft for which money came in but no agreement covers the week. */
export type WithoutAgreement = LookedAt & {
	/** Whether there are more drafts without an agreement than were looked at. */
	readonly isCut: 0 | 1;
};

/**
 * Drafts for which money came in but no agreement covers the week; their mark is kept by triggers.
 * Those without money, which need none, are looked at, too. If that left no room for others, the
 * last row says so, without a draft.
 */
export const selectWithoutAgreement = (build: Builder, day: CalendarDate) => {
	const marked = sql`settlements indexed by settlements_without_agreement
		where week_from = ${firstDayOfWeek(day)} and lacks_agreement = 1 and status = 'draft'
		order by number`;
	return build.all<WithoutAgreement>(sql`
		with found as materialized (select ${NAMED} from (select marked.*
				from (select * from ${marked} limit ${MAX_WITHOUT_AGREEMENT}) as marked
				where exists (select 1 from statement_money as money
					where money.driver_id = marked.driver_id and money.is_live = 1
						and money.counts_to between marked.week_from and date(marked.week_from, '+6 days')
						and money.proof <> 'unproven' and money.counts_from >= marked.week_from
						and (${HAS_MONEY}))
				order by marked.number limit ${MAX_LISTED + 1}) as week
			cross join users on users.id = week.driver_id)
		select ${NAMES}, own.is_cut as isCut from (select *, 0 as is_cut from found
			union all select null, null, null, null, null, null, null, 1
				where iif((select count(*) from found) > ${MAX_LISTED}, 0,
					exists (select 1 from ${marked} limit 1 offset ${MAX_WITHOUT_AGREEMENT}))) as own
		order by own.number is null, own.number`);
};

/** Rows of one driver in one file that count in no week. */
export type LeftOutRows = LookedAt & {
	readonly importId: string;
	readonly importedAt: number;
	readonly fileName: string;
	/** Their parts don't add up; otherwise their days lie in two weeks. */
	readonly isUnproven: number;
	/** Their numbers in the file, as a list. */
	readonly rows: string;
	/** Whether there may be more rows, of this driver or of others, than were looked at. */
	readonly isCut: number;
};

/**
 * Rows of the week's statements that are left out, those of drivers with a live settlement first.
 * Both kinds have their own index, so that rows that count aren't read.
 */
export const selectLeftOutRows = (build: Builder, day: CalendarDate) =>
	build.all<LeftOutRows>(sql`select ${NAMES}, own.import_id as importId,
			source.created_at as importedAt, source.file_name as fileName, own.is_unproven as isUnproven,
			own.rows as rows, own.is_cut as isCut
		from (select ${NAMED}, money.import_id, money.is_unproven,
				json_group_array(money.row_number) as rows, max(money.is_cut) as is_cut
			from (select *, count(*) over () = ${MAX_LOOKED_AT} as is_cut from (
				select * from (select driver_id, import_id, row_number, 1 as is_unproven
					from statement_money indexed by statement_money_unproven
					where proof = 'unproven' and is_live = 1
						and counts_to between ${firstDayOfWeek(day)} and ${lastDay(day)}
					order by counts_to limit ${MAX_LOOKED_AT})
				union all
				select * from (select item.driver_id, item.import_id, item.row_number, 0
					from (${daysOf(day)}) as each
					cross join statement_money as item indexed by statement_money_of_days
						on item.counts_to = each.day and item.counts_from < ${firstDayOfWeek(day)}
							and item.counts_from <> item.counts_to and item.is_live = 1
					where item.proof <> 'unproven' limit ${MAX_LOOKED_AT})
				limit ${MAX_LOOKED_AT})) as money
			left join settlements as week on week.driver_id = money.driver_id
				and week.week_from = ${firstDayOfWeek(day)} and week.status <> 'void'
			left join users on users.id = week.driver_id
			group by week.number, money.import_id, money.is_unproven
			order by week.number is null, week.number limit ${MAX_LISTED + 1}) as own
		cross join fee_imports as source on source.id = own.import_id
		order by own.number`);

/** The days of a week, one a row. */
const daysOf = (day: CalendarDate): SQL =>
	sql`select date(${firstDayOfWeek(day)}, '+' || value || ' days') as day
		from json_each('[0,1,2,3,4,5,6]')`;

/**
 * A published settlement of a driver whose books have changed since, of its week or of one before. A
 * closed week is no longer corrected.
 */
export type ChangedSince = LookedAt & {
	/**
	 * 1 if the first change is in its own week; if in an earlier one, today's books of the week, a
	 * `ToldWeek` as JSON; null if the week is closed.
	 */
	readonly changed: 1 | string | null;
	/** Whether more drivers' books changed than were looked at. */
	readonly isCut: 0 | 1;
};

/**
 * Settlements of drivers whose books have changed, for `hasChanged`; the latest changes are looked at.
 * Those of drivers without a published one of the week come last. The mark knows the first day that
 * changed, and what is of a week before may reach this one: a threshold, an instalment, an agreement.
 */
export function selectChangedSince(build: Builder, day: CalendarDate) {
	const marked = (when: SQL, limit: number) =>
		sql`select *, count(*) over () = ${limit} as is_full from (select driver_id, since
			from settlement_marks where ${when} order by since desc limit ${limit})`;
	return build.all<ChangedSince>(sql`select ${NAMES}, own.is_cut as isCut,
			iif(own.week_from >= ${WEEKS_OPEN_FROM},
				iif(own.since >= own.week_from, 1, ${publishedOf("own")}), null) as changed
		from (select ${NAMED}, mark.since, mark.is_cut
			from (select driver_id, since, max(is_full) over () as is_cut from (
				${marked(sql`since between ${firstDayOfWeek(day)} and ${lastDay(day)}`, MAX_LOOKED_AT)}
				union all ${marked(sql`since < ${firstDayOfWeek(day)}`, MAX_WORKED_OUT)})) as mark
			left join settlements as week on week.driver_id = mark.driver_id
				and week.week_from = ${firstDayOfWeek(day)} and ${isPublished("week")}
			left join users on users.id = week.driver_id) as own
		order by own.number is null, own.number`);
}

/** Whether the books of a settlement's own week have changed since. */
export const hasChanged = ({ changed }: ChangedSince): boolean =>
	changed === 1 ||
	(changed !== null &&
		workOutCorrections([toPublishedWeek(JSON.parse(changed) as ToldWeek)]).length > 0);

/**
 * Live imports whose period ends in the week and that know how many unknown drivers they left out,
 * from the week's last day.
 */
export const selectCountedImports = (build: Builder, day: CalendarDate) =>
	build.all<CountedImport>(sql`
		select id, created_at as createdAt, file_name as fileName, platform, format,
			period_from as periodFrom, period_to as periodTo, unmatched_drivers as unmatchedDrivers,
			unmatched_cents as unmatchedCents
		from fee_imports
		where undone_at is null and platform is not null and platform in ('uber', 'bolt')
			and period_to between ${firstDayOfWeek(day)} and date(${firstDayOfWeek(day)}, '+6 days')
			and unmatched_drivers is not null and period_from is not null
		order by platform desc, period_to desc limit ${MAX_IMPORTS + 1}`);

/**
 * One's own statements waiting under their previews, perhaps partly imported already. Of a file
 * that was sent more than once it is the latest upload; one whose rows were all imported before
 * isn't listed.
 */
export const selectUnfinished = (build: Builder, day: CalendarDate, me: SQL<string>, now: number) =>
	build.all<{ readonly id: string; readonly fileName: string; readonly createdAt: number }>(sql`
		select file.id as id, file.file_name as fileName, file.created_at as createdAt
		from statement_files as file
		where file.expires_at > ${now} and file.added_by = ${me}
			and file.facts ->> '$.period.to' between ${firstDayOfWeek(day)}
				and date(${firstDayOfWeek(day)}, '+6 days')
			and file.answers ->> '$.addsNothing' is null and not exists (
				select 1 from statement_files as later where later.expires_at > file.expires_at
					and later.added_by = file.added_by and later.content_tag = file.content_tag
					and later.file_name = file.file_name)
		order by file.expires_at limit ${MAX_LISTED}`);
