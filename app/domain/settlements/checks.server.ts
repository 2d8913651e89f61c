/**
 * What to look at before a week is published: money without an agreement, rows that count nowhere,
 * books that changed later, and statements that wait. Each is bounded, however large the fleet is.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { MONEY_KINDS } from "../statements/money.ts";
import { firstDayOfWeek } from "../statements/settlement-week.server.ts";
import type { CountedImport } from "../statements/unknown-drivers.ts";
import { isPublished } from "./facts.server.ts";
import { MAX_CHECKED, MAX_IMPORTS, MAX_LISTED } from "./rules.ts";

type Named = {
	readonly id: string;
	readonly driverId: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly driverNumber: number | null;
};

/** Settlements of a week that are checked together: so many after a number. */
export type Checked = {
	/** Any day of the week. */
	readonly day: CalendarDate;
	readonly after: number;
};

/** The live ones of them. */
const liveOf = ({ day, after }: Checked): SQL => sql`(select week.id, week.number, week.driver_id,
		week.week_from, week.status, users.first_name, users.last_name, users.driver_number
	from (select * from settlements
		where week_from = ${firstDayOfWeek(day)} and number > ${after}
		order by number limit ${MAX_CHECKED}) as week cross join users on users.id = week.driver_id
	where week.status <> 'void'
	order by week.number) as own`;

/** The number of the last of them, if there are more; those are checked after it. */
export const selectLastChecked = (build: Builder, { day, after }: Checked) =>
	build.all<{ readonly number: number }>(sql`select number from settlements
		where week_from = ${firstDayOfWeek(day)} and number > ${after}
		order by number limit 2 offset ${MAX_CHECKED - 1}`);
const NAMES = sql`own.id as id, own.driver_id as driverId, own.first_name as firstName,
	own.last_name as lastName, own.driver_number as driverNumber`;
/** Live rows of statements that end in the week. */
const IS_OF_WEEK = sql`money.driver_id = own.driver_id and money.is_live = 1
	and money.counts_to between own.week_from and date(own.week_from, '+6 days')`;
const COUNTS = sql`(money.proof <> 'unproven' and money.counts_from >= own.week_from)`;
const HAS_MONEY = sql.raw(MONEY_KINDS.map((kind) => `money.${kind}_cents <> 0`).join(" or "));

/** Drafts for which money came in but no agreement covers the week. */
export const selectWithoutAgreement = (build: Builder, checked: Checked) =>
	build.all<Named>(sql`select ${NAMES} from ${liveOf(checked)}
		where own.status = 'draft'
			and not exists (select 1 from agreements as agreed
				where agreed.driver_id = own.driver_id and agreed.starts_on <= own.week_from)
			and exists (select 1 from statement_money as money where ${IS_OF_WEEK} and ${COUNTS} and (${HAS_MONEY}))
		order by own.number limit ${MAX_LISTED + 1}`);

/** Rows of one driver in one file, that count in no week. */
export type LeftOutRows = Named & {
	readonly importId: string;
	readonly importedAt: number;
	readonly fileName: string;
	/** Their parts don't add up; otherwise their days lie in two weeks. */
	readonly isUnproven: number;
	/** Their numbers in the file, as a list. */
	readonly rows: string;
};

/** Rows of the week's statements that are left out. */
export const selectLeftOutRows = (build: Builder, checked: Checked) =>
	build.all<LeftOutRows>(sql`select ${NAMES}, source.id as importId,
			source.created_at as importedAt, source.file_name as fileName,
			money.proof = 'unproven' as isUnproven, json_group_array(money.row_number) as rows
		from ${liveOf(checked)} cross join statement_money as money
			cross join fee_imports as source on source.id = money.import_id
		where ${IS_OF_WEEK} and not ${COUNTS}
		group by own.number, own.id, source.id, isUnproven limit ${MAX_LISTED + 1}`);

/** Published settlements whose books have changed since. */
export const selectChangedSince = (build: Builder, checked: Checked) =>
	build.all<Named>(sql`select ${NAMES} from ${liveOf(checked)}
			cross join settlement_marks as mark on mark.driver_id = own.driver_id
		where ${isPublished("own")} and own.week_from >= date(mark.since, '-6 days')
		order by own.number limit ${MAX_LISTED + 1}`);

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

/** One's own statements that wait under their previews, of which a part may be imported already. */
export const selectUnfinished = (build: Builder, day: CalendarDate, me: SQL<string>, now: number) =>
	build.all<{ readonly id: string; readonly fileName: string; readonly createdAt: number }>(sql`
		select file.id as id, file.file_name as fileName, file.created_at as createdAt
		from statement_files as file
		where file.expires_at > ${now} and file.added_by = ${me}
			and file.facts ->> '$.period.to' between ${firstDayOfWeek(day)}
				and date(${firstDayOfWeek(day)}, '+6 days')
		order by file.expires_at limit ${MAX_LISTED}`);
