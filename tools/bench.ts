/**
 * `npm run bench`: what pages and calls cost, beside a bare Worker measured in the same run. Speeds
 * are ratios to trust, not promises; bytes are exact. `npm run bench -- reports`, `-- exports`,
 * `-- paint` and `-- regions` measure those alone, `-- growth` what each action adds to the database.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Miniflare } from "miniflare";
import { CAST, seedOf } from "../tests/support/cast.ts";
import { benchExports } from "./bench-exports.ts";
import { benchGrowth } from "./bench-growth.ts";
import { benchPaint } from "./bench-paint.ts";
import { benchRegions } from "./bench-regions.ts";
import { benchReports } from "./bench-reports.ts";
import { bundle } from "./bundle.ts";
import { freePort } from "./free-port.ts";
import { storageOptions, workerOptions } from "./local-worker.ts";
import { migrate } from "./migrate.ts";
import { insertSeed } from "./seed-database.ts";

const CONNECTIONS = 10;
const SECONDS = 5;

const BARE = `export default {
	async fetch(request, env) {
		if (new URL(request.url).pathname === "/") return new Response("hello");
		const [one, two] = await env.DB.batch([env.DB.prepare("select 1 as n"), env.DB.prepare("select * from users limit 10")]);
		return Response.json({ one: one.results, two: two.results.length });
	},
}`;

type Figure = {
	readonly perSecond: number;
	readonly p50: number;
	readonly p99: number;
	readonly failed: number;
};

/** Ten connections, each asking again as soon as it is answered. */
async function measure(ask: () => Promise<Response>): Promise<Figure> {
	const times: number[] = [];
	let failed = 0;
	const run = async (until: number, counts: boolean) => {
		while (performance.now() < until) {
			const started = performance.now();
			const response = await ask();
			await response.arrayBuffer();
			if (!counts) continue;
			times.push(performance.now() - started);
			if (response.status >= 400) failed += 1;
		}
	};
	const all = (milliseconds: number, counts: boolean) =>
		Promise.all(
			Array.from({ length: CONNECTIONS }, () => run(performance.now() + milliseconds, counts)),
		);
	await all(1000, false);
	await all(SECONDS * 1000, true);
	times.sort((a, b) => a - b);
	const at = (share: number) =>
		times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
	return { perSecond: times.length / SECONDS, p50: at(0.5), p99: at(0.99), failed };
}

const gzipped = (path: string) => gzipSync(readFileSync(path), { level: 9 }).byteLength;

function sizes(): void {
	for (const kind of ["worker", "client/assets"]) {
		const folder = join("build/production", kind);
		const files = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name));
		const total = files.reduce((sum, name) => sum + gzipped(join(folder, name)), 0);
		console.log(`${kind}: ${files.length} files, ${total} bytes gzipped`);
		for (const name of files.filter((each) => /index\.js|\.css|entry\.client/.test(each))) {
			console.log(
				`  ${name}: ${statSync(join(folder, name)).size} bytes, ${gzipped(join(folder, name))} gzipped`,
			);
		}
	}
}

await bundle("local");
if (process.argv.includes("reports")) process.exit((await benchReports()) ? 0 : 1);
if (process.argv.includes("exports")) process.exit(await benchExports().then(() => 0));
if (process.argv.includes("growth")) process.exit(await benchGrowth().then(() => 0));
if (process.argv.includes("paint")) process.exit((await benchPaint()) ? 0 : 1);
if (process.argv.includes("regions")) process.exit((await benchRegions()) ? 0 : 1);
await bundle("production");
sizes();

const port = await freePort();
const worker = new Miniflare(workerOptions({ port, onLine: () => undefined }));
await worker.ready;
const db = await worker.getD1Database("DB");
await migrate(db);
await insertSeed(db, seedOf(Date.now(), "everyone"));

const barePort = await freePort();
const bare = new Miniflare({
	...storageOptions(undefined),
	modules: [{ type: "ESModule", path: "bare.mjs", contents: BARE }],
	port: barePort,
} as ConstructorParameters<typeof Miniflare>[0]);
await bare.ready;
const bareDb = await bare.getD1Database("DB");
await migrate(bareDb);
await insertSeed(bareDb, seedOf(Date.now(), "everyone"));

const origin = `http://localhost:${port}`;
async function sessionOf(email: string): Promise<string> {
	const answer = await fetch(`${origin}/api/login`, {
		method: "POST",
		redirect: "manual",
		headers: { Origin: origin },
		body: new URLSearchParams({ email }),
	});
	return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
const driver = await sessionOf(CAST.dana.email);
const admin = await sessionOf(CAST.ada.email);
const get = (path: string, cookie: string) => () =>
	fetch(origin + path, { headers: { Cookie: cookie } });
let reading = 1_000_000;
const post = async () => {
	reading += 2;
	// A driver may log 300 trips an hour; for the bench the earlier ones were yesterday.
	if (reading % 400 === 0)
		await db.prepare("update mileage_logs set created_at = 0 where driven_on = '2026-01-02'").run();
	return fetch(`${origin}/api/mileage`, {
		method: "POST",
		headers: { Cookie: driver, Origin: origin, "Content-Type": "application/json" },
		body: JSON.stringify({ date: "2026-01-02", startOdometer: reading, endOdometer: reading + 1 }),
	});
};

const subjects: readonly (readonly [name: string, ask: () => Promise<Response>])[] = [
	["bare Worker, no database", () => fetch(`http://localhost:${barePort}/`)],
	["bare Worker, one batch of two reads", () => fetch(`http://localhost:${barePort}/d1`)],
	["GET /api/auth/user", get("/api/auth/user", driver)],
	["GET /api/mileage?limit=20", get("/api/mileage?limit=20", driver)],
	["GET /mileage", get("/mileage", driver)],
	["GET /drivers", get("/drivers", admin)],
	["POST /api/mileage", post],
];
console.log(`\n${CONNECTIONS} connections, ${SECONDS} s each, workerd and client on one machine`);
let reference = 0;
for (const [name, ask] of subjects) {
	const { perSecond, p50, p99, failed } = await measure(ask);
	if (name.includes("two reads")) reference = perSecond;
	const share =
		reference > 0 ? `, ${Math.round((perSecond / reference) * 100)} % of the bare batch` : "";
	console.log(
		`${name.padEnd(36)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms${share}${failed > 0 ? `, ${failed} FAILED` : ""}`,
	);
}
await worker.dispose();
await bare.dispose();
await benchExports();
if (!(await benchReports())) process.exitCode = 1;
if (!(await benchPaint())) process.exitCode = 1;
if (!(await benchRegions())) process.exitCode = 1;
