/**
 * The statements that remove a former driver's texts from every table except the audit. Figures,
 * dates and states are kept, so that no total changes.
 */
import { type SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { Builder, Statements } from "../../../db/client.server.ts";
import { users } from "../../../db/schema.ts";
import { AGREEMENT } from "../../agreements/record.ts";
import { CHARGE } from "../../charges/record.ts";
import { REQUEST } from "../../fund-requests/record.ts";
import { REMOVED_RECEIPT } from "../../fund-requests/rules.ts";
import { type Columns, columnsOf } from "../../kernel/record.ts";
import { TRIP } from "../../mileage/record.ts";
import { forgetReceipts } from "../../receipts/commands/sweep.server.ts";

const requestsThat = (condition: SQL) => sql`select 1 from fund_requests
	where fund_requests.driver_id = users.id and ${condition}`;
/** Their pending requests. */
export const PENDING = requestsThat(sql`status = 'pending'`);
/** What they are still owed. */
export const UNPAID = sql`${requestsThat(sql`status = 'approved' and payout_id is null`)}
	union all select 1 from settlements where settlements.driver_id = users.id
		and status = 'published' and payout_id is null and result_cents > 0`;
/** The number of an open payout that includes them. */
export const OPEN_PAYOUT = sql<number | null>`(select min(payouts.number) from (
		select payout_id from payout_requests where driver_id = users.id
		union all select payout_id from payout_settlements where driver_id = users.id) as lines
	join payouts on payouts.id = lines.payout_id
	where payouts.status = 'open')`;

/** Whether nothing open needs their name. */
export const IS_SETTLED = sql`(not exists (${PENDING}) and not exists (${UNPAID})
	and ${OPEN_PAYOUT} is null)`;

/** Replaces text that can't be empty; the trigger that protects messages allows it too. */
const REMOVED = "Removed";
/** Replaces the hash of a submission, against which a guess at the text could be checked. */
export const NO_HASH = "removed";

/**
 * The assignments that remove a record's texts, and what would let one guess them.
 * @param special values of columns that differ from row to row
 */
export function erased(record: Columns, special: Readonly<Record<string, SQL>> = {}): SQL {
	const set = columnsOf(record).flatMap(([name, { personal, erased = null }]) => {
		const column = sql.identifier(toSnakeCase(name));
		if (personal === "hash") return [sql`${column} = ${NO_HASH}`];
		return personal === "text" ? [sql`${column} = ${special[name] ?? erased}`] : [];
	});
	return sql.join(set, sql`, `);
}

/**
 * What has to run while the email is still there.
 * @param person condition on `users`; nothing happens if it matches nobody
 */
export function bounceStatements(build: Builder, person: SQL) {
	const value = (expression: SQL) => sql`(select ${expression} from ${users} where ${person})`;
	return {
		bounces: build.run(sql`delete from bounces where address in (${value(sql`${users.email}`)},
			${value(sql`${users.unverifiedEmail}`)})`),
	} satisfies Statements;
}

const receiptName = sql`iif(receipt_id is null and receipt_name is null, null, ${REMOVED_RECEIPT})`;

/**
 * What follows once the person's row says that they are pseudonymized.
 * @param person condition on `users`
 */
export function erasureStatements(build: Builder, person: SQL, now: number): Statements {
	const them = sql`(select ${users.id} from ${users} where ${person})`;
	const requests = sql`(select id from fund_requests where driver_id = ${them})`;
	const settlements = sql`(select id from settlements where driver_id = ${them})`;
	return {
		lines: build.run(forgottenLines(them)),
		money: build.run(forgottenMoney(them)),
		aliases: build.run(sql`update platform_drivers set platform_id = 'removed:' || id, name = '',
			removed_at = coalesce(removed_at, ${now}) where driver_id = ${them}`),
		identities: build.run(sql`update identities set issuer = 'removed', subject = user_id
			where user_id = ${them}`),
		sessions: build.run(sql`delete from sessions where user_id = ${them}`),
		tokens: build.run(sql`update api_tokens set name = ${REMOVED}, submission_key = null,
			payload_hash = ${NO_HASH} where owner_id = ${them}`),
		mails: build.run(sql`update mails set subject = ${REMOVED}, body = ${REMOVED},
			last_error = null, provider_id = null,
			address = iif(recipient_id = ${them}, 'removed', address),
			status = iif(status = 'sent', 'sent', 'cancelled')
			where id in (select id from mails where recipient_id = ${them}
				union select id from mails where about_id = ${them}
				union select id from mails where about_id in ${requests}
				union select id from mails where about_id in ${settlements})`),
		digests: build.run(digestsWithout(them)),
		notices: build.run(sql`update notices set subject = ${REMOVED}, body = ${REMOVED}
			where id in ${noticesAbout(them)}`),
		trips: build.run(sql`update mileage_logs set ${erased(TRIP)} where driver_id = ${them}`),
		messages: build.run(sql`update request_messages set text = ${REMOVED},
			payload_hash = ${NO_HASH} where request_id in ${requests}`),
		weekMessages: build.run(sql`update settlement_messages set text = ${REMOVED},
			payload_hash = ${NO_HASH} where settlement_id in ${settlements}`),
		// Nobody is left to answer.
		weekQuestions: build.run(sql`update settlements set question = 'answered'
			where driver_id = ${them} and question = 'asked'`),
		requests: build.run(sql`update fund_requests set ${erased(REQUEST, { receiptName })}
			where driver_id = ${them}`),
		charges: build.run(sql`update charges set ${erased(CHARGE)} where driver_id = ${them}`),
		...forgetReceipts(build, them),
		fees: build.run(sql`update uber_fees set description = null, reference_number = null,
			payload_hash = ${NO_HASH} where driver_id = ${them}`),
		agreements: build.run(sql`update agreements set ${erased(AGREEMENT)}
			where driver_id = ${them}`),
	};
}

const noticesAbout = (
	them: SQL,
) => sql`(select 'new-application:' || id from users where id = ${them}
	union all select 'new-request:' || id from fund_requests where driver_id = ${them})`;

/**
 * Removes someone's items from the administrators' digests, which are queued at the moment their
 * notices are gathered. The items are found by their notices, never by the name, which others may
 * have; everyone else's stay and are sent. A digest without any other isn't sent.
 */
const digestsWithout = (them: SQL) => {
	const isAboutOthers = sql`exists (select 1 from notices as other
		where other.gathered_at = mails.created_at and other.id not in ${noticesAbout(them)})`;
	const left = sql`(
		with recursive item(place, text) as materialized (
			select row_number() over (), char(10, 10) || subject || char(10) || body || char(10, 10)
			from notices where gathered_at = mails.created_at and id in ${noticesAbout(them)}),
		step(place, text) as (
			select 0, char(10, 10) || mails.body || char(10, 10)
			union all select item.place,
				replace(step.text, item.text, char(10, 10) || ${REMOVED} || char(10, 10))
			from step join item on item.place = step.place + 1)
		select substr(text, 3, length(text) - 4) from step order by place desc limit 1)`;
	return sql`update mails set
		subject = iif(${isAboutOthers}, subject, ${REMOVED}),
		body = iif(${isAboutOthers}, ${left}, ${REMOVED}),
		status = iif(status = 'sent' or ${isAboutOthers}, status, 'cancelled')
		where id in (select digest.id from notices
			cross join mails as digest indexed by mails_by_time on digest.created_at = notices.gathered_at
			where notices.id in ${noticesAbout(them)} and digest.kind = 'admin-digest')`;
};

/**
 * The keys of statement lines start with the platform's id of a driver, or with their name. An id
 * since matched with someone else is that person's, whose lines must still be recognized; corrected
 * lines aren't recognized by anything.
 */
const forgottenLines = (them: SQL) => sql`
	update statement_lines set line_key = 'removed:' || lower(hex(randomblob(16)))
	where (import_id, line_key) in (${ownKeys(them, "statement_lines", "line_key")})
		or (import_id, line_key) in (select line.import_id, line.line_key
			from statement_lines as line indexed by statement_lines_replaced
			where line.replaced_by is not null
				and line.fee_id in (select id from uber_fees where driver_id = ${them}))`;

/** The keys of their money are built like the lines'. */
const forgottenMoney = (them: SQL) => sql`
	update statement_money set row_key = 'removed:' || lower(hex(randomblob(16)))
	where driver_id = ${them} and (is_live = 0
		or (import_id, row_key) in (${ownKeys(them, "statement_money", "row_key")}))`;

const ownKeys = (them: SQL, table: string, key: string) => {
	const column = sql.raw(`line.${key}`);
	return sql`
		with own(platform, platform_id) as (
			select platform, platform_id from platform_drivers as mine where driver_id = ${them}
				and not exists (select 1 from platform_drivers as other
					where other.platform = mine.platform and other.platform_id = mine.platform_id
						and other.removed_at is null and other.driver_id <> mine.driver_id))
		select line.import_id, ${column} from (
			select platform || ':' || platform_id as beginning from own
			union select platform || ':name=' || platform_id from own) as alias
		cross join ${sql.raw(`${table} as line indexed by ${table}_once`)}
			on line.is_live = 1 and ${column} > alias.beginning || ':'
				and ${column} < alias.beginning || ';'`;
};
