/** Sign-in answers that are each wrong in one way. */
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import {
	anotherAttempt,
	attempt,
	byHand,
	type Case,
	claims,
	hostile,
	query,
	readAttempt,
	replyWith,
	seconds,
	secretKey,
	setAttempt,
	stolen,
	unpublishedKey,
	weaklySigned,
} from "./forgery-bench.ts";
import { CLIENT } from "./hostile-provider.ts";

/** [what is forged, the reason in the log, how] */
export const FORGED: readonly (readonly [string, RegExp, Case])[] = [
	// The browser and its attempt
	[
		"another attempt's state",
		/the state doesn't match/,
		{ bring: query((back) => back.searchParams.set("state", "x".repeat(43))) },
	],
	[
		"a truncated state",
		/the state doesn't match/,
		{
			bring: query((back) =>
				back.searchParams.set("state", (back.searchParams.get("state") ?? "").slice(0, -1)),
			),
		},
	],
	[
		"no state",
		/the state doesn't match/,
		{ bring: query((back) => back.searchParams.delete("state")) },
	],
	[
		"an empty state",
		/the state doesn't match/,
		{ bring: query((back) => back.searchParams.set("state", "")) },
	],
	[
		"two states",
		/state appears twice/,
		{
			bring: query((back) =>
				back.searchParams.append("state", back.searchParams.get("state") ?? ""),
			),
		},
	],
	[
		"two codes",
		/code appears twice/,
		{ bring: query((back) => back.searchParams.append("code", "another")) },
	],
	[
		"two issuers",
		/iss appears twice/,
		{
			bring: query((back) => {
				back.searchParams.append("iss", hostile.issuer());
				back.searchParams.append("iss", hostile.issuer("other"));
			}),
		},
	],
	["no code", /the code is missing/, { bring: query((back) => back.searchParams.delete("code")) }],
	[
		"an empty code",
		/the code is missing/,
		{ bring: query((back) => back.searchParams.set("code", "")) },
	],
	[
		"an error",
		/provider returned an error: access_denied/,
		{
			bring: query((back) => {
				back.searchParams.delete("code");
				back.searchParams.set("error", "access_denied");
			}),
		},
	],
	[
		"an error with a valid code",
		/provider returned an error: access_denied/,
		{ bring: query((back) => back.searchParams.set("error", "access_denied")) },
	],
	[
		"another browser's answer",
		/the state doesn't match/,
		{
			bring: async ({ back }) => {
				back.search = (await anotherAttempt()).back.search;
			},
		},
	],
	[
		"another browser's attempt",
		/the state doesn't match/,
		{
			bring: async ({ client }) =>
				client.cookies.set("login", (await anotherAttempt()).client.cookies.get("login") ?? ""),
		},
	],
	[
		"no attempt",
		/hasn't started a sign-in/,
		{ bring: ({ client }) => client.cookies.delete("login") },
	],
	[
		"an attempt with one character changed",
		/hasn't started a sign-in/,
		{
			bring: ({ client }) =>
				client.cookies.set(
					"login",
					(client.cookies.get("login") ?? "").replace(/^./, (first) => (first === "e" ? "f" : "e")),
				),
		},
	],
	[
		"an attempt without its signature",
		/hasn't started a sign-in/,
		{
			bring: ({ client }) =>
				client.cookies.set("login", (client.cookies.get("login") ?? "").replace(/\..*$/, "")),
		},
	],
	[
		"an attempt signed with another secret",
		/hasn't started a sign-in/,
		{
			bring: async ({ client }) =>
				setAttempt(client, await readAttempt(client), "another secret that is long enough too"),
		},
	],
	[
		"another signed cookie of ours",
		/hasn't started a sign-in/,
		{ bring: ({ client }) => setAttempt(client, "profileUpdated") },
	],
	[
		"an attempt with an extra property",
		/hasn't started a sign-in/,
		{ bring: attempt((each) => ({ ...each, admin: true })) },
	],
	[
		"an attempt at an unknown provider",
		/unknown provider/,
		{ bring: attempt((each) => ({ ...each, provider: "unknown" })) },
	],
	[
		"an attempt more than ten minutes old",
		/too old/,
		{ bring: attempt((each) => ({ ...each, startedAt: each.startedAt - 601_000 })) },
	],
	[
		"an attempt from tomorrow",
		/too old/,
		{ bring: attempt((each) => ({ ...each, startedAt: each.startedAt + 120_000 })) },
	],
	[
		"the same answer twice",
		/already been used/,
		{
			bring: async ({ client, back }) => {
				const login = client.cookies.get("login") ?? "";
				expect((await client.get(back.pathname + back.search)).status).toBe(303);
				client.cookies.clear();
				client.cookies.set("login", login);
			},
		},
	],
	[
		"a refused answer again",
		/already been used/,
		{
			forgery: claims({ nonce: "wrong" }),
			bring: async ({ client, back }) => {
				const login = client.cookies.get("login") ?? "";
				expect((await client.get(back.pathname + back.search)).status).toBe(400);
				client.cookies.set("login", login);
			},
		},
	],
	[
		"another attempt's code",
		/400 invalid_grant/,
		{
			bring: async ({ back }) =>
				back.searchParams.set("code", (await anotherAttempt()).back.searchParams.get("code") ?? ""),
		},
	],
	[
		"another attempt's verifier",
		/400 invalid_grant/,
		{ bring: attempt((each) => ({ ...each, verifier: "v".repeat(43) })) },
	],
	[
		"another issuer's answer",
		/different issuer/,
		{ bring: query((back) => back.searchParams.set("iss", hostile.issuer("other"))) },
	],
	["no issuer where one is promised", /names no issuer/, { provider: "strict" }],
	[
		"another provider's token for an attempt at this one",
		/unexpected \\"iss\\"/,
		{
			bring: attempt((each) => ({ ...each, provider: "other" })),
			forgery: claims({ iss: hostile.issuer() }),
		},
	],
	[
		"an ID token instead of a code",
		/the code is missing/,
		{
			bring: query((back) => {
				back.searchParams.delete("code");
				back.searchParams.set("id_token", stolen);
			}),
		},
	],
	[
		"a code that isn't one",
		/400 invalid_grant/,
		{ bring: query((back) => back.searchParams.set("code", "x\r\nAuthorization: Basic eA==")) },
	],
	[
		"another attempt's cookie before ours",
		/the state doesn't match/,
		{
			bring: async ({ client }) => {
				const theirs = (await anotherAttempt()).client.cookies.get("login");
				client.cookies.set("login", `${theirs}; login=${client.cookies.get("login")}`);
			},
		},
	],

	// The claims
	[
		"another attempt's nonce",
		/the nonce doesn't match/,
		{ forgery: claims({ nonce: "n".repeat(43) }) },
	],
	[
		"a sign-in long ago, where a fresh one was asked for",
		/the provider didn't ask again/,
		{
			bring: attempt((begun) => ({ ...begun, isFresh: true })),
			forgery: claims(() => ({ auth_time: seconds(-3600) })),
		},
	],
	[
		"an auth_time that isn't a time",
		/auth_time isn't a time/,
		{ forgery: claims({ auth_time: "yesterday" }) },
	],
	["no nonce", /missing required \\"nonce\\"/, { forgery: claims({ nonce: undefined }) }],
	[
		"a nonce that isn't text",
		/the nonce doesn't match/,
		{ forgery: { claims: (honest) => ({ ...honest, nonce: [honest.nonce] }) } },
	],
	["another attempt's token", /the nonce doesn't match/, { forgery: { token: () => stolen } }],
	["another audience", /unexpected \\"aud\\"/, { forgery: claims({ aud: "another-client" }) }],
	["no audience", /\\"aud\\"/, { forgery: claims({ aud: undefined }) }],
	["an audience like ours", /unexpected \\"aud\\"/, { forgery: claims({ aud: "Milepost" }) }],
	[
		"several audiences without an authorized party",
		/issued to another party/,
		{ forgery: claims({ aud: ["milepost", "another-client"] }) },
	],
	[
		"several audiences with another authorized party",
		/issued to another party/,
		{ forgery: claims({ aud: ["milepost", "another-client"], azp: "another-client" }) },
	],
	[
		"our audience with another authorized party",
		/issued to another party/,
		{ forgery: claims({ azp: "another-client" }) },
	],
	[
		"another issuer in the token",
		/unexpected \\"iss\\"/,
		{ forgery: claims({ iss: hostile.issuer("other") }) },
	],
	[
		"the issuer with an extra slash",
		/unexpected \\"iss\\"/,
		{ forgery: claims({ iss: `${hostile.issuer()}/` }) },
	],
	["no issuer in the token", /\\"iss\\"/, { forgery: claims({ iss: undefined }) }],
	[
		"a token that has expired",
		/\\"exp\\" claim timestamp/,
		{ forgery: claims(() => ({ iat: seconds(-300), exp: seconds(-90) })) },
	],
	["no expiry", /missing required \\"exp\\"/, { forgery: claims({ exp: undefined }) }],
	[
		"an expiry that isn't a number",
		/\\"exp\\" claim must be a number/,
		{ forgery: claims({ exp: "never" }) },
	],
	[
		"a token issued long ago",
		/\\"iat\\" claim timestamp.*past/,
		{ forgery: claims(() => ({ iat: seconds(-720) })) },
	],
	[
		"a token issued in the future",
		/\\"iat\\" claim timestamp/,
		{ forgery: claims(() => ({ iat: seconds(180), exp: seconds(600) })) },
	],
	["no time of issue", /missing required \\"iat\\"/, { forgery: claims({ iat: undefined }) }],
	[
		"a token that isn't valid yet",
		/\\"nbf\\" claim timestamp/,
		{ forgery: claims(() => ({ nbf: seconds(180) })) },
	],
	["no subject", /missing required \\"sub\\"/, { forgery: claims({ sub: undefined }) }],
	["an empty subject", /subject is missing or malformed/, { forgery: claims({ sub: "" }) }],
	[
		"a subject of 256 characters",
		/subject is missing or malformed/,
		{ forgery: claims({ sub: "s".repeat(256) }) },
	],
	[
		"a subject that is a number",
		/subject is missing or malformed/,
		{ forgery: claims({ sub: 42 }) },
	],
	[
		"a subject that is a list",
		/subject is missing or malformed/,
		{ forgery: claims({ sub: ["person-1"] }) },
	],
	[
		"a subject with a NUL",
		/subject is missing or malformed/,
		{ forgery: claims({ sub: "person\u0000" }) },
	],
	[
		"a subject with a lone surrogate",
		/subject is missing or malformed/,
		{ forgery: claims({ sub: "person\ud800" }) },
	],
	[
		"the nonce in capitals",
		/the nonce doesn't match/,
		{ forgery: { claims: (honest) => ({ ...honest, nonce: String(honest.nonce).toUpperCase() }) } },
	],
	[
		"an audience in a list of lists",
		/unexpected \\"aud\\"/,
		{ forgery: claims({ aud: [["milepost"]] }) },
	],
	[
		"an authorized party in a list",
		/issued to another party/,
		{ forgery: claims({ azp: ["milepost"] }) },
	],
	[
		"several issuers in the token, ours among them",
		/unexpected \\"iss\\"/,
		{ forgery: claims({ iss: [hostile.issuer(), hostile.issuer("other")] }) },
	],
	[
		"a time of issue that isn't a number",
		/\\"iat\\" claim must be a number/,
		{ forgery: claims(() => ({ iat: String(seconds(0)) })) },
	],
	[
		"a start of validity that isn't a number",
		/\\"nbf\\" claim must be a number/,
		{ forgery: claims({ nbf: "now" }) },
	],
	[
		"a subject in the prototype only",
		/missing required \\"sub\\"/,
		{
			forgery: byHand({ alg: "RS256", kid: "RS256" }, (text) =>
				text.replace(/"sub":"([^"]*)"/, '"__proto__":{"sub":"$1"}'),
			),
		},
	],
	[
		"claims in a list",
		/must be a top-level JSON object/,
		{ forgery: byHand({ alg: "RS256", kid: "RS256" }, (text) => `[${text}]`) },
	],
	[
		"claims that aren't JSON",
		/must be a top-level JSON object/,
		{ forgery: byHand({ alg: "RS256", kid: "RS256" }, (text) => text.slice(1)) },
	],

	// The signature
	["algorithm none", /\\"alg\\".*not allowed/, { forgery: { header: { alg: "none" } } }],
	["algorithm nOnE", /\\"alg\\".*not allowed/, { forgery: { header: { alg: "nOnE" } } }],
	[
		"HS256 with the client's secret",
		/\\"alg\\".*not allowed/,
		{ forgery: { header: { alg: "HS256" }, key: secretKey(CLIENT.clientSecret) } },
	],
	[
		"HS256 with the public key",
		/\\"alg\\".*not allowed/,
		{ forgery: { header: { alg: "HS256", kid: "RS256" }, key: secretKey(hostile.publicPem) } },
	],
	[
		"an unpublished key",
		/no applicable key/,
		{ forgery: unpublishedKey({ alg: "RS256", kid: "stray" }) },
	],
	[
		"another key under a published id",
		/signature verification failed/,
		{ forgery: unpublishedKey({ alg: "RS256", kid: "RS256" }) },
	],
	[
		"another key without an id",
		/signature verification failed/,
		{ forgery: unpublishedKey({ alg: "RS256" }) },
	],
	[
		"a key embedded in the token",
		/signature verification failed/,
		{ forgery: unpublishedKey({ alg: "RS256", jwk: hostile.published[0] }) },
	],
	[
		"a key set linked in the token",
		/signature verification failed/,
		{ forgery: unpublishedKey({ alg: "RS256", jku: `${hostile.issuer()}/jwks` }) },
	],
	[
		"a published key for another algorithm",
		/no applicable key/,
		{ forgery: { header: { alg: "PS256", kid: "RS256" }, key: hostile.keys.get("PS256") } },
	],
	[
		"a signature with one bit changed",
		/signature verification failed/,
		{
			forgery: {
				token: (token) => {
					const [head, body, signature = ""] = token.split(".");
					const bytes = Buffer.from(signature, "base64url");
					bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
					return [head, body, bytes.toString("base64url")].join(".");
				},
			},
		},
	],
	[
		"other claims with a valid signature",
		/signature verification failed/,
		{
			forgery: {
				token: (token) => {
					const [head, body = "", signature] = token.split(".");
					const changed = {
						...JSON.parse(Buffer.from(body, "base64url").toString()),
						email: "boss@fleet.example",
					};
					return [head, Buffer.from(JSON.stringify(changed)).toString("base64url"), signature].join(
						".",
					);
				},
			},
		},
	],
	[
		"no signature at all",
		/signature verification failed|Invalid/,
		{ forgery: { token: (token) => token.replace(/[^.]*$/, "") } },
	],
	[
		"an ES256 signature of zeros",
		/signature verification failed/,
		{
			forgery: {
				header: { alg: "ES256", kid: "ES256" },
				token: (token) => token.replace(/[^.]*$/, Buffer.alloc(64).toString("base64url")),
			},
		},
	],
	[
		"a key id that is a path",
		/no applicable key/,
		{
			forgery: {
				header: { alg: "RS256", kid: "../other/jwks" },
				key: hostile.keys.get("RS256"),
			},
		},
	],
	[
		"an unknown extension that must be understood",
		/\\"unknown\\" is not recognized/,
		{ forgery: byHand({ alg: "RS256", kid: "RS256", crit: ["unknown"], unknown: 1 }) },
	],
	[
		"claims that aren't encoded",
		/MUST NOT use unencoded payload/,
		{ forgery: byHand({ alg: "RS256", kid: "RS256", crit: ["b64"], b64: false }) },
	],
	[
		"an encrypted token",
		/Invalid Compact JWS/,
		{ forgery: { token: (token) => `${token}.${"x".repeat(22)}.${"y".repeat(22)}` } },
	],
	["an empty token", /Invalid Compact JWS/, { forgery: { token: () => "" } }],
	["a malformed token", /Invalid Compact JWS/, { forgery: { token: () => "not.a-token" } }],

	// The provider's own calls
	[
		"a token endpoint that fails",
		/token endpoint returned 500/,
		{ forgery: replyWith(500, '{"error":"server_error"}') },
	],
	[
		"a token endpoint that refuses",
		/returned 400 invalid_grant/,
		{ forgery: replyWith(400, '{"error":"invalid_grant"}') },
	],
	[
		"a token endpoint that returns a page",
		/returned 200 without JSON/,
		{ forgery: replyWith(200, "<html>secret-code</html>") },
	],
	["a token endpoint that returns null", /no ID token/, { forgery: replyWith(200, "null") }],
	["a token endpoint without an ID token", /no ID token/, { forgery: { token: () => undefined } }],
	[
		"an ID token that isn't text",
		/no ID token/,
		{ forgery: replyWith(200, '{"id_token":["a"],"access_token":"b"}') },
	],
	[
		"a token endpoint that redirects",
		/returned 307/,
		{ forgery: replyWith(307, "{}", { Location: `${hostile.issuer()}/elsewhere` }) },
	],
	[
		"a token endpoint with an endless answer",
		/more than 256 KB/,
		{ forgery: replyWith(200, JSON.stringify("x".repeat(300 * 1024))) },
	],
	[
		"a token endpoint that hangs up",
		/can't be reached/,
		{ forgery: { answer: (response) => void response.destroy() } },
	],
	[
		"a token endpoint that never answers",
		/can't be reached: TimeoutError/,
		{ forgery: { answer: () => undefined } },
	],
	[
		"a token endpoint that never finishes its answer",
		/can't be reached: TimeoutError/,
		{ forgery: { answer: (response) => void response.writeHead(200).write('{"id_token":') } },
	],
	[
		"keys that can't be fetched",
		/Expected 200 OK from the JSON Web Key Set/,
		{ provider: "keyless" },
	],
	["a key set without keys", /no applicable key/, { provider: "emptied" }],
	["a malformed key set", /JSON Web Key Set malformed/, { provider: "malformed" }],
	["a page instead of keys", /Failed to parse the JSON Web Key Set/, { provider: "paged" }],
	["a key set that has moved", /Expected 200 OK from the JSON Web Key Set/, { provider: "moved" }],
	["an endless key set", /larger than 256 KB/, { provider: "swollen" }],
	[
		"the client's secret as the only key",
		/\\"alg\\".*not allowed/,
		{
			provider: "symmetric",
			forgery: { header: { alg: "HS256", kid: "RS256" }, key: secretKey(CLIENT.clientSecret) },
		},
	],
	["keys for encryption only", /no applicable key/, { provider: "encrypting" }],
	[
		"two keys that fit a token without an id",
		/multiple matching keys/,
		{
			provider: "ambiguous",
			forgery: { header: { alg: "RS256" }, key: hostile.keys.get("RS256") },
		},
	],
	["a key of 1,024 bits", /2048 bits or larger/, { provider: "weak", forgery: weaklySigned }],
	[
		"a token endpoint that compresses an endless answer",
		/more than 256 KB/,
		{
			forgery: replyWith(200, gzipSync(Buffer.alloc(64 * 1024 * 1024)), {
				"Content-Encoding": "gzip",
			}),
		},
	],
	[
		"a token endpoint that says something was created",
		/returned 201/,
		{ forgery: replyWith(201, JSON.stringify({ id_token: stolen })) },
	],
	[
		"userinfo that is no object",
		/userinfo is for a different/,
		{ forgery: { ...claims({ email: undefined }), userinfo: () => [] as never } },
	],
	[
		"userinfo about several people",
		/userinfo is for a different/,
		{
			forgery: {
				...claims({ email: undefined }),
				userinfo: (honest) => ({ ...honest, sub: [honest.sub] }),
			},
		},
	],
	[
		"userinfo about another person",
		/userinfo is for a different/,
		{
			forgery: {
				...claims({ email: undefined }),
				userinfo: (honest) => ({ ...honest, sub: "somebody-else" }),
			},
		},
	],
	[
		"userinfo without a subject",
		/userinfo is for a different/,
		{ forgery: { ...claims({ email: undefined }), userinfo: ({ sub, ...honest }) => honest } },
	],
	[
		"discovery that names another issuer",
		/the discovery document names a different issuer/,
		{ bring: attempt((each) => ({ ...each, provider: "misnamed" })) },
	],
	[
		"discovery with an HTTP endpoint",
		/unsafe token_endpoint/,
		{ bring: attempt((each) => ({ ...each, provider: "plain" })) },
	],
	[
		"discovery with keys over HTTP",
		/unsafe jwks_uri/,
		{ bring: attempt((each) => ({ ...each, provider: "unlocked" })) },
	],
	[
		"discovery with an endpoint that looks local",
		/unsafe token_endpoint/,
		{ bring: attempt((each) => ({ ...each, provider: "disguised" })) },
	],
	[
		"discovery with an HTTP userinfo endpoint",
		/unsafe userinfo_endpoint/,
		{ bring: attempt((each) => ({ ...each, provider: "tellall" })) },
	],
	[
		"discovery that can't be reached",
		/discovery can't be reached/,
		{ bring: attempt((each) => ({ ...each, provider: "absent" })) },
	],
];
