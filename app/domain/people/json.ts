/** A user in the API: identity, email and status, never how they sign in. */
import type * as v from "valibot";
import type { UserRow } from "../kernel/context.ts";
import { roleOf } from "../kernel/standing.ts";
import { formatDriverCode } from "./rules.ts";
import type { userShape } from "./shape.server.ts";

const moment = (milliseconds: number | null) =>
	milliseconds === null ? null : new Date(milliseconds).toISOString();

type ShownUser = Pick<
	UserRow,
	| "id"
	| "role"
	| "isViewer"
	| "firstName"
	| "lastName"
	| "email"
	| "unverifiedEmail"
	| "driverNumber"
	| "approvalStatus"
	| "isActive"
	| "createdAt"
	| "approvedAt"
> & { readonly deletedAt?: number | null };

/** The user of docs/product.md §3; `driverId` is the code here. Moments are ISO 8601 in UTC. */
export function userJson(user: ShownUser): v.InferOutput<typeof userShape> {
	return {
		id: user.id,
		role: roleOf(user),
		firstName: user.firstName,
		lastName: user.lastName,
		email: user.email ?? user.unverifiedEmail,
		driverId: formatDriverCode(user.driverNumber),
		approvalStatus: user.approvalStatus,
		isActive: user.isActive,
		createdAt: new Date(user.createdAt).toISOString(),
		approvedAt: moment(user.approvedAt),
		/** Only lists of changes include canceled invitations. */
		...(user.deletedAt == null ? {} : { deletedAt: new Date(user.deletedAt).toISOString() }),
	};
}
