/** Failed email that no longer applies, and that nobody can act on. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { mails } from "../../db/schema.ts";
import { UNDO_WINDOW_MS } from "../kernel/time-limits.ts";
import { isPast } from "./commands/send-again.server.ts";
import { MAX_CANCELLED } from "./rules.ts";

/** While it can be undone, what overtook a reopening or question may make its email right again. */
const mayBeUndone = (now: number): SQL => sql`case ${mails.kind}
	when 'payout-reopened' then exists (select 1 from payouts
		where payouts.id = ${mails.aboutId} and paid_at > ${now - UNDO_WINDOW_MS})
	else ${mails.kind} in ('request-reopened', 'request-question') and exists (select 1
		from fund_requests where fund_requests.id = ${mails.aboutId} and decided_at > ${now - UNDO_WINDOW_MS}) end`;

/**
 * Cancels what failed for certain and can't be resent, the oldest first, so that it isn't counted
 * and listed as if someone had to act on it.
 */
export const cancelPastMails = (build: Builder, now: number, when: SQL = sql`1`) =>
	build
		.update(mails)
		.set({ status: "cancelled" })
		.where(
			sql`${mails.id} in (select ${mails.id} from ${mails}
				where ${mails.status} = 'failed' and ${mails.mayHaveBeenSent} = 0
					and ${isPast(now)} and not ${mayBeUndone(now)}
				order by ${mails.sendAfter} limit ${MAX_CANCELLED}) and ${when}`,
		)
		.returning({ id: mails.id });
