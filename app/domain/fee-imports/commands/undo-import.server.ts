import { eq, sql } from "drizzle-orm";
import { feeImports, uberFees } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../context.ts";
import { transition } from "../../transition.server.ts";
import { UNDO_WINDOW_MS } from "../rules.ts";
import type { FeeImport } from "./import.server.ts";

export type UndoRefusal = Refused<"not-found"> | Refused<"not-to-undo">;

/** Undoes one's own import within ten minutes: the fees of it that are still there are deleted. */
export async function undoImport(
	admin: AdminContext,
	id: string,
): Promise<Outcome<FeeImport, UndoRefusal>> {
	const { db, user, now } = admin;
	const left = sql`(select count(*) from uber_fees where import_id = ${id} and deleted_at is null)`;
	const { changed, rows } = await transition(admin, {
		table: feeImports,
		rows: eq(feeImports.id, id),
		when: sql`added_by = ${user.id} and undone_at is null
			and created_at > ${now - UNDO_WINDOW_MS}`,
		set: { undoneAt: now },
		audit: {
			action: "fee.undo-import",
			entity: "fee-import",
			before: sql`json_object('fileName', file_name, 'rowCount', ${left})`,
			after: sql`json_object('undoneAt', ${now})`,
		},
		next: (undone, changeId) => ({
			fees: db.build
				.update(uberFees)
				.set({ deletedAt: now, deletedBy: user.id, lastChangeId: changeId })
				.where(
					sql`${uberFees.importId} = ${id} and ${uberFees.deletedAt} is null
						and exists (select 1 from ${feeImports} where ${undone})`,
				),
		}),
		read: (build) => build.select().from(feeImports).where(eq(feeImports.id, id)),
	});
	const [row] = rows;
	if (!row) return refused("not-found");
	return changed.has(id) ? done(row) : refused("not-to-undo");
}
