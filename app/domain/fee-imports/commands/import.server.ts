import { sql } from "drizzle-orm";
import { feeImports } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../context.ts";
import { createOnce } from "../../create-once.server.ts";
import type { PlannedFee } from "../plan.ts";
import { type Preview, previewImport, type UnreadableFile } from "../preview.server.ts";
import type { Mapping } from "../statement.ts";

export type FeeImport = typeof feeImports.$inferSelect;
export type ImportInput = {
	readonly text: string;
	readonly mapping: Mapping;
	readonly fileName: string;
	readonly key: string;
};
export type ImportResult = { readonly import: FeeImport; readonly isReplay: boolean };
export type ImportRefusal =
	| UnreadableFile
	| Refused<"not-importable", Preview>
	| Refused<"changed-meanwhile", Preview>
	| Refused<"key-reused">;

/**
 * Adds every fee of a statement whose reference number is not recorded yet, in one transaction, or
 * none. The statement is read anew here: what a preview said is not trusted, and whether a
 * reference is recorded is asked again where the fees are written.
 */
export async function importFees(
	admin: AdminContext,
	input: ImportInput,
): Promise<Outcome<ImportResult, ImportRefusal>> {
	const preview = await previewImport(admin, input.text, input.mapping);
	if (!preview.ok) return preview;
	const { rows, missing, payload, payloadHash } = preview.value;
	const { db, user, now } = admin;
	const fees = rows.flatMap((row) => (row.fate === "add" ? [row.fee] : []));
	const isWhole =
		missing.length === 0 && rows.every(({ fate }) => fate !== "problem") && fees.length > 0;
	const id = crypto.randomUUID();
	const json = JSON.stringify(isWhole ? fees.map(asArray) : []);
	const isNew = sql`not exists (select 1 from uber_fees as other
		where other.reference_number = each.value ->> 5 and other.reference_number is not null
			and other.deleted_at is null and other.import_id is not ${id})`;
	const isUnknownDriver = sql`not exists (select 1 from users where id = each.value ->> 1
		and role = 'driver' and approval_status = 'approved' and deleted_at is null)`;
	const created = await createOnce(admin, {
		table: feeImports,
		id,
		creator: feeImports.addedBy,
		key: input.key,
		payload,
		facts: {
			fresh: sql<number>`(select count(*) filter (where ${isNew})
				from json_each(${json}) as each)`,
			unknown: sql<number>`(select coalesce(sum(${isUnknownDriver}), 0)
				from json_each(${json}) as each)`,
		},
		accepts: sql`fresh > 0 and unknown = 0`,
		values: {
			addedBy: user.id,
			fileName: input.fileName,
			rowCount: sql`fresh`,
			createdAt: now,
			format: "columns",
		},
		audit: {
			action: "fee.import",
			entity: "fee-import",
			after: sql`json_object('fileName', file_name, 'rowCount', row_count,
				'amountCents', (select sum(amount_cents) from uber_fees where import_id = ${id}))`,
		},
		next: (made) => ({
			fees: db.build.run(sql`
				insert into uber_fees (id, driver_id, category, amount_cents, charged_on,
					reference_number, description, added_by, created_at, import_id, payload_hash,
					last_change_id)
				select each.value ->> 0, each.value ->> 1, each.value ->> 2, each.value ->> 3,
					each.value ->> 4, each.value ->> 5, each.value ->> 6, ${user.id}, ${now}, ${id},
					${payloadHash}, ${id}
				from json_each(${json}) as each
				where exists (select 1 from ${feeImports} where ${made}) and ${isNew}
				on conflict do nothing`),
		}),
		read: (build, rows) => build.select().from(feeImports).where(rows),
	});
	if (created.kind === "key-reused") return refused("key-reused");
	if (created.kind === "refused")
		return refused(isWhole ? "changed-meanwhile" : "not-importable", preview.value);
	return done({ import: created.row, isReplay: created.kind === "replayed" });
}

/** A fee as the statement reads it from JSON, in its order. */
const asArray = ({ driverId, category, amountCents, date, reference, description }: PlannedFee) => [
	crypto.randomUUID(),
	driverId,
	category,
	amountCents,
	date,
	reference ?? null,
	description ?? null,
];
