/** What reports read besides the totals: rows, by index and in pages. */
import {
	and,
	asc,
	between,
	desc,
	eq,
	getTableColumns,
	inArray,
	isNotNull,
	isNull,
	sql,
} from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { literal } from "../../db/literal.ts";
import { blockTotals, fundRequests, mileageLogs, uberFees, users } from "../../db/schema.ts";
import type { Period } from "../../values/period.ts";
import { dayNumber } from "../analytics/blocks.ts";
import { NET, SUMS } from "../analytics/queries.server.ts";
import type { ClosedUntil } from "../archive/closed-years.server.ts";
import { withArchived } from "../archive/read.server.ts";
import { effectiveCents, isRequestedIn } from "../fund-requests/rows.server.ts";
import type { AuthenticatedContext } from "../kernel/context.ts";
import { pick } from "../kernel/record.ts";
import { TRIP } from "../mileage/record.ts";
import type { LogCursor } from "../mileage/search.ts";
import { isApproved } from "../people/standing.server.ts";

const DRIVER = {
	firstName: users.firstName,
	lastName: users.lastName,
	driverNumber: users.driverNumber,
};

/**
 * The daily totals of some drivers for a period, in the order of the drivers' ids; days without
 * activity are left out.
 * @param driverIds as one parameter, however many they are
 */
export function selectDayTotals(
	build: Builder,
	driverIds: readonly string[],
	{ from, to }: Period,
) {
	const { driverId, firstDay, miles, trips, gasCents, maintenanceCents, otherCents } = blockTotals;
	return build
		.select({
			driverId,
			firstDay,
			miles,
			trips,
			gasCents,
			maintenanceCents,
			otherCents,
			commissionCents: NET.commissionCents.as("commissionNet"),
			serviceFeeCents: NET.serviceFeeCents.as("serviceFeeNet"),
			bookingFeeCents: NET.bookingFeeCents.as("bookingFeeNet"),
			otherFeeCents: NET.otherFeeCents.as("otherFeeNet"),
		})
		.from(blockTotals)
		.where(
			and(
				sql`${driverId} in (select value from json_each(${JSON.stringify(driverIds)}))`,
				eq(blockTotals.days, 1),
				between(firstDay, dayNumber(from), dayNumber(to)),
			),
		)
		.orderBy(asc(driverId), asc(firstDay));
}
export type DayTotals = Awaited<ReturnType<typeof selectDayTotals>>[number];

/**
 * The combined daily totals of people who are no longer drivers: everyone whom
 * `selectTotalsByDriver` leaves out.
 */
export function formerTotalsByDay(build: Builder, { from, to }: Period) {
	const { role, approvalStatus, deletedAt } = users;
	const isFormer = sql`(${role} in ('admin', 'none')
		or ${role} = 'driver' and ${approvalStatus} in ('pending', 'rejected')
		or ${role} = 'driver' and ${approvalStatus} = 'approved' and ${deletedAt} is not null)`;
	return build
		.select({ day: blockTotals.firstDay, ...SUMS })
		.from(blockTotals)
		.where(
			and(
				inArray(blockTotals.driverId, build.select({ id: users.id }).from(users).where(isFormer)),
				eq(blockTotals.days, 1),
				between(blockTotals.firstDay, dayNumber(from), dayNumber(to)),
			),
		)
		.groupBy(blockTotals.firstDay)
		.orderBy(asc(blockTotals.firstDay));
}

/**
 * The largest approved requests of a period.
 * @param timeZone the fleet's
 */
export function largestRequests(build: Builder, period: Period, timeZone: string, limit: number) {
	const { number, type, amountCents, approvedAmountCents, description, requestedOn } = fundRequests;
	const { status } = fundRequests;
	return build
		.select({
			number,
			type,
			amountCents,
			approvedAmountCents,
			description,
			day: requestedOn,
			...DRIVER,
		})
		.from(fundRequests)
		.innerJoin(users, eq(users.id, fundRequests.driverId))
		.where(and(sql`${status} = ${literal("approved")}`, isRequestedIn(period, timeZone)))
		.orderBy(desc(effectiveCents), desc(requestedOn), desc(number))
		.limit(limit);
}

/** The largest fees of a period, without credits. */
export function largestFees(build: Builder, { from, to }: Period, limit: number) {
	const { id, category, amountCents, referenceNumber, description, chargedOn } = uberFees;
	return build
		.select({ category, amountCents, referenceNumber, description, day: chargedOn, ...DRIVER })
		.from(uberFees)
		.innerJoin(users, eq(users.id, uberFees.driverId))
		.where(
			and(between(chargedOn, from, to), isNull(uberFees.deletedAt), eq(uberFees.isCredit, false)),
		)
		.orderBy(desc(amountCents), desc(chargedOn), desc(id))
		.limit(limit);
}

/** A driver whose log may be requested: approved, active or not. */
export function findLogDriver(build: Builder, id: string) {
	return build
		.select({ id: users.id, ...DRIVER })
		.from(users)
		.where(and(eq(users.id, id), isApproved));
}

/** A driver's trips in a period, after one of them. */
function tripsAfter(driverId: string, { from, to }: Period, after: LogCursor | undefined) {
	const { id, drivenOn, endMiles } = mileageLogs;
	return and(
		eq(mileageLogs.driverId, driverId),
		between(drivenOn, after ? after.drivenOn : from, to),
		after &&
			sql`(${drivenOn}, ${endMiles}, ${id}) > (${after.drivenOn}, ${after.endMiles}, ${after.id})`,
	);
}

/**
 * A driver's trips in a period, in the order they were driven, without voided ones.
 * @param isBack the other way round: the last trip first
 */
export function selectTrips(
	build: Builder,
	driverId: string,
	period: Period,
	limit: number,
	after?: LogCursor,
	isBack = false,
) {
	const { id, drivenOn, endMiles, voidedAt } = mileageLogs;
	const order = isBack ? desc : asc;
	return build
		.select(pick(getTableColumns(mileageLogs), TRIP, "document"))
		.from(mileageLogs)
		.where(and(tripsAfter(driverId, period, after), isNull(voidedAt)))
		.orderBy(order(drivenOn), order(endMiles), order(id))
		.limit(limit);
}
export type Trip = Awaited<ReturnType<typeof selectTrips>>[number];

/** More trips than anyone logs in a year. */
const TRIPS_OF_A_YEAR = 20_000;

/** The trips of a driver in a period that weren't all business. */
export function selectPersonalTrips(build: Builder, driverId: string, period: Period) {
	const { id, drivenOn, endMiles, personalMiles, voidedAt } = mileageLogs;
	return build
		.select({ id, drivenOn, endMiles, personalMiles: sql<number>`${personalMiles}`.as("personal") })
		.from(mileageLogs)
		.where(
			and(tripsAfter(driverId, period, undefined), sql`${personalMiles} > 0`, isNull(voidedAt)),
		)
		.orderBy(asc(drivenOn))
		.limit(TRIPS_OF_A_YEAR);
}
export type PersonalTrip = Awaited<ReturnType<typeof selectPersonalTrips>>[number];

/** Including those in the archive. */
export async function withArchivedPersonalTrips(
	reader: Pick<AuthenticatedContext, "archive">,
	closed: ClosedUntil,
	trips: readonly PersonalTrip[],
	driverId: string,
	period: Period,
): Promise<readonly PersonalTrip[]> {
	const page = { rows: trips, limit: TRIPS_OF_A_YEAR, from: period.from, isDescending: false };
	return withArchived(
		reader,
		closed,
		{ ...page, placeOf: (trip) => trip },
		async (archive) =>
			(await archive.batch({ trips: selectPersonalTrips(archive.build, driverId, period) })).trips,
	);
}

/** The voided trips of a driver in a period, in the order they were driven. */
export function selectVoidedTrips(
	build: Builder,
	driverId: string,
	period: Period,
	limit: number,
	after?: LogCursor,
) {
	const { id, drivenOn, startMiles, endMiles, miles, createdAt } = mileageLogs;
	const { voidedAt, voidedBy, voidReason } = mileageLogs;
	return build
		.select({
			id,
			drivenOn,
			startMiles,
			endMiles,
			miles,
			createdAt,
			// A voided trip has both: the CHECK mileage_void and the condition below.
			voidedAt: sql<number>`${voidedAt}`.as("voidedAt"),
			isOwnVoid: sql<number>`${voidedBy} = ${mileageLogs.driverId}`.as("isOwnVoid"),
			voidReason,
		})
		.from(mileageLogs)
		.where(and(tripsAfter(driverId, period, after), isNotNull(voidedAt)))
		.orderBy(asc(drivenOn), asc(endMiles), asc(id))
		.limit(limit);
}
export type VoidedTrip = Awaited<ReturnType<typeof selectVoidedTrips>>[number];
