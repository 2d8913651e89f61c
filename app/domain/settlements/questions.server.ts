/** Unanswered questions about weeks. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { MAX_LISTED } from "./rules.ts";

/** In the exact words of the partial index. */
const IS_ASKED: SQL = sql.raw("question = 'asked' and status <> 'void'");

/** How many settlements have an unanswered question, from the index of only those. */
export const countQuestions = (build: Builder) =>
	build.all<{ readonly count: number }>(
		sql`select count(*) as count from settlements where ${IS_ASKED}`,
	);

/** A settlement with an open question, and its driver's last message. */
export type WaitingQuestion = {
	readonly id: string;
	readonly number: number;
	readonly weekFrom: CalendarDate;
	readonly firstName: string;
	readonly lastName: string;
	readonly text: string;
	readonly askedAt: number;
};

/** All settlements with an unanswered question, oldest first. */
export const selectQuestions = (build: Builder) =>
	build.all<WaitingQuestion>(sql`select own.id as id, own.number as number,
			own.week_from as weekFrom, users.first_name as firstName, users.last_name as lastName,
			last.text as text, last.created_at as askedAt
		from (select id, number, week_from, driver_id from settlements where ${IS_ASKED}
				order by number limit ${MAX_LISTED + 1}) as own
			cross join users on users.id = own.driver_id
			cross join settlement_messages as last on last.settlement_id = own.id
				and last.position = (select max(position) from settlement_messages
					where settlement_id = own.id)
		order by own.number`);
