/**
 * `npm run bench -- cpu`: the CPU that a request takes, including its database, compared in
 * alternation with a bare Worker that runs one batch of four reads and sends 16 KB of HTML. Both
 * are behind the same static files: their local stand-in takes CPU on every request, which
 * Cloudflare charges to no Worker. So does compressing the answer, which neither is asked to do:
 * the bare Worker's line of text would take almost none. The ratios hold on any machine, the
 * milliseconds only on this one.
 */
import { idOf } from "../../tests/support/cast.ts";
import { type Cost, costMeter } from "../measure.ts";
import { openBareWorker, openSite } from "./site.ts";
import { type Figure, isMet } from "./table.ts";

/** Requests per measurement: the system counts CPU in hundredths of a second. */
const SAMPLES = 100;
const ROUNDS = 5;
const WARM_UP = 60;

const BARE = `const page = "<!doctype html>" + "<p>A line of sixteen kilobytes of HTML.</p>".repeat(400);
export default {
	async fetch(request, env) {
		const read = (sql, ...values) => env.DB.prepare(sql).bind(...values);
		const [user] = await env.DB.batch([
			read("select * from users where id = ?", ${JSON.stringify(idOf("dana"))}),
			read("select * from users limit 10"),
			read("select * from mileage_logs where driver_id = ? limit 50", ${JSON.stringify(idOf("dana"))}),
			read("select * from fund_requests limit 50"),
		]);
		return new Response(page + user.results.length, { headers: { "Content-Type": "text/html" } });
	},
}`;

/** Asks for an answer that the local stand-in for Cloudflare doesn't compress. */
export const UNCOMPRESSED = { "Accept-Encoding": "identity" };

type Subject = {
	/** How many times the bare Worker's CPU a request may take. */
	readonly budget: number;
	readonly who: "dana" | "ada";
	readonly path: string;
};

const [DRIVER_PAGE, FULL_SCREEN, OWN_JSON] = [2.1, 3.3, 1.2];
const page = (path: string): Subject => ({ budget: DRIVER_PAGE, who: "dana", path });
const screen = (path: string): Subject => ({ budget: FULL_SCREEN, who: "ada", path });
const json = (path: string): Subject => ({ budget: OWN_JSON, who: "dana", path });
/** The pages and calls that are measured. */
export const SUBJECTS: readonly Subject[] = [
	...["/", "/mileage", "/requests", "/history"].map(page),
	...["/fund-requests", "/mileage-reports", "/drivers", "/uber-fees"].map(screen),
	...["/api/auth/user", "/api/mileage?limit=20", "/api/fund-requests?limit=20"].map(json),
];

export type Measured = {
	readonly ask: () => Promise<Response>;
	readonly cost: () => Cost | undefined;
};

async function play({ ask }: Measured, times: number): Promise<void> {
	for (let each = 0; each < times; each++) {
		const answer = await ask();
		if (answer.status >= 400) throw new Error(`${answer.url} answered ${answer.status}`);
		await answer.arrayBuffer();
	}
}

/** CPU milliseconds per request. */
async function measure(measured: Measured): Promise<number> {
	const before = measured.cost()?.seconds ?? 0;
	await play(measured, SAMPLES);
	return (((measured.cost()?.seconds ?? 0) - before) * 1000) / SAMPLES;
}

const median = (values: readonly number[]) =>
	[...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/**
 * Measures two in alternation, because the machine's other load changes by the minute.
 * @returns the medians, in milliseconds of CPU, and the median of each round's ratio
 */
export async function compare(bare: Measured, subject: Measured) {
	await play(bare, WARM_UP);
	await play(subject, WARM_UP);
	const rounds: { bare: number; subject: number }[] = [];
	for (let round = 0; round < ROUNDS; round++)
		rounds.push({ bare: await measure(bare), subject: await measure(subject) });
	if (rounds.some((each) => each.bare === 0))
		throw new Error("This machine doesn't report how much CPU a process used.");
	return {
		bare: median(rounds.map((each) => each.bare)),
		milliseconds: median(rounds.map((each) => each.subject)),
		ratio: median(rounds.map((each) => each.subject / each.bare)),
	};
}

async function openBare() {
	const { worker, origin } = await openBareWorker(BARE, true);
	return {
		worker,
		measured: { cost: costMeter(), ask: () => fetch(`${origin}/`, { headers: UNCOMPRESSED }) },
	};
}

/** Needs Linux's /proc. */
export async function benchCpu(): Promise<readonly Figure[]> {
	const bare = await openBare();
	const site = await openSite({ hasFleet: true });
	const cost = costMeter();
	const cookies = { dana: await site.signIn("dana"), ada: await site.signIn("ada") };
	const figures: Figure[] = [];
	for (const { who, path, budget } of SUBJECTS) {
		const headers = { ...UNCOMPRESSED, Cookie: cookies[who] };
		const ask = () => fetch(site.origin + path, { headers });
		const found = await compare(bare.measured, { ask, cost });
		const what = `${path}, ${who === "ada" ? "administrator" : "driver"}`;
		const ratio: Figure = {
			what: `${what}, beside the bare Worker`,
			figure: found.ratio,
			unit: "x",
			budget,
		};
		figures.push({ what, figure: found.milliseconds, unit: "ms" }, ratio);
		console.log(
			`${what}: ${found.milliseconds.toFixed(2)} ms beside ${found.bare.toFixed(2)}, ${found.ratio.toFixed(2)}x of ${budget}x: ${isMet(ratio) ? "met" : "missed"}`,
		);
	}
	await site.worker.dispose();
	await bare.worker.dispose();
	return figures;
}
