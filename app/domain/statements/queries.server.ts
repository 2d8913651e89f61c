/** Reads for the import screen: imports, and the drivers that are remembered. */
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { feeImports, platformDrivers, users } from "../../db/schema.ts";
import type { Position } from "../../values/cursor.ts";
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

/** How many remembered drivers are listed. */
export const LISTED = 50;

/**
 * Remembered platform drivers, latest first: one more than are listed says that there are more.
 * @param search a platform's id or a driver's code; '' for all
 */
export function listRemembered(build: Builder, search: string) {
	const code = /^DRV-?0*(\d{1,9})$/i.exec(search)?.[1];
	const isAsked =
		search === ""
			? undefined
			: code === undefined
				? sql`${platformDrivers.platform} in ('uber', 'bolt')
					and ${platformDrivers.platformId} = ${search}`
				: eq(users.driverNumber, Number(code));
	return build
		.select({
			id: platformDrivers.id,
			driverId: platformDrivers.driverId,
			platform: platformDrivers.platform,
			platformId: platformDrivers.platformId,
			name: platformDrivers.name,
			firstName: users.firstName,
			lastName: users.lastName,
			driverNumber: users.driverNumber,
		})
		.from(platformDrivers)
		.innerJoin(users, eq(users.id, platformDrivers.driverId))
		.where(and(isNull(platformDrivers.removedAt), isAsked))
		.orderBy(desc(platformDrivers.createdAt), desc(platformDrivers.id))
		.limit(LISTED + 1);
}

/** A driver's platform ids, latest first. */
export function listAliasesOf(build: Builder, driverId: string) {
	return build
		.select({
			id: platformDrivers.id,
			platform: platformDrivers.platform,
			platformId: platformDrivers.platformId,
			name: platformDrivers.name,
		})
		.from(platformDrivers)
		.where(and(eq(platformDrivers.driverId, driverId), isNull(platformDrivers.removedAt)))
		.orderBy(desc(platformDrivers.createdAt))
		.limit(LISTED);
}
