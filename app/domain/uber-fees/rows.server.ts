/** What the commands on Uber fees share. */
import { sql } from "drizzle-orm";
import type { AuditEntry } from "../kernel/audit-entry.server.ts";

/** A fee in the audit. */
export const feeValues = sql`json_object('driverId', driver_id, 'category', category,
	'amountCents', iif(is_credit, -amount_cents, amount_cents), 'date', charged_on, 'referenceNumber', reference_number)`;

/** How the audit records a deletion. */
export const deletionAudit = (now: number, reason?: string): AuditEntry => ({
	action: "fee.delete",
	entity: "uber-fee",
	before: feeValues,
	after: sql`json_object('deletedAt', ${now})`,
	reason,
});
