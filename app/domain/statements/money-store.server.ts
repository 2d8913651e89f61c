/** What the money of a statement is compared with, and how it is staged. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { eachOf } from "../../db/each-of.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { MatchedDriver, OverlappingImport } from "./comparison.server.ts";
import { MONEY_KINDS, type MoneyCents, type MoneyKind, type Proof } from "./money.ts";
import { firstDayOfWeek } from "./settlement-week.server.ts";
import type { StatementFormat, StatementPeriod } from "./statement.ts";

const columnOf = (kind: MoneyKind) => sql.raw(`${kind}_cents`);
const list = (columns: readonly SQL[]) => sql.join([...columns], sql`, `);
/** The columns of the kinds, in their order. */
const COLUMNS = list(MONEY_KINDS.map(columnOf));
/** A row's cents as a list. */
const amountsOf = (row: string) =>
	sql`json_array(${list(MONEY_KINDS.map((kind) => sql`${sql.raw(row)}.${columnOf(kind)}`))})`;

/** A corrected row's cents, as they are stored. */
export const toList = (cents: MoneyCents): string =>
	JSON.stringify(MONEY_KINDS.map((kind) => cents[kind]));
/** The cents in a stored list. */
export function fromList(text: string): MoneyCents {
	const amounts = JSON.parse(text) as readonly number[];
	return Object.fromEntries(
		MONEY_KINDS.map((kind, place) => [kind, amounts[place] ?? 0]),
	) as MoneyCents;
}

/** A row that is live in an import. */
export type LiveMoney = {
	readonly key: string;
	readonly importId: string;
	readonly driverId: string;
	readonly proof: Proof;
	readonly amounts: string;
};

/** Which of these rows are live in an import. */
export function selectLiveMoney(build: Builder, keys: readonly string[]) {
	return build.all<LiveMoney>(sql`
		select live.row_key as key, live.import_id as importId, live.driver_id as driverId,
			live.proof, ${amountsOf("live")} as amounts
		from ${eachOf(keys)}
		cross join statement_money as live on live.row_key = each.value and live.is_live = 1`);
}

/** A row that is live in an import, with its number in that import's file. */
export type RecordedMoney = LiveMoney & StatementPeriod & { readonly row: number };

/** An import's rows with an amount, after this one. */
export const selectMoneyOf = (build: Builder, importId: string, after: string, limit: number) =>
	build.all<RecordedMoney>(sql`
		select row_key as key, import_id as importId, driver_id as driverId, row_number as row,
			counts_from as "from", counts_to as "to", proof, ${amountsOf("statement_money")} as amounts
		from statement_money
		where import_id = ${importId} and row_key > ${after} and is_live = 1
			and (${sql.join(
				MONEY_KINDS.map((kind) => sql`${columnOf(kind)} <> 0`),
				sql` or `,
			)})
		order by row_key limit ${limit}`);

/** A row that can be imported. */
export type StagedMoney = {
	readonly key: string;
	readonly driverId: MatchedDriver["id"];
	readonly row: number;
	readonly period: StatementPeriod;
	readonly proof: Proof;
	readonly cents: MoneyCents;
	/** The amounts that it corrects, as a list. */
	readonly recorded: string | null;
};

/** Stages rows; a key that is already staged isn't another row. */
export function stageMoney(
	build: Builder,
	importId: string,
	{ platform, format }: { readonly platform: string; readonly format: StatementFormat },
	rows: readonly StagedMoney[],
) {
	const told = rows.map(({ key, driverId, row, period, proof, cents, recorded }) => [
		...[key, driverId, row, period.from, period.to, proof, recorded],
		...MONEY_KINDS.map((kind) => cents[kind]),
	]);
	const amounts = list(MONEY_KINDS.map((_, place) => sql.raw(`each.value ->> ${place + 7}`)));
	return build.run(sql`
		insert into statement_money (import_id, is_live, platform, format, row_key, driver_id,
			row_number, counts_from, counts_to, proof, recorded, ${COLUMNS})
		select ${importId}, 0, ${platform}, ${format}, each.value ->> 0, each.value ->> 1,
			each.value ->> 2, each.value ->> 3, each.value ->> 4, each.value ->> 5, each.value ->> 6,
			${amounts}
		from ${eachOf(told)} where true on conflict do nothing`);
}

/**
 * Whether a staged row is live elsewhere by now, or what it corrects isn't as it was planned.
 */
export const isMoneyTaken = (importId: string) => sql<number>`exists (
	select 1 from statement_money as mine left join statement_money as other
		on other.row_key = mine.row_key and other.is_live = 1 and other.import_id <> ${importId}
	where mine.import_id = ${importId} and mine.recorded is not
		iif(other.row_key is null, null, ${amountsOf("other")}))`;

/**
 * Makes an import's rows live, replacing those that they correct.
 * @param isMade whether the import was created
 */
export const activateMoney = (build: Builder, id: string, isMade: SQL) => ({
	replacedMoney: build.run(sql`update statement_money set is_live = 0, replaced_by = ${id}
		where row_key in (select row_key from statement_money
				where import_id = ${id} and recorded is not null)
			and is_live = 1 and import_id <> ${id} and ${isMade}`),
	money: build.run(sql`update statement_money set is_live = 1
		where import_id = ${id} and is_live = 0 and ${isMade}`),
});

/**
 * Removes an import's rows, and brings back those that they corrected.
 * @param isUndone whether the import was undone
 */
export const undoMoney = (build: Builder, id: string, isUndone: SQL) => ({
	money: build.run(sql`delete from statement_money where import_id = ${id} and ${isUndone}`),
	restoredMoney: build.run(sql`update statement_money set is_live = 1, replaced_by = null
		where replaced_by = ${id} and ${isUndone}`),
});

/** Whether a later import has corrected rows of this one. */
export const hasCorrectedMoney = (importId: string) => sql`
	exists (select 1 from statement_money where import_id = ${importId} and replaced_by is not null)`;

/**
 * Lines and rows of money that have counted in no import yet. One that a later import replaced
 * stays: undoing that import brings it back.
 */
export const IS_ONLY_STAGED = sql.raw("is_live = 0 and replaced_by is null");

/** Removes what was staged for imports; rows of a live one stay, and those that it corrected. */
export const discardMoney = (build: Builder, which: SQL) =>
	build.run(sql`delete from statement_money where import_id ${which} and ${IS_ONLY_STAGED}`);

/** What decides if a statement's new money overlaps its platform's other imports. */
export type MoneyExtent = {
	readonly platform: string;
	readonly format: StatementFormat;
	readonly isByPeriod: boolean;
	/** The first and the last day that its rows count in. */
	readonly from: CalendarDate;
	readonly to: CalendarDate;
	readonly driverIds: readonly string[];
};

/**
 * Live imports with money of one of these drivers in the same weeks, from another kind of file, or
 * of the same kind for other days that include these.
 */
export function moneyOverlapsSql({
	platform,
	format,
	isByPeriod,
	driverIds,
	...days
}: MoneyExtent) {
	const from = firstDayOfWeek(days.from);
	const to = sql`date(${firstDayOfWeek(days.to)}, '+6 days')`;
	const isOther = sql`money.counts_from <= ${days.to} and money.counts_to >= ${days.from}
		and not (money.counts_from = ${days.from} and money.counts_to = ${days.to})`;
	return sql`
		select distinct file_name as fileName, period_from as periodFrom, period_to as periodTo
		from fee_imports where platform = ${platform} and undone_at is null
			and period_to >= ${from} and period_from <= ${to}
			and exists (select 1 from ${eachOf(driverIds)}
				cross join statement_money as money on money.driver_id = each.value
					and money.counts_to between ${from} and max(${to}, fee_imports.period_to)
				where money.import_id = fee_imports.id and money.is_live = 1
					and money.counts_from <= ${to}
					and (money.format <> ${format} ${isByPeriod ? sql`or (${isOther})` : sql``}))
		order by period_to limit 3`;
}
export const selectMoneyOverlaps = (build: Builder, extent: MoneyExtent) =>
	build.all<OverlappingImport>(moneyOverlapsSql(extent));
