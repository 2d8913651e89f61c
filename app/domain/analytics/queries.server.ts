/**
 * Figures read from the totals that triggers keep (docs/decisions/0012). A window's cost depends
 * only on its length, never on how much was logged in it.
 */
import { and, asc, between, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Builder, Database } from "../../db/client.server.ts";
import type { Owner } from "../../db/owner.server.ts";
import { prepareForOwner } from "../../db/prepared.server.ts";
import { driverTotals, users } from "../../db/schema.ts";
import type { Period } from "../../values/period.ts";
import { isRole } from "../people/standing.server.ts";
import { ALL_TIME, type Block, coverPeriod, dayNumber } from "./blocks.ts";

/** The driver id of the whole fleet's totals. */
export const FLEET = "";

const sumOf = (column: AnySQLiteColumn | SQL, name: string) =>
	sql<number>`coalesce(sum(${column}), 0)`.as(name);

const T = driverTotals;
/** A category's fees in a block: charges minus credits. */
export const NET = {
	commissionCents: sql<number>`(${T.commissionCents} - ${T.commissionCreditCents})`,
	serviceFeeCents: sql<number>`(${T.serviceFeeCents} - ${T.serviceFeeCreditCents})`,
	bookingFeeCents: sql<number>`(${T.bookingFeeCents} - ${T.bookingFeeCreditCents})`,
	otherFeeCents: sql<number>`(${T.otherFeeCents} - ${T.otherFeeCreditCents})`,
};

/** The columns of `Totals` (rules.ts), summed; credits count as fees. */
export const SUMS = {
	miles: sumOf(driverTotals.miles, "miles"),
	trips: sumOf(driverTotals.trips, "trips"),
	fuelCents: sumOf(driverTotals.gasCents, "fuelCents"),
	fuelRequests: sumOf(driverTotals.gasRequests, "fuelRequests"),
	maintenanceCents: sumOf(driverTotals.maintenanceCents, "maintenanceCents"),
	maintenanceRequests: sumOf(driverTotals.maintenanceRequests, "maintenanceRequests"),
	otherCents: sumOf(driverTotals.otherCents, "otherCents"),
	otherRequests: sumOf(driverTotals.otherRequests, "otherRequests"),
	pendingCents: sumOf(driverTotals.pendingCents, "pendingCents"),
	pendingRequests: sumOf(driverTotals.pendingRequests, "pendingRequests"),
	commissionCents: sumOf(NET.commissionCents, "commissionCents"),
	commissionFees: sumOf(sql`${T.commissionFees} + ${T.commissionCredits}`, "commissionFees"),
	serviceFeeCents: sumOf(NET.serviceFeeCents, "serviceFeeCents"),
	serviceFeeFees: sumOf(sql`${T.serviceFeeFees} + ${T.serviceFeeCredits}`, "serviceFeeFees"),
	bookingFeeCents: sumOf(NET.bookingFeeCents, "bookingFeeCents"),
	bookingFeeFees: sumOf(sql`${T.bookingFeeFees} + ${T.bookingFeeCredits}`, "bookingFeeFees"),
	otherFeeCents: sumOf(NET.otherFeeCents, "otherFeeCents"),
	otherFeeFees: sumOf(sql`${T.otherFeeFees} + ${T.otherFeeCredits}`, "otherFeeFees"),
};

/**
 * A block column's condition for a period; matches no block if it ends before it starts. Without a
 * period: all time.
 */
function isInBlocks(period: Period | undefined): SQL {
	const blocks: readonly Block[] = period ? coverPeriod(period) : [ALL_TIME];
	// Not just `0`: without a column of the index, SQLite plans a table scan, even though it never
	// runs.
	if (blocks.length === 0) return sql`${driverTotals.days} < 0`;
	const rows = blocks.map(
		({ days, firstDay }) => sql`(${sql.raw(String(days))}, ${sql.raw(String(firstDay))})`,
	);
	return sql`(${driverTotals.days}, ${driverTotals.firstDay}) in (values ${sql.join(rows, sql`, `)})`;
}

/**
 * A driver's or the fleet's totals in a window: one row of `Totals`.
 * @param whose a driver's id, or FLEET
 * @param period calendar dates, both ends included; absent for all time
 */
export const selectTotals = (whose: Owner, period?: Period) => totalsOf(whose, {}, period);

const totalsOf = prepareForOwner((build, whose, _value, period: Period | undefined) =>
	build
		.select(SUMS)
		.from(driverTotals)
		.where(and(eq(driverTotals.driverId, whose), isInBlocks(period))),
);

/** The date of the fleet's first entry, as a Julian day number: the first row of its index. */
export function selectFirstDay(build: Builder) {
	return build
		.select({ day: driverTotals.firstDay })
		.from(driverTotals)
		.where(and(eq(driverTotals.driverId, FLEET), eq(driverTotals.days, 1)))
		.orderBy(asc(driverTotals.firstDay))
		.limit(1);
}

/**
 * One row of `Totals` per date on which something counts, oldest first; other dates have no row.
 * @returns `day` is a Julian day number; `dateFromDayNumber` (blocks.ts) gives the date
 */
export function selectTotalsByDay(
	build: Builder,
	whose: SQL<string> | string,
	{ from, to }: Period,
) {
	return build
		.select({ day: driverTotals.firstDay, ...SUMS })
		.from(driverTotals)
		.where(
			and(
				eq(driverTotals.driverId, whose),
				eq(driverTotals.days, 1),
				between(driverTotals.firstDay, dayNumber(from), dayNumber(to)),
			),
		)
		.groupBy(driverTotals.firstDay)
		.orderBy(asc(driverTotals.firstDay));
}

/**
 * One row with the window's totals for every approved driver, active or not: the inactive ones
 * first, then by name.
 * @param period absent for all time
 * @param driverId only this driver
 */
export function selectTotalsByDriver(build: Builder, period?: Period, driverId?: string) {
	return build
		.select({
			id: users.id,
			firstName: users.firstName,
			lastName: users.lastName,
			driverNumber: users.driverNumber,
			isActive: users.isActive,
			...SUMS,
		})
		.from(users)
		.leftJoin(driverTotals, and(eq(driverTotals.driverId, users.id), isInBlocks(period)))
		.where(
			and(
				eq(users.role, "driver"),
				eq(users.approvalStatus, "approved"),
				isNull(users.deletedAt),
				driverId === undefined ? undefined : eq(users.id, driverId),
			),
		)
		.groupBy(users.isActive, users.lastName, users.firstName, users.id)
		.orderBy(asc(users.isActive), asc(users.lastName), asc(users.firstName), asc(users.id));
}

/** Drivers per statement. */
export const DRIVERS_PER_PAGE = 250;

/** Which drivers a page of `selectTotalsPage` has. */
export type PageOfDrivers = {
	/** The last driver of the previous page. */
	readonly after?: Pick<DriverTotals, "isActive" | "lastName" | "firstName" | "id"> | undefined;
	readonly size?: number | undefined;
	/** Only active drivers, or only the others. */
	readonly isActive?: boolean | undefined;
	/** Where this is false, nobody is read. */
	readonly onlyIf?: SQL | undefined;
};

/** A page of `selectTotalsByDriver`. */
export function selectTotalsPage(
	build: Builder,
	period: Period | undefined,
	{ after, isActive, onlyIf, size = DRIVERS_PER_PAGE }: PageOfDrivers = {},
) {
	const { lastName, firstName, id } = users;
	const page = build
		.select({ id })
		.from(users)
		.where(
			and(
				isRole("driver", onlyIf),
				eq(users.approvalStatus, "approved"),
				isNull(users.deletedAt),
				isActive === undefined ? undefined : eq(users.isActive, isActive),
				after &&
					sql`(${users.isActive}, ${lastName}, ${firstName}, ${id}) > (${after.isActive ? 1 : 0}, ${after.lastName}, ${after.firstName}, ${after.id})`,
			),
		)
		.orderBy(asc(users.isActive), asc(lastName), asc(firstName), asc(id))
		.limit(size);
	return build
		.select({
			id,
			firstName,
			lastName,
			driverNumber: users.driverNumber,
			isActive: users.isActive,
			...SUMS,
		})
		.from(users)
		.leftJoin(driverTotals, and(eq(driverTotals.driverId, id), isInBlocks(period)))
		.where(sql`${id} in ${page}`)
		.groupBy(users.isActive, lastName, firstName, id)
		.orderBy(asc(users.isActive), asc(lastName), asc(firstName), asc(id));
}

/**
 * The window's totals of every approved driver, read page by page after the first one.
 * @param first the result of `selectTotalsPage` for the first page
 */
export async function remainingTotals(
	db: Database,
	first: readonly DriverTotals[],
	period?: Period,
): Promise<DriverTotals[]> {
	const all = [...first];
	for (let size = first.length; size === DRIVERS_PER_PAGE; ) {
		const { page } = await db.batch({
			page: selectTotalsPage(db.build, period, { after: all.at(-1) }),
		});
		all.push(...page);
		size = page.length;
	}
	return all;
}

/** A driver's row of `selectTotalsByDriver`. */
export type DriverTotals = Awaited<ReturnType<typeof selectTotalsByDriver>>[number];
