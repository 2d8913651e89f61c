/** Who may do what: the standing of a person. */

/** The standing of a signed-in, active person. */
export type Standing = "none" | "admin" | "incomplete" | "pending" | "rejected" | "driver";

/**
 * In the order of the gates: unknown role, administrator, name missing, pending, rejected, driver.
 */
export function getStanding(user: {
	role: string;
	firstName: string;
	lastName: string;
	approvalStatus: "pending" | "approved" | "rejected";
}): Standing {
	if (user.role === "admin") return "admin";
	if (user.role !== "driver") return "none";
	if (!user.firstName || !user.lastName) return "incomplete";
	return user.approvalStatus === "approved" ? "driver" : user.approvalStatus;
}
