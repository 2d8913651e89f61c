import { eq, type SQL, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { SelfContext } from "../../kernel/context.ts";
import { hasMade } from "../../kernel/limits.server.ts";
import { MAX_CHOICES_PER_HOUR } from "../../kernel/limits.ts";
import { transition } from "../../kernel/transition.server.ts";
import { cancelReminders } from "../../mail/queue.server.ts";
import { type EmailChoices, KIND, type ReminderSubject, subjectsFor } from "../email-choices.ts";

export type ChoiceRefusal = Refused<"too-many">;

/**
 * Stores a person's own choice of reminders; unsent ones that they no longer want are cancelled.
 */
export async function chooseEmails(
	self: SelfContext,
	choices: EmailChoices,
): Promise<Outcome<null, ChoiceRefusal>> {
	const chosen = subjectsFor(self.role).map((name) => ({ name, value: choices[name] ?? null }));
	if (chosen.length === 0) return done(null);
	const isOff = (name: ReminderSubject) => choices[name] === false;
	const unwanted = [
		...(isOff("remindOfMiles") ? [KIND.miles] : []),
		...(isOff("remindOfReceipts") ? [KIND.receipts] : []),
		...(isOff("remindOfMiles") && isOff("remindOfReceipts") ? [KIND.both] : []),
		...(isOff("weeklyDigest") ? [KIND.digest] : []),
	];
	const isTooMany = hasMade(self, MAX_CHOICES_PER_HOUR, "account.choose-emails");
	const isNew = sql.join(
		chosen.map(({ name, value }) => sql`${users[name]} is not ${switchSql(value)}`),
		sql` or `,
	);
	const { changed, rows } = await transition(self, {
		table: users,
		rows: eq(users.id, self.user.id),
		when: sql`(${isNew}) and not ${isTooMany}`,
		set: Object.fromEntries(chosen.map(({ name, value }) => [name, value])),
		audit: {
			action: "account.choose-emails",
			entity: "user",
			before: json(chosen.map(({ name }) => [name, sql`${users[name]}`])),
			after: json(chosen.map(({ name, value }) => [name, switchSql(value)])),
		},
		next: (me) => ({ waiting: cancelReminders(self.db.build, unwanted, me) }),
		read: (build) =>
			build
				.select({ isOther: sql<number>`(${isNew})` })
				.from(users)
				.where(eq(users.id, self.user.id)),
	});
	// Only the limit leaves choices other than these.
	return changed.size === 0 && rows[0]?.isOther ? refused("too-many") : done(null);
}

/** How a choice is stored. */
const switchSql = (value: boolean | null): SQL =>
	value === null ? sql`null` : value ? sql`1` : sql`0`;

/** The choices as JSON: true, false or null. */
function json(choices: readonly (readonly [ReminderSubject, SQL])[]): SQL {
	const values = choices.map(
		([name, value]) =>
			sql`${name}, json(case ${value} when 1 then 'true' when 0 then 'false' else 'null' end)`,
	);
	return sql`json_object(${sql.join(values, sql`, `)})`;
}
