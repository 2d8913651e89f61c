import { eq, type SQL, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import type { SelfContext } from "../../context.ts";
import { cancelReminders } from "../../mail/queue.server.ts";
import { KIND, type ReminderSubject } from "../../reminders/rules.ts";
import { transition } from "../../transition.server.ts";
import { type EmailChoices, subjectsFor } from "../email-choices.ts";

/**
 * Stores a person's own choice of reminders; unsent ones that they no longer want are cancelled.
 */
export async function chooseEmails(self: SelfContext, choices: EmailChoices): Promise<void> {
	const chosen = subjectsFor(self.role).map((name) => ({ name, value: choices[name] ?? null }));
	const isOff = (name: ReminderSubject) => choices[name] === false;
	const unwanted = [
		...(isOff("remindOfMiles") ? [KIND.miles] : []),
		...(isOff("remindOfReceipts") ? [KIND.receipts] : []),
		...(isOff("remindOfMiles") && isOff("remindOfReceipts") ? [KIND.both] : []),
		...(isOff("weeklyDigest") ? [KIND.digest] : []),
	];
	await transition(self, {
		table: users,
		rows: eq(users.id, self.user.id),
		when: sql.join(
			chosen.map(({ name, value }) => sql`${users[name]} is not ${switchSql(value)}`),
			sql` or `,
		),
		set: Object.fromEntries(chosen.map(({ name, value }) => [name, value])),
		audit: {
			action: "account.choose-emails",
			entity: "user",
			before: json(chosen.map(({ name }) => [name, sql`${users[name]}`])),
			after: json(chosen.map(({ name, value }) => [name, switchSql(value)])),
		},
		next: (me) => ({ waiting: cancelReminders(self.db.build, unwanted, me) }),
		read: (build) => build.select({ id: users.id }).from(users).where(eq(users.id, self.user.id)),
	});
}

/** How a choice is stored. */
const switchSql = (value: boolean | null): SQL =>
	value === null ? sql`null` : value ? sql`1` : sql`0`;

/** JSON whose stored choices are true, false or null. */
function json(choices: readonly (readonly [ReminderSubject, SQL])[]): SQL {
	const values = choices.map(
		([name, value]) =>
			sql`${name}, json(case ${value} when 1 then 'true' when 0 then 'false' else 'null' end)`,
	);
	return sql`json_object(${sql.join(values, sql`, `)})`;
}
