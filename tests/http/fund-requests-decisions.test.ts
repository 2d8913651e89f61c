/**
 * Deciding fund requests: in the dialog, in bulk and through the API, and undoing a decision
 * (docs/product.md §2, §4, §7, 'Fund requests and receipts').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { checkboxFields, postBulk } from "../support/bulk-form.ts";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { formsIn, formWith } from "../support/forms.ts";
import { decide, rowOf, shown } from "../support/fund-requests.ts";
import { insertReceipt, insertRequest, requestId } from "../support/requests.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const ben = await fleet.as("ben");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);

beforeEach(async () => {
	for (const table of ["fund_requests", "receipts", "mails"]) await sql(`delete from ${table}`);
});

const statusOf = async (id: string) =>
	(await fleet.sql<{ status: string }>("select status from fund_requests where id = ?", id))[0]
		?.status;

describe("deciding one request", () => {
	it("shows the request in a dialog, decides it, and comes back to its row with the filters", async () => {
		const receipt = await insertReceipt(sql, 1, "dana");
		const id = await insertRequest(sql, 1, "dana", {
			receipt_id: receipt,
			description: "Fuel <b>\nand oil",
			amount_cents: 4210,
		});
		const page = await ada.get("/fund-requests?type=gas");
		expect(page.text).toContain("Approve FR-000001");
		const { text } = await ada.get(`/fund-requests?type=gas&dialog=approve&id=${id}`);
		const dialog = /<dialog open=""[^>]*data-modal[\s\S]*?<\/dialog>/.exec(text)?.[0] ?? "";
		for (const words of [
			"Approve Request",
			"FR-000001",
			"Gas/Fuel",
			"$42.10",
			"Fuel &lt;b&gt;\nand oil",
			"<bdi>Dana Driver</bdi>, Driver DRV-0001",
			"receipt-1.png",
			"Admin Notes (Optional)",
			"The driver will see this note.",
			`method="get" action="/fund-requests#request-${id}"><input type="hidden" name="type" value="gas"/>`,
			'data-pending="Processing..."',
		])
			expect(dialog).toContain(words);
		const form = formWith(text, "Admin Notes (Optional)");
		expect(form.fields).toEqual({
			intent: "process",
			id,
			status: "approved",
			approvedAmount: "42.10",
			adminNotes: "",
		});
		const answer = await ada.post(form.action, {
			...form.fields,
			adminNotes: "  Keep the receipt ",
		});
		expect([answer.status, answer.headers.get("Location")]).toEqual([
			303,
			`/fund-requests?type=gas&changed=1#request-${id}`,
		]);
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		expect(await fleet.sql("select status, admin_notes, decided_by from fund_requests")).toEqual([
			{ status: "approved", admin_notes: "Keep the receipt", decided_by: idOf("ada") },
		]);
		const after = await ada.get("/fund-requests?type=gas");
		expect(after.text).toContain("Fund request updated successfully");
		expect(rowOf(after.text, id)).toContain("Processed");
		expect(rowOf(after.text, id)).toContain(">Approved<");
		expect((await ada.get(`/fund-requests?dialog=approve&id=${id}`)).text).not.toContain(
			"Approve Request",
		);
	});

	it("rejects", async () => {
		const id = await insertRequest(sql, 1, "dana");
		const { text } = await ada.get(`/fund-requests?dialog=reject&id=${id}`);
		expect(text).toContain("Reject Request");
		const form = formWith(text, "Admin Notes (Optional)");
		expect((await ada.post(form.action, form.fields)).headers.get("Location")).toBe(
			`/fund-requests?changed=1#request-${id}`,
		);
		expect(await statusOf(id)).toBe("rejected");
	});

	it("keeps the dialog and what was typed when the note is too long", async () => {
		const id = await insertRequest(sql, 1, "dana");
		const adminNotes = "x".repeat(2001);
		const answer = await decide(ada, id, "approved", { adminNotes }, `?dialog=approve&id=${id}`);
		expect(answer.status).toBe(400);
		expect(answer.text).toContain("Use 2000 characters or fewer");
		const shown = { adminNotes: adminNotes.slice(0, 2000), id, status: "approved" };
		expect(formWith(answer.text, "Admin Notes (Optional)").fields).toMatchObject(shown);
		expect(await statusOf(id)).toBe("pending");
	});

	it("tells the loser of a race who decided what and when, and changes nothing", async () => {
		const id = await insertRequest(sql, 1, "dana");
		await decide(ben, id, "rejected", { adminNotes: "Too late" });
		const answer = await decide(ada, id, "approved", {}, `?dialog=approve&id=${id}`);
		expect(answer.status).toBe(409);
		expect(answer.text).toContain("Failed to update fund request");
		expect(answer.text).toMatch(
			/FR-000001 was rejected by Ben Backup on \w{3} \d+, \d{4} at \d+:\d\d [AP]M\./,
		);
		expect(answer.text).not.toContain("Approve Request");
		expect(await statusOf(id)).toBe("rejected");
	});

	it("answers 409 for a withdrawn one, 404 for an unknown one, 400 for an invalid decision", async () => {
		const id = await insertRequest(sql, 1, "dana", {
			status: "withdrawn",
			withdrawn_at: currentTime(),
		});
		const answer = await decide(ada, id, "approved");
		expect(answer.status).toBe(409);
		expect(answer.text).toContain("FR-000001 was withdrawn by its driver on ");
		expect((await decide(ada, requestId(99), "approved")).status).toBe(404);
		expect((await decide(ada, "x' or 1=1", "approved")).status).toBe(400);
		const open = await insertRequest(sql, 2, "dana");
		for (const status of ["pending", "withdrawn", "", "APPROVED"])
			expect((await decide(ada, open, status)).status, status).toBe(400);
		expect((await ada.post("/fund-requests", { intent: "delete", id: open })).status).toBe(400);
		expect(await statusOf(open)).toBe("pending");
	});

	it("refuses to decide your own request", async () => {
		const id = await insertRequest(sql, 1, "ada");
		const { text } = await ada.get("/fund-requests");
		expect(rowOf(text, id)).toContain("Your own request");
		expect(checkboxFields(text)).toEqual([]);
		expect((await ada.get(`/fund-requests?dialog=approve&id=${id}`)).text).not.toContain(
			"Approve Request",
		);
		const answer = await decide(ada, id, "approved");
		expect(answer.status).toBe(409);
		expect(answer.text).toContain(
			"FR-000001 is your own request. Another administrator has to decide it.",
		);
		expect(await statusOf(id)).toBe("pending");
		expect((await decide(ben, id, "approved")).status).toBe(303);
	});

	it("says so, keeps what was typed and saves nothing when the database fails", async () => {
		const id = await insertRequest(sql, 1, "dana");
		await sql("alter table fund_requests rename to hidden");
		const answer = await ada.post(
			`/fund-requests?type=gas&dialog=approve&id=${id}`,
			{ intent: "process", id, status: "approved", adminNotes: "Do not lose me" },
			{ mayFail: true },
		);
		await sql("alter table hidden rename to fund_requests");
		expect(answer.status).toBe(503);
		expect(answer.text).toContain("Failed to update fund request");
		const { fields, action, html } = formWith(answer.text, "Send again");
		expect(fields).toEqual({
			intent: "process",
			id,
			status: "approved",
			adminNotes: "Do not lose me",
		});
		// The form's hidden fields aren't shown as text to edit.
		expect(html.match(/<label/g)).toHaveLength(1);
		expect(fleet.takeErrors()).toHaveLength(1);
		expect((await ada.post(action, fields)).status).toBe(303);
		expect(await statusOf(id)).toBe("approved");
	});
});

describe("undo", () => {
	it("is offered for ten minutes to the person who decided, and makes the request pending again", async () => {
		const id = await insertRequest(sql, 1, "dana");
		await decide(ada, id, "rejected", { adminNotes: "A slip" });
		expect(rowOf((await ben.get("/fund-requests")).text, id)).not.toContain("Undo");
		const { text } = await ada.get("/fund-requests?status=rejected");
		const form = formWith(rowOf(text, id), "Undo");
		expect(form.fields).toEqual({ intent: "undo", id, seen: expect.stringMatching(/^\d+$/) });
		const answer = await ada.post(form.action, form.fields);
		expect([answer.status, answer.headers.get("Location")]).toEqual([
			303,
			`/fund-requests?status=rejected&changed=1&undo=1#request-${id}`,
		]);
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		const after = await ada.get("/fund-requests");
		expect(after.text).toContain("Decision undone");
		expect(rowOf(after.text, id)).toContain(">Pending<");
		// The row is pending again and stays where it was.
		expect(rowOf((await ada.get("/fund-requests?status=rejected&changed=1")).text, id)).toContain(
			">Pending<",
		);
		expect(await fleet.sql("select status from mails where kind = 'request-decided'")).toEqual([
			{ status: "cancelled" },
		]);
	});

	it("is neither offered nor accepted later, or from another administrator", async () => {
		const id = await insertRequest(sql, 1, "dana");
		await decide(ada, id, "approved");
		expect((await ben.post("/fund-requests", { intent: "undo", id })).status).toBe(409);
		await sql("update fund_requests set decided_at = decided_at - 600000");
		expect(
			formsIn((await ada.get("/fund-requests")).text).some(({ html }) => html.includes("Undo")),
		).toBe(false);
		const answer = await ada.post("/fund-requests", { intent: "undo", id });
		expect(answer.status).toBe(409);
		expect(answer.text).toContain(
			"A decision can be undone for 10 minutes, by the administrator who made it.",
		);
		expect(await statusOf(id)).toBe("approved");
		for (const unknown of [requestId(99), "x"])
			expect((await ada.post("/fund-requests", { intent: "undo", id: unknown })).status).toBe(404);
	});
});

describe("a decision that was taken back and made anew in another window", () => {
	const approveLess = (id: string) =>
		decide(ada, id, "approved", { approvedAmount: "9.00", adminNotes: "Not the snacks" });
	const undo = (id: string) => ada.post("/fund-requests", { intent: "undo", id });
	/** A later millisecond: the two decisions are told apart by their time. */
	const later = () => sql("update fund_requests set decided_at = decided_at - 1");
	const CHANGED = "The decision has changed since this page was opened. Nothing was undone.";

	it.each([
		["its row", "?status=approved", 'value="undo"'],
		["the latest decisions", "?status=rejected", 'value="undo"'],
		["the toast", "?status=approved&changed=1&undo=1", "undo-changed"],
	])("isn't undone by %s", async (_, query, button) => {
		const id = await insertRequest(sql, 1, "dana");
		await decide(ada, id, "approved");
		await later();
		const { text } = await ada.get(`/fund-requests${query}`);
		const old = formsIn(text).find(({ html }) => html.includes(button));
		await undo(id);
		await approveLess(id);
		const refused = await ada.post(old?.action ?? "", old?.fields ?? {});
		expect(refused.status).toBe(409);
		expect(refused.text).toContain(CHANGED);
		expect(
			await fleet.sql("select status, approved_amount_cents as cents from fund_requests"),
		).toEqual([{ status: "approved", cents: 900 }]);
	});

	it("isn't reopened by a dialog about the earlier one, whose note stays", async () => {
		const id = await insertRequest(sql, 1, "dana");
		await decide(ada, id, "approved");
		await later();
		const dialog = `/fund-requests?dialog=reopen&id=${id}`;
		const form = formWith((await ben.get(dialog)).text, "Reopening...");
		await undo(id);
		await decide(ada, id, "rejected", { adminNotes: "Personal use" });
		const refused = await ben.post(form.action, { ...form.fields, adminNotes: "Approved twice" });
		expect(refused.status).toBe(409);
		expect(refused.text).toContain(CHANGED);
		expect(refused.text).toContain("Approved twice");
		expect(await statusOf(id)).toBe("rejected");
	});
});

describe("a request that was just decided", () => {
	const PENDING = "/fund-requests?status=pending";

	it("stays in place despite the filter, with Undo, until the next load", async () => {
		for (const number of [1, 2, 3]) await insertRequest(sql, number, "dana");
		const answer = await decide(ada, requestId(2), "approved", {}, "?status=pending&order=oldest");
		const here = `${PENDING}&order=oldest&changed=2`;
		expect(answer.headers.get("Location")).toBe(`${here}#request-${requestId(2)}`);
		const { text, headers } = await ada.get(here);
		expect(headers.get("Server-Timing")).toContain("1 trip");
		expect(shown(text)).toEqual(["FR-000001", "FR-000002", "FR-000003"]);
		expect(rowOf(text, requestId(2))).toContain(">Approved<");
		expect(formWith(rowOf(text, requestId(2)), "Undo").fields).toEqual({
			intent: "undo",
			id: requestId(2),
			seen: expect.stringMatching(/^\d+$/),
		});
		// The count covers only what the filter matches.
		expect(text).toContain("1–2 of 2 requests · $25.00");
		expect(shown((await ada.get(`${PENDING}&order=oldest`)).text)).toEqual([
			"FR-000001",
			"FR-000003",
		]);
		// Other administrators don't see it there, and it is gone once undo expires.
		expect(shown((await ben.get(here)).text)).toEqual(["FR-000001", "FR-000003"]);
		await sql("update fund_requests set decided_at = decided_at - 600000 where number = 2");
		expect(shown((await ada.get(here)).text)).toEqual(["FR-000001", "FR-000003"]);
	});

	it("is listed alone when nothing else is pending, and stays while another one is undone", async () => {
		for (const number of [1, 2]) await insertRequest(sql, number, "dana");
		const answer = await postBulk(ada, [requestId(1), requestId(2)], PENDING);
		expect(answer.headers.get("Location")).toBe(`${PENDING}&changed=1.2#request-${requestId(2)}`);
		const { text } = await ada.get(`${PENDING}&changed=1.2`);
		expect(shown(text)).toEqual(["FR-000002", "FR-000001"]);
		expect(text).toContain("0 of 0 requests · $0.00 · 2 just decided<");
		const form = formWith(rowOf(text, requestId(1)), "Undo");
		expect(form.action).toBe(`${PENDING}&changed=2.1`);
		const undone = await ada.post(form.action, form.fields);
		const there = `${PENDING}&changed=2.1&undo=1`;
		expect(undone.headers.get("Location")).toBe(`${there}#request-${requestId(1)}`);
		const after = (await ada.get(there)).text;
		// The toast says what was undone: it doesn't offer to undo the other decision.
		expect(formsIn(after).filter(({ fields }) => fields.intent === "undo-changed")).toEqual([]);
		expect(shown(after)).toEqual(["FR-000002", "FR-000001"]);
		expect(rowOf(after, requestId(2))).toContain("Undo");
	});

	it("is undone with the others from the toast, as far as possible", async () => {
		for (const number of [1, 2, 3]) await insertRequest(sql, number, "dana");
		await postBulk(ada, [1, 2, 3].map(requestId), PENDING);
		const form = formWith((await ada.get(`${PENDING}&changed=1.2.3`)).text, "undo-changed");
		await sql("update fund_requests set decided_at = decided_at - 600000 where number = 3");
		const answer = await ada.post(form.action, form.fields);
		expect(answer.status).toBe(303);
		expect((await ada.get(answer.headers.get("Location") ?? "")).text).toContain(
			"2 requests are pending again.",
		);
		expect(await Promise.all([1, 2, 3].map((number) => statusOf(requestId(number))))).toEqual([
			"pending",
			"pending",
			"approved",
		]);
		const again = await ada.post(form.action, form.fields);
		expect(again.status).toBe(409);
		expect(again.text).toContain(
			"A decision can be undone for 10 minutes, by the administrator who made it.",
		);
	});
});

describe("PUT /api/fund-requests/:id", () => {
	const put = (client: Client, id: string, body: unknown) =>
		client.call("PUT", `/api/fund-requests/${id}`, body);

	it("decides, and returns the request", async () => {
		const id = await insertRequest(sql, 1, "dana", { amount_cents: 4210 });
		const answer = await put(ada, id, { status: "approved", adminNotes: "Fine" });
		expect(answer.status).toBe(200);
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		expect(JSON.parse(answer.text)).toMatchObject({
			id,
			requestNumber: "FR-000001",
			driverId: idOf("dana"),
			driverIdCode: "DRV-0001",
			driver: { firstName: "Dana", lastName: "Driver" },
			amount: "42.10",
			status: "approved",
			adminNotes: "Fine",
			decidedBy: { firstName: "Ada", lastName: "Admin" },
		});
	});

	it("answers 400, 404 and 409 with their reason", async () => {
		const id = await insertRequest(sql, 1, "dana");
		for (const body of [
			{},
			{ status: "withdrawn" },
			{ status: "approved", adminNotes: "x".repeat(2001) },
			[],
		])
			expect((await put(ada, id, body)).status, JSON.stringify(body).slice(0, 60)).toBe(400);
		for (const unknown of [requestId(99), "x"]) {
			const answer = await put(ada, unknown, { status: "approved" });
			expect([answer.status, JSON.parse(answer.text)]).toEqual([
				404,
				{ message: "Fund request not found" },
			]);
		}
		await put(ben, id, { status: "rejected" });
		const lost = await put(ada, id, { status: "approved" });
		expect(lost.status).toBe(409);
		expect(JSON.parse(lost.text).message).toMatch(
			/^FR-000001 was rejected by Ben Backup on .+ at \d+:\d\d [AP]M\.$/,
		);
		const withdrawn = await insertRequest(sql, 2, "dana", {
			status: "withdrawn",
			withdrawn_at: currentTime(),
		});
		const gone = await put(ada, withdrawn, { status: "approved" });
		expect([gone.status, JSON.parse(gone.text).message]).toEqual([
			409,
			expect.stringContaining("was withdrawn by its driver on "),
		]);
		const own = await insertRequest(sql, 3, "ada");
		const mine = await put(ada, own, { status: "approved" });
		expect([mine.status, JSON.parse(mine.text).message]).toEqual([
			409,
			expect.stringContaining("is your own request"),
		]);
		expect((await put(await fleet.as("dana"), own, { status: "approved" })).status).toBe(403);
		expect(await statusOf(own)).toBe("pending");
	});
});
