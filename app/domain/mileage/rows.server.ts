/** Conditions that the commands on mileage logs share. */
import { type SQL, sql } from "drizzle-orm";
import type { mileageLogs } from "../../db/schema.ts";
import type { AuditEntry } from "../audit/entry.server.ts";
import { DRIVER_VOID_WINDOW_MS } from "./rules.ts";

export type MileageLog = typeof mileageLogs.$inferSelect;

/** An entry that its driver may still void or correct. */
export const isCorrectable = (driverId: string, now: number): SQL =>
	sql`driver_id = ${driverId} and voided_at is null and created_at > ${now - DRIVER_VOID_WINDOW_MS}`;

/** What the audit says of an entry that is voided at a moment. */
export const voidAudit = (now: number, reason?: string): AuditEntry => ({
	action: "mileage.void",
	entity: "mileage-log",
	before: sql`json_object('date', driven_on, 'start', start_miles, 'end', end_miles)`,
	after: sql`json_object('voidedAt', ${now})`,
	reason,
});
