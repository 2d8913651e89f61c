import { eq, type SQL, sql } from "drizzle-orm";
import { sessions, users } from "../../../db/schema.ts";
import type { AuditEntry } from "../../kernel/audit-entry.server.ts";
import type { SelfContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { endSessionsStatement, isOpenAt, sessionRef } from "../sessions.server.ts";

/** Ends one of one's own sessions. An ended one stays as it is. */
export async function signOutDevice(self: SelfContext, ref: string): Promise<void> {
	const which = sql`${sessionRef} = ${ref}`;
	await endOwn(self, which, {
		action: "session.end-device",
		after: sql`json_object('device', (select device from sessions
			where ${sessions.userId} = ${users.id} and ${which}))`,
	});
}

/** Ends all of one's own sessions, including this one. */
export async function signOutEverywhere(self: SelfContext): Promise<void> {
	await endOwn(self, sql`1`, {
		action: "session.end-own",
		after: sql`json_object('sessions', (select count(*) from sessions
			where ${sessions.userId} = ${users.id} and ${isOpenAt(self.now)}))`,
	});
}

async function endOwn(
	self: SelfContext,
	which: SQL,
	audit: Pick<AuditEntry, "action" | "after">,
): Promise<void> {
	const { build } = self.db;
	const me = eq(users.id, self.user.id);
	await transition(self, {
		table: users,
		rows: me,
		when: sql`exists (select 1 from sessions where ${sessions.userId} = ${users.id}
			and ${isOpenAt(self.now)} and ${which})`,
		set: {},
		isUnlimited: true,
		audit: { ...audit, entity: "user" },
		next: (person) => ({
			end: endSessionsStatement(build, person, "signed-out", self.now, which),
		}),
		read: (make) => make.select({ id: users.id }).from(users).where(me),
	});
}
