/** Payouts through the API (docs/product.md, 'Payouts'). */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { deletePayouts, gather, insertApproved, type PayoutBody } from "../support/payouts.ts";
import { insertRequest, requestId } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const [ada, ben, dana] = [await fleet.as("ada"), await fleet.as("ben"), await fleet.as("dana")];
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const run = fleet.sql.bind(fleet);
const put = (id: string, body: object, client = ada) =>
	client.call("PUT", `/api/payouts/${id}`, body);
const message = (text: string) => (JSON.parse(text) as { message: string }).message;
const TODAY = daysAgo(0);
const PAYMENT = { status: "paid", paidOn: TODAY, reference: "ACH 42" };
const requestsOf = async (client: typeof ada) =>
	JSON.parse((await client.get("/api/fund-requests")).text) as {
		id: string;
		status: string;
		payout: { id: string; number: string; status: string; paidOn: string | null } | null;
	}[];

beforeEach(() => deletePayouts(run));

describe("POST /api/payouts", () => {
	it("includes requests with one line per driver, and lines and requests add up to the total", async () => {
		const ids = [
			await insertApproved(run, 1, "dana", 12_50),
			await insertApproved(run, 2, "omar", 30_00, {
				amount_cents: 50_00,
				approved_amount_cents: 30_00,
			}),
			await insertApproved(run, 3, "dana", 7_25),
		];
		const answer = await ada.call("POST", "/api/payouts", { requestIds: ids });
		expect(answer.status).toBe(201);
		const made = JSON.parse(answer.text) as PayoutBody;
		expect(made).toEqual({
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			number: "PO-000001",
			status: "open",
			total: "49.75",
			createdAt: expect.stringMatching(/Z$/),
			createdBy: { firstName: "Ada", lastName: "Admin" },
			paidOn: null,
			reference: null,
			billsDownloadedAt: null,
			lines: [
				{
					driverId: idOf("dana"),
					driverIdCode: "DRV-0001",
					name: "Dana Driver",
					amount: "19.75",
					requests: [
						{ id: ids[0], requestNumber: "FR-000001", amount: "12.50" },
						{ id: ids[2], requestNumber: "FR-000003", amount: "7.25" },
					],
					settlements: [],
				},
				{
					driverId: idOf("omar"),
					driverIdCode: "DRV-0002",
					name: "Omar Okafor",
					amount: "30.00",
					requests: [{ id: ids[1], requestNumber: "FR-000002", amount: "30.00" }],
					settlements: [],
				},
			],
		});
		expect(JSON.parse((await ada.get(`/api/payouts/${made.id}`)).text)).toEqual(made);
		expect(JSON.parse((await ben.get("/api/payouts")).text)).toEqual([made]);
		const own = await requestsOf(dana);
		expect(own.map(({ status, payout }) => [status, payout])).toEqual(
			own.map(() => [
				"approved",
				{ id: made.id, number: "PO-000001", status: "open", paidOn: null },
			]),
		);
	});

	it("answers 409 with the requests that prevent it, and creates nothing", async () => {
		const free = await insertApproved(run, 1, "dana", 10_00);
		const taken = await insertApproved(run, 2, "dana", 11_00);
		await gather(ada, { requestIds: [taken] });
		const waiting = await insertRequest(run, 3, "omar");
		const unknown = requestId(99);
		const answer = await ada.call("POST", "/api/payouts", {
			requestIds: [free, taken, waiting, unknown, "no id"],
		});
		expect(answer.status).toBe(409);
		const body = JSON.parse(answer.text) as {
			message: string;
			requests: { id: string; requestNumber: string | null; reason: string }[];
		};
		expect(body.requests.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
			{ id: taken, requestNumber: "FR-000002", reason: "FR-000002 is in PO-000001." },
			{ id: waiting, requestNumber: "FR-000003", reason: "FR-000003 is pending." },
			{ id: unknown, requestNumber: null, reason: "Fund request not found." },
			{ id: "no id", requestNumber: null, reason: "Fund request not found." },
		]);
		expect(body.message).toMatch(/^No payout was created: 4 of 5 can't be paid\. /);
		expect(await sql("select id from fund_requests where payout_id is not null")).toEqual([
			{ id: taken },
		]);
	});

	it("includes all requests or one driver's, and answers 409 when there are none", async () => {
		await insertApproved(run, 1, "dana", 1_00);
		await insertApproved(run, 2, "omar", 2_00);
		await insertApproved(run, 3, "omar", 3_00);
		expect((await gather(ada, { driverId: idOf("omar") })).total).toBe("5.00");
		expect((await gather(ada, { all: true })).total).toBe("1.00");
		for (const body of [{ all: true }, { driverId: idOf("omar") }])
			expect((await ada.call("POST", "/api/payouts", body)).status).toBe(409);
		const stranger = await ada.call("POST", "/api/payouts", { driverId: "nobody" });
		expect([stranger.status, JSON.parse(stranger.text)]).toEqual([
			400,
			{ message: "Driver not found", fields: { driverId: ["Driver not found"] } },
		]);
	});

	it("accepts exactly one of its three forms, and at most 500 ids", async () => {
		const ids = Array.from({ length: 501 }, (_, each) => requestId(each + 1));
		for (const [body, said] of [
			[{}, "Send requestIds, settlementIds or both, or one of all and driverId"],
			[
				{ all: true, driverId: idOf("dana") },
				"Send requestIds, settlementIds or both, or one of all and driverId",
			],
			[{ all: false }, "all must be true"],
			[{ requestIds: [] }, "Select requests to pay"],
			[{ requestIds: "x" }, "requestIds must be a list of ids"],
			[{ requestIds: [1] }, "requestIds must be a list of ids"],
			[{ requestIds: ids }, "At most 500 requests at once"],
			[{ driverId: 5 }, "driverId must be text"],
		] as const) {
			const answer = await ada.call("POST", "/api/payouts", body);
			expect([answer.status, message(answer.text)], JSON.stringify(body)).toEqual([400, said]);
		}
		expect((await ada.call("POST", "/api/payouts", [1])).status).toBe(400);
		expect(await sql("select * from payouts")).toEqual([]);
	});

	it("creates one payout per Idempotency-Key, and refuses it with another body", async () => {
		const [one, two] = [
			await insertApproved(run, 1, "dana", 1_00),
			await insertApproved(run, 2, "dana", 2_00),
		];
		const headers = { "Idempotency-Key": "monday" };
		const first = await gather(ada, { requestIds: [one] }, headers);
		const again = await ada.call("POST", "/api/payouts", { requestIds: [one] }, { headers });
		expect([again.status, again.headers.get("Idempotency-Replayed")]).toEqual([201, "true"]);
		expect(JSON.parse(again.text)).toEqual(first);
		const other = await ada.call("POST", "/api/payouts", { requestIds: [two] }, { headers });
		expect(other.status).toBe(422);
	});

	it("numbers payouts without gaps when they are created at once", async () => {
		const ids = await Promise.all(
			Array.from({ length: 12 }, (_, each) => insertApproved(run, each + 1, "dana", 100)),
		);
		const made = await Promise.all(
			ids.map((id, each) => gather(each % 2 ? ada : ben, { requestIds: [id] })),
		);
		expect(made.map(({ number }) => number).sort()).toEqual(
			ids.map((_, each) => `PO-${String(each + 1).padStart(6, "0")}`),
		);
		const page = JSON.parse((await ada.get("/api/payouts?limit=5")).text) as PayoutBody[];
		expect(page.map(({ number }) => number)).toEqual(
			[12, 11, 10, 9, 8].map((each) => `PO-${String(each).padStart(6, "0")}`),
		);
	});
});

describe("PUT /api/payouts/{id}", () => {
	it("marks it paid, which the request shows to its driver", async () => {
		const id = await insertApproved(run, 1, "dana", 10_00);
		const made = await gather(ada, { requestIds: [id] });
		const answer = await put(made.id, PAYMENT, ben);
		expect(answer.status).toBe(200);
		expect(JSON.parse(answer.text)).toEqual({
			...made,
			status: "paid",
			paidOn: TODAY,
			reference: "ACH 42",
		});
		expect((await requestsOf(dana))[0]).toMatchObject({
			status: "approved",
			payout: { id: made.id, number: "PO-000001", status: "paid", paidOn: TODAY },
		});
		const again = await put(made.id, PAYMENT);
		expect(again.status).toBe(409);
		expect(message(again.text)).toMatch(/^PO-000001 was paid by Ben Backup on /);
		expect((await put(made.id, { status: "cancelled" })).status).toBe(409);
	});

	it("needs a valid date that isn't in the future, and a short reference", async () => {
		const requested = { requested_on: daysAgo(3) };
		const made = await gather(ada, {
			requestIds: [await insertApproved(run, 1, "dana", 10_00, requested)],
		});
		for (const [body, field] of [
			[{ status: "paid" }, "paidOn"],
			[{ status: "paid", paidOn: "tomorrow" }, "paidOn"],
			[{ status: "paid", paidOn: daysAgo(-1) }, "paidOn"],
			[{ status: "paid", paidOn: TODAY, reference: "x".repeat(101) }, "reference"],
			[{ status: "settled" }, "status"],
			[{}, "status"],
		] as const) {
			const answer = await put(made.id, body);
			expect(answer.status).toBe(400);
			expect(Object.keys(JSON.parse(answer.text).fields)).toEqual([field]);
		}
		expect((await put(made.id, { status: "paid", paidOn: daysAgo(3) })).status).toBe(200);
	});

	it("refuses a payment before the newest request, also once it was reopened", async () => {
		const made = await gather(ada, {
			requestIds: [
				await insertApproved(run, 1, "dana", 10_00, { requested_on: daysAgo(20) }),
				await insertApproved(run, 2, "dana", 5_00, { requested_on: daysAgo(2) }),
			],
		});
		const early = { ...PAYMENT, paidOn: daysAgo(3) };
		const refused = async () => {
			const answer = await put(made.id, early);
			expect([answer.status, Object.keys(JSON.parse(answer.text).fields)]).toEqual([
				400,
				["paidOn"],
			]);
			expect(message(answer.text)).toMatch(
				/^It can't be paid before its newest request, of \w{3} \d+, \d{4}$/,
			);
		};
		await refused();
		expect((await put(made.id, { ...PAYMENT, paidOn: daysAgo(2) })).status).toBe(200);
		expect((await put(made.id, { status: "open" })).status).toBe(200);
		await refused();
		expect(await sql("select status, paid_on from payouts")).toEqual([
			{ status: "open", paid_on: null },
		]);
	});

	it("refuses payment by someone who would pay themselves", async () => {
		const made = await gather(ada, {
			requestIds: [
				await insertApproved(run, 1, "ada", 10_00, { decided_by: idOf("ben") }),
				await insertApproved(run, 2, "dana", 5_00),
			],
		});
		const own = await put(made.id, PAYMENT);
		expect([own.status, message(own.text)]).toEqual([
			409,
			"PO-000001 includes your own requests. Another administrator has to mark it as paid.",
		]);
		expect((await put(made.id, PAYMENT, ben)).status).toBe(200);
	});

	it("says since when its bills are out, whatever happens to it, and what another file is not", async () => {
		const id = await insertApproved(run, 1, "dana", 10_00);
		const made = await gather(ada, { requestIds: [id] });
		const downloadedAt = async () =>
			(JSON.parse((await ada.get("/api/payouts")).text) as PayoutBody[]).map(
				({ number, billsDownloadedAt }) => [number, billsDownloadedAt],
			);
		const path = `/payouts/${made.id}/export.csv`;
		for (const format of ["drivers", "requests"]) await ada.get(`${path}?format=${format}`);
		await ada.get(`/payouts/${made.id}.pdf`);
		await ada.request(`${path}?format=xero`, { method: "HEAD" });
		expect(await downloadedAt()).toEqual([["PO-000001", null]]);
		const before = currentTime();
		await ada.get(`${path}?format=quickbooks`);
		const [[, first] = []] = await downloadedAt();
		expect(first).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
		expect(Math.abs(Date.parse(first ?? "") - before)).toBeLessThan(60_000);
		await ben.get(`${path}?format=xero`);
		expect(await downloadedAt()).toEqual([["PO-000001", first]]);
		const cancelled = await put(made.id, { status: "cancelled" });
		expect(JSON.parse(cancelled.text)).toMatchObject({ billsDownloadedAt: first });
		expect(JSON.parse((await ada.get(`/api/payouts/${made.id}`)).text).billsDownloadedAt).toBe(
			first,
		);
		await gather(ada, { requestIds: [id] });
		expect(await downloadedAt()).toEqual([
			["PO-000002", null],
			["PO-000001", first],
		]);
	});

	it("cancels an open one permanently, and its requests can be paid again", async () => {
		const id = await insertApproved(run, 1, "dana", 10_00);
		const made = await gather(ada, { requestIds: [id] });
		expect(JSON.parse((await put(made.id, { status: "cancelled" })).text)).toMatchObject({
			status: "cancelled",
			lines: [{ amount: "10.00" }],
		});
		expect((await requestsOf(dana))[0]?.payout).toBeNull();
		expect((await put(made.id, PAYMENT)).status).toBe(409);
		expect((await put(made.id, { status: "open", reason: "x" })).status).toBe(409);
		expect((await gather(ben, { requestIds: [id] })).number).toBe("PO-000002");
	});

	it("reopens a paid one: silently for its payer within the time limit, otherwise with a reason and emails", async () => {
		const made = await gather(ada, { requestIds: [await insertApproved(run, 1, "dana", 10_00)] });
		const kinds = async () =>
			(
				await sql<{ kind: string; status: string }>("select kind, status from mails order by rowid")
			).map(({ kind, status }) => `${kind} ${status}`);
		await put(made.id, PAYMENT);
		expect(await kinds()).toEqual(["payout-paid queued"]);
		const silent = await put(made.id, { status: "open" });
		expect(JSON.parse(silent.text)).toMatchObject({
			status: "open",
			paidOn: null,
			reference: null,
		});
		expect(await kinds()).toEqual(["payout-paid cancelled"]);
		await put(made.id, PAYMENT);
		const unexplained = await put(made.id, { status: "open" }, ben);
		expect([unexplained.status, JSON.parse(unexplained.text).fields]).toEqual([
			400,
			{ reason: ["Give a reason: its drivers will get it by email"] },
		]);
		expect((await put(made.id, { status: "open", reason: "Wrong account" }, ben)).status).toBe(200);
		expect(await kinds()).toEqual([
			"payout-paid cancelled",
			"payout-paid cancelled",
			"payout-reopened queued",
		]);
		expect((await put(made.id, { status: "open", reason: "Again" })).status).toBe(409);
	});

	it("answers 404 for an unknown payout", async () => {
		const id = requestId(77);
		for (const body of [PAYMENT, { status: "cancelled" }, { status: "open", reason: "x" }])
			expect(message((await put(id, body)).text)).toBe("Payout not found");
		expect((await ada.get(`/api/payouts/${id}`)).status).toBe(404);
	});
});

describe("a request in a live payout", () => {
	it("can be neither undone nor reopened: 409 naming the payout", async () => {
		const id = await insertRequest(run, 1, "dana");
		const decide = (client: typeof ada, status: string) =>
			client.call("PUT", `/api/fund-requests/${id}`, { status });
		expect((await decide(ada, "approved")).status).toBe(200);
		const made = await gather(ada, { all: true });
		for (const client of [ada, ben]) {
			const answer = await decide(client, "pending");
			expect([answer.status, message(answer.text)]).toEqual([
				409,
				"FR-000001 is in PO-000001. Its decision is final while it's there.",
			]);
		}
		const form = await ada.post("/fund-requests", { intent: "undo", id });
		expect([form.status, form.text.includes("is in PO-000001")]).toEqual([409, true]);
		await put(made.id, PAYMENT);
		expect((await decide(ben, "pending")).status).toBe(409);
		await put(made.id, { status: "open" });
		await put(made.id, { status: "cancelled" });
		expect((await decide(ada, "pending")).status).toBe(200);
	});
});
