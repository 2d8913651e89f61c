/** Who is asking, according to their session. */
import type { UserRow } from "../domain/kernel/context.ts";
import { getStanding } from "../domain/kernel/standing.ts";
import type { PrincipalKind } from "../routing/permissions.ts";
import type { principalStatement } from "./session.server.ts";

export type Principal = {
	readonly kind: PrincipalKind;
	readonly user: UserRow | undefined;
	/** Whether deactivation ended the session, which the landing screen then says. */
	readonly isDeactivated: boolean;
};

export type PrincipalRow = Awaited<ReturnType<typeof principalStatement>>[number];

/** The gate order: inactive, unknown role, admin, name missing, pending, rejected, driver. */
export function toPrincipal(row: PrincipalRow | undefined, now: number): Principal {
	const visitor = { kind: "visitor", user: undefined, isDeactivated: false } as const;
	if (!row || row.endsAt <= now) return visitor;
	const { user } = row;
	if (!user.isActive || user.deletedAt !== null || row.endedReason === "deactivated")
		return { ...visitor, isDeactivated: !user.isActive };
	if (row.endedAt !== null || row.expiresAt <= now) return visitor;
	return { kind: getStanding(user), user, isDeactivated: false };
}
