import { eq, sql } from "drizzle-orm";
import { feeImports, uberFees } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { hasCorrectedMoney, undoMoney } from "../money-store.server.ts";
import { isRestedOn, type RestingSettlement, selectResting } from "../settled.server.ts";
import type { FeeImport } from "./import.server.ts";
import { hasCorrectedLines, restoreFees, selectCorrecting } from "./replace-fees.server.ts";

export type UndoRefusal =
	| Refused<"not-found">
	| Refused<"undone-already">
	/** A later import has corrected its amounts. */
	| Refused<"corrected", { readonly by: string }>
	/** A published week was worked out with its money. */
	| Refused<"settled", RestingSettlement>
	/** One of its fees was re-added with other values since, and that one stays. */
	| Refused<"depended-on">;

/** Live fees that replaced an import's fees, however often each was edited. */
const replacements = (importId: string) => sql`
	with recursive edited(id) as (
		select id from uber_fees where import_id = ${importId}
		union all
		select later.id from edited cross join uber_fees as later on later.replaces_id = edited.id)
	select 1 from edited cross join uber_fees as fee on fee.id = edited.id
	where fee.import_id is not ${importId} and fee.deleted_at is null`;

/**
 * Undoes an import, whoever made it, unless something later depends on it: its remaining fees are
 * deleted, and its lines can be imported again.
 */
export async function undoImport(
	admin: AdminContext,
	id: string,
): Promise<Outcome<FeeImport, UndoRefusal>> {
	const { db, user, now } = admin;
	const live = sql`from uber_fees where import_id = ${id} and deleted_at is null`;
	const { changed, rows } = await transition(admin, {
		table: feeImports,
		rows: eq(feeImports.id, id),
		when: sql`undone_at is null and not exists (${replacements(id)})
			and not ${hasCorrectedLines(id)} and not ${hasCorrectedMoney(id)} and not ${isRestedOn(id)}`,
		set: { undoneAt: now },
		audit: {
			action: "fee.undo-import",
			entity: "fee-import",
			before: sql`json_object('fileName', file_name, 'rowCount', (select count(*) ${live}))`,
			after: sql`json_object('undoneAt', ${now})`,
		},
		next: (undone, changeId) => {
			const isUndone = sql`exists (select 1 from ${feeImports} where ${undone})`;
			return {
				fees: db.build
					.update(uberFees)
					.set({ deletedAt: now, deletedBy: user.id, lastChangeId: changeId })
					.where(
						sql`${uberFees.importId} = ${id} and ${uberFees.deletedAt} is null and ${isUndone}`,
					),
				lines: db.build.run(
					sql`delete from statement_lines where import_id = ${id} and ${isUndone}`,
				),
				...undoMoney(db.build, id, isUndone),
				...restoreFees(admin, id, changeId, isUndone),
			};
		},
		read: (build) => build.select().from(feeImports).where(eq(feeImports.id, id)),
	});
	const [row] = rows;
	if (!row) return refused("not-found");
	if (changed.has(id)) return done(row);
	if (row.undoneAt !== null) return refused("undone-already");
	const { later, resting } = await db.batch({
		later: selectCorrecting(db.build, id),
		resting: selectResting(db.build, id),
	});
	if (resting[0]) return refused("settled", resting[0]);
	return later[0] ? refused("corrected", { by: later[0].fileName }) : refused("depended-on");
}
