/**
 * The two analytics endpoints: response shapes, the edges of their date ranges, who may call them,
 * and which refusal comes first (docs/product.md §3, §7, 'Numbers, money and dates').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { type CastName, idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo, midnight } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const SUMMARY = "/api/analytics/weekly-summary";
const EFFICIENCY = "/api/analytics/driver-efficiency";

beforeEach(async () => {
	for (const table of ["fund_requests", "mileage_logs", "uber_fees"])
		await sql(`delete from ${table}`);
});

const read = async (path: string) => JSON.parse((await ada.get(path)).text) as unknown;
let number = 0;
/** A gas request, approved unless `more` says otherwise. */
const fuel = (owner: CastName, at: number, cents: number, more = {}) =>
	insertRequest(sql, ++number, owner, {
		created_at: at,
		amount_cents: cents,
		status: "approved",
		decided_at: 1,
		decided_by: idOf("ben"),
		...more,
	});
const fee = (owner: CastName, day: string, cents: number, more = {}) =>
	insertFee(sql, ++number, owner, day, { amount_cents: cents, ...more });
const trip = (owner: CastName, day: string, miles: number, more = {}) =>
	insertLog(sql, ++number, owner, day, miles, more);
const rowOf = (
	name: CastName,
	driverIdCode: string,
	firstName: string,
	lastName: string,
	figures: readonly [number, string, string],
) => ({
	driverId: idOf(name),
	driverIdCode,
	firstName,
	lastName,
	totalMiles: figures[0],
	totalFuelCost: figures[1],
	costPerMile: figures[2],
});

describe(SUMMARY, () => {
	it("is zero for a fleet that spent nothing", async () => {
		expect(await read(SUMMARY)).toEqual({
			fuelExpenses: "0.00",
			uberFees: "0.00",
			totalSpend: "0.00",
		});
	});

	it("adds approved fuel and fees from the last 7 days in the fleet's time zone, and nothing else", async () => {
		const [today, first, before] = [daysAgo(0), daysAgo(6), daysAgo(7)];
		await fuel("dana", midnight(first), 1);
		await fuel("omar", currentTime() - 1000, 20);
		await fuel("ivan", midnight(today), 300);
		await fuel("dana", midnight(first) - 1, 4_000_000);
		await fuel("dana", midnight(today), 4_000_000, { type: "maintenance" });
		await fuel("dana", midnight(today), 4_000_000, { type: "other" });
		const undecided = { decided_at: null, decided_by: null };
		await fuel("dana", midnight(today), 4_000_000, { status: "pending", ...undecided });
		await fuel("dana", midnight(today), 4_000_000, {
			status: "withdrawn",
			withdrawn_at: 1,
			...undecided,
		});
		await fuel("dana", midnight(today), 4_000_000, { status: "rejected" });
		await fee("dana", first, 1000, { category: "booking_fee" });
		await fee("omar", today, 20_000, { category: "other" });
		await fee("omar", before, 4_000_000);
		await fee("omar", today, 4_000_000, { deleted_at: 1, deleted_by: idOf("ada") });
		expect(await read(SUMMARY)).toEqual({
			fuelExpenses: "3.21",
			uberFees: "210.00",
			totalSpend: "213.21",
		});
		expect(await read(`${SUMMARY}?startDate=${before}&endDate=${before}`)).toEqual({
			fuelExpenses: "40000.00",
			uberFees: "40000.00",
			totalSpend: "80000.00",
		});
		expect(await read(`${SUMMARY}?endDate=${daysAgo(8)}`)).toEqual({
			fuelExpenses: "0.00",
			uberFees: "0.00",
			totalSpend: "0.00",
		});
		expect(await read(`${SUMMARY}?startDate=${today}`)).toMatchObject({
			fuelExpenses: "3.20",
			uberFees: "200.00",
		});
	});
});

describe(EFFICIENCY, () => {
	it("has a row for every approved driver, for all time or the given dates, rounded half up once", async () => {
		const [today, before] = [daysAgo(0), daysAgo(400)];
		await trip("dana", today, 200);
		await trip("dana", before, 1300);
		await trip("dana", today, 700, { voided_at: 1, voided_by: idOf("dana") });
		await fuel("dana", midnight(today), 16_900);
		await fuel("ivan", midnight(before), 1234);
		// 84.5 cents a mile round up to 85.
		await trip("omar", today, 200);
		await fuel("omar", midnight(today), 16_901);
		const idle = [0, "0.00", "0.00"] as const;
		const lena = rowOf("lena", "DRV-0003", "Łena", "Nguyễn", idle);
		const ines = rowOf("ines", "DRV-0005", "Inès", "Invited", idle);
		expect(await read(EFFICIENCY)).toEqual([
			rowOf("dana", "DRV-0001", "Dana", "Driver", [1500, "169.00", "0.11"]),
			ines,
			lena,
			rowOf("omar", "DRV-0002", "Omar", "Okafor", [200, "169.01", "0.85"]),
			rowOf("ivan", "DRV-0004", "Ivan", "Inactive", [0, "12.34", "0.00"]),
		]);
		expect(await read(`${EFFICIENCY}?startDate=${today}&endDate=${today}`)).toEqual([
			rowOf("dana", "DRV-0001", "Dana", "Driver", [200, "169.00", "0.85"]),
			ines,
			lena,
			rowOf("omar", "DRV-0002", "Omar", "Okafor", [200, "169.01", "0.85"]),
			rowOf("ivan", "DRV-0004", "Ivan", "Inactive", idle),
		]);
	});
});

describe("a refused call", () => {
	const FAULTS = [
		["startDate=2026-02-30", "startDate must be a date as YYYY-MM-DD"],
		["endDate=yesterday", "endDate must be a date as YYYY-MM-DD"],
		["startDate=2026-11-02&endDate=2026-11-01", "startDate must be on or before endDate"],
	] as const;

	it.each([SUMMARY, EFFICIENCY, "/api/mileage"])(
		"%s answers bad dates with 400 and says which",
		async (path) => {
			for (const [query, message] of FAULTS) {
				const { status, text } = await ada.get(`${path}?${query}`);
				expect([status, (JSON.parse(text) as { message: string }).message], query).toEqual([
					400,
					message,
				]);
			}
		},
	);

	it.each([
		[`${SUMMARY}?startDate=x`, 403],
		[`${EFFICIENCY}?startDate=x`, 403],
		["/api/mileage?startDate=x", 400],
		["/api/mileage?limit=x", 400],
		["/api/fund-requests?limit=x", 400],
		["/api/uber-fees?limit=x", 400],
	])("%s checks the caller before the parameters", async (path, ofDriver) => {
		expect((await fleet.client().get(path)).status).toBe(401);
		expect((await (await fleet.as("nora")).get(path)).status).toBe(403);
		expect((await (await fleet.as("dana")).get(path)).status).toBe(ofDriver);
		expect((await ada.get(path)).status).toBe(400);
	});
});
