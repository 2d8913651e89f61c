/** What SQL asks of an email before it is sent, cancelled or included in another. */
import { type SQL, sql } from "drizzle-orm";
import { mails } from "../../db/schema.ts";
import { isOfOfficeIn } from "../kernel/shown-in-sql.server.ts";
import { INVITATION_TTL_MS } from "../kernel/time-limits.ts";

/**
 * Nobody has received it or is being sent it. Plus signs hide the status from its index, which
 * would read everything that waits instead of what the email is about.
 */
export const IS_UNSENT = sql`(+${mails.status} = 'queued'
	or +${mails.status} = 'failed' and ${mails.mayHaveBeenSent} = 0)`;

/** Its recipient may have it. */
export const MAY_BE_TOLD = sql`(${mails.status} in ('sending', 'sent') or ${mails.mayHaveBeenSent} = 1)`;

/**
 * What it says was changed after it was queued. Cancelling reaches only unsent email; this finds
 * email that was being sent meanwhile, or may have been.
 */
export const IS_OUTDATED = sql`case ${mails.kind}
	when 'request-decided' then exists (select 1 from fund_requests
		where fund_requests.id = ${mails.aboutId}
			and coalesce(fund_requests.decided_at > ${mails.createdAt}, 1))
	when 'payout-paid' then exists (select 1 from payouts
		where payouts.id = ${mails.aboutId} and coalesce(payouts.paid_at > ${mails.createdAt}, 1))
	when 'settlement-published' then exists (select 1 from settlements
		where settlements.id = ${mails.aboutId} and settlements.status = 'void')
	when 'driver-rejected' then exists (select 1 from users
		where users.id = ${mails.aboutId} and users.approval_status = 'approved')
	when 'invitation' then exists (select 1 from users
		where users.id = ${mails.aboutId}
			and (users.deleted_at is not null or users.is_active = 0
				or users.claimed_at is not null or users.invited_at > ${mails.createdAt}))
	when 'request-question' then exists (select 1 from fund_requests
		where fund_requests.id = ${mails.aboutId}
			and (fund_requests.status <> 'pending' or fund_requests.question <> 'asked'))
	when 'settlement-question' then exists (select 1 from settlements
		where settlements.id = ${mails.aboutId}
			and (settlements.status = 'void' or settlements.question <> 'asked'))
	when 'settlement-answer' then exists (select 1 from settlements
		where settlements.id = ${mails.aboutId} and settlements.status = 'void')
	when 'webhook-switched-off' then exists (select 1 from webhooks
		where webhooks.id = ${mails.aboutId}
			and (webhooks.removed_at is not null or webhooks.switched_off_at is null))
	else 0 end`;

/** What is of use only to administrators or drivers with access. */
const FOR_ADMINISTRATORS = sql`(${mails.kind} in ('admin-digest', 'new-admin', 'request-answer',
	'settlement-question', 'token-expires', 'webhook-switched-off'))`;
const FOR_DRIVERS = sql`(${mails.kind} in ('driver-approved', 'request-question'))`;

/**
 * Its recipient was deactivated or got another role, and it is about what they can't do or may not
 * know any more. What became of a former driver's own money is still theirs to hear.
 */
export const IS_WITHOUT_ACCESS = sql`((${FOR_ADMINISTRATORS} or ${FOR_DRIVERS}) and not exists (
	select 1 from users where users.id = ${mails.recipientId} and users.is_active = 1
		and users.deleted_at is null and users.role = iif(${FOR_ADMINISTRATORS}, 'admin', 'driver')))`;

/**
 * Email that no change cancels once it no longer applies: the person has signed in or lost access,
 * the question was answered or is closed, or the webhook is on again. Where the provider may have it
 * already, the same call has to be repeated.
 */
export const IS_OVER = sql`(${mails.uncertainAt} is null and (${IS_WITHOUT_ACCESS}
	or ${mails.kind} in ('invitation', 'request-question', 'settlement-question', 'settlement-answer',
		'webhook-switched-off') and ${IS_OUTDATED}))`;

/** About an invitation that can't be accepted any more, or a token that can't be used. */
export const hasEnded = (now: number): SQL => sql`(case ${mails.kind}
	when 'invitation' then exists (select 1 from users
		where users.id = ${mails.aboutId} and users.claimed_at is null
			and users.invited_at <= iif(${isOfOfficeIn("users")},
				${now - INVITATION_TTL_MS.admin}, ${now - INVITATION_TTL_MS.driver}))
	when 'token-expires' then not exists (select 1 from api_tokens
		where ${mails.dedupeKey} = 'token-expires:' || api_tokens.id || ':' || api_tokens.owner_id
			and api_tokens.owner_id = ${mails.aboutId}
			and api_tokens.revoked_at is null and api_tokens.expires_at > ${now})
	else 0 end)`;

/** A later one of its kind about the same thing. */
const HAS_NEWER = sql`exists (select 1 from ${mails} later where later.about_id = ${mails.aboutId}
	and later.kind = ${mails.kind} and later.created_at > ${mails.createdAt})`;

/**
 * Whether resending it would tell someone less than they know: it is outdated, or about a reopening
 * or voiding that was followed by another decision, payment, publication or reopening. Undoing a
 * decision or payment silently makes it right again, so it isn't cancelled.
 */
export const IS_OVERTAKEN = sql`case ${mails.kind}
	when 'request-reopened' then exists (select 1 from fund_requests
		where fund_requests.id = ${mails.aboutId} and fund_requests.status <> 'pending') or ${HAS_NEWER}
	when 'payout-reopened' then exists (select 1 from payouts
		where payouts.id = ${mails.aboutId} and payouts.status = 'paid') or ${HAS_NEWER}
	when 'settlement-voided' then exists (select 1 from settlements
		join settlements as again on again.driver_id = settlements.driver_id
			and again.week_from = settlements.week_from and again.status = 'published'
		where settlements.id = ${mails.aboutId})
	else ${IS_OUTDATED} end`;
