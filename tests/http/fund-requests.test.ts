/** Fund Request Management without JavaScript, its export and its call (spec §2, §4, §7; decisions 'Fund requests and receipts'). */
import Papa from "papaparse";
import { beforeEach, describe, expect, it } from "vitest";
import { dateIn } from "../../app/values/calendar-date.ts";
import { idOf, ZONE } from "../cast.ts";
import { formsIn, formWith } from "../forms.ts";
import { insertReceipt, insertRequest, requestId } from "../requests.ts";
import { type Client, openFleet } from "../worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const ben = await fleet.as("ben");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const today = dateIn(ZONE, Date.now());

beforeEach(async () => {
	for (const table of ["fund_requests", "receipts", "mails"]) await sql(`delete from ${table}`);
});

/** The numbers of the rows that a page shows, in its order. */
const shown = (html: string) => [...html.matchAll(/<th scope="row"[^>]*>(FR-\d+)<\/th>/g)].map(([, number]) => number);
const rowOf = (html: string, id: string) => new RegExp(`<tr id="request-${id}">[\\s\\S]*?</tr>`).exec(html)?.[0] ?? "";
const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
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
const decide = (client: Client, id: string, status: string, more: Record<string, string> = {}, query = "") =>
	client.post(`/fund-requests${query}`, { intent: "process", id, status, ...more });

describe("the screen", () => {
	it("says when there is nothing", async () => {
		const { text, status } = await ada.get("/fund-requests");
		expect(status).toBe(200);
		expect(text).toContain(">Fund Request Management</h1>");
		expect(text).toContain("No fund requests found");
		expect(text).not.toContain("Bulk Approve");
	});

	it("shows each request with its driver, in one trip", async () => {
		await insertRequest(sql, 1, "dana", { amount_cents: 123_450, type: "maintenance", created_at: Date.UTC(2026, 10, 21, 4, 59) });
		await insertRequest(sql, 2, "lena", { status: "withdrawn", withdrawn_at: 1, amount_cents: 5 });
		const { text, headers } = await ada.get("/fund-requests");
		expect(headers.get("Server-Timing")).toContain("1 trip,");
		expect(shown(text)).toEqual(["FR-000002", "FR-000001"]);
		const row = rowOf(text, requestId(1));
		// 04:59 UTC is still the day before in New York.
		for (const words of ["Driver DRV-0001", "Dana Driver", ">Maintenance<", "$1,234.50", "Nov 20, 2026", ">Pending<"])
			expect(row).toContain(words);
		expect(rowOf(text, requestId(2))).toContain("Łena Nguyễn");
		expect(rowOf(text, requestId(2))).toContain(">Withdrawn<");
		expect(rowOf(text, requestId(2))).toContain("Processed");
		expect(text).toContain("2 requests shown, $1,234.55");
	});

	it("flags what an administrator should look at", async () => {
		const [first, second, pdf] = [
			await insertReceipt(sql, 1, "dana", { sha256: "a".repeat(64) }),
			await insertReceipt(sql, 2, "omar", { sha256: "a".repeat(64) }),
			await insertReceipt(sql, 3, "omar", { sha256: "b".repeat(64) }),
		];
		await insertRequest(sql, 1, "dana", { receipt_id: first, amount_cents: 7501, is_possible_duplicate: 1 });
		await insertRequest(sql, 2, "omar", { receipt_id: second });
		await insertRequest(sql, 3, "omar", { receipt_id: pdf });
		await insertRequest(sql, 4, "omar", { amount_cents: 7501 });
		await insertRequest(sql, 5, "omar", { amount_cents: 7500 });
		await insertRequest(sql, 6, "omar", { receipt_name: "<from the old client>.jpg" });
		const { text } = await ada.get("/fund-requests?type=gas");
		const flagsOf = (number: number) => {
			const row = rowOf(text, requestId(number));
			return ["Possible duplicate", "Same receipt as", "No receipt"].filter((flag) => row.includes(flag));
		};
		expect([1, 2, 3, 4, 5, 6].map(flagsOf)).toEqual([
			["Possible duplicate", "Same receipt as"],
			["Same receipt as"],
			[],
			["No receipt"],
			[],
			[],
		]);
		expect(rowOf(text, requestId(1))).toContain("Same receipt as FR-000002");
		const link = hrefs(rowOf(text, requestId(1))).find((href) => href.includes(requestId(2)));
		expect(link).toBe(`/fund-requests?type=gas&dialog=timeline&id=${requestId(2)}`);
		expect((await ada.get(link ?? "")).text).toContain("History of FR-000002");
		expect([1, 4, 6].map((number) => rowOf(text, requestId(number)).includes("dialog=receipt"))).toEqual([true, false, false]);
		expect(rowOf(text, requestId(6))).toContain("Receipt: &lt;from the old client&gt;.jpg");
	});

	it.each([
		["", [1, 2, 3, 4, 5, 6]],
		["?amount=0-50", [1, 2]],
		["?amount=50-100", [3, 4]],
		["?amount=100%2B", [5, 6]],
		["?amount=100+", [5, 6]],
		["?status=pending", [1, 2, 3]],
		["?status=approved", [4]],
		["?status=rejected", [5]],
		["?status=withdrawn", [1, 2, 3, 4, 5, 6]],
		["?type=gas", [1, 3, 5]],
		["?type=maintenance", [2, 4]],
		["?type=other", [6]],
		["?status=all&type=all&amount=all", [1, 2, 3, 4, 5, 6]],
		["?status=PENDING&type=fuel&amount=50", [1, 2, 3, 4, 5, 6]],
		["?status=pending&type=gas&amount=0-50", [1]],
	])("filters by '%s'", async (query, numbers) => {
		const decided = { decided_at: 1, decided_by: idOf("ben") };
		await insertRequest(sql, 1, "dana", { amount_cents: 1, type: "gas" });
		await insertRequest(sql, 2, "dana", { amount_cents: 5000, type: "maintenance" });
		await insertRequest(sql, 3, "dana", { amount_cents: 5001, type: "gas" });
		await insertRequest(sql, 4, "omar", { amount_cents: 10_000, type: "maintenance", status: "approved", ...decided });
		await insertRequest(sql, 5, "omar", { amount_cents: 10_001, type: "gas", status: "rejected", ...decided });
		await insertRequest(sql, 6, "omar", { amount_cents: 10_000_000, type: "other", status: "withdrawn", withdrawn_at: 1 });
		const names = numbers.map((number) => `FR-00000${number}`);
		const separator = query ? "&" : "?";
		expect(shown((await ada.get(`/fund-requests${query}${separator}order=oldest`)).text)).toEqual(names);
		expect(shown((await ada.get(`/fund-requests${query}`)).text)).toEqual(names.toReversed());
	});

	it("keeps the chosen filters in its form and in every link", async () => {
		await insertRequest(sql, 1, "dana", { amount_cents: 20_000 });
		const { text } = await ada.get("/fund-requests?status=pending&type=gas&amount=100%2B&order=oldest");
		expect(formWith(text, ">Apply</button>").fields).toEqual({ status: "pending", type: "gas", amount: "100+", order: "oldest" });
		const kept = "status=pending&type=gas&amount=100%2B&order=oldest";
		expect(hrefs(rowOf(text, requestId(1)))).toEqual([
			`/fund-requests?${kept}&dialog=approve&id=${requestId(1)}`,
			`/fund-requests?${kept}&dialog=reject&id=${requestId(1)}`,
			`/fund-requests?${kept}&dialog=timeline&id=${requestId(1)}`,
		]);
		expect(hrefs(text)).toContain(`/fund-requests/export.csv?${kept}`);
		expect(formWith(text, "bulk-approve").action).toBe(`/fund-requests?${kept}`);
	});

	it("shows 50 a page, and every request on exactly one page, in either order", async () => {
		// Moments that repeat, so that the id has to decide.
		const at = Date.now();
		for (let number = 1; number <= 103; number++) await insertRequest(sql, number, "dana", { created_at: at - Math.floor(number / 7) });
		for (const order of ["newest", "oldest"]) {
			const seen: (string | undefined)[] = [];
			let path: string | undefined = `/fund-requests?order=${order}&status=pending`;
			const sizes: number[] = [];
			while (path) {
				const { text, headers }: { text: string; headers: Headers } = await ada.get(path);
				expect(headers.get("Server-Timing")).toContain("1 trip,");
				const page = shown(text);
				sizes.push(page.length);
				seen.push(...page);
				path = /href="([^"]+)"[^>]*>Next page</.exec(text)?.[1]?.replaceAll("&amp;", "&");
			}
			expect(sizes).toEqual([50, 50, 3]);
			expect(new Set(seen).size).toBe(103);
		}
		const second = /href="([^"]+)"[^>]*>Next page</.exec((await ada.get("/fund-requests")).text)?.[1]?.replaceAll("&amp;", "&") ?? "";
		expect((await ada.get(second)).text).toContain('href="/fund-requests">First page<');
		// What is no cursor starts from the beginning.
		expect(shown((await ada.get("/fund-requests?after=1.x")).text)).toHaveLength(50);
	});
});

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
			"Driver DRV-0001, Dana Driver",
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

describe("the other dialogs", () => {
	it("shows an image, downloads a PDF, and opens nothing for a bare name", async () => {
		const image = await insertReceipt(sql, 1, "dana");
		const pdf = await insertReceipt(sql, 2, "dana", { media_type: "application/pdf", file_name: "bill <1>.pdf" });
		await insertRequest(sql, 1, "dana", { receipt_id: image });
		await insertRequest(sql, 2, "dana", { receipt_id: pdf });
		await insertRequest(sql, 3, "dana", { receipt_name: "name-only.jpg" });
		const dialog = async (number: number) =>
			/<dialog open=""[^>]*data-modal[\s\S]*?<\/dialog>/.exec(
				(await ada.get(`/fund-requests?status=pending&dialog=receipt&id=${requestId(number)}`)).text,
			)?.[0] ?? "";
		expect(await dialog(1)).toContain(">Receipt</h2>");
		expect(await dialog(1)).toContain(`<img src="/api/receipts/${image}" alt="Receipt of FR-000001"`);
		expect(await dialog(2)).toContain(`href="/api/receipts/${pdf}" download="bill &lt;1&gt;.pdf"`);
		expect(await dialog(2)).not.toContain("<img");
		expect(await dialog(3)).toContain("name-only.jpg");
		expect(await dialog(3)).not.toContain("/api/receipts/");
		expect(await dialog(1)).toContain(
			`method="get" action="/fund-requests#request-${requestId(1)}"><input type="hidden" name="status" value="pending"/>`,
		);
	});

	it("tells the whole story of a request, each note with its decision", async () => {
		// A number of its own: the audit of the other tests stays.
		const omars = await insertRequest(sql, 9001, "omar");
		await decide(ada, omars, "rejected", { adminNotes: "Wrong <month>" });
		await ada.post("/fund-requests", { intent: "undo", id: omars });
		await decide(ben, omars, "approved");
		const { text } = await ada.get(`/fund-requests?dialog=timeline&id=${omars}`);
		const events = [...text.matchAll(/<li class="grid">([\s\S]*?)<\/li>/g)].map(([, event = ""]) =>
			event.replace(/<[^>]+>/g, "|").replace(/\|+/g, "|"),
		);
		expect(events).toEqual([
			expect.stringMatching(/^\|Submitted by Omar Okafor\|\w{3} \d+, \d{4} at \d+:\d\d [AP]M\|$/),
			expect.stringMatching(/^\|Rejected by Ada Admin\|.*\|Note: Wrong &lt;month&gt;\|$/),
			expect.stringMatching(/^\|Decision taken back by Ada Admin\|/),
			expect.stringMatching(/^\|Approved by Ben Backup\|[^|]+\|$/),
		]);
		for (const nonsense of ["dialog=timeline", "dialog=timeline&id=x", "dialog=delete&id=x", `dialog=approve&id=${requestId(99)}`])
			expect((await ada.get(`/fund-requests?${nonsense}`)).text).not.toContain("data-modal");
	});
});

describe("the export", () => {
	type Line = Record<string, string>;
	async function exported(query = "") {
		const answer = await ada.get(`/fund-requests/export.csv${query}`);
		expect(answer.status).toBe(200);
		return { ...answer, lines: Papa.parse<Line>(answer.text.replace(/^\ufeff/, ""), { header: true, skipEmptyLines: true }).data };
	}

	it("is a file for a spreadsheet: its name, its mark, its line ends, its columns", async () => {
		const receipt = await insertReceipt(sql, 1, "dana");
		const at = Date.UTC(2026, 10, 21, 19, 5);
		await insertRequest(sql, 1, "lena", {
			amount_cents: 123_450,
			type: "maintenance",
			created_at: at,
			description: 'Tyres, "winter"\nfour',
			status: "approved",
			decided_at: at,
			decided_by: idOf("ben"),
			admin_notes: "Fine",
			receipt_id: receipt,
		});
		const { headers, text, lines } = await exported();
		expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
		expect(headers.get("Content-Disposition")).toBe(`attachment; filename="fund-requests-${today}.csv"`);
		expect(headers.get("Server-Timing")).toContain("1 trip,");
		const bytes = await fleet.worker.dispatchFetch(`${fleet.origin}/fund-requests/export.csv`, {
			headers: { Cookie: [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
		});
		expect([...new Uint8Array(await bytes.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
		expect(text.replace(/"[^"]*"/g, "").replaceAll("\r\n", "")).not.toContain("\n");
		expect(lines).toEqual([
			{
				"Request ID": "FR-000001",
				"Driver ID": "DRV-0003",
				Driver: "Łena Nguyễn",
				Type: "Maintenance",
				Amount: "1234.50",
				Date: "2026-11-21",
				Status: "Approved",
				Description: 'Tyres, "winter"\nfour',
				Receipt: "receipt-1.png",
				"Admin Notes": "Fine",
				"Decided by": "Ben Backup",
				"Decided at": "2026-11-21 2:05 PM",
			},
		]);
	});

	it("runs no formula, whatever its text begins with, and leaves numbers numbers", async () => {
		const hostile = ["=1+1", "=1+1\nnote", "+1", "-1+1", "@SUM(A1)", "|cmd", "＝1", "-5.00", "plain", "5 = 5"];
		for (const [position, description] of hostile.entries())
			await insertRequest(sql, position + 1, "dana", { description, receipt_name: position === 0 ? "=cmd.jpg" : null });
		const { lines } = await exported("?order=oldest");
		expect(lines.map(({ Description }) => Description)).toEqual([
			"'=1+1",
			"'=1+1\nnote",
			"'+1",
			"'-1+1",
			"'@SUM(A1)",
			"'|cmd",
			"'＝1",
			"-5.00",
			"plain",
			"5 = 5",
		]);
		expect(lines[0]?.Receipt).toBe("'=cmd.jpg");
		expect(new Set(lines.map(({ Amount }) => Amount))).toEqual(new Set(["12.50"]));
	});

	it("holds what the filters show, all pages of it, in the screen's order", async () => {
		const decided = { status: "approved", decided_at: 1, decided_by: idOf("ben") };
		for (let number = 1; number <= 120; number++)
			await insertRequest(sql, number, "dana", { amount_cents: number * 100, ...(number % 3 === 0 ? decided : {}) });
		for (const query of ["?status=approved", "?status=pending&amount=50-100&order=oldest", "?type=other", ""]) {
			const onScreen: (string | undefined)[] = [];
			let path: string | undefined = `/fund-requests${query}`;
			let exportLink = "";
			while (path) {
				const { text }: { text: string } = await ada.get(path);
				onScreen.push(...shown(text));
				exportLink = hrefs(text).find((href) => href.startsWith("/fund-requests/export.csv")) ?? "";
				path = /href="([^"]+)"[^>]*>Next page</.exec(text)?.[1]?.replaceAll("&amp;", "&");
			}
			const { lines } = await exported(exportLink.replace("/fund-requests/export.csv", ""));
			expect(lines.map((line) => line["Request ID"])).toEqual(onScreen);
		}
	});

	it("goes on past one read of the database", async () => {
		await sql(`insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source, created_at, requested_on, payload_hash)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 5001)
			select printf('30000000-0000-4000-8000-%012d', i), i, '${idOf("dana")}', 'gas', 100, 'x', 'pending', 'seed', i / 3, '1969-12-31', 'x' from n`);
		const { lines } = await exported();
		expect(lines).toHaveLength(5001);
		expect(new Set(lines.map((line) => line["Request ID"])).size).toBe(5001);
	});

	it("is refused by a page that a person can read, and leads to sign-in", async () => {
		const visitor = await fleet.client().get("/fund-requests/export.csv?status=pending");
		expect([visitor.status, visitor.headers.get("Content-Type")]).toEqual([401, "text/html; charset=utf-8"]);
		expect(visitor.headers.get("Refresh")).toBe("1; url=/api/login?returnTo=%2Ffund-requests%2Fexport.csv%3Fstatus%3Dpending");
		expect(visitor.text).toContain("You are logged out. Logging in again...");
		const driver = await (await fleet.as("dana")).get("/fund-requests/export.csv");
		expect([driver.status, driver.headers.get("Content-Disposition")]).toEqual([403, null]);
		expect(driver.text).toContain("Admin access required");
		await sql("alter table fund_requests rename to hidden");
		const down = await ada.get("/fund-requests/export.csv", { mayFail: true });
		await sql("alter table hidden rename to fund_requests");
		expect([down.status, down.headers.get("Content-Type")]).toEqual([503, "text/html; charset=utf-8"]);
		expect(down.text).toContain("cannot reach its database");
		expect(fleet.takeErrors()).toHaveLength(1);
	});

	it("without a row has its head", async () => {
		expect((await exported()).text).toMatch(/^\ufeff?Request ID,.*,Decided at\r\n$/);
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
