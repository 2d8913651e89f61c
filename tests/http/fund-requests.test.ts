/**
 * The Fund Request Management screen without JavaScript: its rows, filters, pages, receipts and
 * request history (docs/product.md §2, §4, 'Fund requests and receipts').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { formWith, rowButtonsIn } from "../support/forms.ts";
import { decide, hrefs, rowOf, shown } from "../support/fund-requests.ts";
import { plain } from "../support/mileage-reports.ts";
import { insertApproved } from "../support/payouts.ts";
import { insertReceipt, insertRequest, requestId } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const ben = await fleet.as("ben");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);

beforeEach(async () => {
	for (const table of ["fund_requests", "receipts", "mails"]) await sql(`delete from ${table}`);
});

describe("the screen", () => {
	it("says when there are no requests", async () => {
		const { text, status } = await ada.get("/fund-requests");
		expect(status).toBe(200);
		expect(text).toContain(">Fund Request Management</h1>");
		expect(text).toContain("No fund requests found");
		expect(text).toMatch(/<button[^>]*disabled=""[^>]*>Bulk Approve \(0\)<\/button>/);
		expect(text).toMatch(/<input[^>]*type="checkbox"[^>]*disabled=""[^>]*\/>\s*Select all/);
	});

	it("shows each request with its driver, in one round trip", async () => {
		await insertRequest(sql, 1, "dana", {
			amount_cents: 123_450,
			type: "maintenance",
			description: "Two front tires",
			created_at: Date.UTC(2026, 10, 21, 4, 59),
		});
		await insertRequest(sql, 2, "lena", { status: "withdrawn", withdrawn_at: 1, amount_cents: 5 });
		const { text, headers } = await ada.get("/fund-requests");
		expect(headers.get("Server-Timing")).toContain("1 trip,");
		expect(shown(text)).toEqual(["FR-000002", "FR-000001"]);
		const row = rowOf(text, requestId(1));
		// 04:59 UTC is still the day before in New York.
		for (const words of [
			">Driver DRV-0001<",
			"Dana Driver",
			">Maintenance<",
			">Two front tires<",
			"$1,234.50",
			">Pending<",
		])
			expect(row).toContain(words);
		expect(plain(row).replace("|, ", ", ")).toContain("|Nov 20, 2026|");
		expect(rowOf(text, requestId(2))).toContain("Łena Nguyễn");
		expect(rowOf(text, requestId(2))).toContain(">Withdrawn<");
		expect(rowOf(text, requestId(2))).toContain("Processed");
		expect(text).toContain("1–2 of 2 requests · $1,234.55");
	});

	it("shows the payment of what is approved in a column of its own", async () => {
		await insertRequest(sql, 1, "dana", {});
		await insertApproved(sql, 2, "dana", 12_50);
		const { text } = await ada.get("/fund-requests");
		expect(text).toMatch(/Status<\/th><th[^>]*>Payment<\/th><th[^>]*>Actions</);
		expect(rowOf(text, requestId(1))).not.toContain("Unpaid");
		expect(plain(rowOf(text, requestId(2)))).toContain("|Unpaid|Processed");
	});

	it("flags requests that need a closer look", async () => {
		const [first, second, pdf] = [
			await insertReceipt(sql, 1, "dana", { sha256: "a".repeat(64) }),
			await insertReceipt(sql, 2, "omar", { sha256: "a".repeat(64) }),
			await insertReceipt(sql, 3, "omar", { sha256: "b".repeat(64) }),
		];
		await insertRequest(sql, 1, "dana", {
			receipt_id: first,
			amount_cents: 7501,
			is_possible_duplicate: 1,
		});
		await insertRequest(sql, 2, "omar", { receipt_id: second });
		await insertRequest(sql, 3, "omar", { receipt_id: pdf });
		await insertRequest(sql, 4, "omar", { amount_cents: 7501 });
		await insertRequest(sql, 5, "omar", { amount_cents: 7500 });
		await insertRequest(sql, 6, "omar", { receipt_name: "<from the old client>.jpg" });
		const { text } = await ada.get("/fund-requests?type=gas");
		const flagsOf = (number: number) => {
			const row = rowOf(text, requestId(number));
			return ["Possible duplicate", "Same receipt as", "No receipt"].filter((flag) =>
				row.includes(flag),
			);
		};
		expect([1, 2, 3, 4, 5, 6].map(flagsOf)).toEqual([
			["Possible duplicate", "Same receipt as"],
			["Same receipt as"],
			[],
			["No receipt"],
			[],
			[],
		]);
		// The number is in an element of its own, so that no line ends within it.
		const flagged = rowOf(text, requestId(1)).replaceAll(/<[^>]+>/g, "");
		expect(flagged).toContain("Same receipt as FR-000002");
		const link = hrefs(rowOf(text, requestId(1))).find((href) => href.includes("FR-000002"));
		expect(link).toBe("/fund-requests?type=gas&open=FR-000002");
		expect((await ada.get(link ?? "")).text).toContain('id="opened"');
		expect(
			[1, 4, 6].map((number) => rowOf(text, requestId(number)).includes('name="receipt"')),
		).toEqual([true, false, true]);
		expect((await ada.get(`/fund-requests?dialog=receipt&id=${requestId(6)}`)).text).toContain(
			"&lt;from the old client&gt;.jpg was named, but no file was sent.",
		);
		expect((await ada.get("/fund-requests?open=FR-000006")).text).toContain(
			"&lt;from the old client&gt;.jpg was named, but no file was sent.",
		);
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
		await insertRequest(sql, 4, "omar", {
			amount_cents: 10_000,
			type: "maintenance",
			status: "approved",
			...decided,
		});
		await insertRequest(sql, 5, "omar", {
			amount_cents: 10_001,
			type: "gas",
			status: "rejected",
			...decided,
		});
		await insertRequest(sql, 6, "omar", {
			amount_cents: 10_000_000,
			type: "other",
			status: "withdrawn",
			withdrawn_at: 1,
		});
		const names = numbers.map((number) => `FR-00000${number}`);
		const separator = query ? "&" : "?";
		expect(shown((await ada.get(`/fund-requests${query}${separator}order=oldest`)).text)).toEqual(
			names,
		);
		expect(shown((await ada.get(`/fund-requests${query}`)).text)).toEqual(names.toReversed());
	});

	it.each([
		["startDate=0001-01-01&endDate=9999-12-31", ["FR-000001"]],
		["startDate=9999-12-31", []],
		["endDate=0001-01-01", []],
	])("takes any date of the calendar: %s", async (dates, names) => {
		await insertRequest(sql, 1, "dana");
		expect(shown((await ada.get(`/fund-requests?${dates}`)).text)).toEqual(names);
		const file = await ada.get(`/fund-requests/export.csv?${dates}`);
		expect([file.status, file.text.match(/FR-\d+/g) ?? []]).toEqual([200, names]);
	});

	it("keeps the chosen filters in its form and in every link", async () => {
		await insertRequest(sql, 1, "dana", { amount_cents: 20_000 });
		const { text } = await ada.get(
			"/fund-requests?status=pending&type=gas&amount=100%2B&order=oldest",
		);
		expect(formWith(text, ">Apply</button>").fields).toEqual({
			status: "pending",
			type: "gas",
			amount: "100+",
			order: "oldest",
			driver: "all",
			startDate: "",
			endDate: "",
			question: "all",
			flag: "all",
			payment: "all",
		});
		const kept = "status=pending&type=gas&amount=100%2B&order=oldest";
		expect(hrefs(rowOf(text, requestId(1)))).toEqual([
			`/fund-requests?${kept}&open=FR-000001`,
			`/drivers/${idOf("dana")}`,
		]);
		expect(rowButtonsIn(text).map(({ address }) => address)).toEqual(
			["approve", "reject"].map((dialog) => `/fund-requests?${kept}&${dialog}=${requestId(1)}`),
		);
		expect(hrefs(text)).toContain(`/fund-requests/export.csv?${kept}`);
		expect(new URLSearchParams(formWith(text, "Bulk Approve").fields).toString()).toBe(
			`${kept}&dialog=bulk`,
		);
	});

	it("shows 50 per page, and every request on exactly one page, in either order", async () => {
		// Several requests share a timestamp, so the id has to break the tie.
		const at = currentTime();
		for (let number = 1; number <= 103; number++)
			await insertRequest(sql, number, "dana", { created_at: at - Math.floor(number / 7) });
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
		const second =
			/href="([^"]+)"[^>]*>Next page</
				.exec((await ada.get("/fund-requests")).text)?.[1]
				?.replaceAll("&amp;", "&") ?? "";
		expect((await ada.get(second)).text).toContain('href="/fund-requests">First page<');
		// An invalid cursor starts from the beginning.
		expect(shown((await ada.get("/fund-requests?after=1.x")).text)).toHaveLength(50);
	});
});

describe("the other dialogs", () => {
	it("shows an image, downloads a PDF, and opens nothing when only a file name is known", async () => {
		const image = await insertReceipt(sql, 1, "dana");
		const pdf = await insertReceipt(sql, 2, "dana", {
			media_type: "application/pdf",
			file_name: "bill <1>.pdf",
		});
		await insertRequest(sql, 1, "dana", { receipt_id: image });
		await insertRequest(sql, 2, "dana", { receipt_id: pdf });
		await insertRequest(sql, 3, "dana", { receipt_name: "name-only.jpg" });
		const dialog = async (number: number) =>
			/<dialog open=""[^>]*data-modal[\s\S]*?<\/dialog>/.exec(
				(await ada.get(`/fund-requests?status=pending&dialog=receipt&id=${requestId(number)}`))
					.text,
			)?.[0] ?? "";
		expect(await dialog(1)).toContain(">Receipt</h2>");
		expect(await dialog(1)).toContain(
			`<img src="/api/receipts/${image}" alt="Receipt of FR-000001"`,
		);
		expect(await dialog(2)).toContain(`href="/api/receipts/${pdf}" download="bill &lt;1&gt;.pdf"`);
		expect(await dialog(2)).not.toContain("<img");
		expect(await dialog(3)).toContain("name-only.jpg");
		expect(await dialog(3)).not.toContain("/api/receipts/");
		expect(await dialog(1)).toContain(
			`method="get" action="/fund-requests#request-${requestId(1)}"><input type="hidden" name="status" value="pending"/>`,
		);
	});

	it("shows a request's history, each note with its decision", async () => {
		// A number that no other test uses, because audit entries stay.
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
			expect.stringMatching(/^\|Rejected by Ada Admin\|.*\|Note: \|Wrong &lt;month&gt;\|$/),
			expect.stringMatching(/^\|Decision undone by Ada Admin\|/),
			expect.stringMatching(/^\|Approved by Ben Backup\|[^|]+\|$/),
		]);
		for (const nonsense of [
			"dialog=timeline",
			"dialog=timeline&id=x",
			"dialog=delete&id=x",
			`dialog=approve&id=${requestId(99)}`,
		])
			expect((await ada.get(`/fund-requests?${nonsense}`)).text).not.toContain("data-modal");
	});
});
