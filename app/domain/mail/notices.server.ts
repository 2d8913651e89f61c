/**
 * Notices to administrators are recorded once each, and collected into one email per administrator
 * (docs/decisions/0054).
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import { notices, users } from "../../db/schema.ts";
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

/** Emails of release 0.1.0, one per administrator and item. */
const IS_RELEASE_0_1_NOTICE = sql`status = 'queued' and ${IS_URGENT} and kind in ('new-application', 'new-request')`;

/**
 * Queues one email to each administrator with all notices, once one of them has waited long enough.
 */
export async function gatherNotices(db: Database, now: number): Promise<void> {
	const { build } = db;
	const waiting = sql`select id, subject, body from notices where gathered_at is null
		order by created_at limit ${MAX_DIGEST_ITEMS}`;
	const isDue = sql`exists (select 1 from notices
		where gathered_at is null and created_at <= ${now - DIGEST_DELAY_MS})`;
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
