/**
 * Reads of Uber fees. Every query is a statement; every list is one page of a cursor. Deleted fees
 * are left out.
 */
import { and, eq, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import type { Owner } from "../../db/owner.server.ts";
import { prepare, prepareForOwner } from "../../db/prepared.server.ts";
import { uberFees, users } from "../../db/schema.ts";
import type { Position } from "../../values/cursor.ts";
import { isApprovedDriver } from "../people/standing.server.ts";
import type { FeeWithDriver } from "./json.ts";
import type { FeeCursor } from "./search.ts";

/**
 * Fees with their drivers; D1 returns rows by column name, and no column of a fee has the name of
 * one of these.
 */
export function feesWithDrivers(build: Builder) {
	return build
		.select({
			fee: uberFees,
			driver: {
				firstName: users.firstName,
				lastName: users.lastName,
				driverNumber: users.driverNumber,
			},
		})
		.from(uberFees)
		.innerJoin(users, eq(users.id, uberFees.driverId));
}

/**
 * One page of fees, latest day first, and within a day last added first.
 * @param driverId whose; absent for the whole fleet
 */
export function listFees(
	build: Builder,
	driverId: Owner | undefined,
	limit: number,
	position?: Position<FeeCursor>,
) {
	if (position) return feesOf(build, driverId, limit, position);
	return driverId === undefined ? latestFees({ limit }) : latestFeesOf(driverId, { limit });
}

const latestFees = prepare((build, value: (name: "limit") => Placeholder) =>
	feesOf(build, undefined, value("limit")),
);
const latestFeesOf = prepareForOwner((build, driverId, value: (name: "limit") => Placeholder) =>
	feesOf(build, driverId, value("limit")),
);

function feesOf(
	build: Builder,
	driverId: Owner | undefined,
	limit: number | Placeholder,
	position?: Position<FeeCursor>,
) {
	const { chargedOn, createdAt, id } = uberFees;
	const { way, cursor } = position ?? {};
	const place = way && cursor && { way, values: [cursor.chargedOn, cursor.createdAt, cursor.id] };
	const page = keyset([chargedOn, createdAt, id], "desc", place);
	return feesWithDrivers(build)
		.where(
			and(
				isNull(uberFees.deletedAt),
				driverId === undefined ? undefined : eq(uberFees.driverId, driverId),
				page.past,
			),
		)
		.orderBy(page.order)
		.limit(limit);
}

/** The position of a row in the list. */
export function cursorOf({ fee }: FeeWithDriver): FeeCursor {
	return { chargedOn: fee.chargedOn, createdAt: fee.createdAt, id: fee.id };
}

/** One fee by its id. */
export function findFee(build: Builder, id: string) {
	return feesWithDrivers(build).where(and(eq(uberFees.id, id), isNull(uberFees.deletedAt)));
}

/** Whether a fee can be added again: nothing new is recorded about some drivers. */
export const selectCanAddAgain = (build: Builder, id: string) =>
	build.all<{ can: number }>(sql`select ${isApprovedDriver(whoseFee(id))} as can`);

/** A fee's driver, as a sub-select; null if nothing new is recorded about them. */
export function driverOfFee(id: string): SQL {
	return sql`(select ${whoseFee(id)} where ${isApprovedDriver(whoseFee(id))})`;
}

const whoseFee = (id: string) =>
	sql`(select driver_id from uber_fees where uber_fees.id = ${id} and deleted_at is null)`;
