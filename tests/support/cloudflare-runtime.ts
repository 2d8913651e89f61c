/** Runs what was uploaded to the stand-in for Cloudflare: real D1, R2 and workerd, in memory. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { outputLines } from "../../tools/local-worker.ts";
import { runtimeSettings } from "../../tools/wrangler-config.ts";
import { DOOR, databaseThroughDoor } from "./d1-proxy.ts";

export type Binding = {
	readonly type: string;
	readonly name: string;
	readonly text?: string;
	readonly id?: string;
	readonly bucket_name?: string;
};

/** One upload of a Worker. */
export type Version = {
	readonly id: string;
	readonly bindings: readonly Binding[];
	/** The main one first. */
	readonly modules: readonly { readonly name: string; readonly text: string }[];
	readonly sourceMaps: readonly string[];
	readonly metadata: Readonly<Record<string, unknown>>;
	/** A folder with the files it publishes. */
	readonly assets: string | undefined;
};

/** What runs where. */
export type Serving = {
	readonly worker: string;
	readonly version: Version;
	readonly hosts: readonly string[];
};

const DOOR_HOST = "door.cloudflare.test";

function workerOptions({ worker, version, hosts }: Serving) {
	const texts = version.bindings.filter(({ type }) => type.endsWith("_text"));
	const named = (type: string, value: (binding: Binding) => string | undefined) =>
		Object.fromEntries(
			version.bindings.filter((each) => each.type === type).map((each) => [each.name, value(each)]),
		);
	return {
		name: worker,
		routes: hosts.map((host) => `${host}/*`),
		compatibilityDate: version.metadata.compatibility_date,
		compatibilityFlags: version.metadata.compatibility_flags,
		modulesRoot: "/worker",
		modules: version.modules.map(({ name, text }) => ({
			type: "ESModule",
			path: join("/worker", name),
			contents: text,
		})),
		bindings: {
			...Object.fromEntries(texts.map(({ name, text }) => [name, text])),
			CF_VERSION_METADATA: { id: version.id, tag: "", timestamp: "" },
		},
		d1Databases: named("d1", ({ id }) => id),
		r2Buckets: named("r2_bucket", ({ bucket_name }) => bucket_name),
		...(version.assets
			? {
					assets: {
						directory: version.assets,
						binding: "ASSETS",
						routerConfig: { has_user_worker: true },
						assetConfig: { html_handling: "none", not_found_handling: "none" },
					},
				}
			: {}),
	};
}

/** Storage that outlives every upload, and the Workers that use it. */
export async function startRuntime() {
	const state = await mkdtemp(join(tmpdir(), "milepost-cloudflare-"));
	const databases = new Set<string>();
	const lines: string[] = [];
	const options = (serving: readonly Serving[]) =>
		({
			host: "127.0.0.1",
			cf: false,
			handleRuntimeStdio: outputLines((line) => lines.push(line)),
			d1Persist: join(state, "d1"),
			r2Persist: join(state, "r2"),
			workers: [
				{
					...runtimeSettings(),
					name: "door",
					modules: [{ type: "ESModule", path: "door.mjs", contents: DOOR }],
					d1Databases: Object.fromEntries([...databases].map((id) => [id, id])),
				},
				...serving.map(workerOptions),
			],
		}) as unknown as MiniflareOptions;
	const runtime = new Miniflare(options([]));
	let last: readonly Serving[] = [];

	/** Serves exactly this. */
	async function serve(serving: readonly Serving[]): Promise<void> {
		last = serving;
		await runtime.setOptions(options(serving));
	}
	return {
		state,
		serve,
		/** A database, made when it is first asked for. */
		async database(id: string): Promise<D1Database> {
			if (!databases.has(id)) {
				databases.add(id);
				await serve(last);
			}
			return databaseThroughDoor((body) =>
				runtime.dispatchFetch(`http://${DOOR_HOST}/${id}`, { method: "POST", body }),
			);
		},
		/** Whatever answers at an address. */
		site: (origin: string) => ({ worker: runtime, origin, lines }),
		async close() {
			await runtime.dispose();
			await rm(state, { recursive: true, force: true });
		},
	};
}
export type Runtime = Awaited<ReturnType<typeof startRuntime>>;
