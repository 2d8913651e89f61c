/**
 * A stand-in for Cloudflare on a loopback port: the API requests that wrangler and our tools make
 * to set up and deploy. Uploaded Workers run in workerd, on real D1 and R2.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Account, type Call, newAccount, Refused } from "./cloudflare-account.ts";
import { ROUTES } from "./cloudflare-calls.ts";
import { startRuntime } from "./cloudflare-runtime.ts";
import { ACCOUNT, TOKEN } from "./d1-api.ts";
import { ask } from "./direct.ts";
import type { Site } from "./worker.ts";

/** A response to send instead; undefined lets the request through. */
type Mishap = (call: Call) => Refused | undefined | Promise<Refused | undefined>;

export type Cloudflare = {
	/** Environment variables that make a program use this server and nothing else. */
	readonly environment: Readonly<Record<string, string>>;
	readonly account: Account;
	/** The local address of a Worker's host. */
	addressOf(host: string): string;
	/** Every request so far, as `GET /d1/database/…`. */
	readonly calls: string[];
	/** Called before every request. */
	mishap: Mishap;
	/** The Worker deployed at an origin. */
	site(origin: string): Site;
	close(): Promise<void>;
};

const PREFIX = `/client/v4/accounts/${ACCOUNT}`;

/** Starts it, with an account that has nothing in it. */
export async function startCloudflare(): Promise<Cloudflare> {
	const runtime = await startRuntime();
	const account = newAccount(runtime);
	const calls: string[] = [];

	async function answerTo(request: IncomingMessage): Promise<unknown> {
		const url = new URL(request.url ?? "", "http://cloudflare");
		const method = request.method ?? "";
		const token = request.headers.authorization;
		const isSession = url.pathname.endsWith("/workers/assets/upload");
		if (token !== `Bearer ${TOKEN}` && !isSession)
			throw new Refused(401, 10000, "Authentication error");
		const zone = url.pathname.startsWith("/client/v4/zones");
		if (!zone && !/accounts\/[0-9a-f]{32}\//.test(url.pathname))
			throw new Refused(404, 7003, "Could not route, perhaps your object identifier is invalid?");
		if (!zone && !url.pathname.startsWith(`${PREFIX}/`))
			throw new Refused(403, 9109, "Unauthorized to access requested resource");
		const path = url.pathname.slice((zone ? "/client/v4" : PREFIX).length);
		const call: Call = {
			name: `${method} ${path}`,
			query: url.searchParams,
			headers: new Headers(request.headers as Record<string, string>),
			body: await buffer(request),
		};
		calls.push(call.name);
		const refused = await cloudflare.mishap(call);
		if (refused) throw refused;
		for (const [pattern, handle] of ROUTES) {
			const match = pattern.exec(call.name);
			if (match) return handle(account, call, match.slice(1).map(decodeURIComponent));
		}
		throw new Refused(404, 7003, `Could not route to ${path}`);
	}

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const host = /^\/host\/([^/]+)(\/.*)$/.exec(request.url ?? "");
		if (host) {
			const { worker } = runtime.site("");
			const answer = await ask(worker, `https://${host[1]}${host[2]}`);
			const location = answer.headers.get("Location");
			response.writeHead(answer.status, {
				"Content-Type": "application/json",
				...(location ? { Location: location } : {}),
			});
			response.end(await answer.text());
			return;
		}
		const [status, body] = await answerTo(request).then(
			(result) => [200, { success: true, errors: [], messages: [], result }] as const,
			(error: unknown) => {
				if (!(error instanceof Refused)) throw error;
				const errors = [{ code: error.code, message: error.message }];
				return [error.status, { success: false, errors, messages: [], result: null }] as const;
			},
		);
		// Objects are sent without the JSON envelope.
		if (body.result instanceof Uint8Array) {
			response.end(body.result);
			return;
		}
		response.writeHead(status, { "Content-Type": "application/json" });
		response.end(JSON.stringify(body));
	}

	const server = createServer((request, response) => {
		respond(request, response).catch((error: unknown) => {
			response.writeHead(500);
			response.end(String(error instanceof Error ? error.stack : error));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const cloudflare: Cloudflare = {
		environment: {
			CLOUDFLARE_API_BASE_URL: `${origin}/client/v4`,
			CLOUDFLARE_API_TOKEN: TOKEN,
			CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
			CLOUDFLARE_ENV: "",
			WRANGLER_SEND_METRICS: "false",
			// The banner would make wrangler look for a newer version of itself.
			WRANGLER_HIDE_BANNER: "true",
			WRANGLER_LOG_PATH: runtime.state,
			CI: "true",
		},
		account,
		addressOf: (host) => `${origin}/host/${host}`,
		calls,
		mishap: () => undefined,
		site: runtime.site,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			await runtime.close();
		},
	};
	return cloudflare;
}

/** Refuses every request with this name. */
export const refusing =
	(name: RegExp, status: number, code: number, message: string): Mishap =>
	(call) =>
		name.test(call.name) ? new Refused(status, code, message) : undefined;
