/** Warns owners in time that their script will stop working. */
import { sql } from "drizzle-orm";
import type { Builder, StatementResult, Statements } from "../../db/client.server.ts";
import { users } from "../../db/schema.ts";
import { dateIn, formatDate } from "../../values/calendar-date.ts";
import { administrators, hello, queueMail, type Site } from "../mail/queue.server.ts";
import type { selectExpiringTokens } from "./queries.server.ts";

/** One email for each token, once. */
export function queueExpiryEmails(
	build: Builder,
	tokens: StatementResult<ReturnType<typeof selectExpiringTokens>>,
	{ now, timeZone, site }: { now: number; timeZone: string; site: Site },
): Statements {
	return Object.fromEntries(
		tokens.map(({ id, ownerId, name, expiresAt }) => {
			const on = formatDate(dateIn(timeZone, expiresAt));
			const email = {
				kind: "token-expires",
				subject: `Your token ${name} expires on ${on}`,
				body: sql`${hello} || ${`Your token ${name} expires on ${on}. Whatever uses it stops working then.\n\nMake a new one, and revoke the old one once it is no longer used: ${site.origin}/settings/tokens`}`,
				aboutId: ownerId,
				dedupeKey: `token-expires:${id}`,
				now,
			};
			return [id, queueMail(build, email, sql`${administrators} and ${users.id} = ${ownerId}`)];
		}),
	);
}
