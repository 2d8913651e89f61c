/**
 * Figures read from the totals that triggers keep (docs/decisions/0012). A window's cost depends
 * only on its length, never on how much was logged in it.
 */
import { and, asc, between, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Builder, Database } from "../../db/client.server.ts";
import { LONGEST_BLOCK } from "../../db/longest-block.ts";
import type { Owner } from "../../db/owner.server.ts";
import { prepareForOwner } from "../../db/prepared.server.ts";
import { blockTotals, users } from "../../db/schema.ts";
import type { Period } from "../../values/period.ts";
import { isApproved, isRole } from "../people/standing.server.ts";
import { coverPeriod, dayNumber, isTakenOff, middlesIn } from "./blocks.ts";

/** The driver id of the whole fleet's totals. */
export const FLEET = "";

const T = blockTotals;
/** A category's fees in a block: charges minus credits. */
export const NET = {
	commissionCents: sql<number>`(${T.commissionCents} - ${T.commissionCreditCents})`,
	serviceFeeCents: sql<number>`(${T.serviceFeeCents} - ${T.serviceFeeCreditCents})`,
	bookingFeeCents: sql<number>`(${T.bookingFeeCents} - ${T.bookingFeeCreditCents})`,
	otherFeeCents: sql<number>`(${T.otherFeeCents} - ${T.otherFeeCreditCents})`,
};

/**
 * The columns of `Totals` (rules.ts), summed; credits count as fees.
 * @param sign 1 for a block that is added, -1 for one that is taken off
 */
function sumsOf(sign?: SQL) {
	const sumOf = (column: AnySQLiteColumn | SQL, name: string) =>
		sql<number>`coalesce(sum(${sign ? sql`${column} * ${sign}` : column}), 0)`.as(name);
	return {
		miles: sumOf(T.miles, "miles"),
		trips: sumOf(T.trips, "trips"),
		fuelCents: sumOf(T.gasCents, "fuelCents"),
		fuelRequests: sumOf(T.gasRequests, "fuelRequests"),
		maintenanceCents: sumOf(T.maintenanceCents, "maintenanceCents"),
		maintenanceRequests: sumOf(T.maintenanceRequests, "maintenanceRequests"),
		otherCents: sumOf(T.otherCents, "otherCents"),
		otherRequests: sumOf(T.otherRequests, "otherRequests"),
		pendingCents: sumOf(T.pendingCents, "pendingCents"),
		pendingRequests: sumOf(T.pendingRequests, "pendingRequests"),
		commissionCents: sumOf(NET.commissionCents, "commissionCents"),
		commissionFees: sumOf(sql`(${T.commissionFees} + ${T.commissionCredits})`, "commissionFees"),
		serviceFeeCents: sumOf(NET.serviceFeeCents, "serviceFeeCents"),
		serviceFeeFees: sumOf(sql`(${T.serviceFeeFees} + ${T.serviceFeeCredits})`, "serviceFeeFees"),
		bookingFeeCents: sumOf(NET.bookingFeeCents, "bookingFeeCents"),
		bookingFeeFees: sumOf(sql`(${T.bookingFeeFees} + ${T.bookingFeeCredits})`, "bookingFeeFees"),
		otherFeeCents: sumOf(NET.otherFeeCents, "otherFeeCents"),
		otherFeeFees: sumOf(sql`(${T.otherFeeFees} + ${T.otherFeeCredits})`, "otherFeeFees"),
	};
}

/** The columns of `Totals`, summed over blocks that each count once. */
export const SUMS = sumsOf();

/**
 * A period's blocks, and what their columns add up to; no block if it ends before it starts. Without
 * a period: all time.
 */
function blocksOf(period: Period | undefined): { isOne: SQL; sums: typeof SUMS } {
	if (!period) return { isOne: sql`${T.days} = ${sql.raw(String(LONGEST_BLOCK))}`, sums: SUMS };
	const blocks = coverPeriod(period);
	// Not just `0`: without a column of the index, SQLite plans a table scan, even though it never
	// runs.
	if (blocks.length === 0) return { isOne: sql`${T.days} < 0`, sums: SUMS };
	const rows = blocks.map(
		({ days, firstDay }) => sql`(${sql.raw(String(days))}, ${sql.raw(String(firstDay))})`,
	);
	const isOne = sql`(${T.days}, ${T.firstDay}) in (values ${sql.join(rows, sql`, `)})`;
	if (!blocks.some((block) => isTakenOff(block, period))) return { isOne, sums: SUMS };
	const { first, last } = middlesIn(period);
	const middle = sql`2 * ${T.firstDay} + ${T.days}`;
	const sign = sql`iif(${middle} between ${sql.raw(String(first))} and ${sql.raw(String(last))}, 1, -1)`;
	return { isOne, sums: sumsOf(sign) };
}

/**
 * A driver's or the fleet's totals in a window: one row of `Totals`.
 * @param whose a driver's id, or FLEET
 * @param period calendar dates, both ends included; absent for all time
 */
export const selectTotals = (whose: Owner, period?: Period) => totalsOf(whose, {}, period);

const totalsOf = prepareForOwner((build, whose, _value, period: Period | undefined) => {
	const { isOne, sums } = blocksOf(period);
	return build
		.select(sums)
		.from(blockTotals)
		.where(and(eq(blockTotals.driverId, whose), isOne));
});

/** Whether anything counts in a block: one whose only entries were taken back stays, with zeros. */
const counts = sql`(${T.trips} + ${T.gasRequests} + ${T.maintenanceRequests} + ${T.otherRequests}
	+ ${T.pendingRequests} + ${T.commissionFees} + ${T.commissionCredits} + ${T.serviceFeeFees}
	+ ${T.serviceFeeCredits} + ${T.bookingFeeFees} + ${T.bookingFeeCredits} + ${T.otherFeeFees}
	+ ${T.otherFeeCredits}) > 0`;

/** The date of the fleet's first entry that counts, as a Julian day number. */
export function selectFirstDay(build: Builder) {
	return build
		.select({ day: blockTotals.firstDay })
		.from(blockTotals)
		.where(and(eq(blockTotals.driverId, FLEET), eq(blockTotals.days, 1), counts))
		.orderBy(asc(blockTotals.firstDay))
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
		.select({ day: blockTotals.firstDay, ...SUMS })
		.from(blockTotals)
		.where(
			and(
				eq(blockTotals.driverId, whose),
				eq(blockTotals.days, 1),
				between(blockTotals.firstDay, dayNumber(from), dayNumber(to)),
			),
		)
		.groupBy(blockTotals.firstDay)
		.orderBy(asc(blockTotals.firstDay));
}

/**
 * One row with the window's totals for every approved driver, active or not: the inactive ones
 * first, then by name.
 * @param period absent for all time
 * @param driverId only this driver
 */
export function selectTotalsByDriver(build: Builder, period?: Period, driverId?: string) {
	const { isOne, sums } = blocksOf(period);
	return build
		.select({
			id: users.id,
			firstName: users.firstName,
			lastName: users.lastName,
			driverNumber: users.driverNumber,
			isActive: users.isActive,
			...sums,
		})
		.from(users)
		.leftJoin(blockTotals, and(eq(blockTotals.driverId, users.id), isOne))
		.where(and(isApproved, driverId === undefined ? undefined : eq(users.id, driverId)))
		.groupBy(users.isActive, users.lastName, users.firstName, users.id)
		.orderBy(asc(users.isActive), asc(users.lastName), asc(users.firstName), asc(users.id));
}

/** Drivers per statement. */
const DRIVERS_PER_PAGE = 250;

/** Which drivers a page of `selectTotalsPage` has. */
export type PageOfDrivers = {
	/** The last driver of the previous page. */
	readonly after?: Pick<DriverTotals, "isActive" | "lastName" | "firstName" | "id"> | undefined;
	readonly size?: number | undefined;
	/** Only active drivers, or only the others. */
	readonly isActive?: boolean | undefined;
	/** If this is false, nobody is read. */
	readonly onlyIf?: SQL | undefined;
};

/** A page of `selectTotalsByDriver`. */
export function selectTotalsPage(
	build: Builder,
	period: Period | undefined,
	{ after, isActive, onlyIf, size = DRIVERS_PER_PAGE }: PageOfDrivers = {},
) {
	const { lastName, firstName, id } = users;
	const { isOne, sums } = blocksOf(period);
	const page = build
		.select({ id })
		.from(users)
		.where(
			and(
				isRole("driver", onlyIf),
				sql`${users.approvalStatus} = 'approved'`,
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
			...sums,
		})
		.from(users)
		.leftJoin(blockTotals, and(eq(blockTotals.driverId, id), isOne))
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
