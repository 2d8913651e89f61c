/**
 * A request costs the database the same however long the history: the same drivers and days with
 * ten thousand trips and with 200,000, or a million in `npm run test:full`. D1 itself counts the
 * rows, which Server-Timing reports.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { MAX_COUNTED, MAX_SEARCHED } from "../../app/domain/fund-requests/listing.server.ts";
import { MAX_ADDED } from "../../app/domain/history/queries.server.ts";
import { addDays, startOfDay } from "../../app/values/calendar-date.ts";
import { seededDriver, seedFleet } from "../../tools/seed-fleet.ts";
import { ROWS_READ } from "../support/budgets.ts";
import { idOf, ZONE } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { oneIn, times } from "../support/extent.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { type Client, type Fleet, openFleet } from "../support/worker.ts";

const DRIVERS = 20;
const DAYS = 50;
const FEW = 10_000;
const MANY = times("SCALE_TRIPS", 200_000, 1_000_000);
const small = await openFleet();
const large = await openFleet();
const today = daysAgo(0);
const until = addDays(today, -1);
const iso = (daysAgo: number) => addDays(until, -daysAgo);
/** All approved drivers including the cast's; each of them is classified. */
const CLASSIFIED = DRIVERS + 4;
const PER_DRIVER = 40;
/** Requests of a driver on one day of the large fleet. */
const REQUESTS_A_DAY = MANY / 10 / DRIVERS / DAYS;

const clients = new Map<Fleet, { driver: Client; admin: Client }>();

beforeAll(async () => {
	for (const [fleet, logs] of [
		[small, FEW],
		[large, MANY],
	] as const) {
		await seedFleet(fleet.database, {
			logs,
			drivers: DRIVERS,
			days: DAYS,
			until,
			untilStarts: startOfDay(ZONE, until),
			adminId: idOf("ada"),
		});
		clients.set(fleet, {
			driver: await fleet.client().signIn("driver7@seeded.milepost.test"),
			admin: await fleet.as("ada"),
		});
	}
}, 300_000);

async function costAt(fleet: Fleet, who: "driver" | "admin", path: string) {
	const answer = await (clients.get(fleet)?.[who] ?? expect.unreachable()).get(path);
	expect(answer.status, path).toBe(200);
	return costOf(answer);
}

const combinations = (names: Record<string, readonly string[]>): string[] =>
	Object.entries(names).reduce<string[]>(
		(queries, [name, values]) =>
			queries.flatMap((query) =>
				["", ...values].map((value) =>
					value ? `${query}&${name}=${encodeURIComponent(value)}` : query,
				),
			),
		[""],
	);

/** Pages about one driver, and paginated lists. */
const LISTS: [who: "driver" | "admin", path: string][] = [
	["driver", "/"],
	["driver", "/mileage"],
	["driver", "/requests"],
	["admin", "/uber-fees"],
	["admin", "/drivers"],
	["admin", `/drivers/${seededDriver(7)}`],
	["admin", `/uber-fees?driver=${seededDriver(7)}`],
	["admin", "/find?q=dri"],
	["admin", "/api/people?search=dri"],
	["admin", "/payouts?choose=all"],
	["admin", "/audit"],
	["admin", "/drivers?search=dri"],
	["admin", "/email"],
	["admin", "/email?status=failed"],
	["admin", "/settings"],
	["admin", "/account"],
	["driver", "/api/mileage?limit=25"],
	["driver", `/api/mileage?limit=25&startDate=${iso(20)}&endDate=${iso(10)}`],
	["admin", "/api/mileage?limit=25"],
	["admin", `/api/mileage?limit=25&startDate=${iso(20)}&endDate=${iso(10)}`],
	["admin", "/api/fund-requests?limit=25"],
	["admin", "/api/uber-fees?limit=25"],
	["admin", "/api/analytics/weekly-summary"],
];

const requests = (names: Record<string, readonly string[]>): ["admin", string][] =>
	combinations(names).map((query) => ["admin", `/fund-requests?${query}`]);
/**
 * A driver's history. It offers the years with entries, and to find a year's first request it reads
 * the requests of the last hours of the year before.
 */
const HISTORY: [who: "driver", path: string][] = combinations({
	range: ["week", "month", "quarter"],
	type: ["mileage", "requests"],
}).map((query) => ["driver", `/history?${query}`]);
/** Lists of requests with stored totals, with and without an opened request. */
const KEPT: [who: "admin", path: string][] = requests({
	order: ["oldest"],
	open: ["FR-000400"],
}).flatMap(([who, path]) =>
	["status=pending", "status=approved", "status=approved&type=gas"].map(
		(query): ["admin", string] => [who, `${path}&${query}`],
	),
);
/** Lists of requests that are counted, up to 500, because one index covers all their filters. */
const COUNTED: [who: "admin", path: string][] = [
	...requests({
		status: ["pending", "approved", "rejected"],
		type: ["gas", "maintenance"],
		amount: ["0-50", "100+"],
		order: ["oldest"],
	}),
	...requests({
		status: ["approved"],
		amount: ["50-100"],
		order: ["largest", "smallest"],
		open: ["FR-000400"],
	}),
	...requests({ flag: ["no-receipt", "duplicate"], startDate: [iso(20)], order: ["oldest"] }),
	...requests({ payment: ["unpaid"], startDate: [iso(20)], question: ["asked"] }),
	...requests({ driver: [seededDriver(7)], status: ["rejected"], endDate: [iso(5)] }),
];
/** Lists that search 200 requests twice, because no index covers all their filters. */
const SEARCHED: [who: "admin", path: string][] = requests({
	driver: [seededDriver(7)],
	startDate: [iso(20)],
	question: ["asked"],
	flag: ["no-receipt", "duplicate"],
	payment: ["unpaid", "paid"],
}).map(([who, path]) => [who, `${path}&type=gas&amount=50-100`]);
/** Rows read for fifty requests by a named index, their drivers, the filters and an opened request. */
const PAGE_OF_50 = 350;
/** Rows read for an opened request, its history and its driver's latest requests. */
const OPENED = 100;

/** Pages that classify every driver. */
const CLASSIFYING: [who: "admin", path: string][] = [
	["admin", "/"],
	["admin", "/mileage-reports"],
	["admin", "/mileage-reports?range=quarter"],
	["admin", `/mileage-reports?range=custom&startDate=${iso(365)}&endDate=${iso(0)}`],
	["admin", `/mileage-reports?driver=${seededDriver(7)}&range=quarter`],
	["admin", "/reports"],
	["admin", "/api/analytics/driver-efficiency"],
	["admin", `/api/analytics/driver-efficiency?startDate=${iso(365)}&endDate=${iso(0)}`],
];

describe.each([
	["pages of a driver and paginated lists", LISTS, ROWS_READ.list],
	["a driver's history", HISTORY, ROWS_READ.list + REQUESTS_A_DAY + MAX_ADDED],
	["lists of requests with stored totals", KEPT, ROWS_READ.list + OPENED],
	// The numbers share no factor with those of the values, so each value is among them.
	["lists of requests that are counted", oneIn(5, COUNTED), MAX_COUNTED + PAGE_OF_50],
	[
		"lists of requests that are searched",
		oneIn(7, SEARCHED),
		2 * MAX_SEARCHED + MAX_COUNTED + PAGE_OF_50,
	],
	["pages that classify every driver", CLASSIFYING, ROWS_READ.list + PER_DRIVER * CLASSIFIED],
] as const)("%s", (_, pages, most) => {
	it.each(pages)(
		`%s %s costs one round trip, and no more with ${MANY / FEW} times the trips`,
		async (who, path) => {
			const [few, many] = [await costAt(small, who, path), await costAt(large, who, path)];
			expect(few.trips).toBe(1);
			expect(many.trips).toBe(1);
			expect(many.rows).toBeLessThanOrEqual(most);
			// Fewer rows are read when a list's window has less than a page, or fewer drivers have
			// flagged entries. Lists that are counted or searched have their limits above.
			if (path.startsWith("/history"))
				expect(many.rows - few.rows).toBeLessThan(ROWS_READ.list + MAX_ADDED);
			else if (path.startsWith("/mileage-reports"))
				expect(many.rows - few.rows).toBeLessThan(ROWS_READ.list);
			else if (!path.startsWith("/fund-requests")) expect(many.rows).toBeLessThanOrEqual(few.rows);
		},
	);
});

it("a change reads no more in a large fleet than in a small one", async () => {
	const rows: number[] = [];
	for (const fleet of [small, large]) {
		const { driver, admin } = clients.get(fleet) ?? expect.unreachable();
		const costs: (string | null)[] = [];
		const made = async (client: Client, method: string, path: string, body: object) => {
			const answer = await client.call(method, path, body);
			expect(answer.status, answer.text).toBeLessThan(300);
			costs.push(answer.headers.get("Server-Timing"));
			return JSON.parse(answer.text || "{}") as { id: string };
		};
		await made(driver, "POST", "/api/mileage", {
			date: today,
			startOdometer: 9_000_000,
			endOdometer: 9_000_050,
		});
		const { id } = await made(driver, "POST", "/api/fund-requests", {
			type: "gas",
			amount: "12.50",
			description: "Fuel",
		});
		await made(admin, "PUT", `/api/fund-requests/${id}`, { status: "approved" });
		await made(admin, "POST", "/api/uber-fees", {
			driverId: seededDriver(7),
			category: "commission",
			amount: "5.00",
			date: today,
		});
		for (const timing of costs)
			expect(Number(/(\d+) rows/.exec(timing ?? "")?.[1]), timing ?? "").toBeLessThanOrEqual(
				ROWS_READ.list,
			);
		// The lists are measured without it.
		await fleet.sql("delete from fund_requests where id = ?", id);
		rows.push(costs.reduce((sum, timing) => sum + Number(/(\d+) rows/.exec(timing ?? "")?.[1]), 0));
	}
	expect(rows[1]).toBeLessThanOrEqual((rows[0] ?? 0) + ROWS_READ.list);
});

it("an export is streamed: the first bytes are sent before the last row is read, every row once", {
	timeout: 120_000,
}, async () => {
	// From both, so that their audits stay alike.
	for (const [fleet, trips] of [
		[small, FEW],
		[large, MANY],
	] as const) {
		const driver = await fleet.client().signIn("driver8@seeded.milepost.test");
		const response = await fleet.worker.dispatchFetch(
			`${fleet.origin}/history/export.csv?range=quarter&type=mileage`,
			{ headers: { Cookie: driver.cookie } },
		);
		expect(response.status).toBe(200);
		// When the header is sent, the download has been recorded, and at most two of its reads
		// are done.
		expect(response.headers.get("Server-Timing")).toMatch(/"[23] trips\b/);
		let lines = 0;
		const decoder = new TextDecoder();
		for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
			lines += decoder.decode(chunk, { stream: true }).split("\n").length - 1;
		}
		expect(lines).toBe(trips / DRIVERS + 1);
	}
});
