/** What a person changes about himself. */
import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { sessions, users } from "../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { actorOf } from "../audit/actor.ts";
import { auditStatement } from "../audit/commands.server.ts";
import type { SelfContext, UserRow } from "../context.ts";
import { newApplicationMail } from "../mail/commands.server.ts";
import type { ProfileInput } from "./input.ts";

/**
 * Completes or corrects one's own name. A driver may until the application is decided; the first time makes it an application.
 * Refused with 'decided' when a decision came first.
 */
export async function completeProfile(self: SelfContext, input: ProfileInput): Promise<Outcome<UserRow, Refused<"decided">>> {
	const { db, user, now } = self;
	const changeId = crypto.randomUUID();
	const isOpen = and(
		eq(users.id, user.id),
		eq(users.isActive, true),
		or(eq(users.role, "admin"), eq(users.approvalStatus, "pending"), eq(users.firstName, ""), eq(users.lastName, "")),
	);
	const { changed } = await db.batch({
		audit: auditStatement(
			db.build,
			actorOf(self),
			{
				action: "profile.complete",
				entity: "user",
				before: sql`json_object('firstName', first_name, 'lastName', last_name)`,
				after: sql`json_object('firstName', ${input.firstName}, 'lastName', ${input.lastName})`,
			},
			users,
			and(isOpen, or(sql`${users.firstName} <> ${input.firstName}`, sql`${users.lastName} <> ${input.lastName}`)) ?? sql`0`,
		),
		mail: newApplicationMail(
			db.build,
			user.id,
			`${input.firstName} ${input.lastName}`,
			now,
			and(isOpen, sql`${users.appliedAt} is null`, eq(users.role, "driver")) ?? sql`0`,
		),
		change: db.build
			.update(users)
			.set({ ...input, appliedAt: sql`coalesce(${users.appliedAt}, ${now})`, lastChangeId: changeId })
			.where(isOpen),
		changed: db.build.select().from(users).where(eq(users.id, user.id)),
	});
	const row = changed[0];
	return row?.lastChangeId === changeId ? done(row) : refused("decided");
}

/**
 * Ends every session of the users a condition names; it belongs in the batch that changes their standing.
 * The rows keep the reason until they would have run out, so that the next visit can say why.
 * @param whose condition on `users`
 */
export function endSessionsStatement(build: Builder, whose: SQL, reason: "deactivated" | "role-changed" | "ended-by-admin", now: number) {
	return build
		.update(sessions)
		.set({ endedAt: now, endedReason: reason })
		.where(and(isNull(sessions.endedAt), sql`${sessions.userId} in (select ${users.id} from ${users} where ${whose})`));
}
