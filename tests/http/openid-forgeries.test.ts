/**
 * Answers that no honest provider gave to this browser: each is wrong in one thing, each is refused
 * for that one thing, and the same harness lets the honest ones in (docs/security.md, 'Signing
 * in').
 */
import { createCookie } from "@remix-run/cloudflare";
import { afterAll, describe, expect, it } from "vitest";
import { CLIENT, type Forgery, HostileProvider } from "../oidc/hostile-provider.ts";
import { currentTime } from "../support/clock.ts";
import { type Answer, type Client, openFleet } from "../support/worker.ts";

const SECRET = "the cookie secret of this test alone, long enough";
const hostile = await HostileProvider.open();
afterAll(() => hostile.close());

/**
 * What each issuer's discovery document says that an honest one would not, or says in another way.
 */
const DISCOVERIES: Record<string, (honest: Readonly<Record<string, unknown>>) => unknown> = {
	hostile: (honest) => honest,
	other: (honest) => honest,
	strict: (honest) => ({ ...honest, authorization_response_iss_parameter_supported: true }),
	posting: (honest) => ({
		...honest,
		token_endpoint_auth_methods_supported: ["client_secret_post"],
	}),
	misnamed: (honest) => ({ ...honest, issuer: `${honest.issuer}/` }),
	plain: (honest) => ({ ...honest, token_endpoint: "http://tokens.example/token" }),
	disguised: (honest) => ({
		...honest,
		token_endpoint: "http://localhost:80@tokens.example/token",
	}),
	tellall: (honest) => ({ ...honest, userinfo_endpoint: "http://userinfo.example/" }),
	scripted: (honest) => ({ ...honest, authorization_endpoint: "javascript:alert(1)" }),
	keyless: (honest) => ({ ...honest, jwks_uri: `${honest.issuer}/nowhere` }),
	partial: ({ token_endpoint, ...honest }) => honest,
	listing: () => [],
};
for (const [name, discovery] of Object.entries(DISCOVERIES))
	hostile.discoveries.set(name, discovery);
const PROVIDERS = [...Object.keys(DISCOVERIES), "absent"].map((id) => ({
	id,
	name: `Provider ${id}`,
	issuer: id === "absent" ? "http://127.0.0.1:9" : hostile.issuer(id),
	...CLIENT,
	trustsEmail: true,
}));

const fleet = await openFleet({
	kind: "production",
	seed: "nobody",
	vars: { OIDC_PROVIDERS: JSON.stringify(PROVIDERS), COOKIE_SECRET: SECRET },
});

type Attempt = {
	provider: string;
	state: string;
	nonce: string;
	verifier: string;
	returnTo: string;
	startedAt: number;
};
const cookieWith = (secret: string) => createCookie("login", { secrets: [secret] });
const opened = async (client: Client) =>
	(await cookieWith(SECRET).parse(`login=${client.cookies.get("login")}`)) as Attempt;
/** Signs an attempt as the Worker would, and gives it to a browser. */
async function give(client: Client, attempt: unknown, secret = SECRET): Promise<void> {
	client.cookies.set(
		"login",
		/^login=([^;]*)/.exec(await cookieWith(secret).serialize(attempt))?.[1] ?? "",
	);
}

async function begin(provider: string): Promise<{ client: Client; address: string }> {
	const client = fleet.client();
	const started = await client.get(`/api/login?provider=${provider}`);
	expect(started.status, started.text.slice(0, 300)).toBe(302);
	return { client, address: started.headers.get("Location") ?? "" };
}

/** Another person's sign-in, begun and not finished. */
async function anotherAttempt(forgery: Forgery = {}): Promise<{ client: Client; back: URL }> {
	const { client, address } = await begin("hostile");
	return { client, back: hostile.pass(address, forgery) };
}

type Case = {
	readonly provider?: string;
	readonly forgery?: Forgery;
	readonly subject?: string;
	/** Changes what the browser brings back: the address, its cookies. */
	readonly bring?: (browser: { client: Client; back: URL }) => unknown;
};

const tables = ["users", "identities", "sessions", "audit_events"];
const rows = async () =>
	(
		await fleet.sql<Record<string, number>>(
			`select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(", ")}`,
		)
	)[0];

/** One sign-in from its beginning to the callback's answer. */
async function tryToEnter({ provider = "hostile", forgery, subject, bring }: Case) {
	const { client, address } = await begin(provider);
	const back = hostile.pass(address, forgery, subject);
	await bring?.({ client, back });
	const before = await rows();
	const seen = fleet.lines.length;
	const answer = await client.get(back.pathname + back.search);
	return { answer, client, before, seen };
}

async function expectRefusal(
	answer: Answer,
	client: Client,
	before: unknown,
	seen: number,
	because: RegExp,
): Promise<void> {
	expect(answer.status, answer.text.slice(0, 300)).toBe(400);
	expect(answer.text).toContain("Sign-in couldn&#x27;t be completed. Please try again.");
	expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^login=; Max-Age=0;/)]);
	expect(client.cookies.has("sid")).toBe(false);
	expect(await rows()).toEqual(before);
	const reason = () => fleet.lines.slice(seen).find((line) => line.includes('"signIn"')) ?? "";
	await expect.poll(reason).toMatch(because);
}

type Changed = Readonly<Record<string, unknown>>;
/** Changes claims; `undefined` leaves one out. Times are asked for when the token is made. */
const claims = (changed: Changed | (() => Changed)): Forgery => ({
	claims: (honest) => {
		const all = { ...honest, ...(typeof changed === "function" ? changed() : changed) };
		return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
	},
});
const seconds = (fromNow: number) => Math.floor(currentTime() / 1000) + fromNow;
const query =
	(change: (back: URL) => void): Case["bring"] =>
	(browser) =>
		change(browser.back);
const attempt =
	(change: (attempt: Attempt) => unknown): Case["bring"] =>
	async ({ client }) =>
		give(client, change(await opened(client)));
const replyWith = (
	status: number,
	body: string,
	headers: Record<string, string> = {},
): Forgery => ({
	answer: (response) =>
		void response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(body),
});
const secretKey = (text: string) => new TextEncoder().encode(text);
const stray = (header: Forgery["header"]): Forgery => ({ header, key: hostile.keys.get("stray") });

/** [what is forged, the words in the log that say so, how] */
const FORGED: readonly (readonly [string, RegExp, Case])[] = [
	// The browser and its attempt
	[
		"a state that is not the attempt's",
		/the state doesn't match/,
		{ bring: query((back) => back.searchParams.set("state", "x".repeat(43))) },
	],
	[
		"a state that is only the beginning",
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
		"an error beside a good code",
		/provider returned an error: access_denied/,
		{ bring: query((back) => back.searchParams.set("error", "access_denied")) },
	],
	[
		"the answer to another browser",
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
		"an attempt whose signature is cut off",
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
				give(client, await opened(client), "another secret that is long enough too"),
		},
	],
	[
		"another signed cookie of ours",
		/hasn't started a sign-in/,
		{ bring: ({ client }) => give(client, "profileUpdated") },
	],
	[
		"an attempt with one thing more",
		/hasn't started a sign-in/,
		{ bring: attempt((each) => ({ ...each, admin: true })) },
	],
	[
		"an attempt at a provider that is not configured",
		/unknown provider/,
		{ bring: attempt((each) => ({ ...each, provider: "unknown" })) },
	],
	[
		"an attempt of more than ten minutes ago",
		/too old/,
		{ bring: attempt((each) => ({ ...each, startedAt: each.startedAt - 601_000 })) },
	],
	[
		"an attempt of tomorrow",
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
		"a verifier that is not the attempt's",
		/400 invalid_grant/,
		{ bring: attempt((each) => ({ ...each, verifier: "v".repeat(43) })) },
	],
	[
		"an answer of another issuer",
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

	// The claims
	[
		"a nonce that is not the attempt's",
		/the nonce doesn't match/,
		{ forgery: claims({ nonce: "n".repeat(43) }) },
	],
	["no nonce", /missing required \\"nonce\\"/, { forgery: claims({ nonce: undefined }) }],
	[
		"a nonce that is no text",
		/the nonce doesn't match/,
		{ forgery: { claims: (honest) => ({ ...honest, nonce: [honest.nonce] }) } },
	],
	["a token of another attempt", /the nonce doesn't match/, { forgery: { token: () => stolen } }],
	["another audience", /unexpected \\"aud\\"/, { forgery: claims({ aud: "another-client" }) }],
	["no audience", /\\"aud\\"/, { forgery: claims({ aud: undefined }) }],
	["an audience like ours", /unexpected \\"aud\\"/, { forgery: claims({ aud: "Milepost" }) }],
	[
		"several audiences without a party",
		/issued to another party/,
		{ forgery: claims({ aud: ["milepost", "another-client"] }) },
	],
	[
		"several audiences for another party",
		/issued to another party/,
		{ forgery: claims({ aud: ["milepost", "another-client"], azp: "another-client" }) },
	],
	[
		"our audience for another party",
		/issued to another party/,
		{ forgery: claims({ azp: "another-client" }) },
	],
	[
		"another issuer in the token",
		/unexpected \\"iss\\"/,
		{ forgery: claims({ iss: hostile.issuer("other") }) },
	],
	[
		"the issuer with a slash more",
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
		"an expiry that is no number",
		/\\"exp\\" claim must be a number/,
		{ forgery: claims({ exp: "never" }) },
	],
	[
		"a token made long ago",
		/\\"iat\\" claim timestamp.*past/,
		{ forgery: claims(() => ({ iat: seconds(-720) })) },
	],
	[
		"a token made in the future",
		/\\"iat\\" claim timestamp/,
		{ forgery: claims(() => ({ iat: seconds(180), exp: seconds(600) })) },
	],
	["no time of making", /missing required \\"iat\\"/, { forgery: claims({ iat: undefined }) }],
	[
		"a token not valid yet",
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
		"a subject with half a character",
		/subject is missing or malformed/,
		{ forgery: claims({ sub: "person\ud800" }) },
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
		"a key nobody published",
		/no applicable key/,
		{ forgery: stray({ alg: "RS256", kid: "stray" }) },
	],
	[
		"a stray key under a published name",
		/signature verification failed/,
		{ forgery: stray({ alg: "RS256", kid: "RS256" }) },
	],
	[
		"a stray key without a name",
		/signature verification failed/,
		{ forgery: stray({ alg: "RS256" }) },
	],
	[
		"a key the token brings along",
		/signature verification failed/,
		{ forgery: stray({ alg: "RS256", jwk: hostile.published[0] }) },
	],
	[
		"a key set the token points to",
		/signature verification failed/,
		{ forgery: stray({ alg: "RS256", jku: `${hostile.issuer()}/jwks` }) },
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
		"other claims under a good signature",
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
	["a token that is none", /Invalid Compact JWS/, { forgery: { token: () => "not.a-token" } }],

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
		"a token endpoint that answers a page",
		/returned 200 without JSON/,
		{ forgery: replyWith(200, "<html>secret-code</html>") },
	],
	["a token endpoint that answers null", /no ID token/, { forgery: replyWith(200, "null") }],
	["a token endpoint without an ID token", /no ID token/, { forgery: { token: () => undefined } }],
	[
		"an ID token that is no text",
		/no ID token/,
		{ forgery: replyWith(200, '{"id_token":["a"],"access_token":"b"}') },
	],
	[
		"a token endpoint that sends us elsewhere",
		/returned 307/,
		{ forgery: replyWith(307, "{}", { Location: `${hostile.issuer()}/elsewhere` }) },
	],
	[
		"a token endpoint that answers without end",
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
		"a token endpoint that never ends its answer",
		/can't be reached: TimeoutError/,
		{ forgery: { answer: (response) => void response.writeHead(200).write('{"id_token":') } },
	],
	[
		"keys that cannot be fetched",
		/Expected 200 OK from the JSON Web Key Set/,
		{ provider: "keyless" },
	],
	[
		"userinfo about somebody else",
		/userinfo is for a different/,
		{
			forgery: {
				...claims({ email: undefined }),
				userinfo: (honest) => ({ ...honest, sub: "somebody-else" }),
			},
		},
	],
	[
		"userinfo about nobody",
		/userinfo is for a different/,
		{ forgery: { ...claims({ email: undefined }), userinfo: ({ sub, ...honest }) => honest } },
	],
	[
		"discovery that names another issuer",
		/the discovery document names a different issuer/,
		{ bring: attempt((each) => ({ ...each, provider: "misnamed" })) },
	],
	[
		"discovery with an endpoint on http",
		/unsafe token_endpoint/,
		{ bring: attempt((each) => ({ ...each, provider: "plain" })) },
	],
	[
		"discovery with an endpoint that looks local",
		/unsafe token_endpoint/,
		{ bring: attempt((each) => ({ ...each, provider: "disguised" })) },
	],
	[
		"discovery with userinfo on http",
		/unsafe userinfo_endpoint/,
		{ bring: attempt((each) => ({ ...each, provider: "tellall" })) },
	],
	[
		"discovery that cannot be reached",
		/discovery can't be reached/,
		{ bring: attempt((each) => ({ ...each, provider: "absent" })) },
	],
];

/** A token made for somebody else's attempt, by the provider itself. */
let stolen = "";
const other = await anotherAttempt({
	token: (token) => {
		stolen = token;
		return token;
	},
});
expect((await other.client.get(other.back.pathname + other.back.search)).status).toBe(303);

const figures = { refused: 0, admitted: 0 };

describe("a forged answer is refused", () => {
	it.each(FORGED)("%s", async (_, because, each) => {
		const { answer, client, before, seen } = await tryToEnter(each);
		await expectRefusal(answer, client, before, seen, because);
		figures.refused += 1;
	});
});

/** [what is honest about it, how, what the new account then holds] */
const HONEST: readonly (readonly [string, Case, Readonly<Record<string, unknown>>?])[] = [
	[
		"an answer as it should be",
		{},
		{ first_name: "Hanna", last_name: "Honest", approval_status: "pending", role: "driver" },
	],
	[
		"several audiences with us as the party",
		{ forgery: claims({ aud: ["milepost", "another-client"], azp: "milepost" }) },
	],
	["one audience in a list", { forgery: claims({ aud: ["milepost"] }) }],
	["us as the party", { forgery: claims({ azp: "milepost" }) }],
	["PS256", { forgery: { header: { alg: "PS256", kid: "PS256" } } }],
	["ES256", { forgery: { header: { alg: "ES256", kid: "ES256" } } }],
	["EdDSA", { forgery: { header: { alg: "EdDSA", kid: "EdDSA" } } }],
	[
		"a key without a name, the only one of its algorithm",
		{ forgery: { header: { alg: "RS256" }, key: hostile.keys.get("RS256") } },
	],
	[
		"a provider whose clock is 45 seconds ahead",
		{ forgery: claims(() => ({ iat: seconds(45), nbf: seconds(45) })) },
	],
	[
		"a token that expired 15 seconds ago by our clock",
		{ forgery: claims(() => ({ iat: seconds(-60), exp: seconds(-15) })) },
	],
	["a token made nine minutes ago", { forgery: claims(() => ({ iat: seconds(-540) })) }],
	["a subject of 255 characters", { subject: "s".repeat(255) }],
	[
		"an address only at userinfo",
		{ forgery: claims({ email: undefined, email_verified: undefined }), subject: "ulla" },
		{ email: "ulla@hostile.test" },
	],
	[
		"an address nobody verified",
		{ forgery: claims({ email_verified: "true" }), subject: "vera" },
		{ email: null, unverified_email: "vera@hostile.test" },
	],
	[
		"no address anywhere",
		{ forgery: { ...claims({ email: undefined }), userinfo: ({ sub }) => ({ sub }) } },
		{ email: null, unverified_email: null },
	],
	[
		"an address that is none",
		{ forgery: claims({ email: { toString: "x" } }) },
		{ email: null, unverified_email: null },
	],
	[
		"names that are no text",
		{ forgery: claims({ given_name: ["x"], family_name: 7 }) },
		{ first_name: "", last_name: "" },
	],
	[
		"the issuer in the answer",
		{ bring: query((back) => back.searchParams.set("iss", hostile.issuer())) },
	],
	[
		"the issuer in the answer where it is promised",
		{
			provider: "strict",
			bring: query((back) => back.searchParams.set("iss", hostile.issuer("strict"))),
		},
	],
	["a client that must post its secret", { provider: "posting" }],
	[
		"parameters we do not know",
		{ bring: query((back) => back.searchParams.set("session_state", "abc")) },
	],
	[
		"an attempt of nine and a half minutes ago",
		{ bring: attempt((each) => ({ ...each, startedAt: each.startedAt - 570_000 })) },
	],
	[
		"an attempt begun where the clock is 30 seconds ahead",
		{ bring: attempt((each) => ({ ...each, startedAt: each.startedAt + 30_000 })) },
	],
	[
		"a browser beside one that was refused",
		{
			bring: async () =>
				expect((await tryToEnter({ forgery: claims({ nonce: "wrong" }) })).answer.status).toBe(400),
		},
	],
];

describe("an honest answer is taken", () => {
	it.each(HONEST.map(([name, each, expected = {}]) => ({ name, each, expected })))(
		"$name",
		async ({ each, expected }) => {
			const { answer, client, before } = await tryToEnter(each);
			expect(answer.status, fleet.lines.filter((line) => line.includes("signIn")).at(-1)).toBe(303);
			expect(client.cookies.has("sid")).toBe(true);
			expect(client.cookies.has("login")).toBe(false);
			const after = await rows();
			// Two entries in the audit: somebody new, and their sign-in.
			const added = (table: string) => (table === "audit_events" ? 2 : 1);
			for (const table of tables)
				expect(after?.[table], table).toBe((before?.[table] ?? 0) + added(table));
			const [person] = await fleet.sql("select * from users order by rowid desc limit 1");
			expect(person).toMatchObject(expected);
			if (each.subject)
				expect(
					await fleet.sql("select issuer from identities where subject = ?", each.subject),
				).toHaveLength(1);
			figures.admitted += 1;
		},
	);
});

describe("a provider that cannot be believed is not even visited", () => {
	it.each([
		"misnamed",
		"plain",
		"disguised",
		"tellall",
		"scripted",
		"partial",
		"listing",
		"absent",
	])("%s", async (provider) => {
		const answer = await fleet.client().get(`/api/login?provider=${provider}`, { mayFail: true });
		expect(answer.status).toBe(503);
		expect(answer.headers.get("Retry-After")).toBe("10");
		expect(answer.headers.get("Location")).toBeNull();
		expect(answer.headers.getSetCookie()).toEqual([]);
		expect(answer.text).toContain(
			`Provider ${provider} can&#x27;t be reached right now. Please try again in a moment.`,
		);
	});
});

it("takes no answer by POST, from a page or from a provider that would post it", async () => {
	const { client, back } = await anotherAttempt();
	expect((await client.post("/api/callback", Object.fromEntries(back.searchParams))).status).toBe(
		405,
	);
	const foreign = await client.post(
		back.pathname + back.search,
		{},
		{ headers: { Origin: hostile.issuer(), "Sec-Fetch-Site": "cross-site" } },
	);
	expect(foreign.status).toBe(405);
	expect(client.cookies.has("sid")).toBe(false);
});

it("followed no redirect, and wrote no code, token or secret to the log", () => {
	expect(hostile.calls.filter((path) => path.includes("elsewhere"))).toEqual([]);
	const log = fleet.lines.join("\n");
	expect(log).not.toMatch(/code-\d|access-|eyJ|the secret of the hostile|secret-code|state=/);
	console.log(
		`forged answers refused ${figures.refused}/${FORGED.length}, honest ones taken ${figures.admitted}/${HONEST.length}`,
	);
	expect(figures).toEqual({ refused: FORGED.length, admitted: HONEST.length });
});
