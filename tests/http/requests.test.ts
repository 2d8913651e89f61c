/**
 * Submitting a fund request: in the form without JavaScript, through the API, and while the
 * database fails (docs/product.md §2, §5, §7, 'Fund requests and receipts').
 */
import { describe, expect, it } from "vitest";
import { formatDate } from "../../app/values/calendar-date.ts";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith, multipart } from "../support/forms.ts";
import {
	countStored,
	fill,
	idIn,
	JPEG,
	PDF,
	PNG,
	readStoredRequest,
	send,
	shownRow,
	uniqueText,
} from "../support/request-form.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const rowOf = (id: string) => readStoredRequest(fleet, id);
const typedIn = ({ fields }: { fields: Record<string, string> }) => {
	const { receipt: _, receiptUrl: __, confirm: ___, ...typed } = fields;
	return typed;
};

describe("the form", () => {
	it("offers the three types, a decimal amount, and a file field with its accepted types", async () => {
		const client = await fleet.as("lena");
		const { status, text, headers } = await client.get("/requests");
		expect(status).toBe(200);
		expect(headers.get("Server-Timing")).toContain("1 trip,");
		for (const words of [
			">Fund Requests</h1>",
			"Submit New Fund Request",
			"Recent Requests",
			"No fund requests yet",
			"JPEG, PNG, WebP or PDF, up to 8 MB",
		])
			expect(text).toContain(words);
		const { html, fields } = formWith(text, "Submit Request");
		expect(html).toMatch(
			/<option value=""[^>]*>Choose a type<.*value="gas"[^>]*>Gas\/Fuel<.*value="maintenance"[^>]*>Vehicle Maintenance<.*value="other"[^>]*>Other</,
		);
		expect(html).toMatch(/^<form[^>]*enctype="multipart\/form-data"/i);
		expect(html).toMatch(/inputMode="decimal"/i);
		expect(html.match(/<input[^>]*type="file"[^>]*>/g)).toEqual([
			expect.stringContaining('accept="image/jpeg,image/png,image/webp,application/pdf"'),
		]);
		expect(html).not.toMatch(/\srequired/);
		expect(Object.keys(fields).sort()).toEqual([
			"amount",
			"asUser",
			"description",
			"key",
			"receipt",
			"spentOn",
			"type",
		]);
		// Text fields come before the file, so they survive when the upload is cut off.
		for (const name of ["key", "type", "amount", "description", "spentOn"])
			expect(html.indexOf(`name="${name}"`)).toBeLessThan(html.indexOf('name="receipt"'));
	});

	it("is prefilled by its chips, which are links, and by no other URL", async () => {
		const client = await fleet.as("lena");
		const { text } = await client.get("/requests");
		expect(text).toContain('href="/requests?for=Car%20wash"');
		const chip = formWith((await client.get("/requests?for=Car%20wash")).text, "Submit Request");
		expect(chip.fields).toMatchObject({ type: "other", description: "Car wash" });
		const none = formWith((await client.get("/requests?for=Anything")).text, "Submit Request");
		expect(none.fields).toMatchObject({ description: "" });
	});

	it.each([
		["a photo", JPEG, "image/jpeg"],
		["a PNG", PNG, "image/png"],
		["a PDF", PDF, "application/pdf"],
	])(
		"submits a request with %s in three round trips, one of them for the quota, says so, lists it, and offers an empty form",
		async (_, file, mediaType) => {
			const client = await fleet.as("dana");
			const fields = await fill(client, {
				type: "maintenance",
				amount: "1234,5",
				description: "New <tyres>\nboth front",
			});
			const answer = await send(
				client,
				{ ...fields, description: `${fields.description} ${mediaType}` },
				file,
			);
			expect(answer.status).toBe(303);
			expect(answer.headers.get("Location")).toMatch(/^\/requests#request-/);
			expect(answer.headers.get("Server-Timing")).toContain("3 trips");
			const id = idIn(answer);
			expect(await rowOf(id)).toMatchObject({
				type: "maintenance",
				amount_cents: 123_450,
				status: "pending",
			});
			const page = await client.get("/requests");
			expect(page.text).toContain("Fund request submitted successfully");
			const row = shownRow(page.text, id);
			const { number, receipt_id } = await rowOf(id);
			for (const words of [
				"Vehicle Maintenance",
				`FR-${String(number).padStart(6, "0")}`,
				"$1,234.50",
				`Submitted ${formatDate(daysAgo(0))}`,
				"New &lt;tyres&gt;\nboth front",
				">Pending</span>",
				`href="/api/receipts/${receipt_id}"`,
				file.name,
			])
				expect(row).toContain(words);
			expect(row).not.toContain("Add receipt");
			const fresh = formWith(page.text, "Submit Request").fields;
			expect(fresh).toMatchObject({ type: "", amount: "", description: "" });
			expect(fresh.key).not.toBe(fields.key);
			const stored = await client.get(`/api/receipts/${receipt_id}`);
			expect(stored.status).toBe(200);
			expect(stored.headers.get("Content-Type")).toBe(mediaType);
		},
	);

	it("submits without a file, also as a URL-encoded form", async () => {
		const client = await fleet.as("dana");
		const id = idIn(await send(client, await fill(client)));
		expect((await rowOf(id)).receipt_id).toBeNull();
		expect(shownRow((await client.get("/requests")).text, id)).toContain("Add receipt");
		expect((await client.post("/requests", await fill(client))).status).toBe(303);
	});

	it.each([
		["the type is missing", { type: "" }, "Please fill in all required fields"],
		["the amount is missing", { amount: " " }, "Please fill in all required fields"],
		["the description is missing", { description: "" }, "Please fill in all required fields"],
		[
			"everything is missing",
			{ type: "", amount: "", description: "" },
			"Please fill in all required fields",
		],
		["the type is none of the three", { type: "bribe" }, "Choose one of the request types"],
		["the amount is ambiguous", { amount: "1,250" }, "is ambiguous"],
		["the amount has three decimals", { amount: "1.255" }, "it can mean 1255.00 or 1.255."],
		["the amount has four decimals", { amount: "1.2555" }, "up to two decimals"],
		["the amount has an exponent", { amount: "1e3" }, "up to two decimals"],
		["the amount is negative", { amount: "-5" }, "up to two decimals"],
		["the amount is 0", { amount: "0.00" }, "more than 0 and no more than 100,000.00"],
		["the amount is too large", { amount: "100000.01" }, "more than 0 and no more than 100,000.00"],
		[
			"the description is too long",
			{ description: "x".repeat(2001) },
			"Use 2000 characters or fewer",
		],
	])("refuses when %s, keeps what was typed and stores no request", async (_, typed, message) => {
		const client = await fleet.as("dana");
		const [before] = await countStored(fleet);
		const fields = await fill(client, typed);
		const { status, text } = await send(client, fields);
		expect(status).toBe(400);
		expect(text).toContain(message);
		expect(formWith(text, "Submit Request").fields).toEqual({
			...fields,
			// The text is cut to what its field can hold.
			description: fields.description?.slice(0, 2000),
			...("type" in typed && typed.type === "bribe" ? { type: "" } : {}),
		});
		expect(await countStored(fleet)).toEqual([before]);
	});

	it("keeps the file of a refused form for the next attempt", async () => {
		const client = await fleet.as("dana");
		const fields = await fill(client, { amount: "" });
		const { status, text } = await send(client, fields, JPEG);
		expect(status).toBe(400);
		expect(text).toContain("Receipt selected: pump.jpg");
		const kept = formWith(text, "Submit Request").fields;
		expect(kept.receiptUrl).toMatch(/^\/api\/receipts\/[0-9a-f-]{36}$/);
		// Still invalid, without choosing the file again.
		const again = await send(client, { ...kept, amount: "x" });
		expect(again.text).toContain("Receipt selected: pump.jpg");
		const id = idIn(
			await send(client, { ...formWith(again.text, "Submit Request").fields, amount: "12" }),
		);
		expect(`/api/receipts/${(await rowOf(id)).receipt_id}`).toBe(kept.receiptUrl);
	});

	it("questions the same request within 10 minutes, keeps its file, and stores it when the form is sent again", async () => {
		const client = await fleet.as("omar");
		const fields = await fill(client);
		await send(client, fields);
		const second = { ...fields, key: crypto.randomUUID() };
		const { status, text } = await send(client, second, PDF);
		expect(status).toBe(409);
		expect(text).toContain("submit it again");
		expect(text).toContain("Receipt selected: invoice.pdf");
		const asked = formWith(text, "Submit Request");
		expect(typedIn(asked)).toEqual(typedIn({ fields: second }));
		const id = idIn(await send(client, asked.fields));
		const page = await client.get("/requests");
		expect(page.text).toContain("Fund request submitted successfully");
		expect(shownRow(page.text, id)).toContain("Possible duplicate");
		expect(shownRow(page.text, id)).toContain("invoice.pdf");
	});

	it("returns the same request with its file for a resubmission", async () => {
		const client = await fleet.as("omar");
		const fields = await fill(client);
		const first = await send(client, fields, JPEG);
		const [before] = await countStored(fleet);
		const again = await send(client, fields, JPEG);
		expect(again.status).toBe(303);
		expect(again.headers.get("Location")).toBe(first.headers.get("Location"));
		const { number } = await rowOf(idIn(first));
		const page = await client.get("/requests");
		expect(page.text).toMatch(
			new RegExp(`Already received: FR-${String(number).padStart(6, "0")}, \\d{1,2}:\\d\\d [AP]M<`),
		);
		expect(await countStored(fleet)).toEqual([before]);
		const changed = await send(client, { ...fields, amount: "99" });
		expect(changed.status).toBe(409);
		expect(changed.text).toContain(`as FR-${String(number).padStart(6, "0")}`);
		const renewed = formWith(changed.text, "Submit Request").fields;
		expect(renewed.key).not.toBe(fields.key);
		expect((await send(client, renewed)).status).toBe(303);
	});
});

describe("the fund request API", () => {
	const body = (more: object = {}) => ({
		type: "gas",
		amount: "45.50",
		description: uniqueText("By call"),
		...more,
	});

	it("creates requests, and lists drivers their own and administrators all, newest first", async () => {
		const client = await fleet.as("omar");
		const made = await client.call(
			"POST",
			"/api/fund-requests",
			body({ amount: 12.5, description: "Wash", type: "other", receiptUrl: "" }),
		);
		expect(made.status).toBe(201);
		const created = JSON.parse(made.text);
		expect(created).toMatchObject({
			requestNumber: expect.stringMatching(/^FR-\d{6}$/),
			driverId: idOf("omar"),
			driverIdCode: "DRV-0002",
			driver: { firstName: "Omar", lastName: "Okafor" },
			type: "other",
			amount: "12.50",
			description: "Wash",
			receiptUrl: null,
			status: "pending",
			adminNotes: null,
			decidedBy: null,
		});
		await fleet.sql(
			"update fund_requests set status = 'approved', decided_at = ?, decided_by = ?, admin_notes = 'Fine' where id = ?",
			currentTime(),
			idOf("ben"),
			created.id,
		);
		const own = JSON.parse((await client.get("/api/fund-requests")).text) as Record<
			string,
			unknown
		>[];
		expect(own[0]).toMatchObject({
			id: created.id,
			status: "approved",
			adminNotes: "Fine",
			decidedBy: { firstName: "Ben", lastName: "Backup" },
		});
		expect(new Set(own.map(({ driverId }) => driverId))).toEqual(new Set([idOf("omar")]));
		const moments = own.map(({ createdAt }) => String(createdAt));
		expect(moments).toEqual(moments.toSorted().toReversed());
		const [all] = await fleet.sql<{ n: number }>("select count(*) as n from fund_requests");
		const admin = await fleet.as("ada");
		const answer = await admin.get("/api/fund-requests");
		expect(JSON.parse(answer.text)).toHaveLength(all?.n ?? 0);
		expect(answer.headers.get("Server-Timing")).toContain("1 trip,");
		for (const description of ["Tires", "Oil", "Lamp"])
			await client.call("POST", "/api/fund-requests", body({ description, receiptUrl: "" }));
		expect(JSON.parse((await admin.get("/api/fund-requests?limit=3")).text)).toHaveLength(3);
		expect((await admin.get("/api/fund-requests?limit=0")).status).toBe(400);
	});

	it("uses the form's messages", async () => {
		const client = await fleet.as("omar");
		const missing = await client.call("POST", "/api/fund-requests", { type: "gas", amount: "1" });
		expect(missing.status).toBe(400);
		expect(JSON.parse(missing.text)).toEqual({
			message: "Please fill in all required fields",
			fields: { description: ["Please fill in all required fields"] },
		});
		for (const wrong of [
			{ amount: "1e3" },
			{ amount: 1.255 },
			{ type: "bribe" },
			{ receiptUrl: "https://evil.test/x.png" },
			{ receiptUrl: "//evil.test" },
			{ receiptUrl: "javascript:alert(1)" },
			{ receiptUrl: "../x" },
		])
			expect(
				(await client.call("POST", "/api/fund-requests", body(wrong))).status,
				JSON.stringify(wrong),
			).toBe(400);
	});

	it("keeps a bare file name as the receipt's name, with nothing to open", async () => {
		const client = await fleet.as("omar");
		const made = JSON.parse(
			(await client.call("POST", "/api/fund-requests", body({ receiptUrl: "pump <1>.jpg" }))).text,
		);
		expect(made.receiptUrl).toBe("pump <1>.jpg");
		const row = shownRow((await client.get("/requests")).text, made.id);
		expect(row).toContain("pump &lt;1&gt;.jpg");
		expect(row).not.toContain("/api/receipts/");
	});

	it("refuses another driver's receipt, a used one and an unknown one alike", async () => {
		const dana = await fleet.as("dana");
		const { receiptUrl } = JSON.parse(
			(await dana.request("/api/receipts", await multipart({}, JPEG))).text,
		);
		const omar = await fleet.as("omar");
		const answers = [await omar.call("POST", "/api/fund-requests", body({ receiptUrl }))];
		await dana.call("POST", "/api/fund-requests", body({ receiptUrl }));
		answers.push(await dana.call("POST", "/api/fund-requests", body({ receiptUrl })));
		answers.push(
			await dana.call(
				"POST",
				"/api/fund-requests",
				body({ receiptUrl: `/api/receipts/${crypto.randomUUID()}` }),
			),
		);
		expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
	});

	it("returns the first result for the same Idempotency-Key, and refuses it with other values", async () => {
		const client = await fleet.as("omar");
		const headers = { "Idempotency-Key": "request-call-1" };
		const sent = body();
		const first = await client.call("POST", "/api/fund-requests", sent, { headers });
		const again = await client.call("POST", "/api/fund-requests", sent, { headers });
		expect([again.status, again.text, again.headers.get("Idempotency-Replayed")]).toEqual([
			201,
			first.text,
			"true",
		]);
		expect(
			(await client.call("POST", "/api/fund-requests", { ...sent, amount: "1" }, { headers }))
				.status,
		).toBe(422);
	});

	it("flags a duplicate instead of questioning it", async () => {
		const client = await fleet.as("omar");
		const sent = body();
		await client.call("POST", "/api/fund-requests", sent);
		expect(
			JSON.parse((await client.call("POST", "/api/fund-requests", sent)).text).isPossibleDuplicate,
		).toBe(true);
	});

	it("replaces a pending request, and answers 409 when it can't", async () => {
		const client = await fleet.as("omar");
		const { id } = JSON.parse((await client.call("POST", "/api/fund-requests", body())).text);
		expect((await client.call("POST", "/api/fund-requests", body({ replacesId: id }))).status).toBe(
			201,
		);
		const late = await client.call("POST", "/api/fund-requests", body({ replacesId: id }));
		expect(late.status).toBe(409);
		expect(JSON.parse(late.text).message).toContain("can no longer be corrected");
	});

	it("ignores a driverId, a status and a number in the body", async () => {
		const client = await fleet.as("omar");
		const made = await client.call(
			"POST",
			"/api/fund-requests",
			body({
				driverId: idOf("dana"),
				status: "approved",
				requestNumber: "FR-000001",
				id: idOf("dana"),
			}),
		);
		expect(JSON.parse(made.text)).toMatchObject({ driverId: idOf("omar"), status: "pending" });
	});
});

describe("when the database fails", () => {
	it.each(["users", "fund_requests", "receipts", "notices"])(
		"keeps what was typed, says so, and saves nothing (without %s)",
		async (table) => {
			const client = await fleet.as("omar");
			const fields = await fill(client, { description: `Do not lose me ${table}` });
			await fleet.sql(`alter table ${table} rename to hidden`);
			const answer = await send(client, fields, JPEG, true);
			await fleet.sql(`alter table hidden rename to ${table}`);
			expect(answer.status).toBe(503);
			expect(answer.text).toContain("Failed to submit fund request");
			expect(answer.text).toContain("The file wasn&#x27;t included.");
			const { fields: kept, action } = formWith(answer.text, "Send again");
			expect(action).toBe("/requests");
			expect(kept).toEqual({ ...fields, receipt: "" });
			expect(fleet.takeErrors()).toHaveLength(1);
			expect((await client.post("/requests", kept)).status).toBe(303);
			expect(
				await fleet.sql("select 1 from fund_requests where description = ?", fields.description),
			).toHaveLength(1);
		},
	);
});
