/**
 * Deciding fund requests: one by its dialog, many at once, by the call, and taking a decision back (spec §2, §4, §7; decisions
 * 'Fund requests and receipts').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../cast.ts";
import { formsIn, formWith } from "../forms.ts";
import { decide, hrefs, rowOf } from "../fund-requests.ts";
import { insertReceipt, insertRequest, requestId } from "../requests.ts";
import { type Client, openFleet } from "../worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const ben = await fleet.as("ben");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);

beforeEach(async () => {
	for (const table of ["fund_requests", "receipts", "mails"]) await sql(`delete from ${table}`);
});

/** The boxes of the bulk form. */
const ticked = (html: string) =>
	[...html.matchAll(/<input type="checkbox" form="bulk"[^>]*>/g)].map(([box]) => ({
		id: /value="([^"]+)"/.exec(box)?.[1] ?? "",
		isTicked: /checked=""/.test(box),
	}));
const statusOf = async (id: string) =>
	(await fleet.sql<{ status: string }>("select status from fund_requests where id = ?", id))[0]?.status;

/** The bulk form, sent with these rows ticked. */
function bulk(client: Client, ids: readonly string[], path = "/fund-requests") {
	const fields: [string, string][] = [["intent", "bulk-approve"], ...ids.map((id): [string, string] => ["ids", id])];
	return client.request(path, {
		method: "POST",
		headers: { "Content-Type": "application/x-www-form-urlencoded" },
		body: new URLSearchParams(fields),
	});
}

describe("deciding one", () => {
	it("shows the request in a dialog, decides it, and comes back to its row with the filters", async () => {
		const receipt = await insertReceipt(sql, 1, "dana");
		const id = await insertRequest(sql, 1, "dana", { receipt_id: receipt, description: "Fuel <b>\nand oil", amount_cents: 4210 });
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
			"Driver DRV-0001, <bdi>Dana Driver</bdi>",
			"receipt-1.png",
			"Admin Notes (Optional)",
			"The driver will see this note.",
			`method="get" action="/fund-requests#request-${id}"><input type="hidden" name="type" value="gas"/>`,
			'data-pending="Processing..."',
		])
			expect(dialog).toContain(words);
		const form = formWith(text, "Admin Notes (Optional)");
		expect(form.fields).toEqual({ intent: "process", id, status: "approved", adminNotes: "" });
		const answer = await ada.post(form.action, { ...form.fields, adminNotes: "  Keep the receipt " });
		expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/fund-requests?type=gas#request-${id}`]);
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		expect(await fleet.sql("select status, admin_notes, decided_by from fund_requests")).toEqual([
			{ status: "approved", admin_notes: "Keep the receipt", decided_by: idOf("ada") },
		]);
		const after = await ada.get("/fund-requests?type=gas");
		expect(after.text).toContain("Fund request updated successfully");
		expect(rowOf(after.text, id)).toContain("Processed");
		expect(rowOf(after.text, id)).toContain(">Approved<");
		expect((await ada.get(`/fund-requests?dialog=approve&id=${id}`)).text).not.toContain("Approve Request");
	});

	it("rejects", async () => {
		const id = await insertRequest(sql, 1, "dana");
		const { text } = await ada.get(`/fund-requests?dialog=reject&id=${id}`);
		expect(text).toContain("Reject Request");
		const form = formWith(text, "Admin Notes (Optional)");
		expect((await ada.post(form.action, form.fields)).headers.get("Location")).toBe(`/fund-requests#request-${id}`);
		expect(await statusOf(id)).toBe("rejected");
	});

	it("keeps the dialog and what was typed when the note is too long", async () => {
		const id = await insertRequest(sql, 1, "dana");
		const adminNotes = "x".repeat(2001);
		const answer = await decide(ada, id, "approved", { adminNotes }, `?dialog=approve&id=${id}`);
		expect(answer.status).toBe(400);
		expect(answer.text).toContain("Please use at most 2000 characters");
		expect(formWith(answer.text, "Admin Notes (Optional)").fields).toMatchObject({ adminNotes, id, status: "approved" });
		expect(await statusOf(id)).toBe("pending");
	});

	it("tells the loser of a race who decided what and when, and changes nothing", async () => {
		const id = await insertRequest(sql, 1, "dana");
		await decide(ben, id, "rejected", { adminNotes: "Too late" });
		const answer = await decide(ada, id, "approved", {}, `?dialog=approve&id=${id}`);
		expect(answer.status).toBe(409);
		expect(answer.text).toContain("Failed to update fund request");
		expect(answer.text).toMatch(/FR-000001 was rejected by Ben Backup on \w{3} \d+, \d{4} at \d+:\d\d [AP]M\./);
		expect(answer.text).not.toContain("Approve Request");
		expect(await statusOf(id)).toBe("rejected");
	});

	it("answers 409 for a withdrawn one, 404 for an unknown one, 400 for what is no decision", async () => {
		const id = await insertRequest(sql, 1, "dana", { status: "withdrawn", withdrawn_at: Date.now() });
		const answer = await decide(ada, id, "approved");
		expect(answer.status).toBe(409);
		expect(answer.text).toContain("FR-000001 was withdrawn by its driver on ");
		expect((await decide(ada, requestId(99), "approved")).status).toBe(404);
		expect((await decide(ada, "x' or 1=1", "approved")).status).toBe(400);
		const open = await insertRequest(sql, 2, "dana");
		for (const status of ["pending", "withdrawn", "", "APPROVED"]) expect((await decide(ada, open, status)).status, status).toBe(400);
		expect((await ada.post("/fund-requests", { intent: "delete", id: open })).status).toBe(400);
		expect(await statusOf(open)).toBe("pending");
	});

	it("lets nobody decide his own", async () => {
		const id = await insertRequest(sql, 1, "ada");
		const { text } = await ada.get("/fund-requests");
		expect(rowOf(text, id)).toContain("Your own request");
		expect(ticked(text)).toEqual([]);
		expect((await ada.get(`/fund-requests?dialog=approve&id=${id}`)).text).not.toContain("Approve Request");
		const answer = await decide(ada, id, "approved");
		expect(answer.status).toBe(409);
		expect(answer.text).toContain("FR-000001 is your own request. Another administrator has to decide it.");
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
		expect(fields).toEqual({ intent: "process", id, status: "approved", adminNotes: "Do not lose me" });
		// What steers the form is not shown as something to edit.
		expect(html.match(/<label/g)).toHaveLength(1);
		expect(fleet.takeErrors()).toHaveLength(1);
		expect((await ada.post(action, fields)).status).toBe(303);
		expect(await statusOf(id)).toBe("approved");
	});
});

describe("undo", () => {
	it("is offered to whoever decided, for ten minutes, and makes the request pending again", async () => {
		const id = await insertRequest(sql, 1, "dana");
		await decide(ada, id, "rejected", { adminNotes: "A slip" });
		expect(rowOf((await ben.get("/fund-requests")).text, id)).not.toContain("Undo");
		const { text } = await ada.get("/fund-requests?status=rejected");
		const form = formWith(text, "Undo");
		expect(form.fields).toEqual({ intent: "undo", id });
		const answer = await ada.post(form.action, form.fields);
		expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/fund-requests?status=rejected#request-${id}`]);
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		const after = await ada.get("/fund-requests");
		expect(after.text).toContain("Decision taken back");
		expect(rowOf(after.text, id)).toContain(">Pending<");
		expect(await fleet.sql("select status from mails where kind = 'request-decided'")).toEqual([{ status: "cancelled" }]);
	});

	it("is neither offered nor taken later, or from another administrator", async () => {
		const id = await insertRequest(sql, 1, "dana");
		await decide(ada, id, "approved");
		expect((await ben.post("/fund-requests", { intent: "undo", id })).status).toBe(409);
		await sql("update fund_requests set decided_at = decided_at - 600000");
		expect(formsIn((await ada.get("/fund-requests")).text).some(({ html }) => html.includes("Undo"))).toBe(false);
		const answer = await ada.post("/fund-requests", { intent: "undo", id });
		expect(answer.status).toBe(409);
		expect(answer.text).toContain("A decision can be taken back for 10 minutes, by whoever made it.");
		expect(await statusOf(id)).toBe("approved");
		for (const unknown of [requestId(99), "x"])
			expect((await ada.post("/fund-requests", { intent: "undo", id: unknown })).status).toBe(404);
	});
});

describe("bulk approve", () => {
	it("refuses an empty selection with the spec's words", async () => {
		await insertRequest(sql, 1, "dana");
		const answer = await bulk(ada, []);
		expect(answer.status).toBe(400);
		expect(answer.text).toContain("No Selection");
		expect(answer.text).toContain("Please select requests to approve");
	});

	it("ticks all pending rows of the page by a link", async () => {
		await insertRequest(sql, 1, "dana");
		await insertRequest(sql, 2, "dana", { status: "withdrawn", withdrawn_at: 1 });
		await insertRequest(sql, 3, "omar");
		const { text } = await ada.get("/fund-requests?type=gas");
		expect(ticked(text).map(({ isTicked }) => isTicked)).toEqual([false, false]);
		expect(formWith(text, "bulk-approve").html).toContain(">Bulk Approve</button>");
		const link = hrefs(text).find((href) => href.includes("select=all"));
		expect(link).toBe("/fund-requests?type=gas&select=all");
		expect(ticked((await ada.get(link ?? "")).text)).toEqual([
			{ id: requestId(3), isTicked: true },
			{ id: requestId(1), isTicked: true },
		]);
	});

	it("approves a whole page of 50 in two trips, says how many and clears the selection", async () => {
		for (let number = 1; number <= 51; number++) await insertRequest(sql, number, "dana");
		const boxes = ticked((await ada.get("/fund-requests?select=all")).text).map(({ id }) => id);
		expect(boxes).toHaveLength(50);
		const answer = await bulk(ada, boxes, "/fund-requests?type=gas");
		expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/fund-requests?type=gas"]);
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		const { text } = await ada.get("/fund-requests");
		expect(text).toContain("Fund request updated successfully");
		expect(ticked(text)).toEqual([]);
		expect(await fleet.sql("select number from fund_requests where status = 'pending'")).toEqual([{ number: 1 }]);
		expect(await fleet.sql("select count(*) as n from mails where kind = 'request-decided'")).toEqual([{ n: 50 }]);
	});

	it("takes 500 and no more", async () => {
		for (let number = 1; number <= 3; number++) await insertRequest(sql, number, "dana");
		const ids = Array.from({ length: 500 }, (_, position) => requestId(position + 1));
		const answer = await bulk(ada, ids);
		expect(answer.status).toBe(200);
		expect(answer.text).toContain("3 of 500 approved: FR-000001, FR-000002, FR-000003.");
		expect(answer.text).toContain("497 of the ticked requests do not exist.");
		expect((await bulk(ada, [...ids, requestId(501)])).status).toBe(400);
		expect(
			(
				await bulk(
					ada,
					Array.from({ length: 600 }, (_, position) => requestId(position)),
				)
			).status,
		).toBe(400);
	});

	it("says of each request what became of it", async () => {
		const ids = [
			await insertRequest(sql, 1, "dana"),
			await insertRequest(sql, 2, "omar"),
			await insertRequest(sql, 3, "ada"),
			await insertRequest(sql, 4, "omar", { status: "withdrawn", withdrawn_at: Date.now() }),
			"not an id",
		];
		await decide(ben, ids[1] ?? "", "rejected");
		const answer = await bulk(ada, ids);
		expect(answer.status).toBe(200);
		for (const words of [
			"1 of 5 approved: FR-000001.",
			"FR-000002 was rejected by Ben Backup on ",
			"FR-000003 is your own request.",
			"FR-000004 was withdrawn by its driver on ",
			"1 of the ticked requests does not exist.",
		])
			expect(answer.text).toContain(words);
		const again = await bulk(ada, ids);
		expect(again.status).toBe(409);
		expect(again.text).toContain("0 of 5 approved.");
		expect(again.text).toContain("FR-000001 was approved by Ada Admin on ");
	});
});

describe("PUT /api/fund-requests/:id", () => {
	const put = (client: Client, id: string, body: unknown) => client.call("PUT", `/api/fund-requests/${id}`, body);

	it("decides, and answers the request", async () => {
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
		for (const body of [{}, { status: "pending" }, { status: "withdrawn" }, { status: "approved", adminNotes: "x".repeat(2001) }, []])
			expect((await put(ada, id, body)).status, JSON.stringify(body).slice(0, 60)).toBe(400);
		for (const unknown of [requestId(99), "x"]) {
			const answer = await put(ada, unknown, { status: "approved" });
			expect([answer.status, JSON.parse(answer.text)]).toEqual([404, { message: "There is no such fund request" }]);
		}
		await put(ben, id, { status: "rejected" });
		const lost = await put(ada, id, { status: "approved" });
		expect(lost.status).toBe(409);
		expect(JSON.parse(lost.text).message).toMatch(/^FR-000001 was rejected by Ben Backup on .+ at \d+:\d\d [AP]M\.$/);
		const withdrawn = await insertRequest(sql, 2, "dana", { status: "withdrawn", withdrawn_at: Date.now() });
		const gone = await put(ada, withdrawn, { status: "approved" });
		expect([gone.status, JSON.parse(gone.text).message]).toEqual([409, expect.stringContaining("was withdrawn by its driver on ")]);
		const own = await insertRequest(sql, 3, "ada");
		const mine = await put(ada, own, { status: "approved" });
		expect([mine.status, JSON.parse(mine.text).message]).toEqual([409, expect.stringContaining("is your own request")]);
		expect((await put(await fleet.as("dana"), own, { status: "approved" })).status).toBe(403);
		expect(await statusOf(own)).toBe("pending");
	});
});
