/**
 * The export of Fund Request Management: its contents, that none of them is a formula, and who may
 * download it (docs/product.md §2, §4, 'Reports and exports').
 */
import Papa from "papaparse";
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { hrefs, shown } from "../support/fund-requests.ts";
import { insertReceipt, insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const today = daysAgo(0);

beforeEach(async () => {
	for (const table of ["fund_requests", "receipts", "mails"]) await sql(`delete from ${table}`);
});

describe("the export", () => {
	type Line = Record<string, string>;
	async function exported(query = "") {
		const answer = await ada.get(`/fund-requests/export.csv${query}`);
		expect(answer.status).toBe(200);
		return {
			...answer,
			lines: Papa.parse<Line>(answer.text, { header: true, skipEmptyLines: true }).data,
		};
	}

	it("is a CSV file with the right name, byte order mark, line endings and columns", async () => {
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
			spent_on: "2026-11-02",
		});
		const { headers, text, raw, lines } = await exported();
		expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
		expect(headers.get("Content-Disposition")).toBe(
			`attachment; filename="fund-requests-${today}.csv"`,
		);
		expect(headers.get("Server-Timing")).toContain("2 trips,");
		expect([...raw.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
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
				Asked: "1234.50",
				"Approved Amount": "1234.50",
				Question: "",
				"Spent On": "2026-11-02",
			},
		]);
	});

	it("contains no formula, whatever its text begins with, and leaves numbers as numbers", async () => {
		const hostile = [
			"=1+1",
			"=1+1\nnote",
			"+1",
			"-1+1",
			"@SUM(A1)",
			"|cmd",
			"＝1",
			"-5.00",
			"plain",
			"5 = 5",
		];
		for (const [position, description] of hostile.entries())
			await insertRequest(sql, position + 1, "dana", {
				description,
				receipt_name: position === 0 ? "=cmd.jpg" : null,
			});
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

	it("has every row that matches the filters, in the screen's order", async () => {
		const decided = { status: "approved", decided_at: 1, decided_by: idOf("ben") };
		for (let number = 1; number <= 120; number++)
			await insertRequest(sql, number, "dana", {
				amount_cents: number * 100,
				...(number % 3 === 0 ? decided : {}),
			});
		for (const query of [
			"?status=approved",
			"?status=pending&amount=50-100&order=oldest",
			"?type=other",
			"",
		]) {
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

	it("continues past the first batch of rows", async () => {
		await sql(`insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source, created_at, requested_on, payload_hash)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 5001)
			select printf('30000000-0000-4000-8000-%012d', i), i, '${idOf("dana")}', 'gas', 100, 'x', 'pending', 'seed', i / 3, '1969-12-31', 'x' from n`);
		const { lines } = await exported();
		expect(lines).toHaveLength(5001);
		expect(new Set(lines.map((line) => line["Request ID"])).size).toBe(5001);
	});

	it("is refused with a readable page, and sends visitors to sign-in", async () => {
		const visitor = await fleet.client().get("/fund-requests/export.csv?status=pending");
		expect([visitor.status, visitor.headers.get("Content-Type")]).toEqual([
			401,
			"text/html; charset=utf-8",
		]);
		expect(visitor.headers.get("Refresh")).toBe(
			"1; url=/api/login?returnTo=%2Ffund-requests%2Fexport.csv%3Fstatus%3Dpending",
		);
		expect(visitor.text).toContain("You are logged out. Logging in again...");
		const driver = await (await fleet.as("dana")).get("/fund-requests/export.csv");
		expect([driver.status, driver.headers.get("Content-Disposition")]).toEqual([403, null]);
		expect(driver.text).toContain("Admin access required");
		await sql("alter table fund_requests rename to hidden");
		const down = await ada.get("/fund-requests/export.csv", { mayFail: true });
		await sql("alter table hidden rename to fund_requests");
		expect([down.status, down.headers.get("Content-Type")]).toEqual([
			503,
			"text/html; charset=utf-8",
		]);
		expect(down.text).toContain("reach its database");
		expect(fleet.takeErrors()).toHaveLength(1);
	});

	it("has only a header when there are no rows", async () => {
		expect((await exported()).text).toMatch(
			/^Request ID,.*,Decided at,Asked,Approved Amount,Question,Spent On\r\n$/,
		);
	});
});
