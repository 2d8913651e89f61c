/**
 * `npm run bench -- regions`: how long people around the world wait for the first byte, with and
 * without database replicas: each request's trips at their distances, plus its CPU.
 */
import { resolve } from "node:path";
import { Miniflare } from "miniflare";
import { CAST, seedOf } from "../../tests/support/cast.ts";
import { CLOCK_HEADER, withMovableClock } from "../../tests/support/moved-worker.ts";
import { REGIONS, type Region, Regions, roundTrip } from "../../tests/support/regions.ts";
import { databaseBehind, withD1Proxy } from "../../tests/support/watched-worker.ts";
import { freePort } from "../../tools/free-port.ts";
import { bundleModules, workerOptions } from "../../tools/local-worker.ts";
import { migrate } from "../../tools/migrate.ts";
import { insertSeed } from "../../tools/seed-database.ts";
import { costMeter } from "../measure.ts";
import type { Figure } from "./table.ts";

const PRIMARY: Region = "New York";
/** How far every replica lags behind, in milliseconds. */
const LAG = 500;
/** Requests per CPU measurement. */
const SAMPLES = 60;

type Ask = (path: string, fields?: Readonly<Record<string, string>>) => Promise<Response>;
type Site = { readonly ask: Ask; readonly dispose: () => Promise<void> };

/** A site with the cast, and one person signed in. */
async function openSite(
	worker: Pick<Miniflare, "dispatchFetch" | "dispose">,
	origin: string,
	email: string,
	headers: () => Readonly<Record<string, string>>,
): Promise<Site> {
	const cookies = new Map<string, string>();
	const ask: Ask = async (path, fields) => {
		const answer = await worker.dispatchFetch(origin + path, {
			...(fields ? { method: "POST", body: new URLSearchParams(fields) } : {}),
			redirect: "manual",
			headers: {
				...headers(),
				Origin: origin,
				Cookie: [...cookies].map((each) => each.join("=")).join("; "),
			},
		});
		for (const line of answer.headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			cookies.set(name, value);
		}
		await answer.arrayBuffer();
		if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}`);
		return answer as unknown as Response;
	};
	await ask("/api/login", { email });
	return { ask, dispose: () => worker.dispose() };
}

/** What a person does between two clicks, and the requests that it makes. */
type Visit = {
	readonly name: string;
	readonly email: string;
	/** What came before: minutes without a request, or a page some seconds ago. */
	readonly before: readonly string[];
	readonly requests: readonly (readonly [
		path: string,
		fields?: () => Readonly<Record<string, string>>,
	])[];
};

let odometer = 2_000_000;
const trip = () => {
	const startOdometer = String(odometer++);
	const date = new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York" }).format();
	return { intent: "log", date, startOdometer, endOdometer: String(odometer) };
};

const driver = CAST.dana.email;
const first = (path: string): Visit => ({
	name: `${path}, first of a visit`,
	email: driver,
	before: [],
	requests: [[path]],
});
const next = (path: string): Visit => ({
	name: `${path}, next within 25 s`,
	email: driver,
	before: ["/help"],
	requests: [[path]],
});
const VISITS: readonly Visit[] = [
	...["/", "/mileage", "/requests", "/history"].flatMap((path) => [first(path), next(path)]),
	{
		name: "log a trip, see it",
		email: driver,
		before: ["/mileage"],
		requests: [["/mileage", trip], ["/mileage"]],
	},
	{ name: "/drivers, administrator", email: CAST.ada.email, before: [], requests: [["/drivers"]] },
];

/** CPU milliseconds that each visit's requests take, including the database's. */
async function measureCpu(): Promise<Map<Visit, number>> {
	const port = await freePort();
	const origin = `http://localhost:${port}`;
	const worker = new Miniflare(workerOptions({ port, onLine: () => undefined }));
	await worker.ready;
	const cost = costMeter();
	const db = await worker.getD1Database("DB");
	await migrate(db);
	await insertSeed(db, seedOf(Date.now(), "everyone"));
	const found = new Map<Visit, number>();
	for (const visit of VISITS) {
		const { ask } = await openSite(worker, origin, visit.email, () => ({}));
		const play = async (times: number) => {
			for (let time = 0; time < times; time++)
				for (const [path, fields] of visit.requests) await ask(path, fields?.());
		};
		await play(10);
		const before = cost();
		await play(SAMPLES);
		const seconds = (cost()?.seconds ?? 0) - (before?.seconds ?? 0);
		found.set(visit, (seconds * 1000) / SAMPLES);
	}
	await worker.dispose();
	return found;
}

/** A Worker with these regions between it and its database. */
async function startInRegions(regions: Regions, replicas: "on" | "off") {
	const port = await freePort();
	const origin = `http://localhost:${port}`;
	const root = resolve("build/local/worker");
	const worker = withD1Proxy(
		{
			...workerOptions({ port, vars: { READ_REPLICAS: replicas }, onLine: () => undefined }),
			modules: withMovableClock(root, bundleModules(root), 0),
		},
		{ regions },
	);
	await worker.ready;
	regions.use((name) => databaseBehind(worker, name));
	const seed = seedOf(Date.now(), "everyone");
	for (const db of [databaseBehind(worker, "DB"), ...regions.replicaDatabases()]) {
		await migrate(db);
		await insertSeed(db, seed);
	}
	return { worker, origin };
}

/** Milliseconds spent on trips to the database, and their number, for each visit and region. */
async function measureTrips(
	replicas: "on" | "off",
): Promise<Map<Visit, Map<Region, { ms: number; trips: number }>>> {
	const regions = new Regions(
		PRIMARY,
		Object.fromEntries(
			REGIONS.filter((region) => region !== PRIMARY).map((region) => [region, LAG]),
		),
	);
	const { worker, origin } = await startInRegions(regions, replicas);
	const headers = () => ({ [CLOCK_HEADER]: String(regions.elapsed) });
	const found = new Map<Visit, Map<Region, { ms: number; trips: number }>>();
	for (const visit of VISITS) {
		const { ask } = await openSite(worker, origin, visit.email, headers);
		const places = new Map<Region, { ms: number; trips: number }>();
		for (const region of REGIONS) {
			regions.region = region;
			regions.pass(600_000);
			for (const path of visit.before) await ask(path);
			regions.pass(10_000);
			const taken = { ms: 0, trips: 0 };
			for (const [path, fields] of visit.requests) {
				regions.takeTrips();
				const answer = await ask(path, fields?.());
				// Nobody waits for what runs after the response.
				const count = Number(/desc="(\d+)/.exec(answer.headers.get("Server-Timing") ?? "")?.[1]);
				const trips = regions.takeTrips().slice(0, count);
				taken.trips += count;
				taken.ms += trips.reduce((sum, { ms }) => sum + ms, 0);
			}
			places.set(region, taken);
		}
		found.set(visit, places);
	}
	await worker.dispose();
	return found;
}

const row = (name: string, cells: readonly (string | number)[]) =>
	console.log(`${name.padEnd(30)}${cells.map((cell) => String(cell).padStart(13)).join("")}`);

/** Prints the table. @returns false if replicas make a request slower */
export async function benchRegions(): Promise<readonly Figure[]> {
	const cpu = await measureCpu();
	const without = await measureTrips("off");
	const withReplicas = await measureTrips("on");
	console.log(
		`\nMilliseconds to the first byte at the nearest data center: trips to the database and CPU. Primary in ${PRIMARY}, replicas ${LAG} ms late.`,
	);
	const tables: readonly [
		name: string,
		wait: (visit: Visit, region: Region) => number | undefined,
	][] = [
		["Without replicas", (visit, region) => without.get(visit)?.get(region)?.ms],
		["With replicas", (visit, region) => withReplicas.get(visit)?.get(region)?.ms],
		[
			"Smart Placement, no replicas",
			(visit, region) =>
				visit.requests.length * roundTrip(region, PRIMARY) +
				(without.get(visit)?.get(region)?.trips ?? 0) * roundTrip(PRIMARY, PRIMARY),
		],
	];
	for (const [name, wait] of tables) {
		console.log("");
		row(name, REGIONS);
		for (const visit of VISITS)
			row(
				visit.name,
				REGIONS.map((region) => ((wait(visit, region) ?? 0) + (cpu.get(visit) ?? 0)).toFixed(0)),
			);
	}
	const figures: Figure[] = [];
	for (const visit of VISITS)
		for (const region of REGIONS) {
			const near = withReplicas.get(visit)?.get(region);
			const far = without.get(visit)?.get(region);
			if (!near || !far) continue;
			const what = `${visit.name}, ${region}`;
			// Replicas must not make a request slower or need another trip.
			figures.push(
				{ what: `${what}, on the way`, figure: near.ms, unit: "ms", budget: far.ms },
				{ what, figure: near.trips, unit: "trips", budget: far.trips },
			);
		}
	return figures;
}
