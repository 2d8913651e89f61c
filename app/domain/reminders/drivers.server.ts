/**
 * Reminds drivers of what is missing, a page of people at a time, with at most one email a day to
 * each.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { blockTotals, fundRequests, users } from "../../db/schema.ts";
import { formatDay, startOfDay } from "../../values/calendar-date.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { dayNumber } from "../analytics/blocks.ts";
import { shownNumber } from "../fund-requests/emails.server.ts";
import { hello, IS_REMINDER, queueMail } from "../mail/queue.server.ts";
import { areDaysOff } from "../mileage/beside.server.ts";
import { KIND } from "../people/email-choices.ts";
import { dedupeKey, type ReminderContext, wantsReminder } from "./context.server.ts";
import { lastWorkingDays, quietSince, RECEIPT_GRACE_MS } from "./rules.ts";

/** How many requests a reminder names; the others are counted. */
const MAX_NAMED = 5;

/** Signing in has proved the email; an invitation alone hasn't. */
const HAS_PROVEN_EMAIL = sql`${users.email} is not null
	and (${users.invitedAt} is null or ${users.claimedAt} is not null)`;

/** A canceled reminder reached nobody. */
const wasReminded = (kinds: readonly string[], since: SQL | number) => sql`exists (
	select 1 from mails where recipient_id = ${users.id} and ${IS_REMINDER}
		and +status <> 'cancelled' and kind in (${sql.join(
			kinds.map((kind) => sql`${kind}`),
			sql`, `,
		)}) and created_at >= ${since})`;

/** Whether someone got their access back since a moment, and couldn't log anything before. */
const wasAway = (since: number) => sql`exists (select 1 from audit_events
	where entity = 'user' and entity_id = ${users.id} and at >= ${since}
		and action in ('user.activate', 'user.change-role'))`;

/** A request that should have its receipt by now. */
const lacksReceipt = (now: number) => sql`${fundRequests.driverId} = ${users.id}
	and ${fundRequests.status} = 'pending' and ${fundRequests.createdAt} <= ${now - RECEIPT_GRACE_MS}
	and ${fundRequests.receiptId} is null and ${fundRequests.receiptName} is null`;

/** The people after a cursor, by id: as many as one statement handles, whoever they are. */
const page = (after: string, size: number) =>
	sql`(select id from users where id > ${after} order by id limit ${size})`;

/** The last person of a page; no row if nobody follows. */
export function selectPageEnd(build: Builder, after: string, size: number) {
	return build.all<{ id: string }>(
		sql`select id from users where id > ${after} order by id limit 1 offset ${size - 1}`,
	);
}

/** Queues the reminders of a page of people. */
export function queueDriverReminders(
	build: Builder,
	{ now, today, timeZone, site, settings }: ReminderContext,
	after: string,
	size: number,
) {
	const workingDays = lastWorkingDays(today);
	const [from, , to] = workingDays;
	const quiet = quietSince(timeZone, today);
	const isDriver = sql`${users.role} = 'driver' and ${users.approvalStatus} = 'approved'
		and ${users.isActive} = 1 and ${users.deletedAt} is null and ${users.firstName} <> ''
		and ${users.lastName} <> '' and ${HAS_PROVEN_EMAIL}`;
	const lacksMiles = sql`${wantsReminder("remindOfMiles", settings)}
		and max(coalesce(${users.approvedAt}, ${users.createdAt}), coalesce(${users.claimedAt}, 0)) < ${startOfDay(timeZone, from)}
		and not exists (select 1 from ${blockTotals} where ${blockTotals.driverId} = ${users.id}
			and ${blockTotals.days} = 1 and ${blockTotals.firstDay} >= ${dayNumber(from)} and ${blockTotals.trips} > 0)
		and not ${wasReminded([KIND.miles, KIND.both], quiet)}
		and not ${areDaysOff(sql<string>`page.id`, workingDays)}
		and not ${wasAway(startOfDay(timeZone, from))}`;
	// A newly overdue request is mentioned the same day, however recent the last reminder.
	const dueAt = sql`max(${fundRequests.createdAt} + ${RECEIPT_GRACE_MS}, ${quiet})`;
	const lacksReceipts = sql`${wantsReminder("remindOfReceipts", settings)}
		and exists (select 1 from ${fundRequests} where ${lacksReceipt(now)}
			and not ${wasReminded([KIND.receipts, KIND.both], dueAt)})`;
	// In this order, whatever the planner thinks of the index of all drivers; and each person is read
	// once, though the email refers to their reminders in several places.
	const due = sql`(with found as materialized (
			select ${users.id} as due_id, ${lacksMiles} as miles, ${lacksReceipts} as receipts
			from ${page(after, size)} as page cross join ${users} on ${users.id} = page.id where ${isDriver}
		) select * from found where miles or receipts) as due`;
	const milesWords = `You haven't logged any ${inUnits("miles")} for the last three working days (${formatDay(from)} to ${formatDay(to)}). If you drove, log them here: ${site.origin}/mileage\n\n`;
	return queueMail(
		build,
		{
			kind: sql`case when due.miles and due.receipts then ${KIND.both} when due.miles then ${KIND.miles} else ${KIND.receipts} end`,
			subject: sql`case when due.miles and due.receipts then ${inUnits("Reminder: log your miles and add a receipt")}
				when due.miles then ${inUnits("Reminder: log your miles")} else 'Reminder: add a receipt' end`,
			body: sql`${hello} || iif(due.miles, ${milesWords}, '')
				|| iif(due.receipts, ${receiptWords(now)} || ${` Add one here: ${site.origin}/requests\n\n`}, '')
				|| ${`Don't want these reminders? Turn them off: ${site.origin}/account`}`,
			aboutId: sql`${users.id}`,
			dedupeKey: dedupeKey(today),
			now,
		},
		sql`1`,
		sql`${due} cross join ${users} on ${users.id} = due.due_id`,
	);
}

/** A sentence that lists the person's requests without a receipt. */
function receiptWords(now: number): SQL {
	const lacking = sql`${fundRequests} where ${lacksReceipt(now)}`;
	const named = sql`(select group_concat(number, ', ') from
		(select ${shownNumber} as number from ${lacking} order by ${fundRequests.createdAt} limit ${MAX_NAMED}))`;
	const count = sql`(select count(*) from ${lacking})`;
	return sql`iif(${count} = 1, 'Your request ' || ${named} || ' has no receipt yet.',
		'These requests have no receipt yet: ' || ${named}
			|| iif(${count} > ${MAX_NAMED}, ' and ' || printf('%d', ${count} - ${MAX_NAMED}) || ' more', '') || '.')`;
}
