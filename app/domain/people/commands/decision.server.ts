/** What approving and rejecting an application share. */
import { done, refused } from "../../../values/outcome.ts";
import type { UserRow } from "../../kernel/context.ts";
import type { PersonOutcome } from "../rows.server.ts";
import { displayName } from "../rules.ts";

type PersonAndDecider = { readonly person: UserRow; readonly decidedBy: string | null };

/** The person that this call decided about, or why this call didn't decide. */
export function decisionOutcome(
	after: PersonAndDecider | undefined,
	isChanged: boolean,
): PersonOutcome {
	if (!after) return refused("not-found");
	const { person, decidedBy } = after;
	if (isChanged) return done(person);
	if (person.role !== "driver" || person.deletedAt !== null) return refused("not-found");
	const name = displayName(person);
	if (person.approvalStatus === "pending") return refused("not-applied", { name });
	const decidedAt = person.approvalStatus === "approved" ? person.approvedAt : null;
	return refused("already-decided", {
		name,
		status: person.approvalStatus,
		decidedBy,
		decidedAt,
	});
}
