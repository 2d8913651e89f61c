/**
 * `npm run bench -- growth`: how a database grows. For each thing people do, the rows it writes and
 * the bytes it adds; docs/scale.md calculates with these figures.
 */
import { addDays, type CalendarDate, dateIn } from "../../app/values/calendar-date.ts";
import { idOf, ZONE } from "../../tests/support/cast.ts";
import { openSite } from "./site.ts";
import type { Figure } from "./table.ts";

/** A driver may submit 60 requests an hour. */
const REQUESTS = 60;
/** A driver may log 300 trips an hour. */
const TRIPS = 300;

/** One request of the bench, as the Worker logged it. */
type Logged = { readonly path: string; readonly d1: { readonly written: number } };

/** How many rows each action writes and how many bytes it adds, on average. */
export async function benchGrowth(): Promise<readonly Figure[]> {
	const logged: Logged[] = [];
	const { worker, origin, db, signIn } = await openSite({
		hasFleet: false,
		onLine: (line) => {
			if (line.startsWith("{") && line.includes('"d1"')) logged.push(JSON.parse(line));
		},
	});
	try {
		const cookies = { dana: await signIn("dana"), ada: await signIn("ada") };
		const ask: Ask = async (who, method, path, body) => {
			const answer = await fetch(origin + path, {
				method,
				headers: { Cookie: cookies[who], Origin: origin, "Content-Type": "application/json" },
				body: JSON.stringify(body),
			});
			if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
			return answer.json() as Promise<{ id: string }>;
		};
		const size = async () => (await db.prepare("select 1").run()).meta.size_after;
		const figures: Figure[] = [];
		for (const { what, times, budget, act } of actions(ask, dateIn(ZONE, Date.now()))) {
			const [before, first] = [await size(), logged.length];
			for (let each = 0; each < times; each++) await act(each);
			// The last lines may not have arrived yet.
			while (logged.length < first + times) await new Promise((resolve) => setTimeout(resolve, 20));
			const written = logged.slice(first).reduce((sum, { d1 }) => sum + d1.written, 0);
			figures.push(
				{ what: `${what}, written`, figure: written / times, unit: "rows", ...budget },
				{ what: `${what}, kept`, figure: ((await size()) - before) / times, unit: "bytes" },
			);
		}
		return figures;
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
			budget: { budget: 40 },
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
			budget: {},
			act: async (each: number) => {
				const description = `Fuel before the airport run, receipt number ${each}`;
				const body = { type: "gas", amount: (4000 + each) / 100, description };
				requests.push((await ask("dana", "POST", "/api/fund-requests", body)).id);
			},
		},
		{
			what: "A request approved",
			times: REQUESTS,
			budget: {},
			act: (each: number) =>
				ask("ada", "PUT", `/api/fund-requests/${requests[each]}`, { status: "approved" }),
		},
		{
			what: "An Uber fee recorded",
			times: TRIPS,
			budget: {},
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
