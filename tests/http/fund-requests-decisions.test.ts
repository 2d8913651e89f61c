/**
 * Deciding fund requests: one by its dialog, many at once, by the call, and taking a decision back
 * (docs/product.md §2, §4, §7, 'Fund requests and receipts').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { textOf } from "../support/drivers.ts";
import { formsIn, formWith } from "../support/forms.ts";
import { decide, hrefs, rowOf, shown } from "../support/fund-requests.ts";
import { insertReceipt, insertRequest, requestId } from "../support/requests.ts";
import { type Client, openFleet } from "../support/worker.ts";

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
	(await fleet.sql<{ status: string }>("select status from fund_requests where id = ?", id))[0]
		?.status;

/** The bulk form, sent with these rows ticked. */
function bulk(client: Client, ids: readonly string[], path = "/fund-requests") {
	const fields: [string, string][] = [
		["intent", "bulk-approve"],
		...ids.map((id): [string, string] => ["ids", id]),
	];
	return client.request(path, {
		method: "POST",
		headers: { "Content-Type": "application/x-www-form-urlencoded" },
		body: new URLSearchParams(fields),
	});
}

describe("deciding one", () => {
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
			"Driver DRV-0001, <bdi>Dana Driver</bdi>",
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

	it("answers 409 for a withdrawn one, 404 for an unknown one, 400 for what is no decision", async () => {
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

	it("lets nobody decide their own request", async () => {
		const id = await insertRequest(sql, 1, "ada");
		const { text } = await ada.get("/fund-requests");
		expect(rowOf(text, id)).toContain("Your own request");
		expect(ticked(text)).toEqual([]);
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
		const form = formWith(rowOf(text, id), "Undo");
		expect(form.fields).toEqual({ intent: "undo", id });
		const answer = await ada.post(form.action, form.fields);
		expect([answer.status, answer.headers.get("Location")]).toEqual([
			303,
			`/fund-requests?status=rejected&changed=1#request-${id}`,
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

	it("is neither offered nor taken later, or from another administrator", async () => {
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

describe("what was just decided", () => {
	const PENDING = "/fund-requests?status=pending";

	it("stays in its place under the filter that would hide it, with Undo, and leaves with the next load", async () => {
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
		});
		// What is filtered for is what is counted.
		expect(text).toContain("1–2 of 2 requests · $25.00");
		expect(shown((await ada.get(`${PENDING}&order=oldest`)).text)).toEqual([
			"FR-000001",
			"FR-000003",
		]);
		// Nobody else, and nobody later, has it there.
		expect(shown((await ben.get(here)).text)).toEqual(["FR-000001", "FR-000003"]);
		await sql("update fund_requests set decided_at = decided_at - 600000 where number = 2");
		expect(shown((await ada.get(here)).text)).toEqual(["FR-000001", "FR-000003"]);
	});

	it("is the whole list when nothing else is pending, and stays while another one is taken back", async () => {
		for (const number of [1, 2]) await insertRequest(sql, number, "dana");
		const answer = await bulk(ada, [requestId(1), requestId(2)], PENDING);
		expect(answer.headers.get("Location")).toBe(`${PENDING}&changed=1.2#request-${requestId(2)}`);
		const { text } = await ada.get(`${PENDING}&changed=1.2`);
		expect(shown(text)).toEqual(["FR-000002", "FR-000001"]);
		expect(text).toContain("0 of 0 requests · $0.00");
		const form = formWith(rowOf(text, requestId(1)), "Undo");
		expect(form.action).toBe(`${PENDING}&changed=2.1`);
		const undone = await ada.post(form.action, form.fields);
		expect(undone.headers.get("Location")).toBe(`${PENDING}&changed=2.1#request-${requestId(1)}`);
		const after = (await ada.get(`${PENDING}&changed=2.1`)).text;
		expect(shown(after)).toEqual(["FR-000002", "FR-000001"]);
		expect(rowOf(after, requestId(2))).toContain("Undo");
	});

	it("is taken back together from the toast, as far as it still can be", async () => {
		for (const number of [1, 2, 3]) await insertRequest(sql, number, "dana");
		await bulk(ada, [1, 2, 3].map(requestId), PENDING);
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

describe("bulk approve", () => {
	const dialogOf = (html: string) => /<dialog open=""[\s\S]*?<\/dialog>/.exec(html)?.[0] ?? "";

	it("approves a whole page of ticked requests", async () => {
		const ids = await Promise.all(
			Array.from({ length: 50 }, (_, each) => insertRequest(sql, each + 1, "dana")),
		);
		const query = new URLSearchParams([["dialog", "bulk"], ...ids.map((id) => ["ids", id])]);
		const page = await ada.get(`/fund-requests?${query}`);
		const asked = formWith(page.text, 'value="bulk-approve"');
		expect((await ada.post(asked.action, asked.fields)).status).toBe(303);
		const left = await sql("select id from fund_requests where status <> 'approved'");
		expect(left).toEqual([]);
	});

	it("asks first: how many, how much, and which to look at", async () => {
		const [one, two] = [await insertReceipt(sql, 1, "dana"), await insertReceipt(sql, 11, "omar")];
		await insertRequest(sql, 1, "dana", { receipt_id: one });
		await insertRequest(sql, 2, "omar", { receipt_id: two, amount_cents: 10_000_000 });
		await insertRequest(sql, 3, "dana", { is_possible_duplicate: 1 });
		await insertRequest(sql, 4, "omar", { amount_cents: 9000 });
		await insertRequest(sql, 5, "dana");
		await insertRequest(sql, 6, "dana");
		await insertRequest(sql, 7, "ada");
		await decide(ben, requestId(6), "rejected");
		const form = formWith((await ada.get("/fund-requests?type=gas")).text, "Bulk Approve");
		expect([form.action, form.fields]).toEqual(["/fund-requests", { type: "gas", dialog: "bulk" }]);
		const query = new URLSearchParams(form.fields);
		for (const id of [...[1, 2, 3, 4, 5, 6, 7, 99].map(requestId), "x"]) query.append("ids", id);
		const page = await ada.get(`/fund-requests?${query}`);
		expect(page.headers.get("Server-Timing")).toContain("1 trip");
		const dialog = dialogOf(page.text);
		const says = textOf(dialog);
		expect(says).toContain("Approve 5 requests? Total $100,127.50 .");
		expect(says).toContain("Check these 4 first");
		for (const words of [
			"FR-000001 $12.50 Driver DRV-0001, Dana Driver Same receipt as FR-000002",
			"FR-000002 $100,000.00 Driver DRV-0002, Omar Okafor Same receipt as FR-000001",
			"FR-000003 $12.50 Driver DRV-0001, Dana Driver Possible duplicate",
			"FR-000004 $90.00 Driver DRV-0002, Omar Okafor No receipt",
			"FR-000006 was rejected by Ben Backup on ",
			"FR-000007 is your own request.",
			"1 request that you selected doesn't exist.",
		])
			expect(says).toContain(words);
		expect(says).not.toContain("FR-000005");
		// Cancel keeps the ticks.
		expect(dialog).toContain(
			`data-modal="/fund-requests?type=gas&amp;ids=${requestId(1)}+${requestId(2)}+`,
		);
		expect(ticked(page.text).every(({ isTicked }) => isTicked)).toBe(true);
		const asked = formWith(page.text, 'value="bulk-approve"');
		expect(asked.action).toBe("/fund-requests?type=gas");
		const answer = await ada.post(asked.action, asked.fields);
		expect(answer.status).toBe(303);
		expect((await ada.get("/fund-requests")).text).toContain(
			"5 requests approved, $100,127.50 in total.",
		);
	});

	it("says when nothing is flagged, and when nothing is left to approve", async () => {
		const id = await insertRequest(sql, 1, "dana");
		const address = `/fund-requests?status=pending&dialog=bulk&ids=${id}`;
		expect(textOf(dialogOf((await ada.get(address)).text))).toContain(
			"Approve 1 request? Total $12.50 . None is flagged as a possible duplicate or is missing a receipt.",
		);
		await decide(ben, id, "approved");
		const late = dialogOf((await ada.get(address)).text);
		expect(textOf(late)).toContain(
			"Nothing to approve None of the selected requests can be approved. FR-000001 was approved by Ben Backup",
		);
		expect(late).not.toContain("Processing...");
	});

	it("asks for a selection when nothing is ticked", async () => {
		await insertRequest(sql, 1, "dana");
		const { status, text } = await ada.get("/fund-requests?dialog=bulk");
		expect(status).toBe(200);
		expect(text).toContain("No Selection");
		expect(text).toContain("Please select requests to approve");
		expect(dialogOf(text)).toBe("");
	});

	it("refuses an empty selection in the words of the toast", async () => {
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
		expect(formWith(text, "data-select-rows").html).toContain(">Bulk Approve</button>");
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
		const numbers = boxes.map((id) => Number(id.slice(-12)));
		expect(answer.status).toBe(303);
		expect(answer.headers.get("Location")).toMatch(
			new RegExp(`^/fund-requests\\?type=gas&changed=[\\d.]+#request-${boxes[0]}$`),
		);
		expect(
			/changed=([\d.]+)/
				.exec(answer.headers.get("Location") ?? "")?.[1]
				?.split(".")
				.map(Number)
				.sort(),
		).toEqual(numbers.sort());
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		const { text } = await ada.get("/fund-requests");
		expect(text).toContain("Fund request updated successfully");
		expect(ticked(text)).toEqual([]);
		expect(await fleet.sql("select number from fund_requests where status = 'pending'")).toEqual([
			{ number: 1 },
		]);
		expect(
			await fleet.sql("select count(*) as n from mails where kind = 'request-decided'"),
		).toEqual([{ n: 50 }]);
	});

	it("takes 500 and no more", async () => {
		for (let number = 1; number <= 3; number++) await insertRequest(sql, number, "dana");
		const ids = Array.from({ length: 500 }, (_, position) => requestId(position + 1));
		const answer = await bulk(ada, ids);
		expect(answer.status).toBe(200);
		expect(answer.text).toContain("3 of 500 approved: FR-000001, FR-000002, FR-000003.");
		expect(answer.text).toContain("497 of the selected requests don&#x27;t exist.");
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
			await insertRequest(sql, 4, "omar", { status: "withdrawn", withdrawn_at: currentTime() }),
			"not-an-id",
		];
		await decide(ben, ids[1] ?? "", "rejected");
		const answer = await bulk(ada, ids);
		expect(answer.status).toBe(200);
		for (const words of [
			"1 of 5 approved: FR-000001.",
			"FR-000002 was rejected by Ben Backup on ",
			"FR-000003 is your own request.",
			"FR-000004 was withdrawn by its driver on ",
			"1 of the selected requests doesn&#x27;t exist.",
		])
			expect(answer.text).toContain(words);
		const again = await bulk(ada, ids);
		expect(again.status).toBe(409);
		expect(again.text).toContain("0 of 5 approved.");
		expect(again.text).toContain("FR-000001 was approved by Ada Admin on ");
	});
});

describe("PUT /api/fund-requests/:id", () => {
	const put = (client: Client, id: string, body: unknown) =>
		client.call("PUT", `/api/fund-requests/${id}`, body);

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
