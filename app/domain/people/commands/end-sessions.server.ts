import { sql } from "drizzle-orm";
import { sessions, users } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { OperatorContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { hasEmail } from "../live-sessions.server.ts";
import { endSessionsStatement } from "../sessions.server.ts";

/** Ends every session of the account with an email; returns how many were open. */
export async function endSessions(
	operator: OperatorContext,
	email: string,
): Promise<Outcome<number, Refused<"not-found">>> {
	const { build } = operator.db;
	const { now } = operator;
	const isOpen = sql`sessions.ended_at is null and sessions.expires_at > ${now}`;
	const open = sql`from sessions where sessions.user_id = ${users.id} and ${isOpen}`;
	const theirs = sql`${sessions.userId} in (select ${users.id} from ${users}
		where ${hasEmail(email)})`;
	const { rows, answers } = await transition(operator, {
		table: users,
		rows: hasEmail(email),
		when: sql`exists (select 1 ${open})`,
		set: {},
		audit: { action: "session.end-all", entity: "user" },
		first: {
			open: build
				.select({ token: sessions.tokenHash })
				.from(sessions)
				.where(sql`${theirs}
				and ${isOpen}`),
		},
		next: (person) => ({
			end: endSessionsStatement(build, person, "ended-by-admin", now),
		}),
		read: (build) => build.select({ id: users.id }).from(users).where(hasEmail(email)),
	});
	return rows[0] ? done(answers.open.length) : refused("not-found");
}
