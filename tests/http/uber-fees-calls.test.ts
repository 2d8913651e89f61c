/**
 * The Uber fee API (docs/product.md §5, §7, 'Uber fees', 'Numbers, money and dates' and 'The JSON
 * API').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, type CalendarDate } from "../../app/values/calendar-date.ts";
import { CAST, idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { feeId, insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const today = daysAgo(0);
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const ada = await fleet.as("ada");

// Replacements are deleted first because they refer to what they replaced.
beforeEach(async () => {
	await sql("delete from uber_fees where replaces_id is not null");
	await sql("delete from uber_fees");
});

const live = () =>
	fleet.sql<{ id: string; amount_cents: number }>(
		"select * from uber_fees where deleted_at is null order by created_at",
	);

describe("the Uber fee API", () => {
	const body = (more: Record<string, unknown> = {}) => ({
		driverId: idOf("dana"),
		category: "commission",
		amount: "45.50",
		date: today as CalendarDate,
		...more,
	});
	const list = async (client: Client, query = "") =>
		JSON.parse((await client.get(`/api/uber-fees${query}`)).text) as Record<string, unknown>[];

	it("adds fees in the name of the signed-in administrator, whatever the body says", async () => {
		const answer = await ada.call(
			"POST",
			"/api/uber-fees",
			body({ addedBy: idOf("ben"), amount: 45.5, id: "x", referenceNumber: "" }),
		);
		expect([answer.status, costOf(answer).trips]).toEqual([201, 2]);
		const fee = JSON.parse(answer.text);
		expect(fee).toEqual({
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			driverId: idOf("dana"),
			driverIdCode: "DRV-0001",
			category: "commission",
			amount: "45.50",
			date: today,
			referenceNumber: null,
			description: null,
			createdAt: expect.stringMatching(/Z$/),
			addedBy: idOf("ada"),
		});
		expect(await list(ada)).toEqual([fee]);
	});

	it("lists everything for an administrator, and a driver's own without who added it, newest first", async () => {
		await insertFee(sql, 1, "dana", addDays(today, -2));
		await insertFee(sql, 2, "omar", today);
		await insertFee(sql, 3, "dana", addDays(today, -1));
		await insertFee(sql, 4, "dana", today, { deleted_at: 1, deleted_by: idOf("ada") });
		expect((await list(ada)).map(({ id, addedBy }) => [id, addedBy])).toEqual(
			[2, 3, 1].map((number) => [feeId(number), idOf("ada")]),
		);
		const own = await list(await fleet.as("dana"));
		expect(own.map(({ id }) => id)).toEqual([feeId(3), feeId(1)]);
		for (const fee of own) expect(fee).not.toHaveProperty("addedBy");
		expect(await list(ada, "?limit=2")).toHaveLength(2);
		expect(costOf(await ada.get("/api/uber-fees?limit=2")).trips).toBe(1);
		for (const limit of ["0", "501", "x"])
			expect((await ada.get(`/api/uber-fees?limit=${limit}`)).status).toBe(400);
	});

	it("streams a long list completely", async () => {
		await sql(
			`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2600)
				insert into uber_fees (id, driver_id, category, amount_cents, charged_on, added_by, created_at, payload_hash)
				select '60000000-0000-4000-9000-' || printf('%012d', i), ?, 'other', i, ?, ?, 1, 'x' from n`,
			idOf("dana"),
			today,
			idOf("ada"),
		);
		const fees = await list(ada);
		expect(new Set(fees.map(({ id }) => id)).size).toBe(2600);
		expect(fees).toHaveLength(2600);
	});

	it("uses the form's messages, field by field", async () => {
		for (const name of ["driverId", "category", "amount"]) {
			const answer = await ada.call("POST", "/api/uber-fees", body({ [name]: null }));
			expect(answer.status).toBe(400);
			expect(JSON.parse(answer.text)).toEqual({
				message: "Please fill in all required fields",
				fields: { [name]: ["Please fill in all required fields"] },
			});
		}
		const stranger = await ada.call("POST", "/api/uber-fees", body({ driverId: idOf("rex") }));
		expect(stranger.status).toBe(400);
		expect(JSON.parse(stranger.text)).toEqual({
			message: "Select an approved driver",
			fields: { driverId: ["Select an approved driver"] },
		});
		for (const faulty of [
			{ date: undefined },
			{ date: addDays(today, 1) },
			{ amount: "1e3" },
			{ category: "tip" },
			{ driverId: "DRV-0001" },
		])
			expect(
				(await ada.call("POST", "/api/uber-fees", body(faulty))).status,
				JSON.stringify(faulty),
			).toBe(400);
		expect(await live()).toEqual([]);
	});

	it("returns the first result for the same Idempotency-Key, and refuses it with other values", async () => {
		const headers = { "Idempotency-Key": "fee-call-1" };
		const first = await ada.call("POST", "/api/uber-fees", body(), { headers });
		const again = await ada.call("POST", "/api/uber-fees", body(), { headers });
		expect([again.status, again.text, again.headers.get("Idempotency-Replayed")]).toEqual([
			201,
			first.text,
			"true",
		]);
		expect(
			(await ada.call("POST", "/api/uber-fees", body({ amount: "1" }), { headers })).status,
		).toBe(422);
		expect(await live()).toHaveLength(1);
	});

	it("deletes a fee once, for administrators only", async () => {
		const id = await insertFee(sql, 1, "dana", today);
		expect((await (await fleet.as("dana")).call("DELETE", `/api/uber-fees/${id}`)).status).toBe(
			403,
		);
		const gone = await ada.call("DELETE", `/api/uber-fees/${id}`);
		expect([gone.status, gone.text, costOf(gone).trips]).toEqual([204, "", 2]);
		for (const named of [id, "x"]) {
			const again = await ada.call("DELETE", `/api/uber-fees/${encodeURIComponent(named)}`);
			expect([again.status, JSON.parse(again.text)]).toEqual([
				404,
				{ message: "Uber fee not found" },
			]);
		}
		// A value that can't be an id matches no route.
		const odd = await ada.call("DELETE", `/api/uber-fees/${encodeURIComponent(CAST.dana.email)}`);
		expect([odd.status, JSON.parse(odd.text)]).toEqual([404, { message: "Not found" }]);
	});
});
