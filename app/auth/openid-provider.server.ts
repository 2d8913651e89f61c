/**
 * Requests to an OpenID provider: its discovery document, its keys, the tokens for a code, its
 * userinfo. Each is bounded in time and size, follows no redirect, and fails with a message that
 * quotes nothing from the response, since messages go to the log.
 */
import { createRemoteJWKSet, customFetch } from "jose";
import * as v from "valibot";
import type { Settings } from "../env.server.ts";
import { BrokenBody, readBodyWithin } from "../http/body.server.ts";
import type { Provider } from "../values/setting-rules.ts";

/** How long a provider may take for one response, body included, in milliseconds. */
const REQUEST_TIMEOUT_MS = 5000;
/** Maximum size of a response, in bytes. */
const MAX_RESPONSE_BYTES = 256 * 1024;
/** How long a discovery document is cached, in milliseconds. */
const DISCOVERY_TTL_MS = 600_000;

/** The one URL that providers send browsers back to. */
export const callbackUrl = (settings: Settings) => `${settings.origin}/api/callback`;

/** The provider answers, but something in its configuration is wrong: waiting doesn't help. */
export class Misconfigured extends Error {}

/** Token endpoints' codes for a client registered differently than configured here. */
const CLIENT_FAULTS = ["invalid_client", "unauthorized_client"];

const endpoint = v.pipe(v.string(), v.url());
const discoverySchema = v.object({
	issuer: v.string(),
	authorization_endpoint: endpoint,
	token_endpoint: endpoint,
	jwks_uri: endpoint,
	userinfo_endpoint: v.optional(endpoint),
	token_endpoint_auth_methods_supported: v.optional(v.array(v.string()), ["client_secret_basic"]),
	authorization_response_iss_parameter_supported: v.optional(v.boolean(), false),
	prompt_values_supported: v.optional(v.array(v.string())),
});
type Discovery = v.InferOutput<typeof discoverySchema>;
type Discovered = {
	readonly at: number;
	readonly discovery: Discovery;
	readonly keys: ReturnType<typeof createRemoteJWKSet>;
};

// Plain data, and jose's key set, which in a Worker makes a new request each time: nothing here
// belongs to one request.
const discoveryCache = new Map<string, Discovered>();

/**
 * The provider's endpoints and keys from its discovery document, which must name exactly the
 * configured issuer.
 * @param now UTC milliseconds
 */
export async function discover(provider: Provider, now: number): Promise<Discovered> {
	const known = discoveryCache.get(provider.issuer);
	if (known && now - known.at < DISCOVERY_TTL_MS) return known;
	const answer = await fetchJson(
		"discovery",
		`${provider.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
	);
	const result = v.safeParse(discoverySchema, answer);
	if (!result.success)
		throw new Misconfigured(
			`the discovery document is missing ${v.getDotPath(result.issues[0]) ?? "everything"}`,
		);
	const discovery = result.output;
	if (discovery.issuer !== provider.issuer)
		throw new Misconfigured("the discovery document names a different issuer");
	for (const name of [
		"authorization_endpoint",
		"token_endpoint",
		"jwks_uri",
		"userinfo_endpoint",
	] as const) {
		const address = discovery[name];
		if (address !== undefined && !isEndpointAllowed(provider.issuer, address))
			throw new Misconfigured(`the discovery document has an unsafe ${name}`);
	}
	const entry = {
		at: now,
		discovery,
		keys: createRemoteJWKSet(new URL(discovery.jwks_uri), {
			timeoutDuration: REQUEST_TIMEOUT_MS,
			[customFetch]: fetchKeys,
		}),
	};
	discoveryCache.set(provider.issuer, entry);
	return entry;
}

/**
 * Which prompt the provider is asked for. On a shared phone it may still remember the last person,
 * so people have to say who they are: by choosing an account, or by signing in again if the
 * provider offers no choice.
 * @param isFresh prefers signing in again
 */
export function promptFor(
	{ prompt_values_supported: supported }: Discovery,
	isFresh: boolean,
): string | undefined {
	const wanted = isFresh ? ["login", "select_account"] : ["select_account", "login"];
	return supported ? wanted.find((prompt) => supported.includes(prompt)) : "select_account";
}

/**
 * Endpoints must use https. Only an issuer on this machine, which uses http, may have its endpoints
 * there.
 */
function isEndpointAllowed(issuer: string, address: string): boolean {
	const { protocol, hostname, username, password } = new URL(address);
	if (username !== "" || password !== "") return false;
	if (protocol === "https:") return true;
	return (
		protocol === "http:" &&
		issuer.startsWith("http://") &&
		["localhost", "127.0.0.1", "[::1]"].includes(hostname)
	);
}

const tokensSchema = v.object({ id_token: v.string(), access_token: v.optional(v.string()) });

/**
 * The tokens for a code. The client authenticates with its secret, if it has one, and always with
 * the verifier.
 */
export async function exchangeCode(
	provider: Provider,
	settings: Settings,
	discovery: Discovery,
	code: string,
	verifier: string,
): Promise<v.InferOutput<typeof tokensSchema>> {
	const { clientId, clientSecret } = provider;
	const body = new URLSearchParams({
		grant_type: "authorization_code",
		code,
		redirect_uri: callbackUrl(settings),
		code_verifier: verifier,
	});
	const headers: Record<string, string> = {};
	const methods = discovery.token_endpoint_auth_methods_supported;
	if (clientSecret === undefined) {
		body.set("client_id", clientId);
	} else if (methods.includes("client_secret_basic") || !methods.includes("client_secret_post")) {
		// Both parts are form-encoded first (RFC 6749 §2.3.1), so that a secret may contain a colon or
		// a percent sign.
		headers.Authorization = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
	} else {
		body.set("client_id", clientId);
		body.set("client_secret", clientSecret);
	}
	const result = v.safeParse(
		tokensSchema,
		await fetchJson("the token endpoint", discovery.token_endpoint, {
			method: "POST",
			body,
			headers,
		}),
	);
	if (!result.success) throw new Error("the token endpoint returned no ID token");
	return result.output;
}

/**
 * What the provider says about a person beyond the ID token. In the code flow it may leave the
 * email address and names out of the token (OpenID Connect Core §5.4), and an invitation could then
 * never be claimed.
 */
export async function fetchUserinfo(
	discovery: Discovery,
	accessToken: string,
	subject: string,
): Promise<Readonly<Record<string, unknown>>> {
	const answer = await fetchJson("userinfo", discovery.userinfo_endpoint ?? "", {
		headers: { Authorization: `Bearer ${accessToken}` },
	});
	const result = v.safeParse(v.looseObject({ sub: v.string() }), answer);
	if (!result.success || result.output.sub !== subject)
		throw new Error("userinfo is for a different subject");
	return result.output;
}

/** jose's request for the keys, which jose bounds in time but not in size. */
async function fetchKeys(address: string, init: RequestInit): Promise<Response> {
	const response = await fetch(address, init);
	const bytes = await readBodyWithin(response, MAX_RESPONSE_BYTES);
	if (!bytes) throw new Error(`the key set is larger than ${MAX_RESPONSE_BYTES / 1024} KB`);
	return new Response(bytes, { status: response.status });
}

/** One request to a provider for JSON. */
async function fetchJson(
	what: string,
	address: string,
	init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<unknown> {
	let status: number;
	let bytes: Uint8Array<ArrayBuffer> | undefined;
	try {
		const response = await fetch(address, {
			...init,
			headers: { Accept: "application/json", "User-Agent": "Milepost", ...init.headers },
			redirect: "manual",
			signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
		});
		status = response.status;
		bytes = await readBodyWithin(response, MAX_RESPONSE_BYTES);
	} catch (error) {
		const why = error instanceof BrokenBody ? error.cause : error;
		throw new Error(`${what} can't be reached: ${why instanceof Error ? why.name : "unknown"}`);
	}
	if (!bytes) throw new Error(`${what} returned more than ${MAX_RESPONSE_BYTES / 1024} KB`);
	let answer: unknown;
	try {
		answer = JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		throw refusedBy(what, status, "without JSON");
	}
	if (status !== 200) throw refusedBy(what, status, errorCodeOf(answer));
	return answer;
}

/**
 * The error for an answer that isn't 200 with JSON. A missing discovery document means a wrong
 * issuer, and so does a redirect; 408 and 429 pass.
 */
function refusedBy(what: string, status: number, why: string): Error {
	const words = `${what} returned ${status} ${why}`.trim();
	const isElsewhere =
		what === "discovery" && status >= 300 && status < 500 && status !== 408 && status !== 429;
	return isElsewhere || CLIENT_FAULTS.includes(why) ? new Misconfigured(words) : new Error(words);
}

/**
 * The error code of an OAuth refusal, such as `invalid_grant`: it helps the operator and isn't
 * secret.
 */
function errorCodeOf(answer: unknown): string {
	const code =
		typeof answer === "object" && answer !== null && "error" in answer ? answer.error : undefined;
	return typeof code === "string" && /^[a-z_]{1,40}$/.test(code) ? code : "";
}
