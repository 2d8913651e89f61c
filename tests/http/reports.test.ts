/**
 * The Reports & Analytics screen, what it and the API refuse, and how many reports may be generated
 * per minute (docs/product.md §2, §5, §7, 'Reports and exports').
 */
import { describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { waitForFreshMinute } from "../support/clock.ts";
import { textOf } from "../support/drivers.ts";
import { booksOf, expectedDrivers, plusDays } from "../support/expected-reports.ts";
import { daysAgo, describeDate, describePeriod } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { expectAgreement, money } from "../support/report-agreement.ts";
import { readCsv, readPdf, readXlsx } from "../support/report-files.ts";
import { insertBusyFleet, messageOf, reportsClient } from "../support/reports.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true, reportLimit: { limit: 1000, period: 60 } });
const sql = <Row = Record<string, unknown>>(query: string, ...values: unknown[]) =>
	fleet.sql<Row>(query, ...values);
const ada = await fleet.as("ada");
await insertBusyFleet(sql);
const { call, form, post, screenAfter } = reportsClient(ada);
const today = daysAgo(0);

describe("the screen", () => {
	it("shows its figures with the dates they cover, in one round trip", async () => {
		const answer = await ada.get("/reports");
		expect(answer.headers.get("Server-Timing")).toContain("1 trip,");
		const { entries } = await booksOf(sql);
		const within = (days: number) =>
			entries.filter(({ day }) => day >= daysAgo(days - 1) && day <= today);
		const sum = (list: typeof entries, is: (as: string) => boolean) =>
			list.filter(({ as }) => is(as)).reduce((all, { amount }) => all + amount, 0);
		const isFee = (as: string) => as.startsWith("uber");
		const spent = (days: number) => sum(within(days), (as) => as === "gas" || isFee(as));
		const [fuel, fees] = [sum(within(7), (as) => as === "gas"), sum(within(7), isFee)];
		const miles = sum(within(30), (as) => as === "miles");
		const perMile = Math.floor(sum(within(30), (as) => as === "gas") / miles + 0.5);
		const share = Math.floor((fuel / (fuel + fees)) * 100 + 0.5);
		const active = new Set(
			within(30)
				.filter(({ as }) => as === "miles")
				.map(({ driver }) => driver),
		).size;
		const text = answer.text.replace(/<[^>]+>/g, "|").replace(/\|+/g, "|");
		const window = (days: number) => describePeriod(daysAgo(days - 1), today);
		const first = entries.map(({ day }) => day).sort()[0] ?? today;
		const daysOfBooks = (Date.parse(today) - Date.parse(first)) / 86_400_000 + 1;
		const weeks = Math.min(12, Math.ceil(daysOfBooks / 7));
		for (const words of [
			`|Total Weekly Spend|${money(fuel + fees)}|${window(7)}|`,
			`|Total Miles|${miles.toLocaleString("en-US")}|${window(30)}|`,
			`|Avg Cost per Mile|${money(perMile)}|${perMile > 100 ? "Above target" : "Within target"}|Above target = over $1.00|${window(30)}|`,
			`|Fuel:Uber Ratio|${share}:${100 - share}|Target: 70:30|${window(7)}|`,
			`|Expense Breakdown|${window(7)}|Fuel Expenses|${money(fuel)}|Uber Fees|${money(fees)}|Total|${money(fuel + fees)}|`,
			`|Performance Trends|Total Miles|${window(30)}|${miles.toLocaleString("en-US")}|Active Drivers|At least one trip, ${window(30)}|${active}|`,
			`|Average Weekly Spend|${weeks} weeks, ${window(7 * weeks)}|${money(Math.floor(spent(7 * weeks) / weeks + 0.5))}|`,
			"|Weekly PDF Report|",
			"|Monthly CSV Export|",
			"|Driver Performance Excel|",
		])
			expect(text).toContain(words);
	});

	it("shows 0:0 and Within target for a fleet without activity", async () => {
		const other = await openFleet({ seed: "admin" });
		const { text } = await (await other.as("ada")).get("/reports");
		expect(text).toContain(">0:0<");
		expect(text).toContain("Within target");
	});

	it("offers the reports, ranges and formats of docs/product.md §2, and working quick actions", async () => {
		const { text } = await ada.get("/reports");
		const { html } = formWith(text, "Generate Report</button>");
		expect(
			[...html.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)</g)].map(([, value, label]) => [
				value,
				label,
			]),
		).toEqual([
			["weekly", "Weekly Summary"],
			["monthly", "Monthly Summary"],
			["driver", "Driver Breakdown"],
			["expense", "Expense Analysis"],
			["current_week", "Current Week"],
			["last_week", "Last Week"],
			["current_month", "Current Month"],
			["last_month", "Last Month"],
			["custom", "Custom Range"],
			["pdf", "PDF"],
			["csv", "CSV"],
			["excel", "Excel"],
			["letter", "US Letter"],
			["a4", "A4"],
		]);
		for (const [label, ending, title] of [
			["Weekly PDF Report", "pdf", "Weekly Summary"],
			["Monthly CSV Export", "csv", "Monthly Summary"],
			["Driver Performance Excel", "xlsx", "Driver Breakdown"],
		] as const) {
			const quick = formWith(text, label);
			const { status, headers, bytes } = await form(quick.action, quick.fields);
			expect(status).toBe(200);
			expect(headers.get("Content-Disposition")).toBe(
				`attachment; filename="fleet-report-${today}.${ending}"`,
			);
			const said =
				ending === "pdf"
					? (await readPdf(bytes)).text
					: ending === "csv"
						? readCsv(bytes).facts.flat()
						: (await readXlsx(bytes))[0]?.rows.flat();
			expect(said).toContain(title);
		}
	});
});

describe("generating a report", () => {
	const fields = {
		type: "weekly",
		format: "pdf",
		range: "custom",
		startDate: daysAgo(10),
		endDate: daysAgo(1),
		paper: "letter",
	};
	const cases: [Record<string, string>, string, string][] = [
		[
			{ startDate: daysAgo(1), endDate: daysAgo(2) },
			"startDate",
			"The start date must be on or before the end date",
		],
		[{ startDate: "" }, "startDate", "Select a start date"],
		[{ endDate: "" }, "endDate", "Select an end date"],
		[
			{ startDate: plusDays(today, -366), endDate: today },
			"endDate",
			"A report can cover up to 366 days",
		],
		[{ startDate: "2026-02-30" }, "startDate", "Enter a valid start date (YYYY-MM-DD)"],
		[{ endDate: "11/21/2026" }, "endDate", "Enter a valid end date (YYYY-MM-DD)"],
		[{ endDate: plusDays(today, 1) }, "endDate", "The end date can't be in the future"],
		[
			{ startDate: "1999-12-31", endDate: "2000-01-05" },
			"startDate",
			"Check the year of the start date",
		],
		[{ type: "yearly" }, "type", "Select a report type"],
		[{ format: "doc" }, "format", "Select PDF, CSV or Excel"],
		[{ range: "forever" }, "range", "Select a date range"],
		[{ paper: "a3" }, "paper", "Select US Letter or A4"],
	];

	it.each(cases)(
		"with %o through the API, as JSON or as a form, is 400 with %s",
		async (wrong, field, message) => {
			for (const answer of [
				await call({ ...fields, ...wrong }),
				await form("/api/reports/generate", { ...fields, ...wrong }),
			]) {
				expect(answer.status).toBe(400);
				expect(messageOf(answer)).toMatchObject({ message, fields: { [field]: [message] } });
			}
		},
	);

	it.each(cases)(
		"with %o on the screen shows the message and the form as typed",
		async (wrong, field, message) => {
			const typed: Record<string, string> = { ...fields, ...wrong };
			const text = await screenAfter("/reports/generate", typed);
			expect(text).toContain("Failed to generate report");
			expect(textOf(text)).toContain(message);
			expect(text).toMatch(
				new RegExp(`<(input|select)(?=[^>]*aria-invalid="true")[^>]*name="${field}"`),
			);
			const kept = formWith(text, "Generate Report</button>").fields;
			for (const name of ["startDate", "endDate"]) expect(kept[name]).toBe(typed[name]);
			if (field !== "format") expect(kept.format).toBe("pdf");
		},
	);

	it("lists all errors at once", async () => {
		const answer = await call({ type: "yearly", startDate: "", paper: "a3" });
		expect(answer.status).toBe(400);
		expect(messageOf(answer)).toEqual({
			message: "Select a report type",
			fields: {
				type: ["Select a report type"],
				format: ["Select PDF, CSV or Excel"],
				paper: ["Select US Letter or A4"],
				startDate: ["Select a start date"],
				endDate: ["Select an end date"],
			},
		});
	});

	it("accepts a leap year, one day and today", async () => {
		for (const [startDate, endDate, shown] of [
			[
				plusDays(today, -365),
				today,
				`${describeDate(plusDays(today, -365))} to ${describeDate(today)}`,
			],
			[today, today, describeDate(today)],
			["2024-02-29", "2024-02-29", "Feb 29, 2024"],
			[
				`${daysAgo(3)}T00:00:00.000Z`,
				`${today}T00:00:00Z`,
				`${describeDate(daysAgo(3))} to ${describeDate(today)}`,
			],
		] as const) {
			const { status, bytes } = await call({ type: "weekly", format: "csv", startDate, endDate });
			expect(status).toBe(200);
			expect(readCsv(bytes).facts).toContainEqual(["Period", shown]);
		}
	});

	it("shows no percentage of a zero total", async () => {
		const { bytes } = await call({
			type: "expense",
			format: "csv",
			startDate: "2001-01-01",
			endDate: "2001-01-07",
		});
		const lines = readCsv(bytes).sections.get("Fuel and Uber Fees") ?? [];
		expect(lines.slice(-3).map((line) => line.slice(0, 3))).toEqual([
			["Fuel", "0.00", ""],
			["Uber Fees", "0.00", ""],
			["Total Spend", "0.00", ""],
		]);
	});

	it("accepts form encoding, and excel by its file extension", async () => {
		const byForm = await form("/api/reports/generate", { ...fields, format: "xlsx" });
		expect(byForm.status).toBe(200);
		expect(byForm.headers.get("Content-Disposition")).toContain(".xlsx");
		expect((await readXlsx(byForm.bytes))[0]?.name).toBe("Report");
		expect((await post("/api/reports/generate", "type=weekly", "text/plain")).status).toBe(415);
	});

	it("refuses a PDF of more than 5,000 rows with a clear message, while the workbook has them", async () => {
		const many = Array.from(
			{ length: 18 },
			(_, each) => `80000000-0000-4000-8000-${String(each).padStart(12, "0")}`,
		);
		for (const [each, id] of many.entries())
			await sql(
				"insert into users (id, role, first_name, last_name, approval_status, driver_number, created_at) values (?, 'driver', 'Many', ?, 'approved', ?, 1)",
				id,
				`Rows${each}`,
				9000 + each,
			);
		await sql(
			`insert into uber_fees (id, driver_id, category, amount_cents, charged_on, added_by, created_at, payload_hash)
				with recursive day(number) as (select 0 union all select number + 1 from day where number < 299)
				select printf('90000000-0000-4000-8%03d-%012d', number, users.driver_number), users.id, 'other', 100, date(?, '-' || number || ' days'), ?, 1, 'x'
				from day, users where users.last_name like 'Rows%'`,
			today,
			idOf("ada"),
		);
		const wide = { type: "driver", startDate: daysAgo(299), endDate: today };
		const message =
			"A PDF can hold up to 5,000 rows, and this report has more. Choose Excel or CSV, or a shorter date range.";
		const refused = await call({ ...wide, format: "pdf" });
		expect(refused.status).toBe(400);
		expect(messageOf(refused)).toEqual({ message, fields: { format: [message] } });
		const onScreen = await screenAfter("/reports/generate", {
			...wide,
			range: "custom",
			format: "pdf",
		});
		expect(onScreen).toContain(message);
		const books = await booksOf(sql);
		await expectAgreement(
			(await call({ ...wide, format: "excel" })).bytes,
			"excel",
			expectedDrivers(books, daysAgo(299), today),
		);
		await sql("delete from uber_fees where id like '90000000%'");
		await sql("delete from block_totals where driver_id like '80000000%'");
		await sql("delete from users where last_name like 'Rows%'");
	});
});

describe("the limit", () => {
	it("is 30 a minute for each administrator, then 429 with Retry-After; another one goes on", async () => {
		const limited = await openFleet({ reportLimit: { limit: 3, period: 60 } });
		const one = await limited.as("ada");
		const body = { type: "weekly", format: "csv", range: "current_week" };
		await waitForFreshMinute();
		for (let each = 0; each < 3; each++)
			expect((await one.call("POST", "/api/reports/generate", body)).status).toBe(200);
		const refused = await one.call("POST", "/api/reports/generate", body);
		expect(refused.status).toBe(429);
		expect(refused.headers.get("Retry-After")).toBe("60");
		// The screen keeps the form as it was filled in.
		const custom = {
			...body,
			range: "custom",
			startDate: daysAgo(9),
			endDate: daysAgo(2),
			paper: "a4",
		};
		const { screenAfter } = reportsClient(one);
		const onScreen = await screenAfter("/reports/generate", custom);
		expect(onScreen).toContain("Too many reports in the last minute");
		expect(formWith(onScreen, "Generate Report</button>").fields).toMatchObject(custom);
		const log = await screenAfter("/reports/mileage-log", {
			driverId: idOf("dana"),
			year: "2024",
			format: "excel",
			paper: "a4",
		});
		expect(formWith(log, "Download Mileage Log").fields).toMatchObject({
			driverId: idOf("dana"),
			year: "2024",
			format: "excel",
		});
		expect(
			(await (await limited.as("ben")).call("POST", "/api/reports/generate", body)).status,
		).toBe(200);
	});

	it("is another for downloads, which don't count toward it", async () => {
		const limit = { limit: 2, period: 60 } as const;
		const limited = await openFleet({ reportLimit: limit, transferLimit: limit });
		const one = await limited.as("ada");
		await waitForFreshMinute();
		for (const path of ["/fund-requests/export.csv", "/mileage-reports/export.csv"])
			expect((await one.get(path)).status).toBe(200);
		const EXPORTS = [
			"/fund-requests/export.csv",
			"/mileage-reports/export.csv",
			"/payouts/00000000-0000-4000-8000-000000000001/export.csv",
			"/payouts/00000000-0000-4000-8000-000000000001.pdf",
			"/uber-fees/import/left-out.csv",
		];
		const statuses = EXPORTS.map(async (path) => (await one.get(path)).status);
		// An unknown payout generates nothing, so it isn't limited.
		expect(await Promise.all(statuses)).toEqual([429, 429, 429, 404, 429]);
		const report = { type: "weekly", format: "csv", range: "current_week" };
		expect((await one.call("POST", "/api/reports/generate", report)).status).toBe(200);
		const driver = await limited.as("dana");
		await waitForFreshMinute();
		for (let each = 0; each < 2; each++)
			expect((await driver.get("/history/export.csv")).status).toBe(200);
		const last = await driver.get("/history/export.csv");
		expect([last.status, last.headers.get("Retry-After")]).toEqual([429, "60"]);
	});
});
