/**
 * The built Worker in workerd, with real D1 and R2 in a folder: what `npm start`, `npm run dev`,
 * the tests and the benches all run.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { MiniflareOptions } from "miniflare";
import { settingsSchema } from "../app/values/setting-rules.ts";
import type { Kind } from "./bundle-stamp.ts";
import "./miniflare-wait.ts";
import { type RateLimit, runtimeSettings } from "./wrangler-config.ts";

// Production runs in UTC; workerd would use the machine's time zone.
process.env.TZ = "UTC";

export type LocalWorkerOptions = {
	kind?: Kind;
	/** Where it was built; here by default, for this release. */
	built?: string;
	/** The folder for D1 and R2; without one they are in memory. */
	state?: string;
	port?: number;
	/** The Worker's variables, on top of the local defaults. */
	vars?: Record<string, string>;
	/** The limits of the `SIGN_IN_LIMIT` binding; unlimited if absent. */
	signInLimit?: RateLimit;
	/** Those of `REPORT_LIMIT`. */
	reportLimit?: RateLimit;
	/** Those of `TRANSFER_LIMIT`. */
	transferLimit?: RateLimit;
	/** Those of `TOKEN_LIMIT`. */
	tokenLimit?: RateLimit;
	/** Answers the Worker's outgoing requests; without it they go out. */
	outbound?: (request: Request) => Response | Promise<Response>;
	/** Called with each line that the Worker writes. */
	onLine?: (line: string) => void;
	/** Called when workerd ends without having been told to. */
	onEnd?: () => void;
};

/** A binding, and the secret of which each state folder has its own. */
const NOT_TAKEN = ["EMAIL", "COOKIE_SECRET"];

/** The Worker's settings in the environment. */
export const settingsIn = (env: NodeJS.ProcessEnv): Record<string, string> =>
	Object.fromEntries(
		Object.keys(settingsSchema.entries)
			.filter((name) => env[name] && !NOT_TAKEN.includes(name))
			.map((name) => [name, env[name] ?? ""]),
	);

/** The secret that signs cookies on this machine, created once for each state folder. */
function localSecret(state: string | undefined): string {
	if (!state) return randomBytes(32).toString("hex");
	const file = join(state, "cookie-secret");
	const known = existsSync(file) ? readFileSync(file, "utf8") : "";
	// On a full disk its file may have been created but not written.
	if (known !== "") return known;
	const secret = randomBytes(32).toString("hex");
	mkdirSync(state, { recursive: true });
	writeFileSync(file, secret, { mode: 0o600 });
	return secret;
}

/** Passes workerd's output on line by line. It never ends if Miniflare stops workerd. */
export const outputLines =
	(onLine: (line: string) => void, onEnd: () => void = () => undefined) =>
	(stdout: NodeJS.ReadableStream, stderr: NodeJS.ReadableStream) => {
		stdout.once("end", onEnd);
		for (const stream of [stdout, stderr]) {
			let rest = "";
			stream.setEncoding("utf8").on("data", (text: string) => {
				const parts = (rest + text).split("\n");
				rest = parts.pop() ?? "";
				for (const line of parts) if (line) onLine(line);
			});
		}
	};

/**
 * Options of a workerd with only the databases, for tools that need no Worker. This module doesn't load
 * Miniflare, which takes a second that a tool for the deployed fleet needn't wait.
 */
export function storageOptions(state: string | undefined): MiniflareOptions {
	return {
		...runtimeSettings(),
		modules: [
			{
				type: "ESModule",
				path: "idle.mjs",
				contents: "export default { fetch: () => new Response(null, { status: 404 }) }",
			},
		],
		d1Databases: { DB: "milepost", ARCHIVE: "milepost-archive" },
		r2Buckets: { RECEIPTS: "milepost-receipts" },
		d1Persist: state ? resolve(state, "d1") : false,
		r2Persist: state ? resolve(state, "r2") : false,
		host: "127.0.0.1",
		port: 0,
		cf: false,
	};
}

/** A bundle's modules, entry first. */
export function bundleModules(folder: string) {
	const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
	return ["index.js", ...names.filter((name) => name !== "index.js")].map((name) => ({
		type: "ESModule" as const,
		path: join(folder, name),
	}));
}

/** Options of the built Worker. */
export function workerOptions({
	kind = "local",
	built = "build",
	state,
	port = 0,
	vars = {},
	signInLimit,
	reportLimit,
	transferLimit,
	tokenLimit,
	outbound,
	onLine,
	onEnd,
}: LocalWorkerOptions): MiniflareOptions {
	const folder = join(built, kind);
	return {
		...storageOptions(state),
		modulesRoot: resolve(folder, "worker"),
		modules: bundleModules(resolve(folder, "worker")),
		assets: {
			directory: resolve(folder, "client"),
			binding: "ASSETS",
			routerConfig: { has_user_worker: true },
			assetConfig: { html_handling: "none", not_found_handling: "none" },
		},
		bindings: {
			APP_ORIGIN: `http://localhost:${port}`,
			COOKIE_SECRET: localSecret(state),
			SERVER_TIMING: "on",
			...vars,
		},
		ratelimits: {
			...(signInLimit ? { SIGN_IN_LIMIT: { simple: signInLimit } } : {}),
			...(reportLimit ? { REPORT_LIMIT: { simple: reportLimit } } : {}),
			...(transferLimit ? { TRANSFER_LIMIT: { simple: transferLimit } } : {}),
			...(tokenLimit ? { TOKEN_LIMIT: { simple: tokenLimit } } : {}),
		},
		port,
		...(outbound ? { outboundService: outbound } : {}),
		...(onLine ? { handleRuntimeStdio: outputLines(onLine, onEnd) } : {}),
	} as MiniflareOptions;
}
