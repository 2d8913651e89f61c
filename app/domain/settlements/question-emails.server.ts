/** The emails about a week's thread: questions to the administrators, answers to its driver. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { settlementMessages, settlements, users } from "../../db/schema.ts";
import { dateOf, settlementNumberOf } from "../kernel/shown-in-sql.server.ts";
import { administrators, queueMail } from "../mail/queue.server.ts";

const number = settlementNumberOf(settlements.number);
const weekEnd = sql`date(${settlements.weekFrom}, '+6 days')`;
const week = sql`${dateOf(settlements.weekFrom)} || ' to ' || ${dateOf(weekEnd)}`;

/**
 * One email to each recipient of a message: to every administrator for a question, to the driver for
 * an answer.
 * @param written matches the new message
 */
export function queueWeekMessageEmail(
	build: Builder,
	by: "admin" | "driver",
	author: string,
	written: SQL,
	now: number,
) {
	const [kind, subject, verb, advice, to] =
		by === "driver"
			? ([
					"settlement-question",
					"Question about ",
					" asked about ",
					"Answer it under Settlements.",
					administrators,
				] as const)
			: ([
					"settlement-answer",
					"Answer about your week ",
					" answered your question about ",
					"Earnings has the whole conversation, and you can write back there.",
					sql`${users.id} = ${settlements.driverId}`,
				] as const);
	return queueMail(
		build,
		{
			kind,
			subject: sql`${subject} || ${number}`,
			body: sql`${`${author}${verb}`} || ${number} || ', ' || ${week} || ${":\n\n"}
				|| ${settlementMessages.text} || ${`\n\n${advice}`}`,
			aboutId: sql`${settlements.id}`,
			dedupeKey: sql`${`${kind}:`} || ${settlementMessages.id}`,
			now,
		},
		sql`${written} and ${to}`,
		sql`${settlementMessages} join ${settlements}
			on ${settlements.id} = ${settlementMessages.settlementId} join ${users}`,
	);
}
