/** The administrators' weekly digest: its contents, and who gets it. */
import { asc, sql } from "drizzle-orm";
import type { Builder, StatementResult } from "../../db/client.server.ts";
import { fundRequests, users } from "../../db/schema.ts";
import { type CalendarDate, dateIn } from "../../values/calendar-date.ts";
import { FLEET, selectTotals } from "../analytics/queries.server.ts";
import { ZERO_TOTALS } from "../analytics/rules.ts";
import { administrators, hello, queueMail } from "../mail/queue.server.ts";
import { countFlaggedEntries } from "../mileage/review.server.ts";
import { KIND } from "../people/email-choices.ts";
import { rangePeriod } from "../reports/rules.ts";
import { dedupeKey, type ReminderContext, wantsReminder } from "./context.server.ts";
import { type DigestFigures, MAX_FLAGS } from "./digest.ts";

/** How many requests are checked for duplicates, oldest first. */
const MAX_LOOKED_AT = 1000;

/** The dates of last week, which starts on Sunday as in the reports. */
const lastWeek = (today: CalendarDate) => rangePeriod("last_week", today);

/** The digest's statements; what they read doesn't grow with the fleet's history. */
export function digestStatements(build: Builder, today: CalendarDate) {
	const period = lastWeek(today);
	return {
		all: selectTotals(FLEET),
		week: selectTotals(FLEET, period),
		oldest: build
			.select({ createdAt: fundRequests.createdAt })
			.from(fundRequests)
			.where(sql`${fundRequests.status} = 'pending'`)
			.orderBy(asc(fundRequests.createdAt), asc(fundRequests.number))
			.limit(1),
		flagged: countFlaggedEntries(build, period, MAX_FLAGS + 1),
		duplicates: build.all<{ count: number }>(sql`select count(*) as count from (
			select is_possible_duplicate as flag from fund_requests where status = 'pending'
			order by created_at, number limit ${MAX_LOOKED_AT}) where flag = 1`),
	};
}
type Answers = {
	readonly [K in keyof ReturnType<typeof digestStatements>]: StatementResult<
		ReturnType<typeof digestStatements>[K]
	>;
};

/** The results as figures of the digest. */
export function digestFigures(
	{ all, week, oldest, flagged, duplicates }: Answers,
	{ today, timeZone }: Pick<ReminderContext, "today" | "timeZone">,
): DigestFigures {
	const [totals = ZERO_TOTALS] = all;
	return {
		pendingRequests: totals.pendingRequests,
		pendingCents: totals.pendingCents,
		oldestOn: oldest[0] && dateIn(timeZone, oldest[0].createdAt),
		period: lastWeek(today),
		week: week[0] ?? ZERO_TOTALS,
		flaggedTrips: flagged[0]?.count ?? 0,
		possibleDuplicates: duplicates[0]?.count ?? 0,
	};
}

/** Queues the digest to every active administrator who wants it. */
export function queueDigest(
	build: Builder,
	{ now, today, settings }: ReminderContext,
	{ subject, body }: { readonly subject: string; readonly body: string },
) {
	return queueMail(
		build,
		{
			kind: KIND.digest,
			subject,
			body: sql`${hello} || ${body}`,
			aboutId: sql`${users.id}`,
			dedupeKey: dedupeKey(today),
			now,
		},
		sql`${administrators} and ${wantsReminder("weeklyDigest", settings)}`,
	);
}
