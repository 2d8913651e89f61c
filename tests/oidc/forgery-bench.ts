/**
 * A fleet with providers that lie in any way a test needs. Importing this opens it, for
 * tests/http/openid-forgeries.test.ts only.
 */
import { generateKeyPairSync, KeyObject, type webcrypto } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import { createCookie } from "@remix-run/cloudflare";
import { afterAll, expect } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { currentTime } from "../support/clock.ts";
import { type Answer, type Client, openFleet } from "../support/worker.ts";
import {
	CLIENT,
	type Forgery,
	type Header,
	HostileProvider,
	signedByHand,
} from "./hostile-provider.ts";

const SECRET = "the cookie secret of this test alone, long enough";
export const hostile = await HostileProvider.open();
afterAll(() => hostile.close());

/** How each issuer's discovery document differs from an honest one. */
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
	unlocked: (honest) => ({ ...honest, jwks_uri: "http://keys.example/jwks" }),
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

const rsa = hostile.published.find(({ kid }) => kid === "RS256");
/** Too short for RS256, which requires 2,048 bits. */
const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
const json = (body: unknown) => (response: ServerResponse) =>
	void response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
/** The keys of providers that are honest in everything else. */
const KEY_SETS: Record<string, (response: ServerResponse) => void> = {
	swollen: json({ keys: hostile.published, padding: "x".repeat(300 * 1024) }),
	emptied: json({ keys: [] }),
	malformed: json({ keys: "none" }),
	paged: (response) => void response.writeHead(200).end("<html>no keys</html>"),
	moved: (response) =>
		void response.writeHead(302, { Location: `${hostile.issuer()}/elsewhere` }).end(),
	symmetric: json({
		keys: [{ kty: "oct", k: Buffer.from(CLIENT.clientSecret).toString("base64url"), kid: "RS256" }],
	}),
	encrypting: json({ keys: hostile.published.map((key) => ({ ...key, use: "enc" })) }),
	ambiguous: json({ keys: ["first", "second"].map((kid) => ({ ...rsa, kid })) }),
	weak: json({ keys: [{ ...weak.publicKey.export({ format: "jwk" }), kid: "RS256" }] }),
};
for (const [name, keySet] of Object.entries(KEY_SETS)) hostile.keySets.set(name, keySet);

const ISSUERS: Readonly<Record<string, string>> = {
	absent: "http://127.0.0.1:9",
	elsewhere: `${hostile.issuer()}/no/such/realm`,
};
const PROVIDERS = [
	...Object.keys(DISCOVERIES),
	...Object.keys(KEY_SETS),
	...Object.keys(ISSUERS),
].map((id) => ({
	id,
	name: `Provider ${id}`,
	issuer: ISSUERS[id] ?? hostile.issuer(id),
	...CLIENT,
	trustsEmail: true,
}));

/** What the operator's webhook was told. */
export const told: string[] = [];
const webhook = createServer((request, response) => {
	let text = "";
	request.on("data", (part) => {
		text += part;
	});
	request.on("end", () => {
		told.push(text);
		response.end();
	});
});
const webhookPort = await freePort();
await new Promise<void>((listening) => webhook.listen(webhookPort, "127.0.0.1", listening));
afterAll(() => webhook.close());

export const fleet = await openFleet({
	kind: "production",
	seed: "nobody",
	vars: {
		OIDC_PROVIDERS: JSON.stringify(PROVIDERS),
		COOKIE_SECRET: SECRET,
		ERROR_WEBHOOK: `http://127.0.0.1:${webhookPort}/`,
	},
});

export type Attempt = {
	provider: string;
	state: string;
	nonce: string;
	verifier: string;
	returnTo: string;
	startedAt: number;
};
const cookieWith = (secret: string) => createCookie("login", { secrets: [secret] });
export const readAttempt = async (client: Client) =>
	(await cookieWith(SECRET).parse(`login=${client.cookies.get("login")}`)) as Attempt;
/** Signs an attempt as the Worker would, and sets it as the browser's cookie. */
export async function setAttempt(client: Client, attempt: unknown, secret = SECRET): Promise<void> {
	client.cookies.set(
		"login",
		/^login=([^;]*)/.exec(await cookieWith(secret).serialize(attempt))?.[1] ?? "",
	);
}

async function begin(provider: string): Promise<{ client: Client; url: string }> {
	const client = fleet.client();
	const started = await client.get(`/api/login?provider=${provider}`);
	expect(started.status, started.text.slice(0, 300)).toBe(302);
	return { client, url: started.headers.get("Location") ?? "" };
}

/** Another person's unfinished sign-in. */
export async function anotherAttempt(
	forgery: Forgery = {},
): Promise<{ client: Client; back: URL }> {
	const { client, url } = await begin("hostile");
	return { client, back: hostile.pass(url, forgery) };
}

export type Case = {
	readonly provider?: string;
	readonly forgery?: Forgery;
	readonly subject?: string;
	/** Changes what the browser returns with: the URL or its cookies. */
	readonly bring?: (browser: { client: Client; back: URL }) => unknown;
};

export const tables = ["users", "identities", "sessions", "audit_events"];
export const rows = async () =>
	(
		await fleet.sql<Record<string, number>>(
			`select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(", ")}`,
		)
	)[0];

/** Runs a sign-in up to the callback's answer. */
export async function tryToSignIn({ provider = "hostile", forgery, subject, bring }: Case) {
	const { client, url } = await begin(provider);
	const back = hostile.pass(url, forgery, subject);
	await bring?.({ client, back });
	const before = await rows();
	const seen = fleet.lines.length;
	const answer = await client.get(back.pathname + back.search);
	return { answer, client, before, seen };
}

/** Reasons that only the operator can mend. */
const MISCONFIGURED = /discovery document names|unsafe|invalid_client/;

export async function expectRefusal(
	answer: Answer,
	client: Client,
	before: unknown,
	seen: number,
	because: RegExp,
): Promise<void> {
	expect(answer.status, answer.text.slice(0, 300)).toBe(400);
	expect(answer.text).toContain(
		MISCONFIGURED.test(because.source)
			? "Sign-in isn&#x27;t set up correctly. Tell your administrator."
			: "Sign-in couldn&#x27;t be completed. Please try again.",
	);
	// Another attempt's answer ends none.
	expect(answer.headers.getSetCookie()).toEqual(
		because.source.includes("the state doesn't match")
			? []
			: [expect.stringMatching(/^login=; Max-Age=0;/)],
	);
	expect(client.cookies.has("sid")).toBe(false);
	expect(await rows()).toEqual(before);
	const reason = () => fleet.lines.slice(seen).find((line) => /"signIn(Setup)?":/.test(line)) ?? "";
	await expect.poll(reason).toMatch(because);
}

export type ClaimChanges = Readonly<Record<string, unknown>>;
/** Changes claims; `undefined` leaves one out. A function is called when the token is issued. */
export const claims = (changed: ClaimChanges | (() => ClaimChanges)): Forgery => ({
	claims: (honest) => {
		const all = { ...honest, ...(typeof changed === "function" ? changed() : changed) };
		return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
	},
});
export const seconds = (fromNow: number) => Math.floor(currentTime() / 1000) + fromNow;
export const query =
	(change: (back: URL) => void): Case["bring"] =>
	(browser) =>
		change(browser.back);
export const attempt =
	(change: (attempt: Attempt) => unknown): Case["bring"] =>
	async ({ client }) =>
		setAttempt(client, change(await readAttempt(client)));
export const replyWith = (
	status: number,
	body: string | Uint8Array,
	headers: Record<string, string> = {},
): Forgery => ({
	answer: (response) =>
		void response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(body),
});
export const secretKey = (text: string) => new TextEncoder().encode(text);
export const unpublishedKey = (header: Forgery["header"]): Forgery => ({
	header,
	key: hostile.keys.get("stray"),
});
/** The honest token with a header or claims, as text, that a library wouldn't sign. */
export const byHand = (
	header: Header,
	change: (claims: string) => string = (claims) => claims,
	key = KeyObject.from(hostile.keys.get("RS256") as webcrypto.CryptoKey),
): Forgery => ({
	token: (token) =>
		signedByHand(
			header,
			change(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()),
			key,
		),
});
/** Signed with the key of the provider 'weak', as text. */
export const weaklySigned = byHand({ alg: "RS256", kid: "RS256" }, undefined, weak.privateKey);

/** A token that the provider issued for another person's attempt. */
export let stolen = "";
const other = await anotherAttempt({
	token: (token) => {
		stolen = token;
		return token;
	},
});
expect((await other.client.get(other.back.pathname + other.back.search)).status).toBe(303);
