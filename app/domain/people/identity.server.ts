/** A visitor at sign-in: an issuer has said who they are, and they have no session yet. */

import { type SQL, sql } from "drizzle-orm";
import type { AuditAction } from "../kernel/audit-kinds.ts";
import type { AuditActor } from "../kernel/context.ts";

/** A person's identity at an issuer. An email identifies nobody. */
export type Identity = { readonly issuer: string; readonly subject: string };

/**
 * A visit that ends in a session. Its commands return statements, since signing in is one batch.
 */
export type Visit = {
	readonly identity: Identity;
	/** The visitor as the audit records them. */
	readonly actor: AuditActor;
	/** Marks the row that this sign-in changes or makes. */
	readonly changeId: string;
};

/** Whether the identity belongs to an account. */
export const isKnown = ({ issuer, subject }: Identity): SQL =>
	sql`exists (select 1 from identities where issuer = ${issuer} and subject = ${subject})`;

/** How the audit records a visitor's new account. */
export const visitorAudit = (action: AuditAction, { issuer }: Identity) => ({
	action,
	entity: "user",
	after: sql`json_object('issuer', ${issuer})`,
});
