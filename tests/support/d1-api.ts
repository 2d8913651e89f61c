/** A stand-in for the part of Cloudflare's API that queries a D1 database, backed by a real one. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { Miniflare } from "miniflare";
import { runtimeSettings } from "../../tools/wrangler-config.ts";
import { D1_PROXY, proxiedDatabase } from "./d1-proxy.ts";

export const TOKEN = "a-token_of~this.test";
export const ACCOUNT = "0123456789abcdef0123456789abcdef";
export const DATABASE = "11111111-2222-4333-8444-555555555555";

type Statement = { readonly sql: string; readonly params?: readonly unknown[] };
type ApiRequest = { readonly token: string | undefined; readonly batch: readonly Statement[] };

/** A response sent once instead of running the statements. */
type Mishap = (response: ServerResponse) => void;

export type D1Api = {
	/** The value for CLOUDFLARE_API_BASE_URL. */
	readonly base: string;
	readonly url: string;
	/** Direct access to the database. */
	readonly db: D1Database;
	/** Every request to the right URL, in order. */
	readonly asked: ApiRequest[];
	/** What happens to the next requests, one entry for each. */
	readonly mishaps: Mishap[];
	/** Changes each value before it is bound. */
	bound: (value: unknown) => unknown;
	close(): Promise<void>;
};

/** Fails with a status and errors worded as Cloudflare's. */
export const failing =
	(status: number, problems: readonly object[], headers: Record<string, string> = {}): Mishap =>
	(response) => {
		const body = { success: false, errors: problems, messages: [], result: null };
		response.writeHead(status, { "Content-Type": "application/json", ...headers });
		response.end(JSON.stringify(body));
	};

/** Starts it, with an empty database. */
export async function startD1Api(): Promise<D1Api> {
	const worker = new Miniflare({
		...runtimeSettings(),
		modules: [{ type: "ESModule", path: "d1-proxy.mjs", contents: D1_PROXY }],
		d1Databases: { DB: "remote" },
		host: "127.0.0.1",
		cf: false,
	});
	const db = proxiedDatabase((body) =>
		worker.dispatchFetch("http://database/", { method: "POST", body }),
	);
	const asked: ApiRequest[] = [];
	const mishaps: Mishap[] = [];

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { batch } = JSON.parse(String(await buffer(request))) as { batch: Statement[] };
		const path = `/client/v4/accounts/${ACCOUNT}/d1/database/${DATABASE}/query`;
		if (request.method !== "POST" || request.url !== path) {
			const message = "The database could not be found";
			return failing(404, [{ code: 7404, message }])(response);
		}
		asked.push({ token: request.headers.authorization, batch });
		const mishap = mishaps.shift();
		if (mishap) return mishap(response);
		if (request.headers.authorization !== `Bearer ${TOKEN}`)
			return failing(401, [{ code: 10000, message: "Authentication error" }])(response);
		try {
			const statements = batch.map(({ sql, params = [] }) =>
				db.prepare(sql).bind(...params.map(api.bound)),
			);
			const result = await db.batch(statements);
			response.writeHead(200, { "Content-Type": "application/json" });
			response.end(JSON.stringify({ success: true, errors: [], messages: [], result }));
		} catch (error) {
			const message = error instanceof Error ? error.message.replace(/^D1_ERROR: /, "") : "";
			failing(400, [{ code: 7500, message }])(response);
		}
	}

	const server = createServer((request, response) => void answer(request, response));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`;
	const api: D1Api = {
		base,
		url: `${base}/accounts/${ACCOUNT}/d1/database/${DATABASE}/query`,
		db,
		asked,
		mishaps,
		bound: (value) => value,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			await worker.dispose();
		},
	};
	return api;
}
