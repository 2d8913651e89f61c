/** Who may do what: the standing of a person. */

/** A role as people and programs see it: an accountant is a `viewer`. */
export const SHOWN_ROLES = ["admin", "viewer", "driver", "none"] as const;
export type ShownRole = (typeof SHOWN_ROLES)[number];

/** A role as it is stored: `isViewer` makes 'none' a viewer. */
type StoredRole = { readonly role: string; readonly isViewer: boolean | null };

export function roleOf({ role, isViewer }: StoredRole): ShownRole {
	if (role === "admin" || role === "driver") return role;
	return role === "none" && isViewer ? "viewer" : "none";
}

/** Whether a role opens the administrators' portal, to change or to read. */
export const isOfOffice = (role: ShownRole): role is "admin" | "viewer" =>
	role === "admin" || role === "viewer";

/** The standing of a signed-in, active person. */
export type Standing =
	| "none"
	| "admin"
	| "viewer"
	| "incomplete"
	| "pending"
	| "rejected"
	| "driver";

/**
 * In the order of the gates: unknown role, administrator or accountant, name missing, pending,
 * rejected, driver.
 */
export function getStanding(user: {
	role: string;
	isViewer: boolean | null;
	firstName: string;
	lastName: string;
	approvalStatus: "pending" | "approved" | "rejected";
}): Standing {
	const role = roleOf(user);
	if (role !== "driver") return role;
	if (!user.firstName || !user.lastName) return "incomplete";
	return user.approvalStatus === "approved" ? "driver" : user.approvalStatus;
}
