import { eq, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import { done, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import type { ProfileInput } from "../input.ts";
import { hasName, isDriver, onePerson, type PersonOutcome } from "../rows.server.ts";
import { displayName } from "../rules.ts";

const FULL_NAME = sql`(${users.firstName} || ' ' || ${users.lastName})`;

/**
 * Corrects the name of a driver who has one; a missing name is for the driver to give.
 * @param knownAs the full name that the form showed: one that someone has corrected since is kept
 */
export async function renameDriver(
	admin: AdminContext,
	id: string,
	{ firstName, lastName }: ProfileInput,
	knownAs?: string,
): Promise<PersonOutcome> {
	const isKnown = knownAs === undefined ? sql`1` : sql`${FULL_NAME} = ${knownAs}`;
	const { changed, rows } = await transition(admin, {
		table: users,
		rows: eq(users.id, id),
		when: sql`${isDriver} and ${hasName} and ${users.pseudonymizedAt} is null and ${isKnown}
			and (${users.firstName} <> ${firstName} or ${users.lastName} <> ${lastName})`,
		set: { firstName, lastName },
		audit: {
			action: "driver.rename",
			entity: "user",
			before: sql`json_object('firstName', ${users.firstName}, 'lastName', ${users.lastName})`,
			after: sql`json_object('firstName', ${firstName}, 'lastName', ${lastName})`,
		},
		read: (build) => onePerson(build, id),
	});
	const [person] = rows;
	if (person?.role !== "driver" || person.deletedAt !== null) return refused("not-found");
	if (person.pseudonymizedAt !== null) return refused("pseudonymized");
	const hasThisName = person.firstName === firstName && person.lastName === lastName;
	if (changed.has(id) || hasThisName) return done(person);
	const isComplete = person.firstName !== "" && person.lastName !== "";
	return refused(isComplete ? "renamed" : "not-applied", { name: displayName(person) });
}
