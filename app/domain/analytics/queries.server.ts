/**
 * Figures read from the totals that triggers keep (docs/decisions/0012). What a window costs to
 * read depends on its length alone, never on how much was logged in it.
 */
import { and, asc, between, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Builder, Database } from "../../db/client.server.ts";
import type { Owner } from "../../db/owner.server.ts";
import { preparedOf } from "../../db/prepared.server.ts";
import { driverTotals, users } from "../../db/schema.ts";
import type { Period } from "../../values/period.ts";
import { isRole } from "../users/standing.server.ts";
import { ALL_TIME, type Block, coverPeriod, dayNumber } from "./blocks.ts";

/** The driver under whom the whole fleet's totals stand. */
export const FLEET = "";

const summed = (column: AnySQLiteColumn | SQL, name: string) =>
	sql<number>`coalesce(sum(${column}), 0)`.as(name);

const T = driverTotals;
/** What a category's fees come to in a block: what was charged, less what was given back. */
export const NET = {
	commissionCents: sql<number>`(${T.commissionCents} - ${T.commissionCreditCents})`,
	serviceFeeCents: sql<number>`(${T.serviceFeeCents} - ${T.serviceFeeCreditCents})`,
	bookingFeeCents: sql<number>`(${T.bookingFeeCents} - ${T.bookingFeeCreditCents})`,
	otherFeeCents: sql<number>`(${T.otherFeeCents} - ${T.otherFeeCreditCents})`,
};

/** The columns of `Totals` (rules.ts), added up; fees count their credits among their entries. */
export const SUMS = {
	miles: summed(driverTotals.miles, "miles"),
	trips: summed(driverTotals.trips, "trips"),
	fuelCents: summed(driverTotals.gasCents, "fuelCents"),
	fuelRequests: summed(driverTotals.gasRequests, "fuelRequests"),
	maintenanceCents: summed(driverTotals.maintenanceCents, "maintenanceCents"),
	maintenanceRequests: summed(driverTotals.maintenanceRequests, "maintenanceRequests"),
	otherCents: summed(driverTotals.otherCents, "otherCents"),
	otherRequests: summed(driverTotals.otherRequests, "otherRequests"),
	pendingCents: summed(driverTotals.pendingCents, "pendingCents"),
	pendingRequests: summed(driverTotals.pendingRequests, "pendingRequests"),
	commissionCents: summed(NET.commissionCents, "commissionCents"),
	commissionFees: summed(sql`${T.commissionFees} + ${T.commissionCredits}`, "commissionFees"),
	serviceFeeCents: summed(NET.serviceFeeCents, "serviceFeeCents"),
	serviceFeeFees: summed(sql`${T.serviceFeeFees} + ${T.serviceFeeCredits}`, "serviceFeeFees"),
	bookingFeeCents: summed(NET.bookingFeeCents, "bookingFeeCents"),
	bookingFeeFees: summed(sql`${T.bookingFeeFees} + ${T.bookingFeeCredits}`, "bookingFeeFees"),
	otherFeeCents: summed(NET.otherFeeCents, "otherFeeCents"),
	otherFeeFees: summed(sql`${T.otherFeeFees} + ${T.otherFeeCredits}`, "otherFeeFees"),
};

/**
 * Whose column stands in the blocks of a period; of no block when it ends before it begins. Without
 * a period: all time.
 */
function inBlocks(period: Period | undefined): SQL {
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
 * What a driver's or the fleet's window adds up to: one row of `Totals`.
 * @param whose a driver's id, or FLEET
 * @param period calendar dates, both ends included; absent for all time
 */
export const selectTotals = (whose: Owner, period?: Period) => totalsOf(whose, {}, period);

const totalsOf = preparedOf((build, whose, _value, period: Period | undefined) =>
	build
		.select(SUMS)
		.from(driverTotals)
		.where(and(eq(driverTotals.driverId, whose), inBlocks(period))),
);

/**
 * One row of `Totals` for each date on which something counts, the oldest first; dates with nothing
 * have no row.
 * @returns `day` is a Julian day number: `dateOfDay` (blocks.ts) gives the date
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
 * One row for every approved driver, active or not, with what the window adds up to: the inactive
 * ones first, then by name.
 * @param period absent for all time
 * @param driverId one driver alone
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
		.leftJoin(driverTotals, and(eq(driverTotals.driverId, users.id), inBlocks(period)))
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

/** Drivers added up in one statement. */
export const DRIVERS_PER_PAGE = 250;

/** Which drivers a page of `selectTotalsPage` holds. */
export type PageOfDrivers = {
	/** The last driver of the page before. */
	readonly after?: DriverTotals | undefined;
	/** Only those at work, or only the others. */
	readonly isActive?: boolean | undefined;
	/** Where this is false, nobody is looked at. */
	readonly onlyIf?: SQL | undefined;
};

/** A page of `selectTotalsByDriver`, at most DRIVERS_PER_PAGE rows. */
export function selectTotalsPage(
	build: Builder,
	period: Period | undefined,
	{ after, isActive, onlyIf }: PageOfDrivers = {},
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
		.limit(DRIVERS_PER_PAGE);
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
		.leftJoin(driverTotals, and(eq(driverTotals.driverId, id), inBlocks(period)))
		.where(sql`${id} in ${page}`)
		.groupBy(users.isActive, lastName, firstName, id)
		.orderBy(asc(users.isActive), asc(lastName), asc(firstName), asc(id));
}

/**
 * Every approved driver with what a window adds up to, read page by page after the first one.
 * @param first what `selectTotalsPage` has answered for the first page
 */
export async function restOfTotals(
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
