import { sql } from "drizzle-orm";
import type { Builder } from "../../../db/client.server.ts";
import { users } from "../../../db/schema.ts";
import { auditStatement } from "../../kernel/audit-entry.server.ts";
import { noteApplication } from "../../mail/notices.server.ts";
import { isKnown, type Visit, visitorAudit } from "../identity.server.ts";

/** What the issuer says about a new person. */
export type NewAccount = {
	readonly id: string;
	/** Empty if the issuer gave none that a form would accept. */
	readonly firstName: string;
	readonly lastName: string;
	/** Verified by an issuer that is trusted with emails. */
	readonly email: string | undefined;
	/** As given; not used for anything else. */
	readonly unverifiedEmail: string | undefined;
};

/**
 * Makes a driver of an unknown visitor, unless a live account has their email. With a complete
 * name, signing in is the application.
 */
export function createAccount(
	build: Builder,
	{ identity, actor, changeId }: Visit,
	account: NewAccount,
) {
	const { issuer, subject } = identity;
	const { id, firstName, lastName, email, unverifiedEmail } = account;
	const { now } = actor;
	const appliedAt = firstName && lastName ? now : null;
	const isFree =
		email === undefined
			? sql`1`
			: sql`not exists (select 1 from users where email = ${email} and deleted_at is null)`;
	const isMade = sql`${users.id} = ${id}`;
	return {
		join: build.run(sql`
			insert into users (id, role, first_name, last_name, email, unverified_email,
				approval_status, is_active, created_at, applied_at, last_change_id)
			select ${id}, 'driver', ${firstName}, ${lastName}, ${email ?? null}, ${unverifiedEmail ?? null},
				'pending', 1, ${now}, ${appliedAt}, ${changeId}
			where not ${isKnown(identity)} and ${isFree}`),
		joinIdentity: build.run(sql`
			insert into identities (issuer, subject, user_id, created_at)
			select ${issuer}, ${subject}, id, ${now} from users where id = ${id}
			on conflict do nothing`),
		joinAudit: auditStatement(
			build,
			actor,
			visitorAudit("driver.join", identity),
			users,
			// If D1 runs the batch twice, the entry is already there.
			sql`${isMade} and not exists (select 1 from audit_events
				where entity = 'user' and entity_id = ${id})`,
		),
		application: noteApplication(
			build,
			id,
			`${firstName} ${lastName}`,
			now,
			sql`${isMade} and ${users.appliedAt} is not null`,
		),
	};
}
