/**
 * `npm run bench -- submits`: the CPU that logging a trip takes, compared in alternation with a bare
 * Worker that reads its driver and inserts the same row: with the same indexes and triggers, but
 * without a session, rules, an audit entry or a key.
 */
import { addDays, parseCalendarDate } from "../../app/values/calendar-date.ts";
import { idOf } from "../../tests/support/cast.ts";
import { costMeter } from "../measure.ts";
import { compare, type Measured } from "./cpu.ts";
import { openBareWorker, openSite } from "./site.ts";
import type { Figure } from "./table.ts";

/** How many times the bare insert's CPU a submit may take. */
const BUDGET = 2;
/** Has no trips yet. */
const DRIVER = "omar";
const FIRST_DAY = parseCalendarDate("2025-06-01");
const BARE = `export default {
	async fetch(request, env) {
		const { date, startOdometer, endOdometer } = await request.json();
		await env.DB.batch([
			env.DB.prepare("select * from users where id = ?").bind("${idOf(DRIVER)}"),
			env.DB.prepare(\`insert into mileage_logs
				(id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
				values (?, ?, ?, ?, ?, 'json', ?, 'x')\`)
				.bind(crypto.randomUUID(), "${idOf(DRIVER)}", date, startOdometer, endOdometer, Date.now()),
		]);
		return Response.json({}, { status: 201 });
	},
}`;

/** Trips of one driver, each after the one before: four a day, of 50 miles. */
function trips() {
	let made = 0;
	return () => {
		const date = addDays(FIRST_DAY, Math.floor(made / 4));
		const startOdometer = 10_000 + 50 * made++;
		return { date, startOdometer, endOdometer: startOdometer + 50 };
	};
}

/** Needs Linux's /proc. */
export async function benchSubmits(): Promise<readonly Figure[]> {
	const bare = await openBareWorker(BARE, true);
	const [nextBare, nextTrip] = [trips(), trips()];
	const insert: Measured = {
		cost: costMeter(),
		ask: () => fetch(`${bare.origin}/`, { method: "POST", body: JSON.stringify(nextBare()) }),
	};
	const site = await openSite({ hasFleet: true });
	const cost = costMeter();
	const headers = { Cookie: await site.signIn(DRIVER), Origin: site.origin };
	let count = 0;
	/** A driver may log 300 trips an hour, so the bench makes earlier ones older. */
	const makeRoom = async () => {
		count += 1;
		if (count % 200 === 0)
			await site.db
				.prepare("update mileage_logs set created_at = 0 where driver_id = ?")
				.bind(idOf(DRIVER))
				.run();
	};
	const asks: Readonly<Record<string, Measured["ask"]>> = {
		"POST /api/mileage": async () => {
			await makeRoom();
			return fetch(`${site.origin}/api/mileage`, {
				method: "POST",
				headers: { ...headers, "Content-Type": "application/json" },
				body: JSON.stringify(nextTrip()),
			});
		},
		"POST /mileage": async () => {
			await makeRoom();
			const { date, startOdometer, endOdometer } = nextTrip();
			const typed = { date, startOdometer: `${startOdometer}`, endOdometer: `${endOdometer}` };
			return fetch(`${site.origin}/mileage`, {
				method: "POST",
				redirect: "manual",
				headers,
				body: new URLSearchParams({ ...typed, intent: "log", key: crypto.randomUUID() }),
			});
		},
	};
	const figures: Figure[] = [];
	for (const [what, ask] of Object.entries(asks)) {
		const found = await compare(insert, { ask, cost });
		figures.push(
			{ what, figure: found.milliseconds, unit: "ms" },
			{ what: `${what}, beside a bare insert`, figure: found.ratio, unit: "x", budget: BUDGET },
		);
		console.log(
			`${what}: ${found.milliseconds.toFixed(2)} ms beside ${found.bare.toFixed(2)}, ${found.ratio.toFixed(2)}x of ${BUDGET}x`,
		);
	}
	await site.worker.dispose();
	await bare.worker.dispose();
	return figures;
}
