import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { settlements, users } from "../../db/schema.ts";
import { dateOf, settlementNumberOf } from "../kernel/shown-in-sql.server.ts";
import { administrators } from "../mail/queue.server.ts";
import { queueMessageEmail } from "../messages/emails.server.ts";
import { THREADS } from "../messages/thread.server.ts";

const number = settlementNumberOf(settlements.number);
const weekEnd = sql`date(${settlements.weekFrom}, '+6 days')`;
const week = sql`${number} || ', ' || ${dateOf(settlements.weekFrom)} || ' to ' || ${dateOf(weekEnd)}`;

/**
 * Questions about a week go to every administrator, answers to its driver.
 * @param written matches the new message
 */
export const queueQuestionEmail = (
	build: Builder,
	by: "admin" | "driver",
	author: string,
	written: SQL,
	now: number,
) =>
	queueMessageEmail(
		build,
		THREADS.settlement,
		by === "driver"
			? {
					kind: "settlement-question",
					subject: sql`'Question about ' || ${number}`,
					opening: sql`${author} || ' asked about ' || ${week}`,
					advice: "Answer it under Settlements.",
					to: administrators,
				}
			: {
					kind: "settlement-answer",
					subject: sql`'Answer about your week ' || ${number}`,
					opening: sql`${author} || ' answered your question about ' || ${week}`,
					advice: "Earnings has the whole conversation, and you can write back there.",
					to: sql`${users.id} = ${settlements.driverId}`,
				},
		written,
		now,
	);
