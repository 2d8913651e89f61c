/** Importing a fee statement, all of it or nothing, and undoing that within ten minutes. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { feeImports, uberFees } from "../../db/schema.ts";
import { fingerprintOf } from "../../values/fingerprint.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { actorOf } from "../audit/actor.ts";
import { auditStatement } from "../audit/commands.server.ts";
import type { AdminContext } from "../context.ts";
import { isStillAdmin } from "../users/standing.server.ts";
import { missingColumns, type PlannedFee, planOf, type RowFate, referencesIn } from "./plan.ts";
import { importByKey, nameableDrivers, recordedReferences, sameStatement } from "./queries.server.ts";
import { UNDO_WINDOW_MS } from "./rules.ts";
import { guessedMapping, type Mapping, mappingFields, type Statement, statementIn } from "./statement.ts";

export type FeeImport = typeof feeImports.$inferSelect;
type BadFile = Refused<"bad-file", { readonly message: string }>;

/** What an import would do, as far as can be told now. */
export type Preview = {
	readonly statement: Statement;
	readonly mapping: Mapping;
	/** Columns that have to be chosen before rows can be read. */
	readonly missing: readonly string[];
	readonly rows: readonly RowFate[];
	/** The same statement was imported before, and that was not undone. */
	readonly earlier: { readonly createdAt: number; readonly by: string } | undefined;
	readonly payloadHash: string;
};

/**
 * Reads a statement and says the fate of every row. Nothing is written.
 * @param chosen where each value stands; by default what the column names suggest
 */
export async function previewImport(admin: AdminContext, text: string, chosen: Mapping | undefined): Promise<Outcome<Preview, BadFile>> {
	const read = statementIn(text);
	if (!read.ok) return read;
	const statement = read.value;
	const mapping = chosen ?? guessedMapping(statement.head);
	const payloadHash = await hashOf(statement, mapping);
	const width = Math.max(...[statement.head, ...statement.rows.map(({ cells }) => cells)].map(({ length }) => length));
	const missing = missingColumns(mapping, width);
	if (missing.length > 0) return done({ statement, mapping, missing, rows: [], earlier: undefined, payloadHash });
	const { db, now, today } = admin;
	const { drivers, recorded, same } = await db.batch({
		drivers: nameableDrivers(db.build),
		recorded: recordedReferences(db.build, referencesIn(statement, mapping)),
		same: sameStatement(db.build, payloadHash, now),
	});
	const rows = planOf(statement, mapping, { drivers, recorded: new Set(recorded.map(({ reference }) => reference)), today });
	const earlier = same[0] && { createdAt: same[0].import.createdAt, by: `${same[0].firstName} ${same[0].lastName}` };
	return done({ statement, mapping, missing, rows, earlier, payloadHash });
}

/** Of the cells, so that a line ending more or less makes no other statement. */
const hashOf = ({ head, rows }: Statement, mapping: Mapping) =>
	fingerprintOf([JSON.stringify([head, ...rows.map(({ cells }) => cells)]), JSON.stringify(mappingFields(mapping))]);

export type ImportInput = {
	readonly text: string;
	readonly mapping: Mapping;
	readonly fileName: string;
	readonly key: string;
};
export type Imported = { readonly import: FeeImport; readonly isReplay: boolean };
export type ImportRefusal =
	| BadFile
	| Refused<"not-importable", Preview>
	| Refused<"changed-meanwhile", Preview>
	| Refused<"key-reused">
	| Refused<"no-longer-admin">;

/**
 * Adds every fee of a statement whose reference number is not recorded yet, in one transaction, or none. The statement is read anew here:
 * what a preview said is not trusted, and whether a reference is recorded is asked again where the fees are written.
 */
export async function importFees(admin: AdminContext, input: ImportInput): Promise<Outcome<Imported, ImportRefusal>> {
	const preview = await previewImport(admin, input.text, input.mapping);
	if (!preview.ok) return preview;
	const { rows, missing, payloadHash } = preview.value;
	const { db, user, now } = admin;
	const { build } = db;
	const fees = rows.flatMap((row) => (row.fate === "add" ? [row.fee] : []));
	const isWhole = missing.length === 0 && rows.every(({ fate }) => fate !== "problem") && fees.length > 0;
	const id = crypto.randomUUID();
	const json = JSON.stringify(isWhole ? fees.map(asArray) : []);
	const isNew = sql`not exists (select 1 from uber_fees as other where other.reference_number = each.value ->> 5
		and other.reference_number is not null and other.deleted_at is null and other.import_id is not ${id})`;
	const isUnknownDriver = sql`not exists (select 1 from users where id = each.value ->> 1 and role = 'driver'
		and approval_status = 'approved' and deleted_at is null)`;

	const { made, earlier, isAdmin } = await db.batch({
		import: build.run(sql`
			insert into fee_imports (id, added_by, file_name, row_count, created_at, submission_key, payload_hash, last_change_id)
			select ${id}, ${user.id}, ${input.fileName}, fresh, ${now}, ${input.key}, ${payloadHash}, ${id}
			from (select count(*) filter (where ${isNew}) as fresh, coalesce(sum(${isUnknownDriver}), 0) as unknown from json_each(${json}) as each)
			where fresh > 0 and unknown = 0 and ${isStillAdmin(admin)}
			on conflict do nothing`),
		fees: build.run(sql`
			insert into uber_fees (id, driver_id, category, amount_cents, charged_on, reference_number, description, added_by, created_at, import_id,
				payload_hash, last_change_id)
			select each.value ->> 0, each.value ->> 1, each.value ->> 2, each.value ->> 3, each.value ->> 4, each.value ->> 5, each.value ->> 6,
				${user.id}, ${now}, ${id}, ${payloadHash}, ${id}
			from json_each(${json}) as each
			where exists (select 1 from fee_imports where id = ${id}) and ${isNew}
			on conflict do nothing`),
		audit: auditStatement(
			build,
			actorOf(admin),
			{
				action: "fee.import",
				entity: "fee-import",
				after: sql`json_object('fileName', file_name, 'rowCount', row_count,
					'amountCents', (select sum(amount_cents) from uber_fees where import_id = ${id}))`,
			},
			feeImports,
			sql`${feeImports.id} = ${id} and not exists (select 1 from audit_events where entity = 'fee-import' and entity_id = ${id})`,
		),
		made: build.select().from(feeImports).where(eq(feeImports.id, id)),
		earlier: importByKey(build, user.id, input.key),
		isAdmin: build.all<{ is: number }>(sql`select ${isStillAdmin(admin)} as "is"`),
	});
	if (made[0]) return done({ import: made[0], isReplay: false });
	const before = earlier[0];
	if (before) return before.payloadHash === payloadHash ? done({ import: before, isReplay: true }) : refused("key-reused");
	if (!isAdmin[0]?.is) return refused("no-longer-admin");
	return refused(isWhole ? "changed-meanwhile" : "not-importable", preview.value);
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

/** Undoes one's own import within ten minutes: the fees of it that are still there are deleted. */
export async function undoImport(
	admin: AdminContext,
	id: string,
): Promise<Outcome<FeeImport, Refused<"not-found"> | Refused<"not-to-undo">>> {
	const { db, user, now } = admin;
	const { build } = db;
	const changeId = crypto.randomUUID();
	const condition = and(
		eq(feeImports.id, id),
		eq(feeImports.addedBy, user.id),
		sql`${feeImports.undoneAt} is null`,
		sql`${feeImports.createdAt} > ${now - UNDO_WINDOW_MS}`,
		isStillAdmin(admin),
	) as SQL;
	const left = sql`(select count(*) from uber_fees where import_id = ${id} and deleted_at is null)`;
	const { row } = await db.batch({
		audit: auditStatement(
			build,
			actorOf(admin),
			{
				action: "fee.undo-import",
				entity: "fee-import",
				before: sql`json_object('fileName', file_name, 'rowCount', ${left})`,
				after: sql`json_object('undoneAt', ${now})`,
			},
			feeImports,
			condition,
		),
		change: build.update(feeImports).set({ undoneAt: now, lastChangeId: changeId }).where(condition),
		fees: build
			.update(uberFees)
			.set({ deletedAt: now, deletedBy: user.id, lastChangeId: changeId })
			.where(
				sql`${uberFees.importId} = ${id} and ${uberFees.deletedAt} is null and exists (select 1 from fee_imports where id = ${id} and last_change_id = ${changeId})`,
			),
		row: build.select().from(feeImports).where(eq(feeImports.id, id)),
	});
	if (!row[0]) return refused("not-found");
	return row[0].lastChangeId === changeId ? done(row[0]) : refused("not-to-undo");
}
