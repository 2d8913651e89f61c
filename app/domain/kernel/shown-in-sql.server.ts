/**
 * How SQL writes what people read, for texts that are composed in the statement that stores them.
 * Tests keep each in step with its TypeScript function.
 */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { fleetSign } from "../../values/fleet-units.ts";

/**
 * Cents as `$1,234.50`, as `formatDollars` does. The sign is looked up when a statement is built,
 * so that a constant may use this; a prepared one would keep it.
 */
export const dollarsOf = (cents: SQLWrapper): SQLWrapper => ({
	getSQL: () =>
		sql`${fleetSign()} || printf('%,d', ${cents} / 100) || '.' || printf('%02d', ${cents} % 100)`,
});

/** `FR-000012`, as `requestNumber` does. */
export const requestNumberOf = (number: SQLWrapper): SQL => sql`'FR-' || printf('%06d', ${number})`;

/** `PO-000012`, as `payoutNumber` does. */
export const payoutNumberOf = (number: SQLWrapper): SQL => sql`'PO-' || printf('%06d', ${number})`;

/** `ST-000012`, as `settlementNumber` does. */
export const settlementNumberOf = (number: SQLWrapper): SQL =>
	sql`'ST-' || printf('%06d', ${number})`;

/** A date as `Nov 9, 2026`, as `formatDate` does. */
export const dateOf = (date: SQLWrapper): SQL =>
	sql`substr('JanFebMarAprMayJunJulAugSepOctNovDec', 3 * substr(${date}, 6, 2) - 2, 3) || ' '
		|| cast(substr(${date}, 9) as integer) || ', ' || substr(${date}, 1, 4)`;

/**
 * A person's role, as `roleOf` says it.
 * @param table `users`, or what the statement calls it
 */
export const roleIn = (table: string): SQL =>
	sql.raw(`iif(${table}.role = 'none' and ${table}.is_viewer, 'viewer', ${table}.role)`);

/** Whether a person is an administrator or an accountant, as `isOfOffice` says it. */
export const isOfOfficeIn = (table: string): SQL =>
	sql.raw(`(${table}.role = 'admin' or (${table}.role = 'none' and ${table}.is_viewer is 1))`);

/** `DRV-0012`, as `formatDriverCode` does. */
export const driverCodeOf = (number: SQLWrapper): SQL => sql`printf('DRV-%04d', ${number})`;
