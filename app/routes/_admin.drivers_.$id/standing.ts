/** A person's standing, in a word or two. */
import type { UserRow } from "../../domain/kernel/context.ts";
import { isOfOffice, roleOf } from "../../domain/kernel/standing.ts";
import { ROLE_NAMES } from "../../domain/people/rules.ts";

type User = Pick<
	UserRow,
	| "role"
	| "isViewer"
	| "firstName"
	| "lastName"
	| "approvalStatus"
	| "isActive"
	| "invitedAt"
	| "claimedAt"
	| "deletedAt"
	| "pseudonymizedAt"
>;

/** As the page of a person shows it. */
export function standingOf(user: User): {
	readonly tone: "good" | "quiet" | "wait" | "bad";
	readonly label: string;
} {
	if (user.pseudonymizedAt !== null) return { tone: "quiet", label: "Pseudonymized" };
	if (user.deletedAt !== null) return { tone: "quiet", label: "Invitation canceled" };
	if (!user.isActive) return { tone: "quiet", label: "Inactive" };
	const role = roleOf(user);
	if (isOfOffice(role)) return { tone: "good", label: ROLE_NAMES[role] };
	if (user.approvalStatus === "pending")
		return user.firstName === "" || user.lastName === ""
			? { tone: "quiet", label: "Profile not completed" }
			: { tone: "wait", label: "Pending approval" };
	if (user.approvalStatus === "rejected") return { tone: "bad", label: "Rejected" };
	return user.invitedAt !== null && user.claimedAt === null
		? { tone: "wait", label: "Invited" }
		: { tone: "good", label: "Active" };
}
