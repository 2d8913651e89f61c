/** The statements by which an import replaces fees of earlier ones, and by which that is undone. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../../db/client.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { editedFees } from "../comparison.server.ts";

/** Fees of which an import has replaced lines, as `value`. */
const replacedFees = (importId: string) =>
	sql`select distinct fee_id as value from statement_lines where replaced_by = ${importId}`;

/**
 * Whether the fees that an import corrects are no longer as planned: a line isn't live any more, or
 * a fee was deleted.
 */
export const isOutdated = (importId: string) => sql<number>`
	exists (select 1 from statement_lines as mine where mine.import_id = ${importId}
		and mine.recorded_cents is not null and not exists (select 1 from statement_lines as other
			where other.line_key = mine.line_key and other.is_live = 1))
	or exists (select 1 from staged_fees as staged where staged.import_id = ${importId}
		and staged.replaces_id is not null and not exists (select 1 from uber_fees as fee
			where fee.id = staged.replaces_id and fee.deleted_at is null))`;

/**
 * Deletes the fees that an import's lines correct, and moves all their lines to it, so that another
 * correction may follow.
 * @param isMade whether the import was created
 */
export function replaceFees({ db: { build }, user, now }: AdminContext, id: string, isMade: SQL) {
	const corrected = sql`statement_lines as mine join statement_lines as other
		on other.line_key = mine.line_key and other.is_live = 1 and other.import_id <> ${id}
		where mine.import_id = ${id} and mine.recorded_cents is not null`;
	return {
		replacedLines: build.run(sql`update statement_lines set is_live = 0, replaced_by = ${id}
			where import_id in (select other.import_id from ${corrected})
				and fee_id in (select other.fee_id from ${corrected}) and is_live = 1 and ${isMade}`),
		keptLines: build.run(sql`
			insert into statement_lines (import_id, line_key, is_live, cents, fee_id, recorded_cents)
			select ${id}, kept.line_key, 0, kept.cents, (select mine.fee_id from statement_lines as same
				join statement_lines as mine
					on mine.import_id = ${id} and mine.line_key = same.line_key
				where same.replaced_by = ${id} and same.fee_id = kept.fee_id
					and mine.recorded_cents is not null limit 1), kept.cents
			from statement_lines as kept where kept.replaced_by = ${id} and ${isMade}
			on conflict do nothing`),
		replacedFees: build.run(sql`update uber_fees
			set deleted_at = ${now}, deleted_by = ${user.id}, last_change_id = ${id}
			where deleted_at is null and import_id is not ${id} and ${isMade} and id in (
				with recursive ${editedFees(replacedFees(id))} select id from edited)`),
	};
}

/**
 * Brings back the fees that an import has replaced, and their lines. Its own are already gone.
 * @param isUndone whether the import was undone
 */
export function restoreFees(
	{ db: { build } }: AdminContext,
	id: string,
	changeId: string,
	isUndone: SQL,
) {
	return {
		restoredFees: build.run(sql`update uber_fees
			set deleted_at = null, deleted_by = null, last_change_id = ${changeId}
			where last_change_id = ${id} and deleted_at is not null and import_id is not ${id}
				and ${isUndone} and id in (
					with recursive ${editedFees(replacedFees(id))} select id from edited)`),
		restoredLines: build.run(sql`update statement_lines set is_live = 1, replaced_by = null
			where replaced_by = ${id} and ${isUndone}`),
	};
}

/** Whether a later import has corrected lines of this one. */
export const hasCorrectedLines = (importId: string) => sql`
	exists (select 1 from statement_lines where import_id = ${importId} and replaced_by is not null)`;

/** The import that has corrected lines of this one. */
export const selectCorrecting = (build: Builder, importId: string) =>
	build.all<{ fileName: string }>(sql`
		select made.file_name as fileName from (
			select replaced_by from statement_lines where import_id = ${importId}
			union all select replaced_by from statement_money where import_id = ${importId}) as line
		join fee_imports as made on made.id = line.replaced_by limit 1`);
