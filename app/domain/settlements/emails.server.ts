/** The emails about a published week: one to its driver, and one more if it is voided after that. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { eachOf } from "../../db/each-of.server.ts";
import { settlements as table, users } from "../../db/schema.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";
import { dateOf, settlementNumberOf } from "../kernel/shown-in-sql.server.ts";
import { UNDO_WINDOW_MS } from "../kernel/time-limits.ts";
import { queueMail } from "../mail/queue.server.ts";
import { IS_UNSENT, MAY_BE_TOLD } from "../mail/states.server.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import type { Settlement } from "./settlement.ts";
import { NOT_WORKED_OUT, showLines, showSums } from "./shown.ts";

const KIND = "settlement-published";

/** The email's subject and its text. */
function publishedEmail(settlement: Settlement): readonly [subject: string, body: string] {
	const { number, week, lines, resultCents } = settlement;
	const name = settlementNumber(number);
	const items = showLines(lines, () => undefined).map(
		({ text, platform, amount }) => `${platform ? `${platform}: ${text}` : text}: ${amount}`,
	);
	const sums = showSums(settlement).map(({ label, amount }) => `${label}: ${amount}`);
	return [
		`Your week ${formatPeriod(week)}: ${formatDollars(resultCents)} (${name})`,
		[
			`Your week ${formatPeriod(week)} (${name}) is published.`,
			...(items.length > 0 ? [items.join("\n")] : []),
			sums.join("\n"),
			`Earnings shows where each line comes from. ${NOT_WORKED_OUT}`,
		].join("\n\n"),
	];
}

/**
 * To each driver of these settlements, in the batch that publishes them: its lines and what they
 * come to. Sent a little later, so that nobody hears of a week that is voided at once.
 * @param published condition on the settlements that this change has published
 */
export function queuePublishedEmails(
	build: Builder,
	settlements: readonly Settlement[],
	published: SQL,
	now: number,
) {
	const texts = settlements.map((settlement) => [settlement.id, ...publishedEmail(settlement)]);
	return queueMail(
		build,
		{
			kind: KIND,
			subject: sql`each.value ->> 1`,
			body: sql`each.value ->> 2`,
			aboutId: sql`settlements.id`,
			dedupeKey: sql`${`${KIND}:`} || settlements.id`,
			now,
			delay: UNDO_WINDOW_MS,
		},
		published,
		sql`${eachOf(texts)} cross join settlements on settlements.id = each.value ->> 0
			cross join users on users.id = settlements.driver_id`,
	);
}

/** Cancels what hasn't been sent about settlements that were voided. */
export const cancelPublishedEmails = (build: Builder, ids: string, isDone: SQL) =>
	build.run(sql`update mails set status = 'cancelled'
		where about_id in (select value from json_each(${ids})) and kind = ${KIND} and ${IS_UNSENT}
			and ${isDone}`);

const number = settlementNumberOf(table.number);
const week = sql`${dateOf(table.weekFrom)} || ' to ' || ${dateOf(sql`date(${table.weekFrom}, '+6 days')`)}`;

/**
 * To each driver who may have been told the result of a week that is now voided: it doesn't count.
 * @param voided condition on the settlements that this change has voided
 */
export function queueVoidedEmails(
	build: Builder,
	ids: string,
	voided: SQL,
	adminName: string,
	now: number,
) {
	return queueMail(
		build,
		{
			kind: "settlement-voided",
			subject: sql`'Your week ' || ${week} || ' was voided (' || ${number} || ')'`,
			body: sql`${`${adminName} voided your week `} || ${week} || ' (' || ${number} || ')'
				|| ${". What the email about it said no longer counts.\n\nYou'll get another email if the week is published again."}`,
			aboutId: sql`${table.id}`,
			dedupeKey: sql`'settlement-voided:' || ${table.id}`,
			now,
		},
		sql`${voided} and exists (select 1 from mails where mails.about_id = ${table.id}
			and mails.kind = ${KIND} and ${MAY_BE_TOLD})`,
		sql`json_each(${ids}) as each cross join ${table} on ${table.id} = each.value
			cross join ${users} on ${users.id} = ${table.driverId}`,
	);
}
