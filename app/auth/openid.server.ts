/**
 * Sign-in with any OpenID Connect provider: authorization code with PKCE, state and nonce bound to
 * the browser, and an ID token that is trusted only after its signature and every claim have been
 * checked (docs/security.md, 'Signing in').
 */

import { constantTimeEqual } from "@oslojs/crypto/subtle";
import { createCookie, redirect } from "@remix-run/cloudflare";
import { CodeChallengeMethod, generateCodeVerifier, OAuth2Client } from "arctic";
import { lt } from "drizzle-orm";
import { type JWTPayload, jwtVerify } from "jose";
import * as v from "valibot";
import { signInAttempts } from "../db/schema.ts";
import type { Settings } from "../env.server.ts";
import { networkKey } from "../http/network.ts";
import { refusal } from "../http/refusal.ts";
import { SIGN_IN_NOT_SET_UP } from "../messages.ts";
import { hasForbiddenCharacter } from "../values/fields.ts";
import type { Provider } from "../values/setting-rules.ts";
import { authenticationOf } from "./authentication-time.ts";
import {
	callbackUrl,
	discover,
	exchangeCode,
	fetchUserinfo,
	Misconfigured,
	promptFor,
} from "./openid-provider.server.ts";
import type { RequestContext } from "./request-context.ts";
import { randomToken, sha256Hex } from "./session.server.ts";
import type { VerifiedIdentity } from "./sign-in.server.ts";
import { logFailure } from "./sign-in-failure.server.ts";

/** How long a person may take at the provider, in milliseconds. */
const ATTEMPT_LIFETIME = 600_000;
/** How far off the provider's clock may be, in seconds. */
const CLOCK_TOLERANCE = 60;
const ALGORITHMS = [
	"RS256",
	"RS384",
	"RS512",
	"PS256",
	"PS384",
	"PS512",
	"ES256",
	"ES384",
	"ES512",
	"EdDSA",
];
const FAILED = "Sign-in couldn't be completed. Please try again.";

const encoder = new TextEncoder();
const isSame = (a: string, b: string) =>
	a.length === b.length && constantTimeEqual(encoder.encode(a), encoder.encode(b));

/** What the browser keeps of an attempt: signed, for ten minutes. */
const attemptSchema = v.strictObject({
	provider: v.string(),
	state: v.string(),
	nonce: v.string(),
	verifier: v.string(),
	returnTo: v.string(),
	startedAt: v.number(),
	/** Whether the provider was asked for a fresh proof of identity. */
	isFresh: v.optional(v.boolean(), false),
});

// Lax, because the provider redirects from its own site.
const attemptCookie = (settings: Settings) =>
	createCookie(settings.isHttps ? "__Host-login" : "login", {
		secrets: [settings.cookieSecret],
		httpOnly: true,
		sameSite: "lax",
		path: "/",
		maxAge: ATTEMPT_LIFETIME / 1000,
		secure: settings.isHttps,
	});

/** The `Set-Cookie` value that ends an attempt, which works only once. */
export function clearAttemptCookie(settings: Settings): Promise<string> {
	return attemptCookie(settings).serialize("", { maxAge: 0 });
}

/**
 * Redirects the browser to a provider, at most 10 times a minute for each network.
 * @param isFresh makes the provider ask for credentials, whoever is signed in there
 */
export async function startOpenId(
	context: RequestContext,
	provider: Provider,
	returnTo: string,
	request: Request,
	isFresh: boolean,
): Promise<Response> {
	const { env, settings, now } = context;
	// A picture on another site's page would use up the sign-ins of everyone in this network.
	if ((request.headers.get("Sec-Fetch-Dest") ?? "document") !== "document")
		return refusal(
			{ kind: "sign-in-failed", message: "Open this page by itself to sign in." },
			403,
		);
	const limited = await env.SIGN_IN_LIMIT?.limit({
		key: networkKey(request.headers.get("CF-Connecting-IP") ?? "unknown"),
	});
	if (limited && !limited.success)
		return refusal(
			{
				kind: "sign-in-failed",
				message: "Too many sign-in attempts. Please wait a minute and try again.",
			},
			429,
			{
				"Retry-After": "60",
			},
		);
	try {
		const { discovery } = await discover(provider, now);
		const attempt = {
			provider: provider.id,
			state: randomToken(),
			nonce: randomToken(),
			verifier: generateCodeVerifier(),
			returnTo,
			startedAt: now,
			isFresh,
		};
		// The secret is for the token endpoint only; the URL has just the client's id.
		const address = new OAuth2Client(
			provider.clientId,
			null,
			callbackUrl(settings),
		).createAuthorizationURLWithPKCE(
			discovery.authorization_endpoint,
			attempt.state,
			CodeChallengeMethod.S256,
			attempt.verifier,
			provider.scopes,
		);
		address.searchParams.set("nonce", attempt.nonce);
		const prompt = promptFor(discovery, isFresh);
		if (prompt) address.searchParams.set("prompt", prompt);
		if (isFresh) address.searchParams.set("max_age", "0");
		return redirect(address.href, {
			headers: { "Set-Cookie": await attemptCookie(settings).serialize(attempt) },
		});
	} catch (error) {
		logFailure(context, error);
		if (error instanceof Misconfigured)
			return refusal({ kind: "sign-in-failed", message: SIGN_IN_NOT_SET_UP }, 503);
		return refusal(
			{
				kind: "sign-in-failed",
				message: `${provider.name} can't be reached right now. Please try again in a moment.`,
			},
			503,
			{ "Retry-After": "10" },
		);
	}
}

/**
 * Checks a provider's answer.
 * @returns the identity and where to return to
 * @throws a 400 refusal, the same for every kind of forged, replayed or stale answer; the log says
 * which
 */
export async function finishOpenId(
	context: RequestContext,
	request: Request,
): Promise<{ identity: VerifiedIdentity; returnTo: string }> {
	const { settings, now, db } = context;
	try {
		const kept = v.safeParse(
			attemptSchema,
			await attemptCookie(settings).parse(request.headers.get("Cookie")),
		);
		if (!kept.success) throw new Error("this browser hasn't started a sign-in");
		const attempt = kept.output;
		const provider = settings.providers.find(({ id }) => id === attempt.provider);
		if (!provider) throw new Error("the attempt names an unknown provider");
		// Started in another isolate, whose clock may be slightly ahead.
		const age = now - attempt.startedAt;
		if (age > ATTEMPT_LIFETIME || age < -CLOCK_TOLERANCE * 1000)
			throw new Error("the attempt is too old");
		const query = new URL(request.url).searchParams;
		const state = singleParameter(query, "state");
		if (state === undefined || !isSame(state, attempt.state))
			throw new OtherAttempt("the state doesn't match the attempt");
		const iss = singleParameter(query, "iss");
		if (iss !== undefined && iss !== provider.issuer)
			throw new Error("the response comes from a different issuer");
		if (query.has("error"))
			throw new Error(`the provider returned an error: ${singleParameter(query, "error")}`);
		const code = singleParameter(query, "code");
		if (!code) throw new Error("the code is missing");

		const { taken } = await db.batch({
			sweep: db.build
				.delete(signInAttempts)
				.where(lt(signInAttempts.usedAt, now - 2 * ATTEMPT_LIFETIME)),
			taken: db.build
				.insert(signInAttempts)
				.values({ stateHash: sha256Hex(state), usedAt: now })
				.onConflictDoNothing()
				.returning(),
		});
		if (taken.length === 0) throw new Error("the state has already been used");

		const { discovery, keys } = await discover(provider, now);
		if (iss === undefined && discovery.authorization_response_iss_parameter_supported)
			throw new Error("the response names no issuer");
		const tokens = await exchangeCode(provider, settings, discovery, code, attempt.verifier);
		const { payload } = await jwtVerify(tokens.id_token, keys, {
			issuer: provider.issuer,
			audience: provider.clientId,
			algorithms: ALGORITHMS,
			clockTolerance: CLOCK_TOLERANCE,
			currentDate: new Date(now),
			maxTokenAge: ATTEMPT_LIFETIME / 1000,
			requiredClaims: ["sub", "iat", "exp", "nonce"],
		});
		if (typeof payload.nonce !== "string" || !isSame(payload.nonce, attempt.nonce))
			throw new Error("the nonce doesn't match the attempt");
		const parties = Array.isArray(payload.aud) ? payload.aud : [payload.aud];
		if ((parties.length > 1 || payload.azp !== undefined) && payload.azp !== provider.clientId)
			throw new Error("the token was issued to another party");
		const subject = parseSubject(payload);
		const authenticatedAt = authenticationOf(payload, attempt, CLOCK_TOLERANCE);
		const claims =
			payload.email === undefined &&
			discovery.userinfo_endpoint !== undefined &&
			tokens.access_token !== undefined
				? await fetchUserinfo(discovery, tokens.access_token, subject)
				: payload;
		return {
			returnTo: attempt.returnTo,
			identity: {
				issuer: provider.issuer,
				subject,
				email: textOf(claims.email),
				isEmailProved: provider.trustsEmail && isVerified(claims),
				firstName: textOf(claims.given_name),
				lastName: textOf(claims.family_name),
				authenticatedAt,
			},
		};
	} catch (error) {
		if (error instanceof Response) throw error;
		logFailure(context, error);
		const message = error instanceof Misconfigured ? SIGN_IN_NOT_SET_UP : FAILED;
		throw refusal(
			{ kind: "sign-in-failed", message },
			400,
			error instanceof OtherAttempt ? {} : { "Set-Cookie": await clearAttemptCookie(settings) },
		);
	}
}

/**
 * The answer to an earlier attempt in another tab: the one that the browser keeps is still under
 * way.
 */
class OtherAttempt extends Error {
	override readonly name = "Error";
}

/** A query parameter that must appear exactly once. */
function singleParameter(query: URLSearchParams, name: string): string | undefined {
	const values = query.getAll(name);
	if (values.length > 1) throw new Error(`${name} appears twice`);
	return values[0];
}

/**
 * The subject: 1 to 255 printable ASCII characters (OpenID Connect Core §2) and nothing else. The
 * database would turn a number or half a surrogate pair into another text, and two people could
 * become one.
 */
function parseSubject({ sub }: JWTPayload): string {
	if (typeof sub !== "string" || !/^[\x20-\x7e]{1,255}$/.test(sub))
		throw new Error("the subject is missing or malformed");
	return sub;
}

/** A claim that is text we can store. */
function textOf(claim: unknown): string | undefined {
	const text = typeof claim === "string" ? claim.trim() : "";
	return text === "" || hasForbiddenCharacter(text) ? undefined : text;
}

/**
 * Whether a provider says that an email is the person's. Microsoft Entra never sends
 * `email_verified`; its optional claim `xms_edov` says that the domain's owner verified the email.
 */
function isVerified(claims: Readonly<Record<string, unknown>>): boolean {
	if (claims.email_verified !== undefined) return claims.email_verified === true;
	return [true, "true", 1, "1"].some((yes) => yes === claims.xms_edov);
}
