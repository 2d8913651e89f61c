/**
 * Approving less than was requested, in the dialog and through the API, and what the amount then
 * counts as (docs/product.md, 'Fund requests and receipts').
 */
import Papa from "papaparse";
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { formWith } from "../support/forms.ts";
import { decide, rowOf } from "../support/fund-requests.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const ben = await fleet.as("ben");
const dana = await fleet.as("dana");
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const put = (id: string, body: object, client = ada) =>
	client.call("PUT", `/api/fund-requests/${id}`, body);
const lower = (id: string) =>
	put(id, { status: "approved", approvedAmount: "30.00", adminNotes: "Only the fuel" });
const jsonOf = ({ text }: { text: string }) => JSON.parse(text) as Record<string, unknown>;
const stored = async (id: string) =>
	(
		await sql<{ status: string; amount_cents: number; approved_amount_cents: number | null }>(
			"select status, amount_cents, approved_amount_cents from fund_requests where id = ?",
			id,
		)
	)[0];
const plain = (html: string) =>
	html
		.replace(/<!--[\s\S]*?-->/g, "")
		.replace(/<[^>]+>/g, " ")
		.replace(/\s+/g, " ");

let id = "";
beforeEach(async () => {
	for (const table of ["fund_requests", "mails"]) await sql(`delete from ${table}`);
	id = await insertRequest(sql, 1, "dana", { amount_cents: 4210 });
});

describe("a lower amount through the API", () => {
	it("is approved alongside the requested amount", async () => {
		const answer = await lower(id);
		expect(answer.status).toBe(200);
		expect(jsonOf(answer)).toMatchObject({
			status: "approved",
			amount: "42.10",
			approvedAmount: "30.00",
			adminNotes: "Only the fuel",
		});
		expect(await stored(id)).toMatchObject({ amount_cents: 4210, approved_amount_cents: 3000 });
	});

	it("is absent until approval, and is the whole amount for a full approval", async () => {
		const list = async () =>
			JSON.parse((await dana.call("GET", "/api/fund-requests")).text) as Record<string, unknown>[];
		expect((await list())[0]).toMatchObject({ amount: "42.10", approvedAmount: null });
		expect(jsonOf(await put(id, { status: "approved" }))).toMatchObject({
			amount: "42.10",
			approvedAmount: "42.10",
		});
		// As approved by a release that didn't store the amount.
		await sql("update fund_requests set approved_amount_cents = null");
		expect((await list())[0]).toMatchObject({ amount: "42.10", approvedAmount: "42.10" });
	});

	it("may equal the requested amount without a reason, as text or as a number", async () => {
		expect((await put(id, { status: "approved", approvedAmount: 42.1 })).status).toBe(200);
		expect(await stored(id)).toMatchObject({ approved_amount_cents: 4210 });
	});

	it("needs a reason, and can't be more than requested, zero or invalid", async () => {
		const said = async (body: object) => {
			const { status, text } = await put(id, { status: "approved", ...body });
			return [status, (JSON.parse(text) as { fields: object }).fields];
		};
		expect(await said({ approvedAmount: "42.09" })).toEqual([
			400,
			{ adminNotes: ["Give the reason for approving less than the $42.10 requested"] },
		]);
		expect((await said({ approvedAmount: "42.09", adminNotes: "\u200b" }))[0]).toBe(400);
		expect(await said({ approvedAmount: "42.11", adminNotes: "More" })).toEqual([
			400,
			{ approvedAmount: ["Enter at most the $42.10 requested"] },
		]);
		expect(await said({ approvedAmount: "0", adminNotes: "x" })).toEqual([
			400,
			{ approvedAmount: ["The amount must be more than 0 and no more than 100,000.00"] },
		]);
		for (const approvedAmount of ["-1", "1e1", "1.234", "ten"])
			expect((await said({ approvedAmount, adminNotes: "x" }))[0], approvedAmount).toBe(400);
		expect(await stored(id)).toMatchObject({ status: "pending", approved_amount_cents: null });
		expect(await sql("select id from mails")).toEqual([]);
	});

	it("is only for approvals", async () => {
		for (const status of ["rejected", "pending"]) {
			const answer = await put(id, { status, approvedAmount: "30.00", adminNotes: "x" });
			expect(answer.status, status).toBe(400);
			expect(jsonOf(answer)).toMatchObject({ fields: { approvedAmount: expect.any(Array) } });
		}
		expect(await stored(id)).toMatchObject({ status: "pending" });
	});

	it("tells the loser of a race what was decided", async () => {
		await put(id, { status: "rejected" }, ben);
		for (const body of [{ approvedAmount: "99.00" }, { approvedAmount: "1.00" }]) {
			const answer = await put(id, { status: "approved", ...body });
			expect([answer.status, answer.text]).toEqual([
				409,
				expect.stringContaining("FR-000001 was rejected by Ben Backup"),
			]);
		}
	});

	it("is cleared by undoing and reopening, each time with an audit entry", async () => {
		await lower(id);
		expect(jsonOf(await put(id, { status: "pending" }))).toMatchObject({
			status: "pending",
			approvedAmount: null,
		});
		expect(await stored(id)).toMatchObject({ status: "pending", approved_amount_cents: null });
		await lower(id);
		expect(jsonOf(await put(id, { status: "pending" }, ben))).toMatchObject({
			approvedAmount: null,
		});
		expect(await stored(id)).toMatchObject({ status: "pending", approved_amount_cents: null });
		const entries = await sql<{ action: string; before: string; after: string }>(
			"select action, before, after from audit_events where entity_id = ? order by id desc limit 4",
			id,
		);
		expect(
			entries.map(({ action, before, after }) => [
				action,
				JSON.parse(before).approvedAmountCents,
				JSON.parse(after).approvedAmountCents,
			]),
		).toEqual([
			["request.reopen", 3000, null],
			["request.approve", undefined, 3000],
			["request.undo", 3000, null],
			["request.approve", undefined, 3000],
		]);
		expect(plain((await ada.get("/audit")).text)).toContain("Approved amount: $30.00 → none");
	});

	it("is emailed to the driver with the requested amount", async () => {
		await lower(id);
		const mails = await sql<{ body: string }>("select body from mails");
		expect(mails).toEqual([
			{
				body: "Your request FR-000001 for $30.00 (asked $42.10) was approved by Ada Admin.\n\nFuel\n\nNote: Only the fuel\n\nYou'll get another email when it's paid.",
			},
		]);
	});
});

describe("the approval dialog", () => {
	const dialog = async () =>
		formWith((await ada.get(`/fund-requests?dialog=approve&id=${id}`)).text, "Admin Notes");

	it("starts with the requested amount, and approves less with a reason", async () => {
		const form = await dialog();
		expect(form.fields).toMatchObject({ status: "approved", approvedAmount: "42.10" });
		const answer = await ada.post(form.action, {
			...form.fields,
			approvedAmount: "30",
			adminNotes: "Only the fuel",
		});
		expect([answer.status, answer.headers.get("Location")]).toEqual([
			303,
			`/fund-requests?changed=1#request-${id}`,
		]);
		expect(await stored(id)).toMatchObject({ status: "approved", approved_amount_cents: 3000 });
		const { text } = await ada.get("/fund-requests");
		expect(plain(rowOf(text, id))).toContain("$30.00 asked $42.10");
	});

	it("approves in full when sent unchanged, or from a page that doesn't know the amount", async () => {
		const form = await dialog();
		expect((await ada.post(form.action, form.fields)).status).toBe(303);
		expect(await stored(id)).toMatchObject({ approved_amount_cents: 4210 });
		const other = await insertRequest(sql, 2, "dana", { amount_cents: 900 });
		expect((await decide(ada, other, "approved")).status).toBe(303);
		expect(await stored(other)).toMatchObject({ approved_amount_cents: 900 });
	});

	it("asks for a reason under its field and keeps what was typed", async () => {
		const form = await dialog();
		const answer = await ada.post(form.action, { ...form.fields, approvedAmount: "30.5" });
		expect(answer.status).toBe(400);
		const again = formWith(answer.text, "Admin Notes");
		expect(again.fields).toMatchObject({ approvedAmount: "30.5", adminNotes: "" });
		expect(again.html).toMatch(
			/id="adminNotes-error"[^>]*>Give the reason for approving less than the \$42\.10 requested</,
		);
		const more = await ada.post(form.action, {
			...form.fields,
			approvedAmount: "50",
			adminNotes: "Generous",
		});
		const asked = formWith(more.text, "Admin Notes");
		expect(asked.fields).toMatchObject({ approvedAmount: "50", adminNotes: "Generous" });
		expect(asked.html).toMatch(/id="approvedAmount-error"[^>]*>Enter at most the \$42\.10/);
		expect(await stored(id)).toMatchObject({ status: "pending" });
	});

	it("doesn't treat a cleared amount as the whole amount", async () => {
		const form = await dialog();
		const answer = await ada.post(form.action, { ...form.fields, approvedAmount: " " });
		expect(answer.status).toBe(400);
		expect(formWith(answer.text, "Admin Notes").html).toMatch(
			/id="approvedAmount-error"[^>]*>Enter the amount to approve</,
		);
		expect(await stored(id)).toMatchObject({ status: "pending" });
	});
});

describe("the effective amount", () => {
	const approved = { decided_at: currentTime(), decided_by: idOf("ada"), status: "approved" };
	const lowered = { ...approved, approved_amount_cents: 3000, admin_notes: "Only the fuel" };

	beforeEach(async () => {
		await sql("delete from fund_requests");
		id = await insertRequest(sql, 1, "dana", { amount_cents: 6000, ...lowered });
		await insertRequest(sql, 2, "dana", { amount_cents: 500, ...approved });
	});

	it("is the lower amount in totals, while filters use the requested one", async () => {
		const { text } = await ada.get("/fund-requests");
		expect(plain(text)).toContain("1–2 of 2 requests · $35.00");
		expect(plain((await ada.get("/fund-requests?amount=50-100")).text)).toContain(
			"1 of 1 request · $30.00",
		);
		expect(plain((await ada.get("/fund-requests?amount=0-50")).text)).toContain(
			"1 of 1 request · $5.00",
		);
		const weekly = jsonOf(await ada.call("GET", "/api/analytics/weekly-summary"));
		expect(weekly).toMatchObject({ fuelExpenses: "35.00" });
		expect(plain((await dana.get("/")).text)).toContain("$30.00 for gas request (asked $60.00)");
		expect(plain((await dana.get("/")).text)).toContain("This Month $35.00");
	});

	it("is the lower amount in History, the driver's list and both CSV files, next to the requested one", async () => {
		expect(plain((await dana.get("/history")).text)).toContain("$30.00 asked $60.00");
		expect(plain((await dana.get("/requests")).text)).toContain("$30.00 asked $60.00");
		const csv = async (client: typeof ada, path: string) =>
			Papa.parse<Record<string, string>>((await client.get(path)).text, {
				header: true,
				skipEmptyLines: true,
			}).data;
		const history = await csv(dana, "/history/export.csv?type=requests");
		expect(history.map((row) => [row["Amount/Miles"], row.Asked])).toEqual([
			["5.00", "5.00"],
			["30.00", "60.00"],
		]);
		const requests = await csv(ada, "/fund-requests/export.csv");
		expect(requests.map((row) => [row.Amount, row.Asked, row["Approved Amount"]])).toEqual([
			["5.00", "5.00", "5.00"],
			["30.00", "60.00", "30.00"],
		]);
	});

	it("is the lower amount in reports, whose largest items show the requested one", async () => {
		await insertRequest(sql, 3, "dana", { amount_cents: 4000, ...approved });
		const answer = await ada.call("POST", "/api/reports/generate", {
			type: "expense",
			format: "csv",
			range: "current_week",
		});
		expect(answer.status, answer.text).toBe(200);
		const largest = answer.text.slice(answer.text.indexOf("Largest Items"));
		const amounts = [...largest.matchAll(/FR-(\d+).*?,(\d+\.\d\d)\r/g)].map((hit) => hit.slice(1));
		expect(amounts).toEqual([
			["000003", "40.00"],
			["000001", "30.00"],
			["000002", "5.00"],
		]);
		expect(largest).toContain("Fuel (asked $60.00)");
	});

	it("is in the request's history", async () => {
		await sql("delete from fund_requests");
		id = await insertRequest(sql, 1, "dana", { amount_cents: 4210 });
		await lower(id);
		const text = plain((await ben.get(`/fund-requests?dialog=timeline&id=${id}`)).text);
		expect(text).toContain("Approved for $30.00 by Ada Admin");
		expect(text).toContain("$30.00 asked $42.10");
	});
});

it("a bulk approval is always for the full amounts", async () => {
	const other = await insertRequest(sql, 2, "omar", { amount_cents: 1000 });
	const answer = await ada.post("/fund-requests", {
		intent: "bulk-approve",
		ids: `${id} ${other}`,
		approvedAmount: "1.00",
	});
	expect(answer.status).toBe(303);
	expect([
		(await stored(id))?.approved_amount_cents,
		(await stored(other))?.approved_amount_cents,
	]).toEqual([4210, 1000]);
});
