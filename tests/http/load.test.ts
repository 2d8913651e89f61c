/**
 * One Worker at saturation and far beyond, in a heap of Cloudflare's size: whatever isn't answered
 * gets a 429 or 503 that says when to try again, nothing accepted is lost, and memory stays flat
 * (`npm run torture -- load` runs for ten minutes).
 */
import { Miniflare } from "miniflare";
import { it } from "vitest";
import { ISOLATE_MEGABYTES } from "../../lab/heap-limit.ts";
import { type Dice, diceOf } from "../../lab/torture/dice.ts";
import { Connections, type LoadRequest } from "../../lab/torture/load/ask.ts";
import { Memory } from "../../lab/torture/load/memory.ts";
import { isShort, report, rounds, SEED, TIMEOUT } from "../../lab/torture/plan.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import { freePort } from "../../tools/free-port.ts";
import { storageOptions } from "../../tools/local-worker.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

/** The length of one round. */
const ROUND_MS = isShort ? 1000 : 5000;
/** Enough connections to saturate the Worker, and many more than that. */
const [SATURATED, BEYOND] = [10, isShort ? 40 : 150];

const port = await freePort();
const fleet = await openFleet({
	port,
	heapMegabytes: ISOLATE_MEGABYTES,
	isInspected: true,
	reportLimit: { limit: 30, period: 60 },
});
const sql = fleet.sql.bind(fleet);

/** Requests per second of a Worker that only reads twice and answers, on as many connections. */
async function bareRate(): Promise<number> {
	const own = await freePort();
	const contents = `export default {
		async fetch(request, env) {
			const rows = await env.DB.batch([env.DB.prepare("select 1 as n"), env.DB.prepare("select 2 as n")]);
			return Response.json(rows.map(({ results }) => results));
		},
	}`;
	const bare = new Miniflare({
		...storageOptions(undefined),
		modules: [{ type: "ESModule", path: "bare.mjs", contents }],
		port: own,
	} as ConstructorParameters<typeof Miniflare>[0]);
	await bare.ready;
	const connections = new Connections(own, SATURATED);
	let answered = 0;
	const end = performance.now() + ROUND_MS;
	const turn = async () => {
		while (performance.now() < end) {
			await connections.ask({ path: "/", headers: {} });
			answered += 1;
		}
	};
	await Promise.all(Array.from({ length: SATURATED }, turn));
	connections.close();
	await bare.dispose();
	return (answered * 1000) / ROUND_MS;
}

it(
	"answers all it can, tells the rest when to try again, and keeps what it accepted",
	async () => {
		const memory = new Memory(fleet);
		const bare = await bareRate();
		for (let number = 1; number <= 100; number++) await insertRequest(sql, number, "dana");
		const driver = (await fleet.as("lena")).cookie;
		const admin = (await fleet.as("ada")).cookie;
		const get = (path: string, Cookie: string): LoadRequest => ({ path, headers: { Cookie } });
		const connections = new Connections(port, BEYOND);
		let reading = 100_000;
		const trip = (): LoadRequest => {
			reading += 10;
			const body = JSON.stringify({
				date: daysAgo(0),
				startOdometer: reading,
				endOdometer: reading + 5,
			});
			const headers = {
				Cookie: driver,
				Origin: fleet.origin,
				"Content-Type": "application/json",
				"Idempotency-Key": crypto.randomUUID(),
			};
			return { path: "/api/mileage", headers, body };
		};
		const asks: readonly (() => LoadRequest)[] = [
			...["/", "/mileage", "/requests", "/history"].map((path) => () => get(path, driver)),
			...["/", "/fund-requests", "/drivers", "/audit"].map((path) => () => get(path, admin)),
			() => get("/api/mileage?limit=100", driver),
			() => get("/fund-requests/export.csv", admin),
			() => get("/", ""),
			trip,
			trip,
		];
		const found = { asked: 0, taken: 0, limited: 0, failed: 0, unsaid: 0, cut: 0 };
		const ask = async (dice: Dice) => {
			const asked = dice.pick(asks)();
			found.asked += 1;
			const told = await connections.ask(asked).catch((error: Error) => {
				found.cut += 1;
				console.log(`${asked.path}: ${error.message}`);
			});
			if (!told) return;
			const { status, retryAfter } = told;
			if (asked.body && status === 201) found.taken += 1;
			if (status === 429 || status === 503) {
				found.limited += 1;
				if (!retryAfter) found.unsaid += 1;
			} else if (status >= 400) {
				found.failed += 1;
				console.log(`${asked.path} answered ${status}`);
			}
		};
		let answered = 0;
		let saturated = 0;
		for (const round of rounds(3)) {
			const end = performance.now() + ROUND_MS;
			const isBeyond = round % 3 === 2;
			const before = found.asked;
			const turn = async (_: unknown, place: number) => {
				const dice = diceOf(SEED, round * 1000 + place);
				while (performance.now() < end) await ask(dice);
			};
			await Promise.all(Array.from({ length: isBeyond ? BEYOND : SATURATED }, turn));
			await memory.note();
			if (isBeyond) continue;
			answered += found.asked - before;
			saturated += 1;
		}
		connections.close();
		const errors = fleet.takeErrors();
		const [rows] = await sql<{ n: number }>(
			"select count(*) as n from mileage_logs where start_miles > 100000",
		);
		const rate = (answered * 1000) / ROUND_MS / Math.max(1, saturated);
		console.log(
			`${Math.round(rate)} requests a second, a bare Worker's ${Math.round(bare)}; ${found.limited} told to try again`,
		);
		report("load", [
			mustBeZero("requests", found.asked, "refusals other than 429 and 503", found.failed),
			mustBeZero("requests", found.asked, "429 and 503 without Retry-After", found.unsaid),
			mustBeZero("requests", found.asked, "connections cut", found.cut),
			mustBeZero("requests", found.asked, "errors logged", errors.length),
			mustBeZero(
				"trips taken",
				found.taken,
				"lost or duplicated",
				Math.abs((rows?.n ?? 0) - found.taken),
			),
			{
				tried: "requests",
				times: found.asked,
				what: "rate compared with a bare Worker",
				figure: `${((100 * rate) / bare).toFixed(0)}%`,
				must: "any",
				isMet: true,
			},
			...memory.finding("requests", found.asked),
		]);
	},
	TIMEOUT,
);
