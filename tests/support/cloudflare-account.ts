/** The account kept by the stand-in for Cloudflare, and the requests made to it. */
import type { Runtime, Version } from "./cloudflare-runtime.ts";
import type { DatabaseCopy } from "./database-copy.ts";

/** The response to a request that the API refuses. */
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
	/** Method and path, without the account's prefix. */
	readonly name: string;
	readonly query: URLSearchParams;
	readonly headers: Headers;
	readonly body: Buffer;
};

export type Script = {
	secrets: Map<string, string>;
	versions: Version[];
	/** Version ids, the one being served first. */
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
	/** Earlier states of databases, by bookmark. */
	readonly bookmarks: Map<string, DatabaseCopy>;
	/** Published files by hash. */
	readonly files: Map<string, Buffer>;
	/** The hash for each path, by upload session. */
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

/** An uploaded Worker. */
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

/** Runs the current version of every Worker at its hosts. */
export async function serve({ scripts, runtime }: Account): Promise<void> {
	await runtime.serve(
		[...scripts].flatMap(([worker, { versions, deployments, hosts }]) => {
			const version = versions.find(({ id }) => id === deployments[0]);
			return version ? [{ worker, version, hosts }] : [];
		}),
	);
}

/** A request's body. */
export const json = (call: Call) => JSON.parse(String(call.body)) as Record<string, unknown>;
export const form = (call: Call) =>
	new Response(new Uint8Array(call.body), {
		headers: { "Content-Type": call.headers.get("Content-Type") ?? "" },
	}).formData();
