import { eq, type SQL, sql } from "drizzle-orm";
import { payouts } from "../../../db/schema.ts";
import type { CalendarDate } from "../../../values/calendar-date.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { carryDecisionEmails } from "../../mail/carried.server.ts";
import { queuePaidEmails } from "../emails.server.ts";
import type { Payment } from "../input.ts";
import { type FullPayoutRow, hasOwnLine, payoutsWithParts } from "../rows.server.ts";

export type PayRefusal =
	| Refused<"not-found">
	| Refused<"not-open", FullPayoutRow>
	| Refused<"own-line", FullPayoutRow>
	| Refused<"too-early", TooEarly>;
/** The day before which it can't be paid: its newest request's, or the last of a week. */
export type TooEarly = { readonly newestOn: CalendarDate; readonly isWeek: boolean };

/** The date of a payout's newest request, and the last day of its latest week. */
const newestOn = (id: string): SQL<CalendarDate | null> =>
	sql`(select max(fund_requests.requested_on) from payout_requests
		join fund_requests on fund_requests.id = payout_requests.request_id
		where payout_requests.payout_id = ${id})`;
const lastDayOf = (id: string): SQL<CalendarDate | null> =>
	sql`(select date(max(settlements.week_from), '+6 days') from payout_settlements
		join settlements on settlements.id = payout_settlements.settlement_id
		where payout_settlements.payout_id = ${id})`;

/**
 * Marks an open payout and its settlements as paid. Nobody pays themselves. Its drivers are emailed
 * once it can no longer be undone silently.
 */
export async function payPayout(
	admin: AdminContext,
	id: string,
	payment: Payment,
): Promise<Outcome<FullPayoutRow, PayRefusal>> {
	const { db, user, now } = admin;
	const { paidOn, reference } = payment;
	const { changed, rows, answers } = await transition(admin, {
		table: payouts,
		rows: eq(payouts.id, id),
		when: sql`${payouts.status} = 'open' and not ${hasOwnLine(user.id)}
			and ${paidOn} >= coalesce(${newestOn(id)}, '') and ${paidOn} >= coalesce(${lastDayOf(id)}, '')`,
		set: {
			status: "paid",
			paidOn,
			reference: reference ?? null,
			paidAt: now,
			paidBy: user.id,
		},
		audit: {
			action: "payout.pay",
			entity: "payout",
			before: sql`json_object('status', status)`,
			after: sql`json_object('status', 'paid', 'date', ${paidOn}, 'reference', ${reference ?? null},
				'amountCents', total_cents)`,
		},
		first: {
			newest: db.build.all<{ newestOn: CalendarDate | null; lastDay: CalendarDate | null }>(
				sql`select ${newestOn(id)} as newestOn, ${lastDayOf(id)} as lastDay`,
			),
		},
		next: (paid, changeId) => ({
			emails: queuePaidEmails(db.build, id, paid, changeId, payment, now),
			carried: carryDecisionEmails(
				db.build,
				id,
				sql`exists (select 1 from ${payouts} where ${paid})`,
			),
		}),
		read: (build) => payoutsWithParts(build).where(eq(payouts.id, id)),
	});
	const [row] = rows;
	if (!row) return refused("not-found");
	if (changed.has(id)) return done(row);
	if (row.payout.status !== "open") return refused("not-open", row);
	const { newestOn: newest = null, lastDay = null } = answers.newest[0] ?? {};
	const isOwn = [...row.requests, ...row.settlements].some(({ driverId }) => driverId === user.id);
	if (isOwn) return refused("own-line", row);
	const isWeek = lastDay !== null && (newest === null || lastDay > newest);
	const latest = isWeek ? lastDay : newest;
	return latest ? refused("too-early", { newestOn: latest, isWeek }) : refused("not-open", row);
}
