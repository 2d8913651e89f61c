/**
 * Signing in: turns an identity that an issuer has proved into a session, in one batch
 * (docs/product.md, 'People, sign-in and gates').
 */
import { and, eq, isNull, ne, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Database } from "../db/client.server.ts";
import { identities, sessions, users } from "../db/schema.ts";
import type { UserRow } from "../domain/kernel/context.ts";
import { isOfOfficeIn } from "../domain/kernel/shown-in-sql.server.ts";
import { claimInvitation } from "../domain/people/commands/claim-invitation.server.ts";
import { createAccount } from "../domain/people/commands/create-account.server.ts";
import type { Visit } from "../domain/people/identity.server.ts";
import { firstName, lastName } from "../domain/people/input.ts";
import { normalizeEmail } from "../domain/people/rules.ts";
import { sessionRefOf } from "../domain/people/sessions.server.ts";
import { done, type Outcome, type Refused, refused } from "../values/outcome.ts";
import { LIFETIMES, randomToken, rotateStatement, sha256Hex } from "./session.server.ts";
import { signedInStatement } from "./session-audit.server.ts";

/** What an issuer has proved about a person. */
export type VerifiedIdentity = {
	readonly issuer: string;
	readonly subject: string;
	/** As the issuer gave it; only counts when verified. */
	readonly email: string | undefined;
	/** True only if the issuer is trusted with email addresses and said `email_verified: true`. */
	readonly isEmailProved: boolean;
	readonly firstName?: string | undefined;
	readonly lastName?: string | undefined;
	/**
	 * When they proved their identity to the issuer, UTC milliseconds: 0 if at an unknown time, just
	 * now if absent.
	 */
	readonly authenticatedAt?: number | undefined;
};

export type SignInResult = { readonly token: string; readonly user: UserRow };
type Refusals = Refused<"deactivated"> | Refused<"email-taken">;

/** Where and when a sign-in happens. */
export type SignInVisit = {
	/** The session that the sign-in replaces. */
	readonly presentedHash?: string | undefined;
	/** The device's name. */
	readonly device?: string | undefined;
	/** How many sessions the person may have at once; the oldest end first. */
	readonly maxSessions?: number;
	readonly now: number;
	readonly requestId: string;
};

const MAX_SESSIONS = 10;

/** A first or last name from the issuer, if our own form would accept it. */
function cleanNamePart(schema: typeof firstName, text: string | undefined): string {
	const result = v.safeParse(schema, text);
	return result.success ? result.output : "";
}

/**
 * Starts a session for an identity: for the account it belongs to, for an invitation claimed by its
 * verified email, or for a new driver who has yet to apply. An email alone identifies nobody: if it
 * belongs to a live account and can't be claimed, the answer is 'email-taken'.
 */
export async function signIn(
	db: Database,
	identity: VerifiedIdentity,
	{ presentedHash, device, maxSessions = MAX_SESSIONS, now, requestId }: SignInVisit,
): Promise<Outcome<SignInResult, Refusals>> {
	const { build } = db;
	const { issuer, subject } = identity;
	const address = identity.email === undefined ? undefined : normalizeEmail(identity.email);
	const proved = identity.isEmailProved ? address : undefined;
	const token = randomToken();
	const tokenHash = sha256Hex(token);
	const given = {
		firstName: cleanNamePart(firstName, identity.firstName),
		lastName: cleanNamePart(lastName, identity.lastName),
	};
	const mine = sql`(select user_id from identities where issuer = ${issuer} and subject = ${subject})`;
	const visit: Visit = {
		identity,
		actor: { id: null, role: "visitor", sessionRef: sessionRefOf(tokenHash), requestId, now },
		changeId: crypto.randomUUID(),
	};

	// Safe to repeat: if the connection breaks after the commit, the second attempt finds the sign-in
	// done and writes nothing twice.
	const { person } = await db.batch({
		...(proved === undefined ? {} : claimInvitation(build, visit, proved)),
		...createAccount(build, visit, {
			id: crypto.randomUUID(),
			...given,
			email: proved,
			unverifiedEmail: proved ? undefined : address,
		}),
		start: build.run(sql`
			insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at, ends_at,
				device, authenticated_at)
			select ${tokenHash}, id, ${now}, ${now},
				${now} + iif(${isOfOfficeIn("users")}, ${LIFETIMES.admin.idle}, ${LIFETIMES.driver.idle}),
				${now} + iif(${isOfOfficeIn("users")}, ${LIFETIMES.admin.absolute}, ${LIFETIMES.driver.absolute}),
				${device ?? null}, ${Math.min(identity.authenticatedAt ?? now, now)}
			from users where id = ${mine} and is_active = 1 and deleted_at is null on conflict do nothing`),
		// A refused sign-in leaves the session it would have replaced.
		...(presentedHash ? { rotate: rotateStatement(build, presentedHash, tokenHash, now) } : {}),
		started: signedInStatement(build, tokenHash, issuer, requestId, now),
		crowd: build
			.update(sessions)
			.set({ endedAt: now, endedReason: "too-many" })
			.where(
				and(
					sql`${sessions.userId} = ${mine}`,
					isNull(sessions.endedAt),
					ne(sessions.tokenHash, tokenHash),
					sql`${sessions.tokenHash} not in (select token_hash from sessions where user_id = ${mine} and ended_at is null order by created_at desc, rowid desc limit ${maxSessions})`,
				),
			),
		person: build
			.select({ user: users })
			.from(users)
			.innerJoin(identities, eq(identities.userId, users.id))
			.where(and(eq(identities.issuer, issuer), eq(identities.subject, subject))),
	});
	const user = person[0]?.user;
	if (!user) return refused("email-taken");
	return user.isActive && user.deletedAt === null ? done({ token, user }) : refused("deactivated");
}
