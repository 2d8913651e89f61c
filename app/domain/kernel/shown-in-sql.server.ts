/**
 * How SQL writes what people read, for texts that are composed in the statement that stores them.
 * Tests keep each the same as its function in TypeScript.
 */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** Cents as `$1,234.50`, as `formatDollars` does. */
export const dollarsOf = (cents: SQLWrapper): SQL =>
	sql`'$' || printf('%,d', ${cents} / 100) || '.' || printf('%02d', ${cents} % 100)`;

/** `FR-000012`, as `requestNumber` does. */
export const requestNumberOf = (number: SQLWrapper): SQL => sql`'FR-' || printf('%06d', ${number})`;

/** `DRV-0012`, as `formatDriverCode` does. */
export const driverCodeOf = (number: SQLWrapper): SQL => sql`printf('DRV-%04d', ${number})`;
