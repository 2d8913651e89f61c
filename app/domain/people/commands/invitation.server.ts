/** What renewing and canceling an invitation share. */
import { done, refused } from "../../../values/outcome.ts";
import type { UserRow } from "../../kernel/context.ts";
import type { PersonOutcome } from "../rows.server.ts";
import { displayName } from "../rules.ts";

/** The person invited, or why their invitation could not be changed. */
export function invitationOutcome(person: UserRow | undefined, isChanged: boolean): PersonOutcome {
	if (!person) return refused("not-found");
	if (isChanged) return done(person);
	if (person.deletedAt !== null) return refused("not-found");
	return refused("not-invited", { name: displayName(person) });
}
