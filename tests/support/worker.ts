/**
 * The built Worker in workerd with real D1 and R2, and clients signed in as members of the cast.
 * Any error line or 5xx that a test doesn't expect makes it fail.
 */
import { resolve } from "node:path";
import type { Miniflare } from "miniflare";
import { afterAll, afterEach, beforeEach, expect } from "vitest";
import { withHeapLimit } from "../../lab/heap-limit.ts";
import type { Director } from "../../lab/torture/faults/director.ts";
import { isBuilt, type Kind } from "../../tools/bundle-stamp.ts";
import { demoFleet } from "../../tools/demo-fleet.ts";
import { freePort } from "../../tools/free-port.ts";
import { bundleModules, type LocalWorkerOptions, workerOptions } from "../../tools/local-worker.ts";
import { insertSeed } from "../../tools/seed-database.ts";
import { CAST, type CastName, seedOf } from "./cast.ts";
import { CLOCK_OFFSET, currentTime } from "./clock.ts";
import { ask, type Listening } from "./direct.ts";
import { waitPastMidnight } from "./fleet-days.ts";
import { readHeap } from "./isolate-heap.ts";
import { CLOCK_HEADER, withMovableClock } from "./moved-worker.ts";
import { expectPlans } from "./plans.ts";
import type { Regions } from "./regions.ts";
import { goBackTo, migrateQuickly, type Snapshot, takeSnapshot } from "./snapshot.ts";
import { databaseBehind, filesBehind, type StandIns, withD1Proxy } from "./watched-worker.ts";

// Production runs in UTC, and so does the local Worker. A run may use another time zone to show
// that only the fleet's matters.
if (process.env.MILEPOST_WORKER_ZONE) process.env.TZ = process.env.MILEPOST_WORKER_ZONE;

export type Answer = {
	readonly status: number;
	readonly headers: Headers;
	/** The body; for a document, without its styles, which are the same on every page. */
	readonly text: string;
	/** The document's styles. */
	readonly styles: string;
	/** The size of the whole body. */
	readonly bytes: number;
	/** The whole body as it was sent, with a byte order mark that `text` lacks. */
	readonly raw: Uint8Array<ArrayBuffer>;
};

/** Where a document has its styles. */
const STYLES = /<style>([\s\S]*?)<\/style>/;

type RequestOptions = {
	readonly method?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | URLSearchParams | FormData | Uint8Array;
	/** The test expects a 5xx. */
	readonly mayFail?: boolean;
};

/** What a client sends its requests to. */
export type Site = {
	readonly worker: Listening;
	readonly origin: string;
	/** Its log lines so far. */
	readonly lines: readonly string[];
	/** Headers sent with every request. */
	readonly headers?: Readonly<Record<string, string>>;
};

/**
 * A minimal browser: it keeps cookies, doesn't follow redirects, and sends the headers that our own
 * pages would.
 */
export class Client {
	readonly cookies = new Map<string, string>();
	constructor(private readonly fleet: Site) {}

	/** The Cookie header of its requests. */
	get cookie(): string {
		return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
	}

	/** Sends a request and reads the complete response. */
	async request(
		path: string,
		{ method = "GET", headers = {}, body, mayFail = false }: RequestOptions = {},
	): Promise<Answer> {
		const { cookie } = this;
		const own: Record<string, string> =
			method === "GET" || method === "HEAD"
				? {}
				: { Origin: this.fleet.origin, "Sec-Fetch-Site": "same-origin" };
		const response = await ask(this.fleet.worker, `${this.fleet.origin}${path}`, {
			method,
			headers: {
				...this.fleet.headers,
				...own,
				...(cookie ? { Cookie: cookie } : {}),
				...headers,
			},
			...(body === undefined ? {} : { body }),
		});
		for (const line of response.headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			if (/Max-Age=0/i.test(line) || value === "") this.cookies.delete(name);
			else this.cookies.set(name, value);
		}
		const sent = new Uint8Array(await response.arrayBuffer());
		const whole = new TextDecoder().decode(sent);
		const text = whole.replace(STYLES, "");
		const styles = STYLES.exec(whole)?.[1] ?? "";
		if (response.status >= 500 && !mayFail)
			throw new Error(
				`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}\n${this.fleet.lines.slice(-5).join("\n")}`,
			);
		return {
			status: response.status,
			headers: response.headers,
			text,
			styles,
			bytes: sent.byteLength,
			raw: sent,
		};
	}

	get(path: string, options: RequestOptions = {}): Promise<Answer> {
		return this.request(path, options);
	}

	/** Posts a form as a browser without JavaScript would. */
	post(
		path: string,
		fields: Readonly<Record<string, string>>,
		options: RequestOptions = {},
	): Promise<Answer> {
		return this.request(path, {
			method: "POST",
			body: new URLSearchParams(fields),
			...options,
			headers: { "Content-Type": "application/x-www-form-urlencoded", ...options.headers },
		});
	}

	/** Sends a JSON request, with or without a body. */
	call(
		method: string,
		path: string,
		body?: unknown,
		options: RequestOptions = {},
	): Promise<Answer> {
		return this.request(path, {
			method,
			...options,
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
			headers: {
				...(body === undefined ? {} : { "Content-Type": "application/json" }),
				...options.headers,
			},
		});
	}

	/** Posts a form and returns the page it redirects to. */
	async postAndFollow(path: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
		const answer = await this.post(path, fields);
		const location = answer.headers.get("Location");
		return location ? this.get(location.replace(/#.*$/, "")) : answer;
	}

	async signIn(email: string): Promise<this> {
		const answer = await this.post("/api/login", { email });
		expect(answer.status, answer.text.slice(0, 300)).toBe(303);
		return this;
	}
}

const built = new Set<Kind>();

/** A test against an old build would prove nothing, silently. */
function expectBuilt(kind: Kind): void {
	if (built.has(kind)) return;
	if (!isBuilt(kind))
		throw new Error(`build/${kind} is out of date: run npm test -- and part of this file's name.`);
	built.add(kind);
}

/** A fleet: a Worker with its own databases. */
export class Fleet {
	readonly lines: string[] = [];
	/** Every statement the Worker has run, once. */
	readonly statements: string[] = [];
	/** Every statement that a test has run. */
	private readonly ran = new Set<string>();
	private beginning: { readonly rows: Snapshot; readonly files: readonly string[] } | undefined;
	worker: Miniflare;
	readonly origin: string;
	/** How many of them have been searched for errors. */
	private linesRead = 0;
	/** Repeated lines of workerd that were left out. */
	private echoes = 0;

	constructor(
		private readonly options: LocalWorkerOptions & {
			origin?: string;
			regions?: Regions;
			faults?: Director;
			standIns?: StandIns;
			isBusy?: boolean;
			inspectorPort?: number;
		},
	) {
		this.origin = options.origin ?? `http://localhost:${options.port ?? 8787}`;
		this.worker = this.start();
		options.regions?.use((name) => this.databaseOf(name));
	}

	private start(): Miniflare {
		const { options } = this;
		const kind = options.kind ?? "local";
		expectBuilt(kind);
		const root = resolve("build", kind, "worker");
		const isMoved = CLOCK_OFFSET !== 0 || options.regions;
		return withD1Proxy(
			{
				...workerOptions({
					...options,
					port: options.port ?? 0,
					vars: { APP_ORIGIN: this.origin, ...options.vars },
					onLine: (line) =>
						line.startsWith("SQL ")
							? this.statements.push(JSON.parse(line.slice(4)).sql)
							: this.lines.push(line),
				}),
				...(isMoved ? { modules: withMovableClock(root, bundleModules(root), CLOCK_OFFSET) } : {}),
			},
			options,
		);
	}

	/** Kills workerd immediately and starts another with the same state. */
	async killAndRestart(): Promise<void> {
		await this.worker.dispose();
		this.worker = this.start();
		await this.worker.ready;
	}

	/** Simulated regions also set the Worker's clock. */
	get headers(): Readonly<Record<string, string>> {
		const { regions } = this.options;
		return regions ? { [CLOCK_HEADER]: String(regions.elapsed) } : {};
	}

	/** The error lines since the last call; a test that reads them expects them. */
	takeErrors(): string[] {
		const fresh = this.lines.slice(this.linesRead);
		this.linesRead = this.lines.length;
		// workerd repeats the error of a response that broke off once it has looked up its own stack,
		// up to a second after the Worker's line: one each.
		const broken = this.lines.filter((each) => each.includes('"end":"failed"')).length;
		const isEcho = (line: string) => {
			if (!/ Uncaught exception: .* remote\.jsg\./.test(line) || this.echoes >= broken)
				return false;
			this.echoes += 1;
			return true;
		};
		// A browser that closes a loading page causes a broken pipe, which isn't the Worker's fault.
		return fresh.filter(
			(line) =>
				line.includes('"level":"error"') ||
				(/^\s*(Uncaught|✘|workerd\/)/.test(line) &&
					!isEcho(line) &&
					!/ disconnected: .*(Broken pipe|Connection reset)/.test(line)),
		);
	}

	client(): Client {
		return new Client(this);
	}

	/** Megabytes that the Worker's isolate uses after collecting garbage. */
	heap(): Promise<number> {
		const { inspectorPort } = this.options;
		if (inspectorPort === undefined) throw new Error("open the fleet with isInspected");
		return readHeap(inspectorPort, async () => {
			const answer = await this.worker.dispatchFetch(`${this.origin}/nowhere`);
			await answer.arrayBuffer();
		});
	}

	/** A client signed in as a member of the cast. */
	as(name: CastName): Promise<Client> {
		return this.client().signIn(CAST[name].email);
	}

	/** The real D1 behind the Worker. */
	get database(): D1Database {
		return this.databaseOf("DB");
	}

	/** The real file store behind the Worker. */
	get files(): R2Bucket {
		return filesBehind(this.worker);
	}

	/** A database by the name that the proxy Worker has for it. */
	databaseOf(name: string): D1Database {
		return databaseBehind(this.worker, name);
	}

	/** Puts the rows back as they were when this was first called, and deletes the files added since. */
	async goBack(): Promise<void> {
		const files = (await this.files.list()).objects.map(({ key }) => key);
		this.beginning ??= { rows: await takeSnapshot(this.database), files };
		const { rows, files: first } = this.beginning;
		await goBackTo(this.database, rows, [...this.statements, ...this.ran]);
		const added = files.filter((key) => !first.includes(key));
		if (added.length > 0) await this.files.delete(added);
	}

	/** Runs a statement on the Worker's database. */
	async sql<Row = Record<string, unknown>>(query: string, ...values: unknown[]): Promise<Row[]> {
		const db = this.database;
		this.ran.add(query);
		const { results } = await db
			.prepare(query)
			.bind(...values)
			.all<Row>();
		return results;
	}
}

/** What only some tests need: a limit on each isolate's heap, and workerd's inspector. */
type Watched = { heapMegabytes?: number; isInspected?: boolean };

async function started({
	heapMegabytes,
	isInspected = false,
	...options
}: ConstructorParameters<typeof Fleet>[0] & Watched): Promise<Fleet> {
	if (heapMegabytes === undefined) {
		const fleet = new Fleet(options);
		await fleet.worker.ready;
		return fleet;
	}
	let fleet: Fleet | undefined;
	const inspected = isInspected ? { inspectorPort: await freePort() } : {};
	await withHeapLimit(heapMegabytes, () => {
		fleet = new Fleet({ ...options, ...inspected });
		return fleet.worker;
	});
	if (!fleet) throw new Error("the Worker was not started");
	return fleet;
}

function seedRows(who: "everyone" | "admin" | "nobody" | "demo") {
	if (who === "demo") return demoFleet(currentTime()).rows;
	return who === "nobody" ? [] : seedOf(currentTime(), who);
}

/** Opens a fleet with the cast for the tests in one file, and disposes of it afterwards. */
export async function openFleet(
	options: LocalWorkerOptions & {
		/** `demo`: the demo fleet's rows, without its receipts' files. */
		seed?: "everyone" | "admin" | "nobody" | "demo";
		origin?: string;
		regions?: Regions;
		faults?: Director;
		standIns?: StandIns;
		/** Its database refuses all but a light load. */
		isBusy?: boolean;
		/** Each test begins with what the file has stored before the first one. */
		isFresh?: boolean;
	} & Watched = {},
): Promise<Fleet> {
	await waitPastMidnight();
	const fleet = await started(options);
	const who = options.seed ?? "everyone";
	const seed = seedRows(who);
	for (const db of [fleet.database, ...(options.regions?.replicaDatabases() ?? [])]) {
		await migrateQuickly(db);
		if (seed.length > 0) await insertSeed(db, seed);
	}
	if (options.isFresh) beforeEach(() => fleet.goBack());
	afterEach(() => {
		expect(fleet.takeErrors(), "errors the Worker logged").toEqual([]);
	});
	// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures here, and there are none.
	afterAll(async ({}, file) => {
		const { statements, database, worker } = fleet;
		await expectPlans(statements, database, file).finally(() => worker.dispose());
	}, 60_000);
	return fleet;
}
