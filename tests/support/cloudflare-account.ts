/** The state of an account at the stand-in for Cloudflare, and the calls to it. */
import type { Runtime, Version } from "./cloudflare-runtime.ts";
import type { DatabaseCopy } from "./database-copy.ts";

/** The response to a call that the API refuses. */
export class Refused extends Error {
	constructor(
		readonly status: number,
		readonly code: number,
		message: string,
	) {
		super(message);
	}
}

export type Call = {
	/** Method and path, without the account. */
	readonly name: string;
	readonly query: URLSearchParams;
	readonly headers: Headers;
	readonly body: Buffer;
};

export type Script = {
	secrets: Map<string, string>;
	versions: Version[];
	/** Ids of versions, the one that serves first. */
	deployments: string[];
	hosts: string[];
	crons: unknown;
	subdomain: unknown;
};

export type Account = {
	readonly runtime: Runtime;
	readonly databases: Map<string, { uuid: string; name: string } & Record<string, unknown>>;
	readonly buckets: Map<string, Record<string, unknown>>;
	readonly scripts: Map<string, Script>;
	/** Databases as they were, by their bookmarks. */
	readonly bookmarks: Map<string, DatabaseCopy>;
	/** Published files by their hash. */
	readonly files: Map<string, Buffer>;
	/** Upload sessions: which path has which hash. */
	readonly sessions: Map<string, Record<string, { hash: string }>>;
};

export const newAccount = (runtime: Runtime): Account => ({
	runtime,
	databases: new Map(),
	buckets: new Map(),
	scripts: new Map(),
	bookmarks: new Map(),
	files: new Map(),
	sessions: new Map(),
});

/** A Worker that was uploaded. */
export function scriptOf({ scripts }: Account, name: string): Script {
	const script = scripts.get(name);
	if (script) return script;
	throw new Refused(404, 10007, "This Worker does not exist on your account.");
}

export function databaseOf({ databases }: Account, id: string) {
	const database = databases.get(id);
	if (database) return database;
	throw new Refused(404, 7404, `The database ${id} could not be found`);
}

/** Runs every Worker's serving version at its hosts. */
export async function serve({ scripts, runtime }: Account): Promise<void> {
	await runtime.serve(
		[...scripts].flatMap(([worker, { versions, deployments, hosts }]) => {
			const version = versions.find(({ id }) => id === deployments[0]);
			return version ? [{ worker, version, hosts }] : [];
		}),
	);
}

/** What a call carries. */
export const json = (call: Call) => JSON.parse(String(call.body)) as Record<string, unknown>;
export const form = (call: Call) =>
	new Response(new Uint8Array(call.body), {
		headers: { "Content-Type": call.headers.get("Content-Type") ?? "" },
	}).formData();
