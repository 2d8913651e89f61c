/** Conditions and reads that the commands on people share. */
import { eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { users } from "../../db/schema.ts";
import type { Outcome } from "../../values/outcome.ts";
import type { UserRow } from "../kernel/context.ts";
import type { PeopleRefusal } from "./refusals.ts";

/** The result of a command on a person. */
export type PersonOutcome = Outcome<UserRow, PeopleRefusal>;

/** The next driver number, taken in the statement that needs it; numbers are never reused. */
export const nextDriverNumber = sql<number>`(select coalesce(max(numbered.driver_number), 0) + 1
	from users as numbered)`;

export const isDriver: SQL = sql`${users.role} = 'driver' and ${users.deletedAt} is null`;
export const hasName: SQL = sql`${users.firstName} <> '' and ${users.lastName} <> ''`;

/** Invited, and not signed in yet. */
export const isUnclaimed: SQL = sql`${users.invitedAt} is not null and ${users.claimedAt} is null
	and ${users.deletedAt} is null
	and not exists (select 1 from identities where identities.user_id = ${users.id})`;

/** One person by id. */
export const onePerson = (build: Builder, id: string) =>
	build.select().from(users).where(eq(users.id, id));

/** The open invitation for the email that a person's provider names without vouching for it. */
export const invitationNamedBy = (build: Builder, id: string) =>
	build.all<Pick<UserRow, "id" | "firstName" | "lastName" | "email">>(sql`
		select users.id, users.first_name as firstName, users.last_name as lastName, users.email
		from users as person cross join users
			on users.email = person.unverified_email and users.email is not null
		where person.id = ${id} and person.email is null and ${isUnclaimed}`);

/** The person, and the name of whoever decided about them. */
export function personAndDecider(build: Builder, id: string) {
	return build
		.select({
			person: users,
			// drizzle omits the table's name in a field, so it is written out.
			decidedBy: sql<string | null>`(select trim(deciders.first_name || ' ' || deciders.last_name)
				from users as deciders where deciders.id = users.decided_by)`.as("decider_name"),
		})
		.from(users)
		.where(eq(users.id, id));
}
