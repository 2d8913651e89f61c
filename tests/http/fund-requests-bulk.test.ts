/** Approving many requests at once. */
import { beforeEach, describe, expect, it } from "vitest";
import { insertAgreement } from "../support/agreements.ts";
import { checkboxFields, postBulk } from "../support/bulk-form.ts";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { textOf } from "../support/drivers.ts";
import { formWith } from "../support/forms.ts";
import { decide, hrefs } from "../support/fund-requests.ts";
import { insertReceipt, insertRequest, requestId } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const ben = await fleet.as("ben");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);

beforeEach(async () => {
	for (const table of ["fund_requests", "receipts", "mails"]) await sql(`delete from ${table}`);
});

describe("bulk approve", () => {
	const dialogOf = (html: string) => /<dialog open=""[\s\S]*?<\/dialog>/.exec(html)?.[0] ?? "";

	it("approves a whole page of selected requests", async () => {
		const ids = await Promise.all(
			Array.from({ length: 50 }, (_, each) => insertRequest(sql, each + 1, "dana")),
		);
		const query = new URLSearchParams([["dialog", "bulk"], ...ids.map((id) => ["ids", id])]);
		const page = await ada.get(`/fund-requests?${query}`);
		const asked = formWith(page.text, 'value="bulk-approve"');
		expect((await ada.post(asked.action, asked.fields)).status).toBe(303);
		const left = await sql("select id from fund_requests where status <> 'approved'");
		expect(left).toEqual([]);
		const after = textOf((await ada.get("/fund-requests")).text);
		expect(after).toContain("Recently decided by you (50)");
		expect(after).toContain("These are the latest 20 of 50. Undo the others in");
	});

	it("asks for confirmation with the number, the total and the requests to check", async () => {
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
			"FR-000001 $12.50 Dana Driver, Driver DRV-0001 Same receipt as FR-000002",
			"FR-000002 $100,000.00 Omar Okafor, Driver DRV-0002 Same receipt as FR-000001",
			"FR-000003 $12.50 Dana Driver, Driver DRV-0001 Possible duplicate",
			"FR-000004 $90.00 Omar Okafor, Driver DRV-0002 No receipt",
			"FR-000006 was rejected by Ben Backup on ",
			"FR-000007 is your own request.",
			"1 request that you selected doesn't exist.",
		])
			expect(says).toContain(words);
		expect(says).not.toContain("FR-000005");
		// Cancel keeps the selection.
		expect(dialog).toContain(
			`data-modal="/fund-requests?type=gas&amp;ids=${requestId(1)}+${requestId(2)}+`,
		);
		expect(checkboxFields(page.text).every(({ isTicked }) => isTicked)).toBe(true);
		const asked = formWith(page.text, 'value="bulk-approve"');
		expect(asked.action).toBe("/fund-requests?type=gas");
		const answer = await ada.post(asked.action, asked.fields);
		expect(answer.status).toBe(303);
		expect((await ada.get("/fund-requests")).text).toContain(
			"5 requests approved, $100,127.50 in total.",
		);
	});

	it("has fuel of a driver who is paid by the mile to check, as the list, the desk and their page say", async () => {
		const files = [await insertReceipt(sql, 1, "dana"), await insertReceipt(sql, 2, "dana")];
		await insertRequest(sql, 1, "dana", { receipt_id: files[0] ?? "" });
		await insertRequest(sql, 2, "dana", { receipt_id: files[1] ?? "", type: "maintenance" });
		await insertAgreement(sql, 1, "dana", "2026-01-05", { per_mile_mills: 725 });
		const rowOf = (text: string, number: number) =>
			textOf(new RegExp(`id="request-${requestId(number)}"[\\s\\S]*?</tr>`).exec(text)?.[0] ?? "");
		const list = await ada.get("/fund-requests");
		expect(list.headers.get("Server-Timing")).toContain("1 trip,");
		expect(rowOf(list.text, 1)).toContain("Paid by the mile");
		expect(rowOf(list.text, 2)).not.toContain("Paid by the mile");
		const desk = await ada.get("/fund-requests?open=FR-000001");
		expect(desk.headers.get("Server-Timing")).toContain("1 trip,");
		expect(textOf(desk.text)).toMatch(/Approve \$12\.50\.\.\. Check this first: Paid by the mile/);
		expect(textOf((await ada.get("/fund-requests?open=FR-000002")).text)).not.toContain(
			"Check this first",
		);
		const page = await ada.get(`/drivers/${idOf("dana")}`);
		expect(textOf(page.text)).toContain("Paid by the mile");
		const query = new URLSearchParams([
			["dialog", "bulk"],
			["ids", requestId(1)],
			["ids", requestId(2)],
		]);
		const dialog = textOf(dialogOf((await ada.get(`/fund-requests?${query}`)).text));
		expect(dialog).toContain("FR-000001 $12.50 Dana Driver, Driver DRV-0001 Paid by the mile");
		expect(dialog).not.toContain("FR-000002");
		await sql("delete from agreements");
	});

	it("says when nothing is flagged and when nothing can be approved", async () => {
		const id = await insertRequest(sql, 1, "dana");
		const url = `/fund-requests?status=pending&dialog=bulk&ids=${id}`;
		expect(textOf(dialogOf((await ada.get(url)).text))).toContain(
			"Approve 1 request? Total $12.50 . None are flagged as possible duplicates or missing a receipt.",
		);
		await decide(ben, id, "approved");
		const late = dialogOf((await ada.get(url)).text);
		expect(textOf(late)).toContain(
			"Nothing to approve None of the selected requests can be approved. FR-000001 was approved by Ben Backup",
		);
		expect(late).not.toContain("Processing...");
	});

	it("offers to undo only what it decided itself, of those that this administrator decided", async () => {
		for (const number of [1, 2, 3]) await insertRequest(sql, number, "dana");
		const [one, two, three] = [1, 2, 3].map(requestId) as [string, string, string];
		await decide(ada, one, "rejected");
		const answer = await postBulk(ada, [one, two]);
		expect(textOf(answer.text)).toContain("1 request approved, $12.50 in total. Undo the decision");
		const form = formWith(answer.text, "undo-changed");
		expect((await ada.post(form.action, form.fields)).status).toBe(303);
		expect(await sql("select status from fund_requests order by number")).toEqual([
			{ status: "rejected" },
			{ status: "pending" },
			{ status: "pending" },
		]);
		await decide(ada, three, "approved");
		const none = await postBulk(ada, [one, three]);
		expect(none.status).toBe(409);
		expect(textOf(none.text)).toContain("0 of 2 approved.");
		expect(none.text).not.toContain("undo-changed");
	});

	it("asks for a selection when nothing is selected", async () => {
		await insertRequest(sql, 1, "dana");
		const { status, text } = await ada.get("/fund-requests?dialog=bulk");
		expect(status).toBe(200);
		expect(text).toContain("No Selection");
		expect(text).toContain("Please select requests to approve");
		expect(dialogOf(text)).toBe("");
	});

	it("refuses an empty selection with the same words as the toast", async () => {
		await insertRequest(sql, 1, "dana");
		const answer = await postBulk(ada, []);
		expect(answer.status).toBe(400);
		expect(answer.text).toContain("No Selection");
		expect(answer.text).toContain("Please select requests to approve");
	});

	it("selects all pending rows of the page with a link", async () => {
		await insertRequest(sql, 1, "dana");
		await insertRequest(sql, 2, "dana", { status: "withdrawn", withdrawn_at: 1 });
		await insertRequest(sql, 3, "omar");
		const { text } = await ada.get("/fund-requests?type=gas");
		expect(checkboxFields(text).map(({ isTicked }) => isTicked)).toEqual([false, false]);
		expect(formWith(text, "data-select-rows").html).toContain(">Bulk Approve (0)</button>");
		const link = hrefs(text).find((href) => href.includes("select=all"));
		expect(link).toBe("/fund-requests?type=gas&select=all");
		expect(checkboxFields((await ada.get(link ?? "")).text)).toEqual([
			{ id: requestId(3), isTicked: true },
			{ id: requestId(1), isTicked: true },
		]);
	});

	it("approves a whole page of 50 in two round trips, says how many and clears the selection", async () => {
		for (let number = 1; number <= 51; number++) await insertRequest(sql, number, "dana");
		const boxes = checkboxFields((await ada.get("/fund-requests?select=all")).text).map(
			({ id }) => id,
		);
		expect(boxes).toHaveLength(50);
		const answer = await postBulk(ada, boxes, "/fund-requests?type=gas");
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
		expect(checkboxFields(text)).toEqual([]);
		expect(await fleet.sql("select number from fund_requests where status = 'pending'")).toEqual([
			{ number: 1 },
		]);
		expect(
			await fleet.sql("select count(*) as n from mails where kind = 'request-decided'"),
		).toEqual([{ n: 50 }]);
	});

	it("accepts 500 and no more", async () => {
		for (let number = 1; number <= 3; number++) await insertRequest(sql, number, "dana");
		const ids = Array.from({ length: 500 }, (_, position) => requestId(position + 1));
		const answer = await postBulk(ada, ids);
		expect(answer.status).toBe(200);
		expect(answer.text).toContain("3 of 500 approved: FR-000001, FR-000002, FR-000003.");
		expect(answer.text).toContain("497 requests that you selected don&#x27;t exist.");
		expect((await postBulk(ada, [...ids, requestId(501)])).status).toBe(400);
		expect(
			(
				await postBulk(
					ada,
					Array.from({ length: 600 }, (_, position) => requestId(position)),
				)
			).status,
		).toBe(400);
	});

	it("says what happened to each request", async () => {
		const ids = [
			await insertRequest(sql, 1, "dana"),
			await insertRequest(sql, 2, "omar"),
			await insertRequest(sql, 3, "ada"),
			await insertRequest(sql, 4, "omar", { status: "withdrawn", withdrawn_at: currentTime() }),
			"not-an-id",
		];
		await decide(ben, ids[1] ?? "", "rejected");
		const answer = await postBulk(ada, ids);
		expect(answer.status).toBe(200);
		for (const words of [
			"1 of 5 approved: FR-000001.",
			"FR-000002 was rejected by Ben Backup on ",
			"FR-000003 is your own request.",
			"FR-000004 was withdrawn by its driver on ",
			"1 request that you selected doesn&#x27;t exist.",
		])
			expect(answer.text).toContain(words);
		const again = await postBulk(ada, ids);
		expect(again.status).toBe(409);
		expect(again.text).toContain("0 of 5 approved.");
		expect(again.text).toContain("FR-000001 was approved by Ada Admin on ");
	});
});
