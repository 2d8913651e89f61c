import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/**
 * Whether a driver was pseudonymized. Nothing erases what is written about them afterwards, so their
 * records accept no new texts.
 */
export const isPseudonymized = (driverId: SQLWrapper): SQL<number> =>
	sql`exists (select 1 from users as former
		where former.id = ${driverId} and former.pseudonymized_at is not null)`;
