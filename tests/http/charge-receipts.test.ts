/** Receipts of charges: sent with one by an administrator, and opened by its driver and the office. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { MAX_FILES_PER_DAY } from "../../app/domain/kernel/limits.ts";
import { chargeId, insertCharge } from "../support/agreements.ts";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { textOf } from "../support/drivers.ts";
import { withoutFileStore } from "../support/failing-store.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith, multipart, type SentFile } from "../support/forms.ts";
import { JPEG, PDF, PNG, SVG } from "../support/request-form.ts";
import { insertReceipt, insertRequest } from "../support/requests.ts";
import type { Row } from "../support/rows.ts";
import { insertLine, insertSettlement, published } from "../support/settlements.ts";
import { type Client, openFleet } from "../support/worker.ts";

const state = mkdtempSync(join(tmpdir(), "milepost-charges-"));
// Registered before the fleet is opened, so it runs after the fleet is closed, which still writes
// there.
afterAll(() => rmSync(state, { recursive: true, force: true }));
const fleet = await openFleet({ state });
const sql = (query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const [ada, dana, omar] = [await fleet.as("ada"), await fleet.as("dana"), await fleet.as("omar")];
await ada.call("POST", "/api/admin/create", {
	...{ email: "vera@milepost.test", firstName: "Vera", lastName: "Viewer", role: "viewer" },
});
const vera = await fleet.client().signIn("vera@milepost.test");
const DANA = idOf("dana");
const PAGE = `/drivers/${DANA}`;
const today = daysAgo(0);
const fields = { driverId: DANA, kind: "fine", date: today, amount: "60.00" };

const post = async (client: Client, body: Record<string, string>, file?: SentFile, key = "") => {
	const form = await multipart(body, file);
	const headers = { ...form.headers, ...(key ? { "Idempotency-Key": key } : {}) };
	const { status, text } = await client.request("/api/charges", { ...form, headers });
	return { status, body: JSON.parse(text) };
};
const counts = async () =>
	(
		await sql(`select (select count(*) from charges) as charges,
			(select count(*) from receipts) as receipts, (select count(*) from loose_objects) as loose`)
	)[0];

beforeEach(async () => {
	for (const table of [
		...["settlement_lines", "settlements", "charges", "fund_requests", "receipts"],
		"loose_objects",
	])
		await sql(`delete from ${table}`);
});

describe("the form of a charge", () => {
	const fill = async (typed: Record<string, string> = {}) => {
		const form = formWith((await ada.get(`${PAGE}?dialog=charge`)).text, "Add charge");
		expect(form.html).toContain('encType="multipart/form-data"');
		return { ...form.fields, kind: "fine", amount: "60", note: "Red light", ...typed };
	};
	const send = async (typed: Record<string, string>, file?: SentFile, mayFail = false) =>
		ada.request(`${PAGE}?dialog=charge`, { ...(await multipart(typed, file)), mayFail });

	it("takes a receipt, which is a link in the list of charges and on the driver's week", async () => {
		const typed = await fill();
		const answer = await send(typed, JPEG);
		expect(answer.status).toBe(303);
		const [charge] = await sql("select id, receipt_id from charges");
		const url = `/api/receipts/${charge?.receipt_id}`;
		const [receipt] = await sql("select owner_id, file_name from receipts");
		expect(receipt).toEqual({ owner_id: DANA, file_name: "pump.jpg" });
		for (const reader of [ada, vera])
			expect((await reader.get(PAGE)).text).toContain(`<a href="${url}"`);
		// The same form again is the same charge.
		expect((await send(typed, JPEG)).status).toBe(303);
		expect(await counts()).toEqual({ charges: 1, receipts: 1, loose: 0 });
		// With another file it isn't.
		const other = await send(typed, PNG);
		expect(other.status).toBe(409);
		expect(textOf(other.text)).toContain("Choose the receipt again.");
		expect(await counts()).toEqual({ charges: 1, receipts: 1, loose: 0 });

		const week = await insertSettlement(sql, 1, "dana", "2026-09-07", published(-6000));
		await insertLine(sql, week, 0, -6000, { charge_id: String(charge?.id) });
		const page = await dana.get(`/earnings/${week}`);
		expect(page.headers.get("Server-Timing")).toContain("1 trip,");
		expect(page.text).toContain(`href="${url}"`);

		const [entry] = await sql(
			`select after from audit_events where action = 'charge.add' and entity_id = '${charge?.id}'`,
		);
		expect(JSON.parse(String(entry?.after))).toMatchObject({ receiptId: charge?.receipt_id });
	});

	it.each([
		["an SVG called PNG", SVG, 400, "SVG files aren't accepted"],
		["an empty file", { bytes: new Uint8Array(), name: "empty.jpg" }, 400, "This file is empty"],
	])("keeps what was typed and adds nothing with %s", async (_, file, status, why) => {
		const refused = await send(await fill(), file);
		expect(refused.status).toBe(status);
		const form = formWith(refused.text, "Add charge");
		expect(form.fields).toMatchObject({ kind: "fine", amount: "60", note: "Red light" });
		expect(textOf(form.html)).toContain(why);
		expect(form.html).toMatch(/id="receipt"[^>]*aria-invalid="true"/);
		expect(await counts()).toEqual({ charges: 0, receipts: 0, loose: 0 });
		expect((await send({ ...form.fields }, PDF)).status).toBe(303);
		expect(await counts()).toEqual({ charges: 1, receipts: 1, loose: 0 });
	});

	it("asks for the file again if anything else is wrong, and has stored none", async () => {
		const refused = await send(await fill({ amount: "" }), PNG);
		expect(refused.status).toBe(400);
		expect(textOf(formWith(refused.text, "Add charge").html)).toContain(
			"Choose the receipt again.",
		);
		expect(await counts()).toEqual({ charges: 0, receipts: 0, loose: 0 });
	});

	it("adds nothing while the store is down or the driver's day is full", async () => {
		expect((await send(await fill(), JPEG)).status).toBe(303);
		const down = await withoutFileStore(state, async () => send(await fill(), PNG, true));
		expect(down.status).toBe(503);
		expect(textOf(down.text)).toContain("This receipt can't be saved right now.");
		expect(fleet.takeErrors().filter((line) => line.includes('"fileStore"'))).toHaveLength(1);
		expect(await counts()).toEqual({ charges: 1, receipts: 1, loose: 0 });
		for (let number = 1; number < MAX_FILES_PER_DAY; number++)
			await insertReceipt(sql, number, "dana", { created_at: currentTime() });
		const full = await send(await fill(), PNG);
		expect(full.status).toBe(429);
		expect(textOf(full.text)).toContain("This driver has 50 receipts from today already.");
		expect(await counts()).toEqual({ charges: 1, receipts: MAX_FILES_PER_DAY, loose: 0 });
	});
});

describe("POST /api/charges", () => {
	it("takes a form with a receipt, once for a key, and says where it is", async () => {
		const added = await post(ada, fields, PDF, "fine-1");
		expect(added).toMatchObject({
			status: 201,
			body: { ...fields, receiptUrl: expect.stringMatching(/^\/api\/receipts\/[0-9a-f-]{36}$/) },
		});
		expect((await post(ada, fields, PDF, "fine-1")).body).toEqual(added.body);
		expect((await post(ada, fields, JPEG, "fine-1")).status).toBe(422);
		expect((await post(ada, fields, PDF, "fine-2")).body.receiptUrl).not.toBe(
			added.body.receiptUrl,
		);
		const without = await post(ada, fields);
		expect(without.status).toBe(201);
		expect(without.body).not.toHaveProperty("receiptUrl");
		const listed = JSON.parse((await ada.get(`/api/charges?driverId=${DANA}`)).text);
		expect(listed).toHaveLength(3);
		expect(listed).toContainEqual(added.body);
	});

	it("refuses a bad file, a driver who isn't one and a field sent twice, and adds nothing", async () => {
		const refused = await post(ada, fields, SVG);
		expect(refused.status).toBe(400);
		expect(refused.body.fields.receipt).toEqual([
			expect.stringContaining("SVG files aren't accepted"),
		]);
		for (const driverId of [idOf("ben"), chargeId(9)])
			expect((await post(ada, { ...fields, driverId }, PNG)).body).toEqual({
				message: "Select an approved driver",
				fields: { driverId: ["Select an approved driver"] },
			});
		const form = new FormData();
		for (const [name, value] of [...Object.entries(fields), ["kind", "toll"] as const])
			form.append(name, value);
		const sent = new Response(form);
		const twice = await ada.request("/api/charges", {
			method: "POST",
			body: new Uint8Array(await sent.arrayBuffer()),
			headers: { "Content-Type": sent.headers.get("Content-Type") ?? "" },
		});
		expect(twice.status).toBe(400);
		expect(twice.text).toContain("The field kind was sent twice");
		for (const client of [dana, vera]) expect((await post(client, fields, PNG)).status).toBe(403);
		expect(await counts()).toEqual({ charges: 0, receipts: 0, loose: 0 });
	});
});

describe("the receipt of a charge", () => {
	it("is opened by its driver and the office, and by nobody else", async () => {
		const { body } = await post(ada, fields, PNG);
		for (const client of [ada, vera, dana]) {
			const file = await client.get(body.receiptUrl);
			expect([file.status, file.headers.get("Content-Type")]).toEqual([200, "image/png"]);
		}
		expect((await omar.get(body.receiptUrl)).status).toBe(404);
		expect((await fleet.client().get(body.receiptUrl)).status).toBe(401);
		const views = await sql(
			"select actor_role from audit_events where action = 'receipt.view' order by id",
		);
		expect(views.map(({ actor_role }) => actor_role)).toEqual(["admin", "viewer"]);
		// A removed charge keeps it, like all else of it.
		expect((await ada.call("DELETE", `/api/charges/${body.id}`)).status).toBe(204);
		expect((await dana.get(body.receiptUrl)).status).toBe(200);
	});

	it("is no request's, whatever its driver sends", async () => {
		const { body } = await post(ada, fields, PNG);
		const request = { type: "other", amount: "60", description: "A fine" };
		const taken = await dana.call("POST", "/api/fund-requests", {
			...request,
			receiptUrl: body.receiptUrl,
		});
		expect(taken.status).toBe(400);
		expect(await sql("select 1 from fund_requests")).toEqual([]);
	});

	it("belongs to one charge", async () => {
		const receipt_id = await insertReceipt(sql, 1, "dana");
		await insertCharge(sql, 1, "dana", { receipt_id });
		await insertRequest(sql, 1, "dana");
		await expect(insertCharge(sql, 2, "dana", { receipt_id })).rejects.toThrow(/UNIQUE/);
		await expect(sql("delete from receipts")).rejects.toThrow(/FOREIGN KEY/);
	});
});
