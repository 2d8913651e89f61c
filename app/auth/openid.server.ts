/**
 * Sign-in with any OpenID Connect provider: authorization code with PKCE, state and nonce bound to the browser, and an ID token that is
 * believed only after its signature and every claim have been checked (reliability.md §2.6).
 */

import { constantTimeEqual } from "@oslojs/crypto/subtle";
import { createCookie, redirect } from "@remix-run/cloudflare";
import { CodeChallengeMethod, generateCodeVerifier, OAuth2Client } from "arctic";
import { lt } from "drizzle-orm";
import { createRemoteJWKSet, jwtVerify } from "jose";
import * as v from "valibot";
import { signInAttempts } from "../db/schema.ts";
import type { Provider, Settings } from "../env.server.ts";
import type { RequestContext } from "../http/context.server.ts";
import { refusal } from "./refusal.ts";
import { hashOf, randomToken } from "./session.server.ts";
import type { ProvedIdentity } from "./sign-in.server.ts";

/** How long a person may take at the provider, milliseconds. */
const ATTEMPT_LIFETIME = 600_000;
/** How far the provider's clock may be off, seconds. */
const CLOCK_TOLERANCE = 60;
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
const FAILED = "The sign-in could not be completed. Please try again.";

const encoder = new TextEncoder();
const isSame = (a: string, b: string) => a.length === b.length && constantTimeEqual(encoder.encode(a), encoder.encode(b));

/** What the browser keeps of one attempt, signed, for ten minutes. */
const attemptSchema = v.strictObject({
	provider: v.string(),
	state: v.string(),
	nonce: v.string(),
	verifier: v.string(),
	returnTo: v.string(),
	startedAt: v.number(),
});

// Lax, because the provider sends the browser back from its own site.
const attemptCookie = (settings: Settings) =>
	createCookie(settings.isHttps ? "__Host-login" : "login", {
		secrets: [settings.cookieSecret],
		httpOnly: true,
		sameSite: "lax",
		path: "/",
		maxAge: ATTEMPT_LIFETIME / 1000,
		secure: settings.isHttps,
	});

/** The `Set-Cookie` value that ends an attempt: it works once. */
export function forgottenAttempt(settings: Settings): Promise<string> {
	return attemptCookie(settings).serialize("", { maxAge: 0 });
}

const callbackOf = (settings: Settings) => `${settings.origin}/api/callback`;
const clientOf = (provider: Provider, settings: Settings) =>
	new OAuth2Client(provider.clientId, provider.clientSecret ?? null, callbackOf(settings));

const endpoint = v.pipe(
	v.string(),
	v.url(),
	v.check((text) => /^https:\/\/|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(text), "an endpoint must be https"),
);
const discoverySchema = v.object({ issuer: v.string(), authorization_endpoint: endpoint, token_endpoint: endpoint, jwks_uri: endpoint });
type Discovery = v.InferOutput<typeof discoverySchema>;

const discovered = new Map<
	string,
	{ readonly at: number; readonly discovery: Discovery; readonly keys: ReturnType<typeof createRemoteJWKSet> }
>();

/** The provider's endpoints and keys, from its discovery document, which must name exactly the issuer that was configured. */
async function discover(provider: Provider, now: number) {
	const known = discovered.get(provider.issuer);
	if (known && now - known.at < ATTEMPT_LIFETIME) return known;
	const response = await fetch(`${provider.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, {
		signal: AbortSignal.timeout(5000),
		redirect: "error",
	});
	if (!response.ok) throw new Error(`discovery answered ${response.status}`);
	const discovery = v.parse(discoverySchema, await response.json());
	if (discovery.issuer !== provider.issuer) throw new Error("discovery names another issuer");
	const entry = { at: now, discovery, keys: createRemoteJWKSet(new URL(discovery.jwks_uri), { timeoutDuration: 5000 }) };
	discovered.set(provider.issuer, entry);
	return entry;
}

/** Sends the browser to a provider. Limited to 10 a minute for each address. */
export async function startOpenId(context: RequestContext, provider: Provider, returnTo: string, request: Request): Promise<Response> {
	const { env, settings, now } = context;
	const limited = await env.SIGN_IN_LIMIT?.limit({ key: request.headers.get("CF-Connecting-IP") ?? "unknown" });
	if (limited && !limited.success)
		return refusal({ kind: "sign-in-failed", message: "Too many sign-ins from this address. Please wait a minute and try again." }, 429, {
			"Retry-After": "60",
		});
	try {
		const { discovery } = await discover(provider, now);
		const attempt = {
			provider: provider.id,
			state: randomToken(),
			nonce: randomToken(),
			verifier: generateCodeVerifier(),
			returnTo,
			startedAt: now,
		};
		const address = clientOf(provider, settings).createAuthorizationURLWithPKCE(
			discovery.authorization_endpoint,
			attempt.state,
			CodeChallengeMethod.S256,
			attempt.verifier,
			provider.scopes,
		);
		address.searchParams.set("nonce", attempt.nonce);
		return redirect(address.href, { headers: { "Set-Cookie": await attemptCookie(settings).serialize(attempt) } });
	} catch (error) {
		note(context, error);
		return refusal(
			{ kind: "sign-in-failed", message: `${provider.name} cannot be reached right now. Please try again in a moment.` },
			503,
			{ "Retry-After": "10" },
		);
	}
}

/**
 * What a provider's answer proves.
 * @returns the identity and where to come back to
 * @throws a 400 refusal, the same for every kind of forged, replayed or stale answer; the log says which
 */
export async function finishOpenId(context: RequestContext, request: Request): Promise<{ identity: ProvedIdentity; returnTo: string }> {
	const { settings, now, db } = context;
	try {
		const attempt = v.parse(attemptSchema, await attemptCookie(settings).parse(request.headers.get("Cookie")));
		const provider = settings.providers.find(({ id }) => id === attempt.provider);
		if (!provider) throw new Error("the attempt names no provider of ours");
		if (now - attempt.startedAt > ATTEMPT_LIFETIME || attempt.startedAt > now) throw new Error("the attempt is too old");
		const query = new URL(request.url).searchParams;
		const state = only(query, "state");
		if (state === undefined || !isSame(state, attempt.state)) throw new Error("the state is not the attempt's");
		const iss = only(query, "iss");
		if (iss !== undefined && iss !== provider.issuer) throw new Error("the answer comes from another issuer");
		if (query.has("error")) throw new Error(`the provider refused: ${only(query, "error")}`);
		const code = only(query, "code");
		if (!code) throw new Error("there is no code");

		const { taken } = await db.batch({
			sweep: db.build.delete(signInAttempts).where(lt(signInAttempts.usedAt, now - 2 * ATTEMPT_LIFETIME)),
			taken: db.build
				.insert(signInAttempts)
				.values({ stateHash: hashOf(state), usedAt: now })
				.onConflictDoNothing()
				.returning(),
		});
		if (taken.length === 0) throw new Error("the state was used before");

		const { discovery, keys } = await discover(provider, now);
		const tokens = await clientOf(provider, settings).validateAuthorizationCode(discovery.token_endpoint, code, attempt.verifier);
		const { payload } = await jwtVerify(tokens.idToken(), keys, {
			issuer: provider.issuer,
			audience: provider.clientId,
			algorithms: ALGORITHMS,
			clockTolerance: CLOCK_TOLERANCE,
			currentDate: new Date(now),
			maxTokenAge: ATTEMPT_LIFETIME / 1000,
			requiredClaims: ["sub", "iat", "exp", "nonce"],
		});
		if (typeof payload.nonce !== "string" || !isSame(payload.nonce, attempt.nonce)) throw new Error("the nonce is not the attempt's");
		const parties = Array.isArray(payload.aud) ? payload.aud : [payload.aud];
		if ((parties.length > 1 || payload.azp !== undefined) && payload.azp !== provider.clientId)
			throw new Error("the token was made for another party");
		if (!payload.sub || payload.sub.length > 255) throw new Error("the subject is missing or too long");
		return {
			returnTo: attempt.returnTo,
			identity: {
				issuer: provider.issuer,
				subject: payload.sub,
				email: textOf(payload.email),
				isEmailProved: provider.trustsEmail && payload.email_verified === true,
				firstName: textOf(payload.given_name),
				lastName: textOf(payload.family_name),
			},
		};
	} catch (error) {
		if (error instanceof Response) throw error;
		note(context, error);
		throw refusal({ kind: "sign-in-failed", message: FAILED }, 400, { "Set-Cookie": await forgottenAttempt(settings) });
	}
}

/** A parameter that is there once. */
function only(query: URLSearchParams, name: string): string | undefined {
	const values = query.getAll(name);
	if (values.length > 1) throw new Error(`${name} is there twice`);
	return values[0];
}

function textOf(claim: unknown): string | undefined {
	return typeof claim === "string" && claim.trim() !== "" ? claim.trim() : undefined;
}

/** The log says why; the visitor is told only that it failed. Codes and tokens never reach it. */
function note(context: RequestContext, error: unknown): void {
	const reason = error instanceof Error ? `${error.name}: ${error.message}` : "unknown";
	console.warn(JSON.stringify({ level: "warn", requestId: context.requestId, signIn: reason.replace(/\p{Cc}/gu, " ").slice(0, 256) }));
}
