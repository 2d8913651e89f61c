/**
 * `npm run bench -- growth`: what a fleet's days leave behind. For each thing people do, the rows
 * it writes and the bytes the database grows by: docs/scale.md calculates with these figures.
 */
import { Miniflare } from "miniflare";
import { addDays, type CalendarDate, dateIn } from "../app/values/calendar-date.ts";
import { CAST, idOf, seedOf, ZONE } from "../tests/support/cast.ts";
import { freePort } from "./free-port.ts";
import { workerOptions } from "./local-worker.ts";
import { migrate } from "./migrate.ts";
import { insertSeed } from "./seed-database.ts";

/** A driver may submit 60 requests an hour. */
const REQUESTS = 60;
/** A driver may log 300 trips an hour. */
const TRIPS = 300;

/** One request of the bench as the Worker logged it. */
type Logged = { readonly path: string; readonly d1: { readonly written: number } };

/** Prints a line for each action: how many rows it wrote and bytes it left, on average. */
export async function benchGrowth(): Promise<void> {
	const port = await freePort();
	const logged: Logged[] = [];
	const onLine = (line: string) => {
		if (line.startsWith("{") && line.includes('"d1"')) logged.push(JSON.parse(line));
	};
	const worker = new Miniflare(workerOptions({ port, onLine }));
	try {
		await worker.ready;
		const db = await worker.getD1Database("DB");
		await migrate(db);
		await insertSeed(db, seedOf(Date.now(), "everyone"));
		// A fleet at work has today's and tomorrow's standings built: every trip keeps both.
		await (await worker.getWorker()).scheduled({ cron: "* * * * *", scheduledTime: new Date() });
		const origin = `http://localhost:${port}`;
		const signIn = async (email: string) => {
			const answer = await fetch(`${origin}/api/login`, {
				method: "POST",
				redirect: "manual",
				headers: { Origin: origin },
				body: new URLSearchParams({ email }),
			});
			return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
		};
		const cookies = { dana: await signIn(CAST.dana.email), ada: await signIn(CAST.ada.email) };
		const ask = async (who: keyof typeof cookies, method: string, path: string, body: object) => {
			const answer = await fetch(origin + path, {
				method,
				headers: { Cookie: cookies[who], Origin: origin, "Content-Type": "application/json" },
				body: JSON.stringify(body),
			});
			if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
			return answer.json() as Promise<{ id: string }>;
		};
		const size = async () => (await db.prepare("select 1").run()).meta.size_after;
		const today = dateIn(ZONE, Date.now());
		for (const { what, times, act } of actions(ask, today)) {
			const [before, first] = [await size(), logged.length];
			for (let each = 0; each < times; each++) await act(each);
			// The last lines are still on their way.
			while (logged.length < first + times) await new Promise((resolve) => setTimeout(resolve, 20));
			const written = logged.slice(first).reduce((sum, { d1 }) => sum + d1.written, 0);
			const bytes = ((await size()) - before) / times;
			console.log(
				`${what.padEnd(24)} ${(written / times).toFixed(1).padStart(6)} rows written ${bytes.toFixed(0).padStart(6)} bytes kept`,
			);
		}
	} finally {
		await worker.dispose();
	}
}

type Ask = (
	who: "dana" | "ada",
	method: string,
	path: string,
	body: object,
) => Promise<{ id: string }>;

function actions(ask: Ask, today: CalendarDate) {
	const requests: string[] = [];
	return [
		{
			what: "A trip logged",
			times: TRIPS,
			act: (each: number) =>
				ask("dana", "POST", "/api/mileage", {
					date: addDays(today, -(TRIPS - each)),
					startOdometer: 100_000 + each * 42,
					endOdometer: 100_042 + each * 42,
				}),
		},
		{
			what: "A request submitted",
			times: REQUESTS,
			act: async (each: number) => {
				const description = `Fuel before the airport run, receipt number ${each}`;
				const body = { type: "gas", amount: (4000 + each) / 100, description };
				requests.push((await ask("dana", "POST", "/api/fund-requests", body)).id);
			},
		},
		{
			what: "A request approved",
			times: REQUESTS,
			act: (each: number) =>
				ask("ada", "PUT", `/api/fund-requests/${requests[each]}`, { status: "approved" }),
		},
		{
			what: "An Uber fee recorded",
			times: TRIPS,
			act: (each: number) =>
				ask("ada", "POST", "/api/uber-fees", {
					driverId: idOf("dana"),
					category: "service_fee",
					amount: (300 + each) / 100,
					date: addDays(today, -(TRIPS - each)),
				}),
		},
	];
}
