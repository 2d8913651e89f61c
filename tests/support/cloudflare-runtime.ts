/** Runs the Workers uploaded to the stand-in for Cloudflare, on real D1, R2 and workerd. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { outputLines } from "../../tools/local-worker.ts";
import { runtimeSettings } from "../../tools/wrangler-config.ts";
import { D1_PROXY, proxiedDatabase } from "./d1-proxy.ts";
import { type DatabaseCopy, putCopy } from "./database-copy.ts";
import { ask, type Listening } from "./direct.ts";

export type Binding = {
	readonly type: string;
	readonly name: string;
	readonly text?: string;
	readonly id?: string;
	readonly bucket_name?: string;
};

/** An uploaded version of a Worker. */
export type Version = {
	readonly id: string;
	readonly bindings: readonly Binding[];
	/** The main module first. */
	readonly modules: readonly { readonly name: string; readonly text: string }[];
	readonly sourceMaps: readonly string[];
	readonly metadata: Readonly<Record<string, unknown>>;
	/** The folder of its published files. */
	readonly assets: string | undefined;
};

/** A Worker's version and the hosts it runs at. */
export type Serving = {
	readonly worker: string;
	readonly version: Version;
	readonly hosts: readonly string[];
};

const PROXY_HOST = "d1-proxy.cloudflare.test";

function workerOptions({ worker, version, hosts }: Serving, placeOf: (id: string) => string) {
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
		d1Databases: named("d1", ({ id }) => id && placeOf(id)),
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

/** Storage that survives uploads, and the Workers that use it. */
export async function startRuntime() {
	const state = await mkdtemp(join(tmpdir(), "milepost-cloudflare-"));
	/** Where each database is stored: under another id once it was restored. */
	const databases = new Map<string, string>();
	const placeOf = (id: string) => databases.get(id) ?? id;
	const buckets = new Set<string>();
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
					name: "d1-proxy",
					modules: [{ type: "ESModule", path: "d1-proxy.mjs", contents: D1_PROXY }],
					d1Databases: Object.fromEntries(databases),
					r2Buckets: Object.fromEntries([...buckets].map((name) => [name, name])),
				},
				...serving.map((each) => workerOptions(each, placeOf)),
			],
		}) as unknown as MiniflareOptions;
	const runtime = new Miniflare(options([]));
	let last: readonly Serving[] = [];
	let isStale = false;
	let settling: Promise<unknown> = Promise.resolve();

	/** Waits until the requested Workers are running; every change restarts the runtime. */
	function settled(): Promise<unknown> {
		if (!isStale) return settling;
		isStale = false;
		settling = settling.then(() => runtime.setOptions(options(last)));
		return settling;
	}
	/** A database, created on first use. */
	function database(id: string): D1Database {
		if (!databases.has(id)) {
			databases.set(id, id);
			isStale = true;
		}
		return proxiedDatabase(async (body) => {
			await settled();
			return ask(runtime, `http://${PROXY_HOST}/${id}`, { method: "POST", body });
		});
	}
	const listening: Listening = {
		get ready() {
			return settled().then(() => runtime.ready);
		},
	};
	return {
		state,
		/** Runs exactly these Workers. */
		async serve(serving: readonly Serving[]): Promise<void> {
			last = serving;
			isStale = true;
		},
		database: async (id: string) => database(id),
		/** Restores a database to an earlier state. */
		async restore(id: string, copy: DatabaseCopy): Promise<void> {
			databases.set(id, randomUUID());
			isStale = true;
			await putCopy(database(id), copy);
		},
		/** Makes a database disappear; the returned function brings it back. */
		lose(id: string): () => void {
			const place = placeOf(id);
			const move = (to: string) => {
				databases.set(id, to);
				isStale = true;
			};
			move(randomUUID());
			return () => move(place);
		},
		/** A bucket with its objects. */
		async bucket(name: string): Promise<R2Bucket> {
			if (!buckets.has(name)) {
				buckets.add(name);
				isStale = true;
			}
			await settled();
			return (await runtime.getR2Bucket(name, "d1-proxy")) as unknown as R2Bucket;
		},
		/** Runs a Worker's scheduled handler for one minute. */
		async runMinute(worker: string, at: number): Promise<void> {
			await settled();
			const { scheduled } = await runtime.getWorker(worker);
			await scheduled({ cron: "* * * * *", scheduledTime: new Date(at) });
		},
		/** The Worker that responds at an origin. */
		site: (origin: string) => ({ worker: listening, origin, lines }),
		async close() {
			await settled();
			await runtime.dispose();
			await rm(state, { recursive: true, force: true });
		},
	};
}
export type Runtime = Awaited<ReturnType<typeof startRuntime>>;
