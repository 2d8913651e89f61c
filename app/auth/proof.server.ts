/** What a request proves its sender with: a session cookie or a token. */
import type { SQL } from "drizzle-orm";
import type { Builder, Statement } from "../db/client.server.ts";
import { SessionUser } from "../db/owner.server.ts";
import { tokenOwner, tokenStatement, usedStatement } from "./bearer.server.ts";
import {
	type Principal,
	type PrincipalRow,
	type TokenRow,
	toPrincipal,
	toTokenPrincipal,
} from "./principal.server.ts";
import type { RequestContext } from "./request-context.ts";
import { principalStatement, TOUCH_INTERVAL_MS, touchStatement } from "./session.server.ts";

/** How the database is asked who someone is. */
export type Proof = {
	/** Their id, as a sub-select. */
	readonly me: SQL<string>;
	readonly statement: Statement;
	/** Who they are, by the statement's rows. */
	readonly read: (rows: readonly unknown[]) => Principal;
	/** Updates when they were last seen, if it is due. */
	readonly touch: (build: Builder, rows: readonly unknown[]) => Statement | undefined;
};

/** Nothing if a request has neither, or what can't be a token. */
export function proofOf({
	bearer,
	presented,
	now,
}: Pick<RequestContext, "bearer" | "presented" | "now">): Proof | undefined {
	if (bearer) return bearer.tokenHash === undefined ? undefined : byToken(bearer.tokenHash, now);
	return presented && bySession(presented.tokenHash, now);
}

function bySession(tokenHash: string, now: number): Proof {
	return {
		me: new SessionUser(tokenHash, now),
		statement: principalStatement(tokenHash),
		read: ([row]) => toPrincipal(row as PrincipalRow | undefined, now),
		touch: (build, rows) => {
			const { lastSeenAt, user } = rows[0] as PrincipalRow;
			return now - lastSeenAt > TOUCH_INTERVAL_MS
				? touchStatement(build, tokenHash, user, now)
				: undefined;
		},
	};
}

function byToken(tokenHash: string, now: number): Proof {
	return {
		me: tokenOwner(tokenHash, now),
		statement: tokenStatement({ tokenHash }),
		read: ([row]) => toTokenPrincipal(row as TokenRow | undefined, now),
		touch: (build, rows) => {
			const { id, lastUsedAt } = rows[0] as TokenRow;
			return now - (lastUsedAt ?? 0) > TOUCH_INTERVAL_MS
				? usedStatement(build, id, now)
				: undefined;
		},
	};
}

/** Whose portal to prepare for: tokens are administrators'. */
export const hintOf = ({ presented, bearer }: Pick<RequestContext, "presented" | "bearer">) =>
	bearer ? "admin" : (presented?.hint ?? "driver");
