/**
 * The review desk without JavaScript: a request next to the list, its neighbors, its decisions, and
 * undoing them afterwards (docs/product.md, 'The review desk').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formsIn, formWith } from "../support/forms.ts";
import { hrefs, shown } from "../support/fund-requests.ts";
import { insertReceipt, insertRequest, requestId } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const ben = await fleet.as("ben");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const statusOf = async (number: number) =>
	(
		await fleet.sql<{ status: string }>("select status from fund_requests where number = ?", number)
	)[0]?.status;
/** The text of the desk alone. */
const deskOf = (html: string) =>
	(/<section aria-labelledby="opened"[\s\S]*?data-island="review-keys"/.exec(html)?.[0] ?? "")
		.replace(/<[^>]+>/g, " ")
		.replace(/\s+/g, " ");
/** The request numbers in the list next to an opened request. */
const listed = (html: string) =>
	[...html.matchAll(/<li id="request-[\s\S]*?>(FR-\d+)</g)].map(([, number]) => number);

beforeEach(async () => {
	for (const table of ["request_messages", "fund_requests", "receipts", "mails"])
		await sql(`delete from ${table}`);
});

describe("an opened request", () => {
	it("says what is asked before what else the driver asked for, also without a receipt", async () => {
		await insertRequest(sql, 1, "dana", { description: "Tires" });
		const desk = deskOf((await ada.get("/fund-requests?open=1")).text);
		expect(desk.indexOf("Tires")).toBeGreaterThan(0);
		expect(desk.indexOf("Tires")).toBeLessThan(desk.indexOf("More from this driver"));
	});

	it("is shown next to the list with everything needed to decide it, in one round trip", async () => {
		const receipts = [await insertReceipt(sql, 1, "dana"), await insertReceipt(sql, 11, "omar")];
		for (const number of [1, 2, 3, 4, 5, 6, 7])
			await insertRequest(sql, number, "dana", { description: `Number ${number}` });
		await insertRequest(sql, 8, "dana", {
			receipt_id: receipts[0] ?? "",
			description: "Twice",
			is_possible_duplicate: 1,
			amount_cents: 9000,
		});
		await insertRequest(sql, 9, "dana", { description: "Twice", amount_cents: 9000 });
		await insertRequest(sql, 10, "omar", { receipt_id: receipts[1] ?? "" });
		await ada.call("POST", `/api/fund-requests/${requestId(8)}/messages`, { text: "Which car?" });
		for (const name of ["FR-000008", "fr-8", "8", requestId(8)]) {
			const { text, headers } = await ada.get(`/fund-requests?type=gas&open=${name}`);
			expect(headers.get("Server-Timing"), name).toContain("1 trip,");
			expect(listed(text)).toHaveLength(10);
			const desk = deskOf(text);
			expect(text).toContain(
				`<a href="/drivers/${idOf("dana")}" class="font-semibold text-accent">`,
			);
			for (const words of [
				"FR-000008 · $90.00",
				"Dana Driver , Driver DRV-0001",
				"Possible duplicate",
				"Same receipt as FR-000010",
				"Repeats FR-000009",
				"Which car?",
				"Number 7",
				"Number 4",
				"Submitted by Dana Driver",
				"Approve $90.00...",
				"receipt-1.png (opens a new tab)",
			])
				expect(desk, name).toContain(words);
			expect(desk).not.toContain("Number 3");
			expect(text).toContain(`<img src="/api/receipts/${receipts[0]}"`);
			expect(hrefs(text)).toEqual(
				expect.arrayContaining([
					"/fund-requests?type=gas&open=FR-000007",
					"/fund-requests?type=gas&open=FR-000009",
					`/fund-requests?type=gas#request-${requestId(8)}`,
				]),
			);
		}
	});

	it("with an unknown number is replaced by a message above the list", async () => {
		await insertRequest(sql, 1, "dana");
		for (const [name, shownAs] of [
			["FR-000012", "FR-000012"],
			["<b>", "&lt;b&gt;"],
			[requestId(99), requestId(99)],
		]) {
			const { text, status } = await ada.get(
				`/fund-requests?open=${encodeURIComponent(name ?? "")}`,
			);
			expect(status).toBe(200);
			expect(text).toContain(`No request found for &quot;${shownAs}&quot;.`);
			expect(shown(text)).toEqual(["FR-000001"]);
		}
	});

	it("draws a PDF's pages only in the browser, and always links to it", async () => {
		const pdf = await insertReceipt(sql, 1, "dana", {
			media_type: "application/pdf",
			file_name: "invoice.pdf",
		});
		await insertRequest(sql, 1, "dana", { receipt_id: pdf });
		const { text } = await ada.get("/fund-requests?open=1");
		expect(text).toContain('data-island="receipt-pages"');
		expect(text).toContain(`<a href="/api/receipts/${pdf}" download="invoice.pdf"`);
		expect(text).not.toContain("<img");
	});
});

describe("a decision at the desk", () => {
	const PENDING = "/fund-requests?status=pending&order=oldest";

	it("needs one form, opens the next request, and can be undone in place", async () => {
		for (const number of [1, 2, 3, 4])
			await insertRequest(sql, number, number === 2 ? "ada" : "dana");
		const first = await ada.get(`${PENDING}&open=FR-000001`);
		const approve = formWith(first.text, "Approve $12.50");
		expect(approve.fields).toEqual({
			intent: "process",
			id: requestId(1),
			status: "approved",
			next: "FR-000003",
		});
		const answer = await ada.post(approve.action, approve.fields);
		const next = `${PENDING}&changed=1&undo=1&open=FR-000003`;
		expect([answer.status, answer.headers.get("Location")]).toEqual([303, next]);
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
		const second = await ada.get(next);
		expect(second.text).toContain("FR-000001 approved, $12.50.");
		expect(listed(second.text)).toEqual(["FR-000001", "FR-000002", "FR-000003", "FR-000004"]);
		const reject = formWith(second.text, "Receipt unreadable");
		const rejected = await ada.post(reject.action, { ...reject.fields, reason: "Duplicate" });
		const last = `${PENDING}&changed=1.3&undo=3&open=FR-000004`;
		expect(rejected.headers.get("Location")).toBe(last);
		const third = await ada.get(last);
		expect(third.text).toContain("FR-000003 rejected, $12.50.");
		expect([await statusOf(1), await statusOf(3)]).toEqual(["approved", "rejected"]);
		// Both were just decided, but the toast is only about the last one.
		expect(third.text).toContain("Recently decided by you (2)");
		const isUndo = ({ fields }: { fields: Record<string, string> }) =>
			fields.intent === "undo-changed";
		const less = formWith(third.text, "Approve $12.50");
		const refused = await ada.post(less.action, { ...less.fields, approvedAmount: "1" });
		expect([refused.status, formsIn(refused.text).filter(isUndo)]).toEqual([400, []]);
		const toast = formsIn(third.text).find(isUndo);
		const undone = await ada.post(toast?.action ?? "", toast?.fields ?? {});
		expect(undone.headers.get("Location")).toBe(`${PENDING}&changed=1.3&undo=3&open=FR-000003`);
		expect([await statusOf(1), await statusOf(3)]).toEqual(["approved", "pending"]);
		// The last request stays open once it is decided.
		for (const number of [3, 4]) {
			const form = formWith((await ada.get(`${PENDING}&open=${number}`)).text, "Approve $12.50");
			const done = await ada.post(form.action, form.fields);
			expect(done.headers.get("Location")).toContain("&open=FR-000004");
		}
		expect(deskOf((await ada.get(`${PENDING}&changed=4&open=4`)).text)).toContain(
			"FR-000004 was approved by Ada Admin",
		);
	});

	it("needs a confirmation for a flagged request, keeps what was typed, and never decides your own", async () => {
		await insertRequest(sql, 1, "dana", { amount_cents: 9000 });
		await insertRequest(sql, 2, "ada");
		const { text } = await ada.get("/fund-requests?open=1");
		const form = formWith(text, "Check this first:");
		expect(form.fields).toMatchObject({ status: "approved", approvedAmount: "90.00" });
		expect(
			formsIn(text).filter(({ fields }) => fields.status === "approved" && !fields.approvedAmount),
		).toEqual([]);
		const less = await ada.post(form.action, { ...form.fields, approvedAmount: "30" });
		expect(less.status).toBe(400);
		expect(less.text).toMatch(/<details [^>]*\bopen=""/);
		expect(formWith(less.text, "Check this first:").fields.approvedAmount).toBe("30");
		const fine = await ada.post(form.action, {
			...form.fields,
			approvedAmount: "30",
			adminNotes: "Only the fuel",
		});
		expect(fine.status).toBe(303);
		const own = await ada.get("/fund-requests?open=2");
		expect(deskOf(own.text)).toContain("This is your own request.");
		expect(formsIn(own.text).some(({ fields }) => fields.intent === "process")).toBe(false);
	});

	it("can be put off by a question, which keeps the request open", async () => {
		await insertRequest(sql, 1, "dana");
		const form = formWith(
			(await ada.get("/fund-requests?open=1")).text,
			"The driver gets an email",
		);
		const empty = await ada.post(form.action, { ...form.fields, text: " " });
		expect(empty.status).toBe(400);
		expect(formWith(empty.text, "The driver gets an email").html).toContain("Write a message");
		const asked = await ada.post(form.action, { ...form.fields, text: "Which car?" });
		expect(asked.headers.get("Location")).toBe("/fund-requests?changed=1&undo=1&open=FR-000001");
		expect(deskOf((await ada.get("/fund-requests?open=1")).text)).toContain("Question");
	});

	it("can be undone from your own list for ten minutes, and by no one else", async () => {
		await insertRequest(sql, 1, "dana");
		await ada.call("PUT", `/api/fund-requests/${requestId(1)}`, { status: "approved" });
		expect((await ben.get("/fund-requests")).text).not.toContain("Recently decided by you");
		const { text } = await ada.get("/fund-requests?type=other");
		expect(text).toContain("Recently decided by you (1)");
		const form = formWith(text, "your decision on FR-000001");
		expect((await ada.post(form.action, form.fields)).status).toBe(303);
		expect(await statusOf(1)).toBe("pending");
		await ada.call("PUT", `/api/fund-requests/${requestId(1)}`, { status: "approved" });
		await sql("update fund_requests set decided_at = decided_at - 600000");
		expect((await ada.get("/fund-requests")).text).not.toContain("Recently decided by you");
	});
});

describe("the filters", () => {
	const decided = { decided_at: 1, decided_by: idOf("ben") };

	it.each([
		[`driver=${idOf("omar")}`, [4, 5], "Omar Okafor (DRV-0002)"],
		[`startDate=${daysAgo(3)}&endDate=${daysAgo(1)}`, [2, 3], ""],
		[`startDate=${daysAgo(1)}&endDate=${daysAgo(3)}`, [2, 3], ""],
		[`endDate=${daysAgo(3)}`, [1, 2], ""],
		["startDate=2026-02-30", [1, 2, 3, 4, 5], ""],
		["question=asked", [1], "Question asked"],
		["question=answered", [3], "Question answered"],
		["flag=no-receipt", [1, 2, 3, 4, 5], "No receipt"],
		["flag=duplicate", [3], "Possible duplicate"],
		["payment=unpaid", [4], "Approved, not in a payout"],
		["payment=paid", [], "Paid"],
		[`driver=${idOf("dana")}&flag=no-receipt&amount=100%2B`, [2], "No receipt"],
		["order=largest", [2, 5, 4, 3, 1], ""],
		["order=smallest&status=pending", [1, 3, 2], ""],
		// No index has this order, newest first.
		["order=largest&type=gas", [5, 4, 3, 2, 1], ""],
	] as const)(
		"find '%s' with a chip for each filter, on screen and in the file",
		async (query, numbers, chip) => {
			const daysBefore = (days: number) => currentTime() - days * 86_400_000;
			await insertRequest(sql, 1, "dana", {
				amount_cents: 100,
				created_at: daysBefore(5),
				question: "asked",
			});
			await insertRequest(sql, 2, "dana", { amount_cents: 90_000, created_at: daysBefore(3) });
			await insertRequest(sql, 3, "dana", {
				amount_cents: 300,
				created_at: daysBefore(1),
				is_possible_duplicate: 1,
				question: "answered",
			});
			await insertRequest(sql, 4, "omar", { amount_cents: 400, status: "approved", ...decided });
			await insertRequest(sql, 5, "omar", { amount_cents: 500, status: "rejected", ...decided });
			const isOrdered = query.includes("order=");
			const path = `?${query}${isOrdered ? "" : "&order=oldest"}`;
			const names = numbers.map((number) => `FR-00000${number}`);
			const { text, headers } = await ada.get(`/fund-requests${path}`);
			expect(headers.get("Server-Timing")).toContain("1 trip,");
			expect(shown(text)).toEqual(names);
			const total = numbers.length === 1 ? "1 of 1 request ·" : `of ${numbers.length} requests ·`;
			if (numbers.length > 0) expect(text).toContain(total);
			else expect(text).not.toContain("of 0 requests");
			if (chip) expect(text).toContain(`>${chip}<span class="sr-only">: remove this filter</span>`);
			const file = await ada.get(`/fund-requests/export.csv${path}`);
			expect([...file.text.matchAll(/^"?(FR-\d+)/gm)].map(([, number]) => number)).toEqual(names);
		},
	);

	it("have chips that link to the list without them", async () => {
		const { text } = await ada.get("/fund-requests?status=pending&flag=no-receipt&order=oldest");
		expect(hrefs(text)).toEqual(
			expect.arrayContaining([
				"/fund-requests?flag=no-receipt&order=oldest",
				"/fund-requests?status=pending&order=oldest",
			]),
		);
	});

	it("have tabs for the statuses, which keep the other filters and say how many are pending", async () => {
		for (const number of [1, 2]) await insertRequest(sql, number, "dana", {});
		await insertRequest(sql, 3, "dana", { status: "rejected", ...decided });
		const tabs = async (query: string) => {
			const { text } = await ada.get(`/fund-requests${query}`);
			const nav = /<nav aria-label="Requests to show"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? "";
			return [/aria-current="page">([^<]*)</.exec(nav)?.[1], ...hrefs(nav)];
		};
		const paths = (rest: string) =>
			["pending", "approved", "rejected"].map((status) => `/fund-requests?status=${status}${rest}`);
		expect(await tabs("")).toEqual(["All", ...paths(""), "/fund-requests"]);
		for (const [status, words] of Object.entries({ pending: "Pending 2", rejected: "Rejected" }))
			expect(await tabs(`?status=${status}`)).toEqual([words, ...paths(""), "/fund-requests"]);
		// The number is that of the tab's list, which other filters shorten.
		expect(await tabs("?status=pending&type=gas&order=oldest&after=x")).toEqual([
			"Pending",
			...paths("&type=gas&order=oldest"),
			"/fund-requests?type=gas&order=oldest",
		]);
		// A tab says the status, so that no chip does.
		const { text } = await ada.get("/fund-requests?status=pending&type=gas");
		expect(
			[...text.matchAll(/>([^<]*)<span class="sr-only">: remove/g)].map(([, chip]) => chip),
		).toEqual(["Gas/Fuel"]);
	});

	it("come with the rows on the page and the total of all matches", async () => {
		const at = currentTime();
		for (let number = 1; number <= 103; number++)
			await insertRequest(sql, number, "dana", { created_at: at - number * 1000 });
		const seen: string[] = [];
		let path: string | undefined = "/fund-requests?type=gas";
		const step = async (word: string, from: string) => {
			const { text } = await ada.get(from);
			seen.push(/>([^<]*) of 103 requests · \$1,287\.50</.exec(text)?.[1] ?? text);
			return new RegExp(`href="([^"]*)">${word} page<`).exec(text)?.[1]?.replaceAll("&amp;", "&");
		};
		let last = path;
		while (path) {
			last = path;
			path = await step("Next", path);
		}
		const previous = await step("Previous", last);
		await step("Next", previous ?? "");
		expect(seen).toEqual(["1–50", "51–100", "101–103", "101–103", "51–100"]);
	});
});
