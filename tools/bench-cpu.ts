/**
 * `npm run bench -- cpu`: the CPU that a request takes, its database included, beside a bare Worker
 * that runs one batch of four reads and sends 16 KB of HTML, measured in the same run. The ratios
 * hold on any machine; the milliseconds are this one's.
 */
import { idOf } from "../tests/support/cast.ts";
import { openBareWorker, openSite } from "./bench-site.ts";
import type { Figure } from "./bench-table.ts";
import { type Cost, costMeter } from "./measure.ts";

/** Requests whose CPU is measured together: the system counts it in hundredths of a second. */
const SAMPLES = 150;
const ROUNDS = 3;
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

type Subject = {
	/** How many times the bare Worker's CPU it may take. */
	readonly budget: number;
	readonly who: "dana" | "ada";
	readonly path: string;
};

const [DRIVER_PAGE, FULL_SCREEN, OWN_JSON] = [2.2, 3.5, 1.5];
const page = (path: string): Subject => ({ budget: DRIVER_PAGE, who: "dana", path });
const screen = (path: string): Subject => ({ budget: FULL_SCREEN, who: "ada", path });
const json = (path: string): Subject => ({ budget: OWN_JSON, who: "dana", path });
const SUBJECTS: readonly Subject[] = [
	...["/", "/mileage", "/requests", "/history"].map(page),
	...["/fund-requests", "/mileage-reports", "/drivers", "/uber-fees"].map(screen),
	...["/api/auth/user", "/api/mileage?limit=20", "/api/fund-requests?limit=20"].map(json),
];

/** CPU milliseconds of one request: the least of some rounds, as other processes only add to it. */
async function measure(
	ask: () => Promise<Response>,
	cost: () => Cost | undefined,
): Promise<number> {
	const play = async (times: number) => {
		for (let each = 0; each < times; each++) {
			const answer = await ask();
			if (answer.status !== 200) throw new Error(`${answer.url} answered ${answer.status}`);
			await answer.arrayBuffer();
		}
	};
	await play(WARM_UP);
	const rounds: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const before = cost()?.seconds ?? 0;
		await play(SAMPLES);
		rounds.push((((cost()?.seconds ?? 0) - before) * 1000) / SAMPLES);
	}
	return Math.min(...rounds);
}

/** Needs /proc, as Linux has it. */
export async function benchCpu(): Promise<readonly Figure[]> {
	const bare = await openBareWorker(BARE, true);
	const bareCost = costMeter();
	const reference = await measure(() => fetch(`${bare.origin}/`), bareCost);
	await bare.worker.dispose();
	if (reference === 0) throw new Error("This machine doesn't tell how much CPU a process took.");

	const site = await openSite({ hasFleet: true });
	const cost = costMeter();
	const cookies = { dana: await site.signIn("dana"), ada: await site.signIn("ada") };
	const figures: Figure[] = [{ what: "the bare Worker", figure: reference, unit: "ms" }];
	for (const { who, path, budget } of SUBJECTS) {
		const headers = { Cookie: cookies[who] };
		const milliseconds = await measure(() => fetch(site.origin + path, { headers }), cost);
		const whose = `${path}, ${who === "ada" ? "administrator" : "driver"}`;
		figures.push(
			{ what: whose, figure: milliseconds, unit: "ms" },
			{
				what: `${whose}, beside the bare Worker`,
				figure: milliseconds / reference,
				unit: "x",
				budget,
			},
		);
		console.log(`${whose}: ${milliseconds.toFixed(2)} ms`);
	}
	await site.worker.dispose();
	return figures;
}
