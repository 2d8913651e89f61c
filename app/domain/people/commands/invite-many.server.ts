import type { Outcome } from "../../../values/outcome.ts";
import type { AdminContext, UserRow } from "../../kernel/context.ts";
import type { Site } from "../../mail/queue.server.ts";
import type { Invitation } from "../invitations.ts";
import type { PeopleRefusal } from "../refusals.ts";
import { createDriver } from "./create.server.ts";

/** The result for a line of the list. */
export type InvitationResult = {
	readonly line: string;
	readonly outcome:
		| Outcome<UserRow, PeopleRefusal>
		| { readonly fault: string; readonly isRepeated?: true };
};

/**
 * Invites the drivers of a list one after the other: a refused line doesn't affect the others. The
 * same list sent again with its key invites nobody twice.
 */
export async function inviteDrivers(
	admin: AdminContext,
	list: readonly Invitation[],
	key: string | undefined,
	site: Site,
): Promise<InvitationResult[]> {
	const results: InvitationResult[] = [];
	for (const { line, ...driver } of list) {
		if ("fault" in driver) {
			results.push({ line, outcome: driver });
			continue;
		}
		const own = key === undefined ? undefined : `${key}:${driver.email}`;
		results.push({ line, outcome: await createDriver(admin, { ...driver, key: own }, site) });
	}
	return results;
}
