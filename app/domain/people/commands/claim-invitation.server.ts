import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Builder } from "../../../db/client.server.ts";
import { users } from "../../../db/schema.ts";
import { auditStatement } from "../../kernel/audit-entry.server.ts";
import { isKnown, type Visit, visitorAudit } from "../identity.server.ts";

/**
 * Gives an open invitation to the visitor whose email it was sent to.
 * @param address proved by an issuer that is trusted with emails
 */
export function claimInvitation(
	build: Builder,
	{ identity, actor, changeId }: Visit,
	address: string,
) {
	const { issuer, subject } = identity;
	const { now } = actor;
	const isOpen = sql`${and(
		eq(users.email, address),
		isNull(users.deletedAt),
		eq(users.isActive, true),
		isNotNull(users.invitedAt),
		isNull(users.claimedAt),
	)} and ${users.inviteExpiresAt} > ${now} and not ${isKnown(identity)}
		and not exists (select 1 from identities where user_id = ${users.id})`;
	return {
		claimAudit: auditStatement(
			build,
			actor,
			visitorAudit("invitation.claim", identity),
			users,
			isOpen,
		),
		claim: build.update(users).set({ claimedAt: now, lastChangeId: changeId }).where(isOpen),
		claimIdentity: build.run(sql`
			insert into identities (issuer, subject, user_id, created_at)
			select ${issuer}, ${subject}, id, ${now} from users
			where email = ${address} and deleted_at is null and last_change_id = ${changeId}
			on conflict do nothing`),
	};
}
