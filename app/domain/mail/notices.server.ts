/**
 * Notices to administrators are recorded once each, and collected into one email per administrator
 * (docs/decisions/0054).
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import { notices, users } from "../../db/schema.ts";
import { UNDO_WINDOW_MS } from "../kernel/time-limits.ts";
import { administrators, IS_URGENT, queueMail } from "./queue.server.ts";
import { DIGEST_DELAY_MS, MAX_DIGEST_ITEMS } from "./rules.ts";

/** A notice to administrators; its SQL is over the rows of `from`. */
type Notice = {
	/** A notice with the same id is recorded once. */
	readonly id: string;
	readonly subject: string | SQL;
	readonly body: string | SQL;
	readonly now: number;
};

/** Adds a notice to the next digest, if the condition holds. */
export function insertNotice(
	build: Builder,
	{ id, subject, body, now }: Notice,
	from: SQL,
	when: SQL,
) {
	return build.run(sql`
		insert into notices (id, subject, body, created_at)
		select ${id}, ${subject}, ${body}, ${now} from ${from} where ${when}
		on conflict (id) do nothing`);
}

/**
 * A notice about a request that was decided or withdrawn, or about a decided application: there is
 * nothing to review.
 */
const IS_REVIEWED = sql`(exists (select 1 from fund_requests
		where fund_requests.id = substr(notices.id, length('new-request:') + 1)
			and fund_requests.status <> 'pending')
	or exists (select 1 from users where users.id = substr(notices.id, length('new-application:') + 1)
		and (users.approval_status <> 'pending' or users.deleted_at is not null)))`;

/** Emails of release 0.1.0, one per administrator and item. */
const IS_RELEASE_0_1_NOTICE = sql`status = 'queued' and ${IS_URGENT} and kind in ('new-application', 'new-request')`;

/**
 * Queues one email to each administrator with all notices, once one of them has waited long enough.
 * What was reviewed meanwhile is left out, and deleted once that can't be undone any more.
 */
export async function gatherNotices(db: Database, now: number): Promise<void> {
	const { build } = db;
	const isWaiting = sql`gathered_at is null and not ${IS_REVIEWED}`;
	const waiting = sql`select id, subject, body from notices where ${isWaiting}
		order by created_at limit ${MAX_DIGEST_ITEMS}`;
	const isDue = sql`exists (select 1 from notices
		where created_at <= ${now - DIGEST_DELAY_MS} and ${isWaiting})`;
	const ofOld = sql`from mails indexed by mails_urgent
		where ${IS_RELEASE_0_1_NOTICE} and send_after > ${now - 86_400_000}`;
	const number = sql`(select count(*) from (${waiting}))`;
	await db.batch({
		// During a rollout the previous release still queues its own.
		taken: build.run(sql`insert into notices (id, subject, body, created_at)
			select kind || ':' || about_id, min(subject), min(body), min(created_at) ${ofOld}
			group by kind, about_id on conflict (id) do nothing`),
		left: build.run(sql`update mails set status = 'cancelled' where id in (select id ${ofOld})`),
		digest: queueMail(
			build,
			{
				kind: "admin-digest",
				subject: sql`iif(${number} = 1, (select subject from (${waiting})),
					${number} || ' items to review')`,
				body: sql`iif(${number} = 1, (select body from (${waiting})),
					(select group_concat(subject || char(10) || body, char(10) || char(10)) from (${waiting})))`,
				aboutId: sql`${users.id}`,
				dedupeKey: sql`'admin-digest:' || (select id from (${waiting}))`,
				now,
			},
			sql`${administrators} and ${isDue}`,
		),
		gathered: build
			.update(notices)
			.set({ gatheredAt: now })
			.where(sql`${isDue} and id in (select id from (${waiting}))`),
		reviewed: build.run(sql`delete from notices where gathered_at is null
			and created_at <= ${now - DIGEST_DELAY_MS - UNDO_WINDOW_MS} and ${IS_REVIEWED}`),
	});
}

/** To the administrators: someone has applied. `applies` matches the applicant. */
export function noteApplication(
	build: Builder,
	userId: string,
	name: string,
	now: number,
	applies: SQL,
) {
	return insertNotice(
		build,
		{
			id: `new-application:${userId}`,
			subject: `New driver application: ${name}`,
			body: `${name} has applied as a driver.\n\nReview the application under Driver Management.`,
			now,
		},
		sql`${users}`,
		applies,
	);
}
