/**
 * A real, certified OpenID provider (oidc-provider) on a loopback port, and a person who signs in
 * and consents over HTTP as in a browser without JavaScript.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import { vi } from "vitest";
import { freePort } from "../../tools/free-port.ts";

/** A person's claims. `sub` is the login. */
export type Claims = {
	readonly email?: string;
	readonly email_verified?: unknown;
	/** What Microsoft Entra says instead. */
	readonly xms_edov?: unknown;
	readonly given_name?: string;
	readonly family_name?: string;
};

/** A browser's state at the provider: its cookies, and the prompts it was shown. */
export type ProviderBrowser = { readonly cookies: Map<string, string>; readonly asked: string[] };

export type RealProvider = {
	readonly issuer: string;
	/** People by login, for tests to add and change. */
	readonly people: Map<string, Claims>;
	/** How often userinfo was requested. */
	userinfoCalls: number;
	/**
	 * Opens the provider as a browser would, signs in, consents, and returns the URL that the
	 * provider redirects to.
	 */
	readonly pass: (url: string, login: string, browser?: ProviderBrowser) => Promise<string>;
	readonly close: () => Promise<void>;
};

type Options = {
	/** Every client's redirect URI. */
	readonly callback: string;
	/** True: email and names are in the ID token. False, the standard's default: only in userinfo. */
	readonly claimsInToken?: boolean;
	/** False: it doesn't support choosing an account, and says so. */
	readonly offersChoice?: boolean;
};

/**
 * The registered clients: one with a secret that needs encoding, one public, and one that posts its
 * secret.
 */
export const CLIENTS = {
	confidential: {
		clientId: "milepost",
		clientSecret: "s3cret: with %25, a colon+plus and tilde ~",
	},
	public: { clientId: "milepost-public" },
} as const;

export async function openRealProvider({
	callback,
	claimsInToken = false,
	offersChoice = true,
}: Options): Promise<RealProvider> {
	const port = await freePort();
	const issuer = `http://127.0.0.1:${port}`;
	const people = new Map<string, Claims>();
	// It logs long warnings about default settings and untested Node versions.
	const quiet = [
		vi.spyOn(console, "info").mockImplementation(() => undefined),
		vi.spyOn(console, "warn").mockImplementation(() => undefined),
	];
	const { default: Provider, interactionPolicy } = await import("oidc-provider");
	const policy = interactionPolicy.base();
	if (offersChoice)
		policy.add(new interactionPolicy.Prompt({ name: "select_account", requestable: true }), 0);
	const keys = await Promise.all(
		(["RS256", "ES256"] as const).map(async (alg) => ({
			...(await exportJWK((await generateKeyPair(alg, { extractable: true })).privateKey)),
			alg,
			kid: alg,
			use: "sig",
		})),
	);
	const common = {
		redirect_uris: [callback],
		grant_types: ["authorization_code"],
		response_types: ["code"],
	};
	const provider = new Provider(issuer, {
		clients: [
			{
				client_id: CLIENTS.confidential.clientId,
				client_secret: CLIENTS.confidential.clientSecret,
				...common,
			},
			{
				client_id: CLIENTS.public.clientId,
				token_endpoint_auth_method: "none",
				id_token_signed_response_alg: "ES256",
				...common,
			},
		],
		jwks: { keys },
		cookies: { keys: ["only for tests"] },
		features: { devInteractions: { enabled: false } },
		claims: {
			openid: ["sub"],
			email: ["email", "email_verified", "xms_edov"],
			profile: ["given_name", "family_name"],
		},
		conformIdTokenClaims: !claimsInToken,
		pkce: { required: () => true },
		scopes: ["openid", "email", "profile"],
		discovery: {
			prompt_values_supported: [
				"none",
				"login",
				"consent",
				...(offersChoice ? ["select_account"] : []),
			],
		},
		interactions: { policy, url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
		findAccount: (_: unknown, login: string) => ({
			accountId: login,
			claims: () => ({ sub: login, ...people.get(login) }),
		}),
		ttl: {
			AccessToken: 60,
			AuthorizationCode: 60,
			IdToken: 60,
			Interaction: 60,
			Session: 60,
			Grant: 60,
		},
		renderError: (context: { body: string }, out: Readonly<Record<string, unknown>>) => {
			context.body = JSON.stringify(out);
		},
	});
	const answer = provider.callback();

	/** The login page and the consent page: one form each. */
	async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { prompt, params, session } = await provider.interactionDetails(request, response);
		if (request.method === "GET") {
			response.end(
				`<form method="post"><input name="${prompt.name}"><button>Continue</button></form>`,
			);
			return;
		}
		let text = "";
		for await (const part of request) text += part;
		const form = new URLSearchParams(text);
		const accountId = form.get(prompt.name);
		if (prompt.name === "login")
			return provider.interactionFinished(request, response, { login: { accountId } });
		if (prompt.name === "select_account")
			return provider.interactionFinished(request, response, {
				select_account: {},
				login: { accountId },
			});
		const grant = new provider.Grant({
			accountId: session?.accountId ?? "",
			clientId: params.client_id ?? "",
		});
		grant.addOIDCScope(params.scope ?? "");
		return provider.interactionFinished(request, response, {
			consent: { grantId: await grant.save() },
		});
	}

	const real: RealProvider = { issuer, people, userinfoCalls: 0, pass, close };
	const server = createServer((request, response) => {
		if (request.url === "/me") real.userinfoCalls += 1;
		if (!request.url?.startsWith("/interaction/")) answer(request, response);
		else
			interact(request, response).catch((error: unknown) => {
				response.statusCode = 500;
				response.end(String(error));
			});
	});
	await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));

	async function pass(
		url: string,
		login: string,
		{ cookies, asked }: ProviderBrowser = { cookies: new Map(), asked: [] },
	): Promise<string> {
		let form: URLSearchParams | undefined;
		let next = url;
		for (let step = 0; step < 20; step++) {
			const response = await fetch(next, {
				redirect: "manual",
				headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
				...(form ? { method: "POST", body: form } : {}),
			});
			form = undefined;
			for (const line of response.headers.getSetCookie()) {
				const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
				if (value === "") cookies.delete(name);
				else cookies.set(name, value);
			}
			const text = await response.text();
			const location = response.headers.get("Location");
			if (location) {
				next = new URL(location, next).href;
				if (next.startsWith(callback)) return next;
				continue;
			}
			// The provider ends the previous person's session with a form that submits itself.
			const own = /<form method="post" action="([^"]+)">/.exec(text)?.[1];
			if (own) {
				next = own;
				form = new URLSearchParams(
					[...text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
						name,
						value,
					]),
				);
				continue;
			}
			const field = /<form method="post"><input name="(\w+)">/.exec(text)?.[1];
			if (!field)
				throw new Error(
					`the provider answered ${response.status} at ${next}: ${text.slice(0, 500)}`,
				);
			asked.push(field);
			form = new URLSearchParams({ [field]: login });
		}
		throw new Error("the provider redirects in a loop");
	}

	async function close(): Promise<void> {
		for (const each of quiet) each.mockRestore();
		server.closeAllConnections();
		await new Promise<void>((done) => server.close(() => done()));
	}
	return real;
}
