/** Reads for imports of fee statements. */
import { desc, eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { feeImports, users } from "../../db/schema.ts";
import type { Position } from "../../values/cursor.ts";
import type { AddedFee } from "./by-columns.ts";
import type { NamedDriver } from "./driver-finder.ts";
import type { ReferredFee } from "./references.ts";
import { SAME_WITHIN_MS } from "./rules.ts";
import type { ImportCursor } from "./search.ts";

/** One page of imports and who made them, latest first. */
export function listImports(build: Builder, limit: number, position?: Position<ImportCursor>) {
	const { createdAt, id } = feeImports;
	const { past, order } = keyset(
		[createdAt, id],
		"desc",
		position && {
			way: position.way,
			values: [position.cursor.createdAt, position.cursor.id],
		},
	);
	return build
		.select({ import: feeImports, firstName: users.firstName, lastName: users.lastName })
		.from(feeImports)
		.innerJoin(users, eq(users.id, feeImports.addedBy))
		.where(past)
		.orderBy(order)
		.limit(limit);
}

/**
 * Every approved driver, active or not, since a statement may name any of them; anyone else is
 * known only by code. It grows with the fleet, not with its history.
 */
export function listMatchableDrivers(build: Builder) {
	return build.all<NamedDriver>(sql`
		select id, first_name as firstName, last_name as lastName, email,
			driver_number as driverNumber, is_active as isActive
		from users
		where role = 'driver' and approval_status = 'approved' and deleted_at is null`);
}

/** Live fees with one of these reference numbers. */
export function listRecordedReferences(build: Builder, references: readonly string[]) {
	return build.all<ReferredFee>(sql`
		select fee.reference_number as reference, fee.driver_id as driverId, fee.category,
			iif(fee.is_credit, -fee.amount_cents, fee.amount_cents) as cents, fee.charged_on as date,
			trim(users.first_name || ' ' || users.last_name) as driver
		from json_each(${JSON.stringify(references)}) as each
		cross join uber_fees as fee on fee.reference_number = each.value
			and fee.reference_number is not null and fee.deleted_at is null
		cross join users on users.id = fee.driver_id`);
}

/** The latest live import of the very same statement, within a year. */
export function findSameStatement(build: Builder, payloadHash: string, now: number) {
	return build
		.select({ import: feeImports, firstName: users.firstName, lastName: users.lastName })
		.from(feeImports)
		.innerJoin(users, eq(users.id, feeImports.addedBy))
		.where(
			sql`${feeImports.createdAt} > ${now - SAME_WITHIN_MS} and ${feeImports.payloadHash} = ${payloadHash} and ${feeImports.undoneAt} is null`,
		)
		.orderBy(desc(feeImports.createdAt))
		.limit(1);
}

const sameImports = (payloadHash: string, now: number) => sql`made.payload_hash = ${payloadHash}
	and made.created_at > ${now - SAME_WITHIN_MS} and made.undone_at is null`;

/** How often the very same file was imported within a year, without undone imports. */
export const countSameImports = (payloadHash: string, now: number): SQL<number> =>
	sql`(select count(*) from fee_imports as made where ${sameImports(payloadHash, now)})`;

/**
 * Fees without a reference number from imports of the very same file; including those deleted
 * since, because their rows were imported.
 */
export function listAddedBySame(build: Builder, payloadHash: string, now: number) {
	return build.all<Omit<AddedFee, "isCredit"> & { isCredit: number }>(sql`
		select fee.driver_id as driverId, fee.category, fee.amount_cents as amountCents,
			fee.is_credit as isCredit, fee.charged_on as date
		from fee_imports as made join uber_fees as fee on fee.import_id = made.id
		where ${sameImports(payloadHash, now)} and fee.reference_number is null`);
}
