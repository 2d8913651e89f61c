/**
 * History & Reports and its export, compared with a separate calculation over the rows
 * (docs/product.md §2, §9, 'Numbers, money and dates', 'Reports and exports').
 */
import Papa from "papaparse";
import { beforeEach, describe, expect, it } from "vitest";
import { type CastName, idOf } from "../support/cast.ts";
import { dayOf, daysAgo, describeDate, describePeriod, midnight } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { insertLog } from "../support/mileage.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const dana = await fleet.as("dana");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);

beforeEach(async () => {
	for (const table of ["fund_requests", "mileage_logs"]) await sql(`delete from ${table}`);
});

const decided = (status: string) => ({ status, decided_at: 1, decided_by: idOf("ada") });
const voided = { voided_at: 1, voided_by: idOf("dana") };

/** The table's rows: the link of each, and its cells. */
const linesIn = (html: string) =>
	[...html.matchAll(/<tr id="(?:mileage|request)-[^"]+"[^>]*>([\s\S]*?)<\/tr>/g)].map(
		([, row = ""]) =>
			[...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) =>
				cell.replace(/<[^>]+>/g, ""),
			),
	);
const nextOf = (html: string) =>
	/href="([^"]+)"[^>]*>Next page</.exec(html)?.[1]?.replaceAll("&amp;", "&");
const exportOf = (html: string) =>
	/href="([^"]+)"[^>]*>Export CSV</.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";

/** Follows a filter through all its pages. */
async function pagesOf(query: string): Promise<string[][][]> {
	const pages: string[][][] = [];
	for (let path: string | undefined = `/history${query}`; path; ) {
		const { text, headers }: { text: string; headers: Headers } = await dana.get(path);
		expect(headers.get("Server-Timing"), path).toContain("1 trip,");
		pages.push(linesIn(text));
		path = nextOf(text);
	}
	return pages;
}

type Line = Record<"Date" | "Type" | "Description" | "Amount/Miles" | "Status", string>;
async function exported(path: string) {
	const answer = await dana.get(path);
	expect(answer.status).toBe(200);
	return {
		...answer,
		lines: Papa.parse<Line>(answer.text, { header: true, skipEmptyLines: true }).data,
	};
}

type LogRow = { driven_on: string; end_miles: number; miles: number; voided_at: number | null };
type RequestRow = { created_at: number; amount_cents: number; type: string; status: string };
/** What the screen must show, calculated from all rows. */
async function expected(
	owner: CastName,
	days: number,
	type: "all" | "mileage" | "requests",
): Promise<string[][]> {
	const isIn = (day: string) => day >= daysAgo(days - 1) && day <= daysAgo(0);
	const logs = await fleet.sql<LogRow>(
		"select * from mileage_logs where driver_id = ?",
		idOf(owner),
	);
	const requests = await fleet.sql<RequestRow>(
		"select * from fund_requests where driver_id = ?",
		idOf(owner),
	);
	const shown = [
		...(type === "mileage" ? [] : requests).map((row) => ({
			day: dayOf(row.created_at),
			rank: 1,
			within: row.created_at,
			cells: [
				"Fund Request",
				`${row.type} request`,
				(row.amount_cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" }),
				row.status.replace(/^./, (letter) => letter.toUpperCase()),
			],
		})),
		...(type === "requests" ? [] : logs).map((row) => ({
			day: row.driven_on,
			rank: 0,
			within: row.end_miles,
			cells: [
				"Mileage Log",
				"Daily route logging",
				`${row.miles.toLocaleString("en-US")} miles`,
				row.voided_at === null ? "Logged" : "Voided",
			],
		})),
	];
	return shown
		.filter(({ day }) => isIn(day))
		.sort((a, b) =>
			a.day === b.day ? b.rank - a.rank || b.within - a.within : a.day < b.day ? 1 : -1,
		)
		.map(({ day, cells }) => [describeDate(day), ...cells]);
}

const WINDOWS = [
	["week", 7],
	["month", 30],
	["quarter", 90],
] as const;

/**
 * Inserts a row on either side of every edge of every window, in both lists, and another driver's
 * rows.
 */
async function insertEdgeRows(): Promise<number> {
	let number = 0;
	for (const [, days] of WINDOWS)
		for (const owner of ["dana", "omar"] as const) {
			const first = midnight(daysAgo(days - 1));
			for (const created_at of [first - 1, first]) {
				number += 1;
				await insertRequest(sql, number, owner, {
					created_at,
					amount_cents: 100_000 + number,
					type: "maintenance",
				});
			}
			for (const back of [days, days - 1]) {
				number += 1;
				await insertLog(sql, number, owner, daysAgo(back), 1000 + number);
			}
		}
	const end = midnight(daysAgo(-1));
	for (const [created_at, more] of [
		[end - 1, decided("approved")],
		[end - 2, decided("rejected")],
		[end - 3, { status: "withdrawn", withdrawn_at: 1 }],
		[end, {}],
	] as const) {
		number += 1;
		await insertRequest(sql, number, "dana", {
			created_at,
			amount_cents: number,
			type: "other",
			...more,
		});
	}
	for (const [back, more] of [
		[0, {}],
		[0, voided],
		[-1, {}],
	] as const) {
		number += 1;
		await insertLog(sql, number, "dana", daysAgo(back), number, more);
	}
	return number;
}

describe("the screen", () => {
	it("says when there is nothing, with filters defaulting to this month and all activity", async () => {
		const { text, status, headers } = await dana.get("/history");
		expect(status).toBe(200);
		expect(headers.get("Server-Timing")).toContain("1 trip,");
		expect(text).toContain(">History &amp; Reports</h1>");
		expect(text).toContain("No activity found for the selected filters");
		expect(text.slice(0, text.indexOf("No activity found"))).not.toContain("0 trips");
		const form = formWith(text, ">Apply</button>");
		expect([form.action, form.fields]).toEqual(["/history", { range: "month", type: "all" }]);
		const options = [...form.html.matchAll(/<option value="(\w+)"[^>]*>([^<]+)</g)].map(
			([, value, words]) => `${value} ${words}`,
		);
		expect(options).toEqual([
			"week This Week",
			"month This Month",
			"quarter This Quarter",
			"all All Activity",
			"mileage Mileage Logs",
			"requests Fund Requests",
		]);
		expect(form.html).toMatch(/<button[^>]*disabled=""[^>]*>Filter Applied<\/button>/);
		expect(text).toContain('aria-current="page"');
	});

	it("shows exactly what is within each window, to the day and the millisecond", async () => {
		await insertEdgeRows();
		for (const [range, days] of WINDOWS)
			for (const type of ["all", "mileage", "requests"] as const) {
				const query = `?range=${range}&type=${type}`;
				const lines = await expected("dana", days, type);
				expect(lines.length, query).toBeGreaterThan(2);
				expect((await pagesOf(query)).flat(), query).toEqual(lines);
				const { text } = await dana.get(`/history${query}`);
				expect(text).toContain(describePeriod(daysAgo(days - 1), daysAgo(0)));
				expect(formWith(text, ">Apply</button>").fields).toEqual({ range, type });
			}
		const week = (await pagesOf("?range=week")).flat();
		// From each list the row on the first day, plus today's three requests and two trips.
		expect(week).toHaveLength(2 + 3 + 2);
		expect(new Set(week.map((cells) => cells[4]))).toEqual(
			new Set(["Approved", "Rejected", "Withdrawn", "Pending", "Logged", "Voided"]),
		);
	});

	it("falls back to the default for an invalid URL", async () => {
		await insertEdgeRows();
		const lines = linesIn((await dana.get("/history")).text);
		for (const query of [
			"?range=year&type=gas",
			"?range=&type=",
			"?after=x",
			"?after=request_1_y&range=__proto__",
			"?after=mileage_2026-02-30_1_2",
		])
			expect(linesIn((await dana.get(`/history${query}`)).text), query).toEqual(lines);
	});

	it("shows everything once across pages, even when a page ends within one day or one millisecond", async () => {
		// 40 requests and 40 trips on one day, 20 of the requests with one timestamp, and days with
		// entries in one list only.
		const noon = midnight(daysAgo(3)) + 43_200_000;
		for (let number = 1; number <= 40; number++) {
			await insertRequest(sql, number, "dana", {
				created_at: noon + Math.max(0, number - 20),
				amount_cents: number,
			});
			await insertLog(sql, number, "dana", daysAgo(3), number);
		}
		for (let number = 41; number <= 60; number++) {
			await insertRequest(sql, number, "dana", {
				created_at: midnight(daysAgo(number - 40)) + number,
				amount_cents: number,
			});
			await insertLog(sql, number, "dana", daysAgo(number - 36), number);
		}
		for (const [query, count] of [
			["?range=quarter", 120],
			["?type=mileage", 60],
			["?type=requests", 60],
		] as const) {
			const pages = await pagesOf(query);
			expect(pages.map(({ length }) => length).slice(0, -1), query).toEqual(
				new Array(Math.ceil(count / 60) - 1).fill(60),
			);
			const lines = pages.flat();
			expect(lines).toHaveLength(count);
			const names = lines.map((cells) => `${cells[1]} ${cells[3]}`);
			expect(new Set(names).size).toBe(count);
			const days = lines.map(([day = ""]) => Date.parse(day));
			expect(days).toEqual(days.toSorted((a, b) => b - a));
		}
		const { text } = await dana.get(nextOf((await dana.get("/history?range=quarter")).text) ?? "");
		expect(text).toContain('href="/history?range=quarter"');
		expect(exportOf(text)).toBe("/history/export.csv?range=quarter");
	});

	it("has no next page when the last one is full", async () => {
		for (let number = 1; number <= 60; number++) await insertRequest(sql, number, "dana");
		expect(await pagesOf("")).toHaveLength(1);
		await insertLog(sql, 1, "dana", daysAgo(1), 5);
		expect((await pagesOf("")).map(({ length }) => length)).toEqual([60, 1]);
	});
});

/** The figures on a screen: label and value. */
const figuresIn = (html: string) =>
	[
		...html.matchAll(
			/<dt[^>]*>([^<]+)<\/dt><dd[^>]*><span[^>]*>([^<]+)<\/span><span[^>]*>([^<]+)</g,
		),
	].map(([, ...words]) => words.join(" "));

describe("the totals", () => {
	it("cover the whole window on every page, by type, and the year so far", async () => {
		for (let number = 1; number <= 61; number++)
			await insertLog(sql, number, "dana", daysAgo(number % 7), 10 + number);
		await insertLog(sql, 62, "dana", daysAgo(1), 500, voided);
		await insertLog(sql, 63, "dana", daysAgo(400), 900);
		await insertRequest(sql, 1, "dana", { amount_cents: 4000, ...decided("approved") });
		await insertRequest(sql, 2, "dana", { amount_cents: 9999, ...decided("rejected") });
		await insertRequest(sql, 3, "dana", { amount_cents: 1250 });
		await insertRequest(sql, 4, "omar", { amount_cents: 7777 });
		const miles = "Miles 2,501 61 trips";
		const dollars = ["Approved $40.00 1 request", "Pending $12.50 1 request"];
		const { text } = await dana.get("/history?range=week");
		expect(figuresIn(text).slice(0, 3)).toEqual([miles, ...dollars]);
		const next = await dana.get(nextOf(text) ?? "");
		expect(figuresIn(next.text).slice(0, 3)).toEqual([miles, ...dollars]);
		expect(next.headers.get("Server-Timing")).toContain("1 trip,");
		const only = async (type: string, count: number) =>
			figuresIn((await dana.get(`/history?range=week&type=${type}`)).text).slice(0, count);
		expect(await only("mileage", 1)).toEqual([miles]);
		expect(await only("requests", 2)).toEqual(dollars);
		const year = figuresIn(text).slice(5);
		expect(year.at(-1)).toMatch(/^Uber fees \$\d/);
		expect(year.map((words) => words.split(" ")[0])).toEqual([
			"Miles",
			"Approved",
			"Pending",
			"Uber",
		]);
	});
});

describe("an opened entry", () => {
	it("shows the driver's own trip or request over its page", async () => {
		await insertLog(sql, 1, "dana", daysAgo(1), 75, { notes: "Past the lake" });
		await insertRequest(sql, 1, "dana", { description: "Two quarts of oil" });
		const { text } = await dana.get("/history?range=week");
		const links = [...text.matchAll(/href="([^"]*open=[^"]+)"/g)].map(([, link = ""]) =>
			link.replaceAll("&amp;", "&"),
		);
		expect(links).toHaveLength(2);
		for (const link of links) {
			expect(link).toMatch(/^\/history\?range=week&open=(mileage|request)-/);
			const opened = await dana.get(link);
			const words = link.includes("open=mileage") ? "Past the lake" : "Two quarts of oil";
			expect(opened.text).toContain(words);
			expect(opened.text).toContain("<dialog open");
			expect(opened.headers.get("Server-Timing")).toContain("1 trip,");
			// Another driver's entry is treated like one that doesn't exist.
			const foreign = await (await fleet.as("omar")).get(link);
			expect(foreign.status).toBe(200);
			expect(foreign.text).not.toContain("<dialog");
		}
		for (const open of ["mileage-x", "payout-1", "request-", "nonsense"])
			expect((await dana.get(`/history?open=${open}`)).text).not.toContain("<dialog");
	});
});

describe("the export", () => {
	it("has what the screen shows on all its pages, with numbers left as numbers", async () => {
		const made = await insertEdgeRows();
		for (let number = made + 1; number <= made + 60; number++)
			await insertRequest(sql, number, "dana", { amount_cents: number });
		for (const query of [
			"",
			"?range=week",
			"?range=quarter&type=mileage",
			"?type=requests",
			"?range=nonsense",
		]) {
			const onScreen = (await pagesOf(query)).flat();
			const path = exportOf((await dana.get(`/history${query}`)).text);
			const { lines } = await exported(path);
			expect(lines.length, query).toBeGreaterThan(0);
			const asShown = lines.map((line) => [
				describeDate(line.Date),
				line.Type,
				line.Description,
				line.Type === "Mileage Log"
					? `${Number(line["Amount/Miles"]).toLocaleString("en-US")} miles`
					: Number(line["Amount/Miles"]).toLocaleString("en-US", {
							style: "currency",
							currency: "USD",
						}),
				line.Status,
			]);
			expect(asShown, query).toEqual(onScreen);
		}
	});

	it("is a CSV file with the right name, byte order mark, line endings and columns, in two round trips", async () => {
		await insertRequest(sql, 1, "dana", {
			amount_cents: 123_450,
			created_at: midnight(daysAgo(1)),
			description: "=1+1",
			spent_on: daysAgo(9),
		});
		await insertLog(sql, 1, "dana", daysAgo(1), 1250, {
			notes: "=cmd",
			purpose: "=airport",
			personal_miles: 50,
		});
		const { headers, text } = await exported("/history/export.csv");
		expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
		expect(headers.get("Content-Disposition")).toBe(
			`attachment; filename="history-${daysAgo(0)}.csv"`,
		);
		expect(headers.get("Server-Timing")).toContain("2 trips,");
		// Its only text written by the driver is the purpose, which no spreadsheet runs.
		expect(text).toBe(
			[
				"Date,Type,Description,Amount/Miles,Status,Asked,Purpose,Personal Miles,Spent On",
				`${daysAgo(1)},Fund Request,gas request,1234.50,Pending,1234.50,,,${daysAgo(9)}`,
				`${daysAgo(1)},Mileage Log,Daily route logging,1250,Logged,,"'=airport",50,`,
				"",
			].join("\r\n"),
		);
	});

	it("has only a header when there are no rows", async () => {
		expect((await exported("/history/export.csv?after=request_1_x")).text).toMatch(
			/^Date,Type,Description,Amount\/Miles,Status,Asked,Purpose,Personal Miles,Spent On\r\n$/,
		);
	});

	it("continues past the first batch of rows, and ignores the cursor", async () => {
		await sql(`insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source, created_at, requested_on, payload_hash)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 2600)
			select printf('30000000-0000-4000-8000-%012d', i), i, '${idOf("dana")}', 'gas', i, 'x', 'pending', 'seed', ${midnight(daysAgo(9))} + i / 3, '${daysAgo(9)}', 'x' from n`);
		await sql(`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 2600)
			select printf('40000000-0000-4000-8000-%012d', i), '${idOf("dana")}', '${daysAgo(9)}', i, i * 2, 'seed', i, 'x' from n`);
		const { text } = await dana.get("/history");
		const cursor = nextOf(text)?.replace("/history", "") ?? "";
		expect(cursor).toContain("after=request_");
		const { lines } = await exported(`/history/export.csv${cursor}`);
		expect(lines).toHaveLength(5200);
		expect(new Set(lines.map((line) => `${line.Type} ${line["Amount/Miles"]}`)).size).toBe(5200);
		expect(lines.slice(0, 2600).every(({ Type }) => Type === "Fund Request")).toBe(true);
	});

	it("is refused with a readable page, and sends visitors to sign-in", async () => {
		const visitor = await fleet.client().get("/history/export.csv?range=week");
		expect([visitor.status, visitor.headers.get("Content-Type")]).toEqual([
			401,
			"text/html; charset=utf-8",
		]);
		expect(visitor.headers.get("Refresh")).toBe(
			"1; url=/api/login?returnTo=%2Fhistory%2Fexport.csv%3Frange%3Dweek",
		);
		const admin = await (await fleet.as("ada")).get("/history/export.csv");
		expect([admin.status, admin.headers.get("Content-Disposition")]).toEqual([403, null]);
		expect(admin.text).toContain("You don't have access to this.");
		const gated = await (await fleet.as("nora")).get("/history/export.csv");
		expect([gated.status, gated.headers.get("Content-Disposition")]).toEqual([403, null]);
	});
});
