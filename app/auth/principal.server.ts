/** Who is asking, according to their session or their token. */
import type { UserRow } from "../domain/kernel/context.ts";
import { getStanding } from "../domain/kernel/standing.ts";
import { isLive, type TokenScope } from "../domain/tokens/rules.ts";
import type { PrincipalKind } from "../routing/permissions.ts";
import type { tokenStatement } from "./bearer.server.ts";
import type { principalStatement } from "./session.server.ts";

export type Principal = {
	readonly kind: PrincipalKind;
	readonly user: UserRow | undefined;
	/** Whether deactivation ended the session, which the landing screen then says. */
	readonly isDeactivated: boolean;
	/** What they act with, if not a session. */
	readonly token?: { readonly id: string; readonly scope: TokenScope };
};

export type PrincipalRow = Awaited<ReturnType<typeof principalStatement>>[number];

export type TokenRow = Awaited<ReturnType<typeof tokenStatement>>[number];

const VISITOR = { kind: "visitor", user: undefined, isDeactivated: false } as const;

/** The gate order: inactive, unknown role, admin, name missing, pending, rejected, driver. */
export function toPrincipal(row: PrincipalRow | undefined, now: number): Principal {
	if (!row || row.endsAt <= now) return VISITOR;
	const { user } = row;
	if (!user.isActive || user.deletedAt !== null || row.endedReason === "deactivated")
		return { ...VISITOR, isDeactivated: !user.isActive };
	if (row.endedAt !== null || row.expiresAt <= now) return VISITOR;
	return { kind: getStanding(user), user, isDeactivated: false };
}

/** Only an administrator's token counts: it ends with its owner's access. */
export function toTokenPrincipal(row: TokenRow | undefined, now: number): Principal {
	if (!row || !isLive(row, now)) return VISITOR;
	const { user, id, scope } = row;
	const isThere = user.isActive && user.deletedAt === null;
	if (!isThere || getStanding(user) !== "admin") return VISITOR;
	return { kind: "admin", user, isDeactivated: false, token: { id, scope } };
}

/** Its column in the matrix: tokens may do less than owners. */
export const columnOf = ({ kind, token }: Principal): PrincipalKind =>
	token ? `${token.scope}Token` : kind;
