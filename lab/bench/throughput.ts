/**
 * `npm run bench -- throughput`: requests per second over ten connections that each send the next
 * request as soon as they have an answer, compared with a bare Worker and its batch of two reads.
 * workerd and the client share the machine.
 */
import { openBareWorker, openSite } from "./site.ts";
import type { Figure } from "./table.ts";

const CONNECTIONS = 10;
const SECONDS = 5;

const BARE = `export default {
	async fetch(request, env) {
		if (new URL(request.url).pathname === "/") return new Response("hello");
		const [one, two] = await env.DB.batch([env.DB.prepare("select 1 as n"), env.DB.prepare("select * from users limit 10")]);
		return Response.json({ one: one.results, two: two.results.length });
	},
}`;

async function measure(ask: () => Promise<Response>) {
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

export async function benchThroughput(): Promise<readonly Figure[]> {
	const bare = await openBareWorker(BARE, false);
	const { worker, origin, db, signIn } = await openSite({ hasFleet: false });
	const [driver, admin] = [await signIn("dana"), await signIn("ada")];
	const get = (path: string, cookie: string) => () =>
		fetch(origin + path, { headers: { Cookie: cookie } });
	let reading = 1_000_000;
	const post = async () => {
		const start = reading + 2;
		reading = start;
		// A driver may log 300 trips an hour, so the bench moves earlier ones to yesterday.
		if (start % 400 === 0)
			await db
				.prepare("update mileage_logs set created_at = 0 where driven_on = '2026-01-02'")
				.run();
		return fetch(`${origin}/api/mileage`, {
			method: "POST",
			headers: { Cookie: driver, Origin: origin, "Content-Type": "application/json" },
			body: JSON.stringify({
				date: "2026-01-02",
				startOdometer: start,
				endOdometer: start + 1,
			}),
		});
	};
	const subjects: readonly (readonly [name: string, ask: () => Promise<Response>])[] = [
		["bare Worker, no database", () => fetch(`${bare.origin}/`)],
		["bare Worker, one batch of two reads", () => fetch(`${bare.origin}/d1`)],
		["GET /api/auth/user", get("/api/auth/user", driver)],
		["GET /api/mileage?limit=20", get("/api/mileage?limit=20", driver)],
		["GET /mileage", get("/mileage", driver)],
		["GET /drivers", get("/drivers", admin)],
		["POST /api/mileage", post],
	];
	const figures: Figure[] = [];
	for (const [what, ask] of subjects) {
		const { perSecond, p50, p99, failed } = await measure(ask);
		figures.push(
			{ what, figure: perSecond, unit: "requests/s" },
			{ what: `${what}, half within`, figure: p50, unit: "ms" },
			{ what: `${what}, 99 of 100 within`, figure: p99, unit: "ms" },
			{ what: `${what}, failed`, figure: failed, unit: "", budget: 0 },
		);
	}
	await worker.dispose();
	await bare.worker.dispose();
	return figures;
}
