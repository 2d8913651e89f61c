/** What the lines and fees of a statement are compared with. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { eachOf } from "../../db/each-of.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { FeeCategory } from "../uber-fees/rules.ts";
import type { ReferredFee } from "./references.ts";
import type { Platform, StatementFormat, StatementPeriod } from "./statement.ts";

/** The driver behind a platform's driver. */
export type MatchedDriver = {
	readonly id: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly driverNumber: number | null;
	readonly isActive: number;
	readonly email: string | null;
};

const DRIVER = sql`person.email, person.id, person.first_name as firstName, person.last_name as lastName,
	person.driver_number as driverNumber, person.is_active as isActive`;
/** Anyone who has ever had a driver's code, and wasn't pseudonymized. */
const HAD_CODE = sql`person.driver_number is not null and person.pseudonymized_at is null`;

/** A line that is live in an import; its amount and fee are null if they weren't kept yet. */
export type LiveLine = {
	readonly key: string;
	readonly importId: string;
	readonly cents: number | null;
	readonly feeId: string | null;
};

/** Which of these lines are live in an import. */
export function selectLiveLines(build: Builder, keys: readonly string[]) {
	return build.all<LiveLine>(sql`
		select each.value as key, live.import_id as importId, live.cents, live.fee_id as feeId from ${eachOf(keys)}
		cross join statement_lines as live on live.line_key = each.value and live.is_live = 1`);
}

/** A fee that an import recorded, or one that has replaced it. */
export type RecordedFee = MatchedDriver & {
	/** The fee that the line is part of. */
	readonly root: string;
	readonly feeId: string;
	/** Whether the import recorded it, as the whole or as a part. */
	readonly isFirst: number;
	readonly isLive: number;
	/** Negative for a credit. */
	readonly cents: number;
	readonly date: CalendarDate;
	readonly category: FeeCategory;
};

/** The parts of these fees, and the fees that took their places, as `edited (root, id, isFirst)`. */
export const editedFees = (roots: SQL) => sql`
	edited(root, id, isFirst) as (
		select each.value, part.id, 1 from (${roots}) as each
			cross join uber_fees as part on part.id >= substr(each.value, 1, 34) || '00'
				and part.id <= substr(each.value, 1, 34) || 'ff'
		union all
		select edited.root, later.id, 0 from edited
			cross join uber_fees as later on later.replaces_id = edited.id)`;

/** What is recorded for these fees, whatever happened to them. */
export function selectRecordedFees(build: Builder, roots: readonly string[]) {
	return build.all<RecordedFee>(sql`
		with recursive ${editedFees(sql`select value from ${eachOf(roots)}`)}
		select edited.root, edited.isFirst, fee.id as feeId, fee.deleted_at is null as isLive,
			iif(fee.is_credit, -fee.amount_cents, fee.amount_cents) as cents, fee.category,
			fee.charged_on as date, ${DRIVER}
		from edited cross join uber_fees as fee on fee.id = edited.id
			cross join users as person on person.id = fee.driver_id`);
}

/** The remembered drivers behind these ids. */
export function selectAliases(build: Builder, platform: string, platformIds: readonly string[]) {
	return build.all<MatchedDriver & { platformId: string }>(sql`
		select each.value as platformId, ${DRIVER} from ${eachOf(platformIds)}
		join platform_drivers as alias on alias.platform = ${platform}
			and alias.platform_id = each.value and alias.removed_at is null
		join users as person on person.id = alias.driver_id`);
}

/** Which of these users may have fees. */
export function selectDrivers(build: Builder, ids: readonly string[]) {
	return build.all<MatchedDriver>(sql`
		select ${DRIVER} from ${eachOf(ids)} join users as person on person.id = each.value
		where ${HAD_CODE}`);
}

/** Drivers with one of these codes, by its number. */
export function selectDriversByCode(build: Builder, numbers: readonly number[]) {
	return build.all<MatchedDriver>(sql`
		select ${DRIVER} from ${eachOf(numbers)}
		join users as person on person.driver_number = each.value where ${HAD_CODE}`);
}

/** Every approved driver, for files that only name drivers. It grows with the fleet. */
export function selectDriversByName(build: Builder) {
	return build.all<MatchedDriver>(sql`
		select ${DRIVER} from users as person where person.role = 'driver'
			and person.approval_status = 'approved' and person.deleted_at is null and ${HAD_CODE}`);
}

/** A fee's values, to be compared with recorded fees. */
export type FeeKey = readonly [
	driverId: string,
	date: CalendarDate,
	category: FeeCategory,
	cents: number,
	isCredit: 0 | 1,
	reference: string | null,
];

type FeeColumns = Readonly<
	Record<"driver" | "day" | "category" | "cents" | "isCredit" | "reference", SQL>
>;

/**
 * Whether a live fee like this is recorded. Two fees with different reference numbers aren't the
 * same, unless a spreadsheet may have made the difference: it drops leading zeros and shortens long
 * numbers.
 */
const isRecorded = (fee: FeeColumns, more = sql``) => sql`
	exists (select 1 from uber_fees as twin
		where twin.driver_id = ${fee.driver} and twin.charged_on = ${fee.day}
			and twin.category = ${fee.category} and twin.amount_cents = ${fee.cents}
			and twin.is_credit = ${fee.isCredit} and twin.deleted_at is null
			and (${fee.reference} is null or twin.reference_number is null
				or twin.reference_number glob '[0-9]*[eE]+[0-9]*'
				or (ltrim(twin.reference_number, '0') = ltrim(${fee.reference}, '0')
					and twin.reference_number <> ${fee.reference})) ${more})`;

/**
 * Whether one was added by hand or by columns: a platform's statement knows its own lines, so it is
 * compared with nothing else.
 */
const wasAddedByHand = (fee: FeeColumns) =>
	isRecorded(
		fee,
		sql`and not exists (select 1 from fee_imports as made
			where made.id = twin.import_id and made.platform is not null)`,
	);

const LISTED_FEE = {
	driver: sql`each.value ->> 0`,
	day: sql`each.value ->> 1`,
	category: sql`each.value ->> 2`,
	cents: sql`each.value ->> 3`,
	isCredit: sql`each.value ->> 4`,
	reference: sql`each.value ->> 5`,
};
const STAGED_FEE = {
	driver: sql`staged.driver_id`,
	day: sql`staged.charged_on`,
	category: sql`staged.category`,
	cents: sql`staged.amount_cents`,
	isCredit: sql`staged.is_credit`,
	reference: sql`staged.reference_number`,
};

const withPositions = (fees: readonly FeeKey[]) =>
	eachOf(fees.map((fee, position) => [...fee, position]));

/** The positions of those fees that were already added by hand or by columns. */
export function selectAddedByHand(build: Builder, fees: readonly FeeKey[]) {
	return build.all<{ position: number }>(sql`
		select each.value ->> 6 as position from ${withPositions(fees)} where ${wasAddedByHand(LISTED_FEE)}`);
}

/** The positions of those fees that are already recorded, wherever they came from. */
export function selectRecorded(build: Builder, fees: readonly FeeKey[]) {
	return build.all<{ position: number }>(sql`
		select each.value ->> 6 as position from ${withPositions(fees)} where ${isRecorded(LISTED_FEE)}`);
}

/**
 * Whether one of an import's staged fees was already added by hand or by columns; of a file with
 * columns of its own, whether it was added at all, or its reference number is another fee's. The
 * parts of a fee above the maximum don't count: the statement has no such fees.
 */
export const hasStagedDuplicate = (importId: string, platform: Platform) => sql<number>`exists (
	select 1 from staged_fees as staged where staged.import_id = ${importId}
		and (${platform === "columns" ? sql`${isRecorded(STAGED_FEE)} or ${hasReference}` : wasAddedByHand(STAGED_FEE)})
		and not exists (select 1 from staged_fees as part
			where part.import_id = ${importId} and part.fee_id <> staged.fee_id
				and part.fee_id between substr(staged.fee_id, 1, 34) || '00'
					and substr(staged.fee_id, 1, 34) || 'ff'))`;

/** Whether the reference number of a staged fee is a live fee's. */
const hasReference = sql`exists (select 1 from uber_fees as other
	where other.reference_number = staged.reference_number
		and other.reference_number is not null and other.deleted_at is null)`;

/** Whether one of an import's staged fees is recorded already, by its reference number. */
export const hasStagedReference = (importId: string) => sql<number>`exists (
	select 1 from staged_fees as staged cross join uber_fees as other
		on other.reference_number = staged.reference_number
			and other.reference_number is not null and other.deleted_at is null
	where staged.import_id = ${importId} and other.driver_id = staged.driver_id
		and other.category = staged.category and other.amount_cents = staged.amount_cents
		and other.is_credit = staged.is_credit and other.charged_on = staged.charged_on)`;

/** Live fees with one of these reference numbers. */
export function selectReferredFees(build: Builder, references: readonly string[]) {
	return build.all<ReferredFee>(sql`
		select fee.reference_number as reference, fee.driver_id as driverId, fee.category,
			iif(fee.is_credit, -fee.amount_cents, fee.amount_cents) as cents, fee.charged_on as date,
			trim(users.first_name || ' ' || users.last_name) as driver
		from ${eachOf([...new Set(references)])}
		cross join uber_fees as fee on fee.reference_number = each.value
			and fee.reference_number is not null and fee.deleted_at is null
		cross join users on users.id = fee.driver_id`);
}

export type OverlappingImport = {
	readonly fileName: string;
	readonly periodFrom: CalendarDate;
	readonly periodTo: CalendarDate;
};

/** What decides if a statement overlaps other imports of its platform. */
export type Extent = {
	readonly platform: string;
	readonly format: StatementFormat;
	readonly isByPeriod: boolean;
	readonly period: StatementPeriod;
	/** The drivers of its fees, and what they are remembered by. */
	readonly driverIds: readonly string[];
	readonly platformIds: readonly string[];
};

/**
 * Live imports of the platform whose periods overlap and whose money may be the same although none
 * of their lines is: one of the two has sums for a period, it isn't the same period in the same
 * kind of file, and both have fees of one of these drivers or of someone who was remembered as one
 * of the platform's drivers before.
 */
export function overlapsSql(extent: Extent) {
	const { platform, format, isByPeriod, driverIds, platformIds } = extent;
	const { from, to } = extent.period;
	const isSame = sql`format = ${format} and period_from = ${from} and period_to = ${to}`;
	const isSummed = isByPeriod ? sql`1` : sql`format <> ${format}`;
	return sql`
		select distinct file_name as fileName, period_from as periodFrom, period_to as periodTo
		from fee_imports where platform = ${platform} and undone_at is null
			and period_to >= ${from} and period_from <= ${to} and not (${isSame}) and ${isSummed}
			and exists (select 1 from uber_fees as fee where fee.import_id = fee_imports.id
				and (fee.driver_id in (select each.value from ${eachOf(driverIds)})
					or exists (select 1 from platform_drivers as former
						where former.driver_id = fee.driver_id and former.platform = ${platform}
							and former.platform_id in (select each.value from ${eachOf(platformIds)}))))
		order by period_to limit 3`;
}
export const selectOverlaps = (build: Builder, extent: Extent) =>
	build.all<OverlappingImport>(overlapsSql(extent));
