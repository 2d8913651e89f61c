/** A user in the API: identity, email and status, never how they sign in. */
import type { UserRow } from "../kernel/context.ts";
import { formatDriverCode } from "./rules.ts";

const moment = (milliseconds: number | null) =>
	milliseconds === null ? null : new Date(milliseconds).toISOString();

type ShownUser = Pick<
	UserRow,
	| "id"
	| "role"
	| "firstName"
	| "lastName"
	| "email"
	| "unverifiedEmail"
	| "driverNumber"
	| "approvalStatus"
	| "isActive"
	| "createdAt"
	| "approvedAt"
>;

/** The user of docs/product.md §3; `driverId` is the code here. Moments are ISO 8601 in UTC. */
export function userJson(user: ShownUser) {
	return {
		id: user.id,
		role: user.role,
		firstName: user.firstName,
		lastName: user.lastName,
		email: user.email ?? user.unverifiedEmail,
		driverId: formatDriverCode(user.driverNumber),
		approvalStatus: user.approvalStatus,
		isActive: user.isActive,
		createdAt: moment(user.createdAt),
		approvedAt: moment(user.approvedAt),
	};
}
