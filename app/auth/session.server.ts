/**
 * Sessions: a 256-bit random token in the cookie, its SHA-256 in D1, and the user's standing read
 * with every request (docs/security.md, 'Sessions').
 */
import { sha256 } from "@oslojs/crypto/sha2";
import { encodeBase64urlNoPadding, encodeHexLowerCase } from "@oslojs/encoding";
import { createCookie } from "@remix-run/cloudflare";
import { and, eq, isNull, type Placeholder, sql } from "drizzle-orm";
import type { Builder } from "../db/client.server.ts";
import { prepare } from "../db/prepared.server.ts";
import { sessions, users } from "../db/schema.ts";
import type { UserRow } from "../domain/kernel/context.ts";
import { isOfOffice, roleOf } from "../domain/kernel/standing.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * How long a session lasts in milliseconds: `idle` since it was last seen, `absolute` since
 * sign-in.
 */
export const LIFETIMES = {
	admin: { idle: 8 * HOUR, absolute: 24 * HOUR },
	driver: { idle: 14 * DAY, absolute: 30 * DAY },
} as const;

/** Who a session belongs to, as far as it matters for the session. */
type Holder = Pick<UserRow, "role" | "isViewer">;
/** Sessions that open the administrators' portal are short, an accountant's too. */
const isOffice = (holder: Holder) => isOfOffice(roleOf(holder));
const lifeOf = (holder: Holder) => (isOffice(holder) ? LIFETIMES.admin : LIFETIMES.driver);

/** Within this time, a session that is seen again isn't written again. */
export const TOUCH_INTERVAL_MS = HOUR;

const encoder = new TextEncoder();

/** Hex SHA-256 of a text. */
export function sha256Hex(text: string): string {
	return encodeHexLowerCase(sha256(encoder.encode(text)));
}

/** 256 random bits as base64url. */
export function randomToken(): string {
	return encodeBase64urlNoPadding(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * What the cookie says: the token's hash, and which portal to prepare for. The hint is untrusted: a
 * wrong one costs a second trip, never data.
 */
export type PresentedSession = { readonly tokenHash: string; readonly hint: "admin" | "driver" };

const PRESENTED = /^([A-Za-z0-9_-]{43})\.([ad])$/;

const sessionCookieFor = (isHttps: boolean) =>
	createCookie(isHttps ? "__Host-sid" : "sid", {
		httpOnly: true,
		sameSite: "lax",
		path: "/",
		secure: isHttps,
		// Stored as plain text: wrapped in JSON and base64, as Remix does it, it would add a third to
		// every request.
		encode: (wrapped) => (wrapped === "" ? "" : JSON.parse(atob(wrapped))),
	});

/** The value of the first cookie with the session's name. */
const sentCookie = { http: /(?:^|;)\s*sid\s*=([^;]*)/, https: /(?:^|;)\s*__Host-sid\s*=([^;]*)/ };

/** The session that a request presents, if its cookie is well-formed. */
export async function readPresentedSession(
	request: Request,
	isHttps: boolean,
): Promise<PresentedSession | undefined> {
	const [, value = ""] =
		sentCookie[isHttps ? "https" : "http"].exec(request.headers.get("Cookie") ?? "") ?? [];
	const [, token, hint] = PRESENTED.exec(value.trim()) ?? [];
	if (!token) return undefined;
	// Runs on every request: the runtime's own is several times as fast as one in JavaScript.
	const hash = await crypto.subtle.digest("SHA-256", encoder.encode(token));
	return {
		tokenHash: encodeHexLowerCase(new Uint8Array(hash)),
		hint: hint === "a" ? "admin" : "driver",
	};
}

/** The `Set-Cookie` value that starts a session. */
export function sessionCookie(token: string, user: Holder, isHttps: boolean): Promise<string> {
	const text = `${token}.${isOffice(user) ? "a" : "d"}`;
	return sessionCookieFor(isHttps).serialize(text, { maxAge: lifeOf(user).absolute / 1000 });
}

/** The `Set-Cookie` value that deletes the session cookie. */
export function clearSessionCookie(isHttps: boolean): Promise<string> {
	return sessionCookieFor(isHttps).serialize("", { maxAge: 0 });
}

/**
 * The session and its user, whatever their standing: the first statement in every signed-in
 * request's batch.
 */
export function principalStatement(tokenHash: string) {
	return principalOf({ tokenHash });
}

const principalOf = prepare((build, value: (name: "tokenHash") => Placeholder) =>
	build
		.select({
			user: users,
			expiresAt: sessions.expiresAt,
			endsAt: sessions.endsAt,
			lastSeenAt: sessions.lastSeenAt,
			endedAt: sessions.endedAt,
			endedReason: sessions.endedReason,
		})
		.from(sessions)
		.innerJoin(users, eq(users.id, sessions.userId))
		.where(eq(sessions.tokenHash, value("tokenHash"))),
);

/** Extends the idle limit, at most once an hour. */
export function touchStatement(build: Builder, tokenHash: string, user: Holder, now: number) {
	const { idle } = lifeOf(user);
	return build
		.update(sessions)
		.set({ lastSeenAt: now, expiresAt: sql`min(${now + idle}, ${sessions.endsAt})` })
		.where(and(eq(sessions.tokenHash, tokenHash), isNull(sessions.endedAt)));
}

/** Ends one session at its owner's wish. */
export function signOutStatement(build: Builder, tokenHash: string, now: number) {
	return build
		.update(sessions)
		.set({ endedAt: now, endedReason: "signed-out" })
		.where(and(eq(sessions.tokenHash, tokenHash), isNull(sessions.endedAt)));
}

/** Ends the session that a new one replaces, if the new one has started. */
export function rotateStatement(build: Builder, replaced: string, tokenHash: string, now: number) {
	return build
		.update(sessions)
		.set({ endedAt: now, endedReason: "rotated" })
		.where(
			and(
				eq(sessions.tokenHash, replaced),
				isNull(sessions.endedAt),
				sql`exists (select 1 from sessions started where started.token_hash = ${tokenHash})`,
			),
		);
}
