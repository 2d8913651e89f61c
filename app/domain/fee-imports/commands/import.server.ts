import { type SQL, sql } from "drizzle-orm";
import { feeImports } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { tidyUp } from "../../kernel/tidy-up.server.ts";
import type { AmbiguousDrivers } from "../../statements/answers.ts";
import type { ImportMode } from "../../statements/commands/import.server.ts";
import {
	type RememberRefusal,
	rememberDrivers,
} from "../../statements/commands/remember-drivers.server.ts";
import { hasDuplicate } from "../../statements/comparison.server.ts";
import { fileKey } from "../../statements/object-writer.server.ts";
import type { WaitingColumns } from "../../statements/waiting.server.ts";
import { chosenDrivers, planByColumns, type ReadColumnsRefusal } from "../by-columns.server.ts";
import type { ColumnsPlan, RowLeftOut } from "../by-columns.ts";
import { type Preview, previewImport, toFeeKey, type UnreadableFile } from "../preview.server.ts";
import { countSameImports } from "../queries.server.ts";
import type { PlannedFee } from "../row-outcome.ts";
import { OTHER_FILES } from "../rules.ts";
import type { Mapping } from "../statement.ts";

export type FeeImport = typeof feeImports.$inferSelect;
export type ImportInput = {
	readonly text: string;
	readonly mapping: Mapping;
	readonly fileName: string;
	readonly key: string;
	/** Import fees that may have been added before. */
	readonly overlap?: boolean;
};
export type ImportResult = { readonly import: FeeImport; readonly isReplay: boolean };
export type ImportRefusal =
	| UnreadableFile
	| Refused<"not-importable", Preview>
	| Refused<"changed-meanwhile", Preview>
	/** Some fees were added by hand or from another file, and nobody has said yes. */
	| Refused<"possible-duplicates", Preview>
	| Refused<"key-reused">;

/**
 * Adds every fee of a statement whose reference number is not recorded yet, in one transaction, or
 * none. The statement is read again here: the preview isn't trusted, and recorded references are
 * checked again where the fees are written.
 */
export async function importFees(
	admin: AdminContext,
	input: ImportInput,
): Promise<Outcome<ImportResult, ImportRefusal>> {
	const preview = await previewImport(admin, input.text, input.mapping);
	if (!preview.ok) return preview;
	const { rows, missing, possibleDuplicates, payload, payloadHash } = preview.value;
	const isAsked = possibleDuplicates.size > 0 && !input.overlap;
	const fees = rows.flatMap((row) => (row.fate === "add" ? [row.fee] : []));
	const isWhole =
		missing.length === 0 && rows.every(({ fate }) => fate !== "problem") && fees.length > 0;
	const created = await addFees(admin, {
		...input,
		fees: isWhole ? fees : [],
		payload,
		payloadHash,
		overlap: input.overlap ?? false,
		accepts: sql`1`,
	});
	if (created.kind === "key-reused") return refused("key-reused");
	if (created.kind === "refused") {
		if (!isWhole) return refused("not-importable", preview.value);
		return refused(isAsked ? "possible-duplicates" : "changed-meanwhile", preview.value);
	}
	return done({ import: created.row, isReplay: created.kind === "replayed" });
}

/** What is written, and on which condition. */
type NewFees = {
	readonly fees: readonly PlannedFee[];
	readonly fileName: string;
	readonly key: string | undefined;
	readonly payload: readonly string[];
	readonly payloadHash: string;
	/** Add fees that may have been added before. */
	readonly overlap: boolean;
	/** A further condition. */
	readonly accepts: SQL;
};

/** Adds the fees whose reference numbers aren't recorded yet, in one transaction. */
function addFees(
	admin: AdminContext,
	{ fees, fileName, key, payload, payloadHash, overlap, accepts }: NewFees,
) {
	const { db, user, now } = admin;
	const id = crypto.randomUUID();
	const json = JSON.stringify(fees.map(toRow));
	const isSame = sql`other.driver_id = each.value ->> 1 and other.category = each.value ->> 2
		and other.amount_cents = each.value ->> 3 and other.charged_on = each.value ->> 4
		and other.is_credit = each.value ->> 7`;
	const hasReference = sql`other.reference_number = each.value ->> 5
		and other.reference_number is not null and other.deleted_at is null
		and other.import_id is not ${id}`;
	const isNew = sql`not exists (select 1 from uber_fees as other
		where ${hasReference} and ${isSame})`;
	const isTaken = sql`exists (select 1 from json_each(${json}) as each
		cross join uber_fees as other on ${hasReference} where not (${isSame}))`;
	const isUnknownDriver = sql`not exists (select 1 from users where id = each.value ->> 1
		and driver_number is not null)`;
	return createOnce(admin, {
		table: feeImports,
		id,
		creator: feeImports.addedBy,
		key,
		payload,
		facts: {
			fresh: sql<number>`(select count(*) filter (where ${isNew})
				from json_each(${json}) as each)`,
			unknown: sql<number>`(select coalesce(sum(${isUnknownDriver}), 0)
				from json_each(${json}) as each)`,
			duplicate: overlap
				? sql<number>`0`
				: sql<number>`(${hasDuplicate(fees.map(toFeeKey))} or ${isTaken})`,
		},
		accepts: sql`fresh > 0 and unknown = 0 and not duplicate and (${accepts})`,
		values: {
			addedBy: user.id,
			fileName,
			rowCount: sql`fresh`,
			createdAt: now,
			format: "columns",
		},
		audit: {
			action: "fee.import",
			entity: "fee-import",
			after: sql`json_object('fileName', file_name, 'rowCount', row_count,
				'amountCents', (select sum(iif(is_credit, -amount_cents, amount_cents)) from uber_fees
					where import_id = ${id}))`,
		},
		next: (made) => ({
			fees: db.build.run(sql`
				insert into uber_fees (id, driver_id, category, amount_cents, charged_on,
					reference_number, description, is_credit, added_by, created_at, import_id,
					payload_hash, last_change_id)
				select each.value ->> 0, each.value ->> 1, each.value ->> 2, each.value ->> 3,
					each.value ->> 4, each.value ->> 5, each.value ->> 6, each.value ->> 7, ${user.id},
					${now}, ${id}, ${payloadHash}, ${id}
				from json_each(${json}) as each
				where exists (select 1 from ${feeImports} where ${made}) and ${isNew}
				on conflict do nothing`),
		}),
		read: (build, rows) => build.select().from(feeImports).where(rows),
	});
}

/** How often a file is planned again when someone else imports it meanwhile. */
const TRIES = 5;

export type ColumnsImport = {
	/** Absent if everything was imported before. */
	readonly import: FeeImport | undefined;
	readonly plan: ColumnsPlan;
};
export type ColumnsRefusal =
	| ReadColumnsRefusal
	| RememberRefusal
	| AmbiguousDrivers
	/** Something has to be answered, or fixed in the file, first; nothing was stored. */
	| Refused<"open-needs", ColumnsPlan>
	| Refused<"busy">;

/** Imports what is ready of a file with custom columns, or all or nothing. */
export async function importByColumns(
	admin: AdminContext,
	bucket: R2Bucket,
	waiting: WaitingColumns,
	mode: ImportMode,
): Promise<Outcome<ColumnsImport, ColumnsRefusal>> {
	for (let tries = 0; tries < TRIES; tries++) {
		const read = await planByColumns(admin, bucket, waiting);
		if (!read.ok) return read;
		const { plan, payload, payloadHash, importCount } = read.value;
		if (isOpen(plan, mode)) return refused("open-needs", plan);
		const remembered = await rememberDrivers(admin, OTHER_FILES, chosenDrivers(waiting));
		if (!remembered.ok) return remembered;
		const ready = plan.fees.flatMap((fee) =>
			fee.state === "ready" && fee.driverId !== null ? [{ ...fee, driverId: fee.driverId }] : [],
		);
		if (ready.length > 0) {
			const made = await addFees(admin, {
				fees: ready,
				fileName: waiting.fileName,
				key: undefined,
				payload,
				payloadHash,
				overlap: waiting.answers.overlap,
				// Rows without a reference number are recognized only by what such imports have added. The
				// plan says of each row that it is imported, so all are, or it is planned again.
				accepts: sql`fresh = ${ready.length}
					and ${countSameImports(payloadHash, admin.now)} = ${importCount}`,
			});
			if (made.kind !== "created") continue;
			await tidyUp(admin, bucket.delete(fileKey(waiting.id)));
			const fees = plan.fees.map((fee) =>
				fee.state === "ready" ? { ...fee, state: "imported" as const } : fee,
			);
			return done({ import: made.row, plan: { ...plan, fees } });
		}
		await tidyUp(admin, bucket.delete(fileKey(waiting.id)));
		return done({ import: undefined, plan });
	}
	return refused("busy");
}

/** Whether something prevents an import. */
const isOpen = ({ needs, leftOut }: ColumnsPlan, mode: ImportMode) =>
	mode === "all"
		? needs.length > 0 || leftOut.some(({ reason }) => !WITHOUT_A_FEE.has(reason))
		: needs.includes("overlap");

const WITHOUT_A_FEE: ReadonlySet<RowLeftOut["reason"]> = new Set(["duplicate", "no-fee", "total"]);

/** A fee in the order in which the statement reads it from JSON. */
const toRow = ({ driverId, category, amountCents, date, ...fee }: PlannedFee) => [
	crypto.randomUUID(),
	driverId,
	category,
	amountCents,
	date,
	fee.reference ?? null,
	fee.description ?? null,
	fee.isCredit ? 1 : 0,
];
