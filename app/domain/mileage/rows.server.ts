/** Conditions that the commands on mileage logs share. */
import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { mileageLogs } from "../../db/schema.ts";
import type { AuditEntry } from "../kernel/audit-entry.server.ts";
import { pick } from "../kernel/record.ts";
import { DRIVER_VOID_WINDOW_MS } from "../kernel/time-limits.ts";
import { TRIP } from "./record.ts";

export type MileageLog = typeof mileageLogs.$inferSelect;

/**
 * The columns that lists select. Those that no screen shows are left out, since D1 serializes and
 * parses every column of every row as JSON.
 */
export const SHOWN_COLUMNS = pick(getTableColumns(mileageLogs), TRIP, "list");
/** An entry without the columns that only its commands need. */
export type ShownLog = Pick<MileageLog, keyof typeof SHOWN_COLUMNS>;

/** An entry that its driver may still void or correct. */
export const isCorrectable = (driverId: string, now: number): SQL =>
	sql`driver_id = ${driverId} and voided_at is null and created_at > ${now - DRIVER_VOID_WINDOW_MS}`;

/** What the audit says of a trip; the patch leaves out what is null. */
export const AUDITED = sql`json_patch(
	json_object('date', driven_on, 'start', start_miles, 'end', end_miles),
	json_object('personal', personal_miles))`;

/** How the audit records a void. */
export const voidAudit = (now: number, reason?: string): AuditEntry => ({
	action: "mileage.void",
	entity: "mileage-log",
	before: AUDITED,
	after: sql`json_object('voidedAt', ${now})`,
	reason,
});
