/** How the rows of the dashboard and of the history are found. */
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { idOf, ZONE } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { Database, type Statement } from "../../db/client.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { historyPage, listLogsBack, listRequestsBack } from "./queries.server.ts";
import { mergeHistory } from "./rules.ts";
import { formatSearch, parseSearch } from "./search.ts";

const bench = await openDatabase();
const { build } = new Database(bench.batches);
const TODAY = "2026-11-21" as CalendarDate;
/** Until the session is proved, the owner is a sub-select. */
const me = sql<string>`(select ${idOf("dana")})`;

async function planOf(statement: Statement): Promise<string> {
	const { sql: text, params } = (
		statement as unknown as { toSQL(): { sql: string; params: unknown[] } }
	).toSQL();
	const steps = await bench.rows<{ detail: string }>(`explain query plan ${text}`, ...params);
	return steps.map(({ detail }) => detail).join("\n");
}

const pageOf = (query: string) =>
	historyPage(build, me, parseSearch(new URLSearchParams(query), TODAY, ZONE), ZONE, 26);
const ID = "30000000-0000-4000-8000-000000000001";
const afterRequest = pageOf(`after=request_${Date.UTC(2026, 10, 20)}_${ID}`);
const beforeRequest = pageOf(`before=request_${Date.UTC(2026, 10, 20)}_${ID}`);
const beforeLog = pageOf(`before=mileage_2026-11-20_45000_${Date.UTC(2026, 10, 20)}_${ID}`);
const afterLog = pageOf(`after=mileage_2026-11-20_45000_${Date.UTC(2026, 10, 20)}_${ID}`);

describe("are found by an index alone, in its order", () => {
	it.each<[string, Statement, string]>([
		["the newest requests", listRequestsBack(build, me, 3), "requests_by_driver (driver_id=?)"],
		["the newest trips", listLogsBack(build, me, 2), "mileage_by_driver_day (driver_id=?)"],
		[
			"a window's requests",
			pageOf("").requests,
			"requests_by_driver (driver_id=? AND created_at>? AND created_at<?)",
		],
		[
			"a window's trips",
			pageOf("").logs,
			"mileage_by_driver_day (driver_id=? AND driven_on>? AND driven_on<?)",
		],
		[
			"the requests after one",
			afterRequest.requests,
			"requests_by_driver (driver_id=? AND created_at>? AND (created_at,number)<(?,?))",
		],
		[
			"the trips after a request",
			afterRequest.logs,
			"mileage_by_driver_day (driver_id=? AND driven_on>? AND driven_on<?)",
		],
		[
			"the requests after a trip",
			afterLog.requests,
			"requests_by_driver (driver_id=? AND created_at>? AND created_at<?)",
		],
		[
			"the trips after one",
			afterLog.logs,
			"mileage_by_driver_day (driver_id=? AND driven_on>? AND (driven_on,end_miles)<(?,?))",
		],
		[
			"the requests before one",
			beforeRequest.requests,
			"requests_by_driver (driver_id=? AND (created_at,number)>(?,?) AND created_at<?)",
		],
		[
			"the trips before a request",
			beforeRequest.logs,
			"mileage_by_driver_day (driver_id=? AND driven_on>? AND driven_on<?)",
		],
		[
			"the requests before a trip",
			beforeLog.requests,
			"requests_by_driver (driver_id=? AND created_at>? AND created_at<?)",
		],
		[
			"the trips before one",
			beforeLog.logs,
			"mileage_by_driver_day (driver_id=? AND (driven_on,end_miles)>(?,?) AND driven_on<?)",
		],
	])("%s", async (_, statement, step) => {
		const plan = await planOf(statement);
		expect(plan).toContain(step);
		// Only trips with the same date and end are sorted: the index has everything else in order.
		const walked = plan
			.replace("SCAN CONSTANT ROW", "")
			.replace("TEMP B-TREE FOR LAST 2 TERMS", "");
		expect(walked).not.toMatch(/TEMP B-TREE|SCAN/);
	});
});

it("a cursor reads from its own position, not from the start of the window", async () => {
	await bench.rows(`insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source, created_at, requested_on, payload_hash)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
		select printf('30000000-0000-4000-8000-%012d', i), i, '${idOf("dana")}', 'gas', 100, 'x', 'pending', 'seed', ${Date.UTC(2026, 10, 20)} + i / 2, '2026-11-19', 'x' from n`);
	for (const [query, expected] of [
		["", 3000],
		[`after=request_${Date.UTC(2026, 10, 20) + 500}_30000000-0000-4000-8000-000000001001`, 1000],
	] as const) {
		const db = new Database(bench.batches);
		const view = parseSearch(new URLSearchParams(query), TODAY, ZONE);
		const { requests } = await db.batch({
			requests: historyPage(build, me, view, ZONE, 26).requests,
		});
		expect(requests[0]?.id).toBe(`30000000-0000-4000-8000-${String(expected).padStart(12, "0")}`);
		expect(requests).toHaveLength(26);
		expect(db.cost.rows).toBeLessThan(60);
	}
});

it("a list that the filter leaves out is not read", async () => {
	const db = new Database(bench.batches);
	const { requests } = await db.batch({ requests: pageOf("type=mileage").requests });
	expect(requests).toEqual([]);
	expect(db.cost.rows).toBe(0);
	const { logs } = await db.batch({ logs: pageOf("type=requests").logs });
	expect(logs).toEqual([]);
	expect(db.cost.rows).toBe(0);
});

it("of two trips that end alike, the one recorded later comes first, on every page", async () => {
	const day = "2026-10-30";
	const recorded = [
		["40000000-0000-4000-8000-00000000000f", 1000],
		["40000000-0000-4000-8000-00000000000a", 3000],
		["40000000-0000-4000-8000-00000000000c", 2000],
		["40000000-0000-4000-8000-00000000000b", 2000],
	] as const;
	for (const [position, [id, createdAt]] of recorded.entries())
		await bench.rows(
			`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
				values (?, ?, ?, ?, 700150, 'form', ?, 'x')`,
			id,
			idOf("dana"),
			day,
			700_100 + position,
			createdAt,
		);
	const view = parseSearch(new URLSearchParams("type=mileage&range=month"), TODAY, ZONE);
	const read = async (position: typeof view.position, limit: number) => {
		const db = new Database(bench.batches);
		const { logs } = await db.batch({
			logs: historyPage(build, me, { ...view, position }, ZONE, limit).logs,
		});
		return mergeHistory([], logs, ZONE, limit);
	};
	const isOfDay = ({ date }: { date: string }) => date === day;
	const last = (id: string) => id.slice(-1);
	const all = (await read(undefined, 100)).filter(isOfDay);
	expect(all.map(({ id }) => last(id))).toEqual(["a", "c", "b", "f"]);
	for (const [position, item] of all.entries()) {
		const query = formatSearch({ ...view, position: { way: "after", cursor: item } });
		const next = (
			await read(parseSearch(new URLSearchParams(query), TODAY, ZONE).position, 100)
		).filter(isOfDay);
		expect(next.map(({ id }) => last(id))).toEqual(["a", "c", "b", "f"].slice(position + 1));
	}
});
