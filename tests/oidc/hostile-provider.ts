/**
 * An OpenID provider that is honest by default, and in which a test can forge any part of an
 * answer. It needs no person to sign in: everyone is sent back with a code at once.
 */

import { createHash, type KeyObject, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
	type CryptoKey,
	exportJWK,
	exportSPKI,
	generateKeyPair,
	type JWK,
	type JWTPayload,
	SignJWT,
} from "jose";
import { currentTime } from "../support/clock.ts";

/** The parameters with which a sign-in began. */
export type SignInRequest = {
	readonly clientId: string;
	readonly nonce: string;
	readonly challenge: string;
	readonly redirectUri: string;
};
export type Header = {
	alg: string;
	kid?: string;
	typ?: string;
	jwk?: JWK;
	jku?: string;
	crit?: string[];
	b64?: boolean;
	[extension: string]: unknown;
};
type Key = CryptoKey | KeyObject | Uint8Array;

/** What a test changes in an answer; everything left out is honest. */
export type Forgery = {
	/** Changes the honest claims. */
	readonly claims?: (honest: JWTPayload, begun: SignInRequest) => Readonly<Record<string, unknown>>;
	/** The token's header, and the signing key. */
	readonly header?: Header;
	readonly key?: Key;
	/** Changes the finished token. */
	readonly token?: (honest: string) => string | undefined;
	/** Replaces the token endpoint's answer. */
	readonly answer?: (response: ServerResponse) => void;
	/** The userinfo answer; by default there is no such endpoint. */
	readonly userinfo?: (
		honest: Readonly<Record<string, unknown>>,
	) => Readonly<Record<string, unknown>>;
};

const SECRET = "the secret of the hostile provider's client";
export const CLIENT = { clientId: "milepost", clientSecret: SECRET } as const;
type SigningAlgorithm = "RS256" | "PS256" | "ES256" | "EdDSA";

export class HostileProvider {
	readonly server = createServer((request, response) => {
		this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
	});
	readonly keys = new Map<string, Key>();
	/** The published key set, which a test may change. */
	readonly published: JWK[] = [];
	/** Issued codes. */
	readonly #codes = new Map<
		string,
		{ begun: SignInRequest; forgery: Forgery; subject: string; isUsed: boolean }
	>();
	/** Discovery documents by the path of the issuer. */
	readonly discoveries = new Map<string, (honest: Readonly<Record<string, unknown>>) => unknown>();
	/** Answers with keys by the path of the issuer, where they aren't the published ones. */
	readonly keySets = new Map<string, (response: ServerResponse) => void>();
	/** The paths that were requested. */
	readonly calls: string[] = [];
	publicPem = "";
	#port = 0;
	#count = 0;

	static async open(): Promise<HostileProvider> {
		const provider = new HostileProvider();
		for (const alg of ["RS256", "PS256", "ES256", "EdDSA"] as const)
			await provider.addKey(alg, alg);
		await provider.addKey("stray", "RS256", false);
		await new Promise<void>((done) => provider.server.listen(0, "127.0.0.1", done));
		provider.#port = (provider.server.address() as { port: number }).port;
		return provider;
	}

	/** Creates a signing key, and by default publishes it with its id. */
	async addKey(kid: string, alg: SigningAlgorithm, isPublished = true): Promise<void> {
		const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
		this.keys.set(kid, privateKey);
		if (kid === "RS256") this.publicPem = await exportSPKI(publicKey);
		if (isPublished) this.published.push({ ...(await exportJWK(publicKey)), kid, alg, use: "sig" });
	}

	/** The issuer with this name; each has its own endpoints. */
	issuer(name = "hostile"): string {
		return `http://127.0.0.1:${this.#port}/${name}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise<void>((done) => this.server.close(() => done()));
	}

	/**
	 * Does what a browser would: opens the URL and comes back with a code.
	 * @returns the callback URL
	 */
	pass(url: string, forgery: Forgery = {}, subject = `person-${++this.#count}`): URL {
		const query = new URL(url).searchParams;
		const text = (name: string) => query.get(name) ?? "";
		const code = `code-${++this.#count}-${Math.random().toString(36).slice(2)}`;
		this.#codes.set(code, {
			begun: {
				clientId: text("client_id"),
				nonce: text("nonce"),
				challenge: text("code_challenge"),
				redirectUri: text("redirect_uri"),
			},
			forgery,
			subject,
			isUsed: false,
		});
		const back = new URL(text("redirect_uri"));
		back.searchParams.set("code", code);
		back.searchParams.set("state", text("state"));
		return back;
	}

	async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = request.url ?? "/";
		this.calls.push(path);
		const [, name = "", ...rest] = path.split("/");
		const issuer = this.issuer(name);
		const reply = (body: unknown, status = 200) => {
			response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
		};
		switch (rest.join("/")) {
			case ".well-known/openid-configuration": {
				const honest = {
					issuer,
					authorization_endpoint: `${issuer}/authorize`,
					token_endpoint: `${issuer}/token`,
					jwks_uri: `${issuer}/jwks`,
					userinfo_endpoint: `${issuer}/userinfo`,
					token_endpoint_auth_methods_supported: ["client_secret_basic"],
				};
				const forged = this.discoveries.get(name);
				return reply(forged ? forged(honest) : honest);
			}
			case "jwks": {
				const forged = this.keySets.get(name);
				return forged ? forged(response) : reply({ keys: this.published });
			}
			case "token":
				return this.#token(request, response, issuer, reply);
			case "userinfo": {
				const code = request.headers.authorization?.replace("Bearer access-", "") ?? "";
				const kept = this.#codes.get(code);
				if (!kept) return reply({ error: "invalid_token" }, 401);
				const honest = {
					sub: kept.subject,
					email: `${kept.subject}@hostile.test`,
					email_verified: true,
				};
				return reply(kept.forgery.userinfo ? kept.forgery.userinfo(honest) : honest);
			}
			default:
				return reply({ error: "not_found" }, 404);
		}
	}

	/**
	 * The token endpoint, which checks client, code and verifier honestly, so that only the forged
	 * part is wrong.
	 */
	async #token(
		request: IncomingMessage,
		response: ServerResponse,
		issuer: string,
		reply: (body: unknown, status?: number) => void,
	) {
		let text = "";
		for await (const part of request) text += part;
		const form = new URLSearchParams(text);
		const kept = this.#codes.get(form.get("code") ?? "");
		const encoded = [CLIENT.clientId, SECRET].map(encodeURIComponent).join(":");
		const isBasic =
			request.headers.authorization === `Basic ${Buffer.from(encoded).toString("base64")}`;
		if (!isBasic && form.get("client_secret") !== SECRET)
			return reply({ error: "invalid_client" }, 401);
		const challenge = createHash("sha256")
			.update(form.get("code_verifier") ?? "")
			.digest("base64url");
		if (
			!kept ||
			kept.isUsed ||
			kept.begun.challenge !== challenge ||
			form.get("redirect_uri") !== kept.begun.redirectUri
		)
			return reply({ error: "invalid_grant" }, 400);
		kept.isUsed = true;
		const { begun, forgery, subject } = kept;
		if (forgery.answer) return forgery.answer(response);
		const now = Math.floor(currentTime() / 1000);
		const honest: JWTPayload = {
			iss: issuer,
			aud: begun.clientId,
			sub: subject,
			nonce: begun.nonce,
			iat: now,
			exp: now + 300,
			email: `${subject}@hostile.test`,
			email_verified: true,
			given_name: "Hanna",
			family_name: "Honest",
		};
		const token = await signed(
			forgery.claims ? forgery.claims(honest, begun) : honest,
			forgery.header ?? { alg: "RS256", kid: "RS256" },
			forgery.key ?? this.keys.get(forgery.header?.kid ?? "RS256"),
		);
		reply({
			access_token: `access-${form.get("code")}`,
			token_type: "Bearer",
			id_token: forgery.token ? forgery.token(token) : token,
		});
	}
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Signs any header and any text with RSA and SHA-256, as a library wouldn't. */
export function signedByHand(header: Header, claims: string, key: KeyObject): string {
	const signed = `${part(header)}.${Buffer.from(claims).toString("base64url")}`;
	return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}

/**
 * Signs any claims as a compact JWS, even those that a library would refuse; 'none' has no
 * signature.
 */
async function signed(
	claims: Readonly<Record<string, unknown>>,
	header: Header,
	key: Key | undefined,
): Promise<string> {
	if (header.alg.toLowerCase() === "none") return `${part(header)}.${part(claims)}.`;
	if (!key) throw new Error(`there is no key for ${header.alg}`);
	return new SignJWT(claims as JWTPayload).setProtectedHeader(header).sign(key as CryptoKey);
}
