/**
 * Mileage Reports & Analytics and its export, compared with a separate calculation over the rows:
 * each window, each driver, large fleets (docs/product.md §2, §4, §9, 'Numbers, money and dates').
 */
import Papa from "papaparse";
import { beforeEach, describe, expect, it } from "vitest";
import { ROWS_READ } from "../support/budgets.ts";
import { CAST, type CastName, idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { textOf } from "../support/drivers.ts";
import {
	expectedCards,
	expectedRows,
	firstDayOf,
	money,
} from "../support/expected-mileage-reports.ts";
import { daysAgo, describePeriod } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { insertLog } from "../support/mileage.ts";
import {
	cards,
	decided,
	insertEdgeRows,
	insertManyDrivers,
	linkTo,
	MANY,
	nextOf,
	table,
} from "../support/mileage-reports.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const sql = <Row = Record<string, unknown>>(query: string, ...values: unknown[]) =>
	fleet.sql<Row>(query, ...values);
const PERFORMANCE = "Driver Performance Analysis";

beforeEach(async () => {
	for (const table of ["fund_requests", "mileage_logs"]) await sql(`delete from ${table}`);
	await sql(`delete from users where id like '${MANY}%'`);
});

describe("the report", () => {
	it("says when there is nothing, with filters defaulting to all drivers and this month", async () => {
		const { text, status, headers } = await ada.get("/mileage-reports");
		expect(status).toBe(200);
		expect(costOf({ headers }).trips).toBe(1);
		expect(text).toContain(">Mileage Reports &amp; Analytics</h1>");
		expect(text).toContain("No mileage data found for the selected filters");
		expect(text).toContain(">Fleet Insights</h2>");
		expect(text).toContain("4 drivers have no miles and aren&#x27;t rated.");
		expect(text).toContain("No recommendations for this period");
		expect(text).toContain("No flagged entries in this period");
		expect(cards(text)).toEqual(expectedCards([]));
		const form = formWith(text, ">Apply</button>");
		expect([form.action, form.fields]).toEqual([
			"/mileage-reports",
			{ driver: "all", range: "month", startDate: "", endDate: "" },
		]);
		for (const name of ["dana", "omar", "lena", "ivan", "ines"] as const)
			expect(form.html).toContain(`<option value="${idOf(name)}">`);
		for (const name of ["nora", "rex", "ada"] as const) expect(form.html).not.toContain(idOf(name));
		expect(
			[...form.html.matchAll(/<option value="(week|month|quarter|custom)"/g)].map(
				([, value]) => value,
			),
		).toEqual(["week", "month", "quarter", "custom"]);
		expect(text).toMatch(/<a href="\/mileage-reports"[^>]*aria-current="page"/);
	});

	it("shows exactly what is within each window, to the day and the millisecond, for all drivers and for each", async () => {
		await insertEdgeRows(sql);
		const custom = [daysAgo(40), daysAgo(3)] as const;
		for (const [range, from, to] of [
			["week", firstDayOf("week"), daysAgo(0)],
			["month", firstDayOf("month"), daysAgo(0)],
			["quarter", firstDayOf("quarter"), daysAgo(0)],
			[`custom&startDate=${custom[0]}&endDate=${custom[1]}`, ...custom],
			[`custom&startDate=${daysAgo(0)}&endDate=${daysAgo(0)}`, daysAgo(0), daysAgo(0)],
			[`custom&startDate=1990-01-01&endDate=2990-01-01`, "2000-01-01", daysAgo(-1)],
			// Where there can't be any entries, no other window's figures may appear either.
			["custom&startDate=1999-01-01&endDate=1999-12-31", "1999-01-01", "1999-12-31"],
			["custom&startDate=2990-01-01&endDate=2990-01-31", "2990-01-01", "2990-01-31"],
		] as const)
			for (const driver of [undefined, "dana", "omar", "ivan"] as const) {
				const query = `?range=${range}${driver ? `&driver=${idOf(driver)}` : ""}`;
				const { text, headers } = await ada.get(`/mileage-reports${query}`);
				const rows = await expectedRows(sql, from, to, driver && idOf(driver));
				expect(costOf({ headers }).trips, query).toBe(1);
				expect(text, query).toContain(describePeriod(from, to));
				const shown = expectedCards(rows);
				if (shown["Total Miles Driven"] === "0" && shown["Total Fuel Expenses"] === "$0.00") {
					expect(text, query).toContain("No mileage data found for the selected filters");
					expect(cards(text), query).toEqual(expectedCards(rows));
				} else {
					expect(table(text, PERFORMANCE), query).toEqual(rows);
					expect(cards(text), query).toEqual(shown);
				}
			}
		// The data did include a driver without miles and one who has left.
		const { text } = await ada.get("/mileage-reports?range=week");
		expect(text).toContain("Ivan Inactive (DRV-0004)");
		expect(table(text, PERFORMANCE).map((row) => row[5])).toContain("No miles");
		expect(text).toContain(
			`<a href="/drivers/${idOf("lena")}" class="text-accent underline">Łena Nguyễn (DRV-0003)</a> has $`,
		);
	});

	it("assigns tiers by the rounded cost, at their thresholds", async () => {
		const cases = [
			["dana", 844_999, "$0.84", "Excellent"],
			["omar", 845_000, "$0.85", "Good"],
			["lena", 994_999, "$0.99", "Good"],
			["ivan", 995_000, "$1.00", "Needs Improvement"],
		] as const;
		for (const [position, [owner, cents]] of cases.entries()) {
			await insertLog(sql, position * 10 + 1, owner, daysAgo(1), 10_000);
			await insertRequest(sql, position + 1, owner, {
				...decided("approved"),
				amount_cents: cents,
			});
		}
		const { text } = await ada.get("/mileage-reports");
		for (const [owner, , perMile, tier] of cases)
			expect(
				table(text, PERFORMANCE)
					.find((row) => row[0]?.startsWith(CAST[owner].firstName))
					?.slice(4),
			).toEqual([perMile, tier]);
		expect(cards(text)).toMatchObject({
			Excellent: "1 driver",
			Good: "2 drivers",
			"Needs Improvement": "1 driver",
		});
		expect(text).toContain("1 driver has no miles and isn&#x27;t rated.");
		expect(text).toContain(
			"Ivan Inactive (DRV-0004)</a> averages $1.00 per mile, $0.15 over the $0.85 target: $1,450.00 in extra fuel",
		);
	});

	it.each([
		["", "Enter both a start date and an end date"],
		[`&startDate=${daysAgo(3)}`, "Enter both a start date and an end date"],
		["&startDate=2026-02-30&endDate=2026-03-01", "Enter both a start date and an end date"],
		[`&startDate=${daysAgo(2)}&endDate=${daysAgo(3)}`, "The start date is after the end date"],
	])("doesn't apply a custom range of '%s', says so and keeps the form", async (dates, words) => {
		await insertEdgeRows(sql);
		const { text } = await ada.get(`/mileage-reports?range=custom${dates}`);
		const month = await ada.get("/mileage-reports");
		expect(text).toContain(
			`${words}. The custom range wasn&#x27;t applied. Showing ${describePeriod(firstDayOf("month"), daysAgo(0))}.`,
		);
		expect(table(text, PERFORMANCE)).toEqual(table(month.text, PERFORMANCE));
		expect(formWith(text, ">Apply</button>").fields.range).toBe("custom");
		if (dates.startsWith("&startDate=2") && !dates.includes("-02-30"))
			expect(formWith(text, ">Apply</button>").fields.startDate).toBe(
				/startDate=([\d-]+)/.exec(dates)?.[1],
			);
	});

	it("uses the defaults for an invalid URL and for an id without figures", async () => {
		await insertEdgeRows(sql);
		const rows = table((await ada.get("/mileage-reports")).text, PERFORMANCE);
		for (const query of [
			"?range=year",
			"?driver=x",
			"?after=nobody&entry=1",
			`?after=${MANY}000000000001`,
			"?range=__proto__&driver=all",
		])
			expect(table((await ada.get(`/mileage-reports${query}`)).text, PERFORMANCE), query).toEqual(
				rows,
			);
		for (const id of [idOf("nora"), idOf("ada"), `${MANY}000000000001`]) {
			const answer = await ada.get(`/mileage-reports?driver=${id}&range=week`);
			expect([answer.status, answer.headers.get("Location")]).toEqual([
				302,
				"/mileage-reports?range=week",
			]);
		}
	});
});

async function pagesOf(query: string): Promise<{ rows: string[][][]; texts: string[] }> {
	const [rows, texts]: [string[][][], string[]] = [[], []];
	for (let path = `/mileage-reports${query}`; path; ) {
		const { text } = await ada.get(path);
		rows.push(table(text, PERFORMANCE));
		texts.push(text);
		path = nextOf(text, "drivers");
	}
	return { rows, texts };
}

describe("a large fleet", () => {
	it("is paginated by 25 drivers, and the cards show the overall totals on every page", async () => {
		await insertEdgeRows(sql);
		await insertManyDrivers(sql, 60);
		for (const [range, from] of [
			["week", firstDayOf("week")],
			["quarter", firstDayOf("quarter")],
		] as const) {
			const { rows, texts } = await pagesOf(`?range=${range}`);
			const all = await expectedRows(sql, from, daysAgo(0));
			expect(rows.map(({ length }) => length)).toEqual([25, 25, all.length - 50]);
			expect(rows.flat()).toEqual(all);
			for (const text of texts) expect(cards(text)).toEqual(expectedCards(all));
			expect(linkTo(texts[2] ?? "", "First page")).toBe(
				`/mileage-reports?range=${range}#performance`,
			);
		}
		const { text } = await ada.get("/mileage-reports?range=week");
		expect(text).toMatch(/\d+ more drivers are over target by \$[\d,.]+ in total\./);
		expect(text).toContain("1–25 of 65, by miles");
	});

	it("offers a driver search instead of a list of all drivers", async () => {
		await insertManyDrivers(sql, 60);
		const asked = formWith((await ada.get("/mileage-reports")).text, ">Apply</button>").fields;
		expect(asked).toMatchObject({ driver: "all", driverSearch: "", range: "month" });
		const search = (driverSearch: string, more: Record<string, string> = {}) =>
			ada.get(
				`/mileage-reports?${new URLSearchParams({ ...asked, range: "week", driverSearch, ...more })}`,
			);
		const only = `/mileage-reports?driver=${MANY}000000000042&range=week`;
		for (const name of ["of0042", "Many Of0042", "of0042, many", "DRV-1042"]) {
			const answer = await search(name);
			expect([answer.status, answer.headers.get("Location"), costOf(answer).trips], name).toEqual([
				302,
				only,
				1,
			]);
		}
		// Even while another driver is selected.
		expect((await search("of0042", { driver: idOf("omar") })).headers.get("Location")).toBe(only);
		const chosen = await ada.get(only);
		expect(linkTo(chosen.text, "Export Report")).toBe(
			`/mileage-reports/export.csv${only.slice("/mileage-reports".length)}`,
		);
		expect(table(chosen.text, PERFORMANCE)).toEqual(
			await expectedRows(sql, firstDayOf("week"), daysAgo(0), `${MANY}000000000042`),
		);
		expect(chosen.text).toContain(">Entries for Many Of0042 (DRV-1042)</h2>");
	});

	it("says that nothing is filtered while the name is ambiguous", async () => {
		await insertManyDrivers(sql, 60);
		const whole = await ada.get("/mileage-reports");
		for (const [name, says] of [
			[
				"of001",
				"10 matches for \"of001\". The figures below aren't filtered yet. They're for all drivers. Select one below, then choose Apply.",
			],
			[
				"Qwerty",
				"No matches for \"Qwerty\". The figures below aren't filtered yet. They're for all drivers.",
			],
			[
				"of0042x",
				'No full matches for "of0042x". These names start with "of0042". The figures below aren\'t filtered yet. They\'re for all drivers.',
			],
		] as const) {
			const { status, text } = await ada.get(
				`/mileage-reports?driver=all&driverSearch=${name}&driverSearched=`,
			);
			expect(status).toBe(200);
			expect(textOf(text)).toContain(says);
			expect(formWith(text, ">Apply</button>").fields.driver).toBe("all");
			expect(cards(text)).toEqual(cards(whole.text));
		}
	});

	it("reads at most 300 rows and 40 per driver, whatever the window and the number of entries", async () => {
		const drivers = 5;
		/**
		 * A flagged trip on each of 700 days. `million` keeps the readings and ids of several calls
		 * apart.
		 */
		const fill = (owner: CastName, million: number) =>
			sql(`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash, gap_miles)
				with recursive n(i) as (select 1 union all select i + 1 from n where i < 700)
				select printf('43000000-0000-4000-${8000 + Number(idOf(owner).slice(-3))}-%012d', i + ${million}000000), '${idOf(owner)}',
					date('${daysAgo(0)}', '-' || i || ' days'), i * 10 + ${million}000000, i * 10 + ${million}000005, 'seed', 1, 'x', 5 from n`);
		// Every driver has entries on every day, and one has so many that each list has its maximum
		// length.
		for (const owner of ["omar", "lena", "ivan", "ines"] as const) await fill(owner, 0);
		for (const million of [0, 1, 2, 3]) await fill("dana", million);
		const queries = [
			"",
			"?range=quarter",
			`?range=custom&startDate=${daysAgo(690)}&endDate=${daysAgo(1)}`,
			`?driver=${idOf("dana")}&range=quarter`,
		];
		const costs = async () => {
			const found: number[] = [];
			for (const query of queries) {
				const { trips, rows } = costOf(await ada.get(`/mileage-reports${query}`));
				expect(trips, query).toBe(1);
				expect(rows, query).toBeLessThanOrEqual(ROWS_READ.list + 40 * drivers);
				found.push(rows);
			}
			return found;
		};
		const before = await costs();
		for (const million of [4, 5, 6, 7]) await fill("dana", million);
		console.log(`/mileage-reports reads ${before.join(", ")} rows with ${drivers} drivers`);
		expect(await costs()).toEqual(before);
	});
});

type Line = Record<
	"Driver" | "Driver ID" | "Total Miles" | "Fuel Cost" | "Cost per Mile" | "Efficiency",
	string
>;
async function exported(path: string) {
	const answer = await ada.get(path);
	expect(answer.status).toBe(200);
	return {
		...answer,
		lines: Papa.parse<Line>(answer.text, { header: true, skipEmptyLines: true }).data,
	};
}

describe("the export", () => {
	it("has what the screen shows on all its pages, with numbers left as numbers", async () => {
		await insertEdgeRows(sql);
		await insertManyDrivers(sql, 60);
		for (const query of [
			"",
			"?range=week",
			`?range=custom&startDate=${daysAgo(40)}&endDate=${daysAgo(2)}`,
			`?driver=${idOf("omar")}`,
		]) {
			const { rows, texts } = await pagesOf(query);
			const { lines, headers } = await exported(linkTo(texts.at(-1) ?? "", "Export Report"));
			expect(costOf({ headers }).trips).toBe(2);
			const asShown = lines.map((line) => [
				line.Driver,
				line["Driver ID"],
				Number(line["Total Miles"]).toLocaleString("en-US"),
				money(Math.round(Number(line["Fuel Cost"]) * 100)),
				money(Math.round(Number(line["Cost per Mile"]) * 100)),
				line.Efficiency,
			]);
			expect(asShown, query).toEqual(
				rows.flat().map(([driver = "", ...cells]) => [driver.replace("|inactive", ""), ...cells]),
			);
		}
	});

	it("is a CSV file with the right name, byte order mark, line endings and columns, and no formula", async () => {
		await insertLog(sql, 1, "dana", daysAgo(1), 1250);
		await insertRequest(sql, 1, "dana", { ...decided("approved"), amount_cents: 123_450 });
		await sql("update users set first_name = '=1+1' where id = ?", idOf("dana"));
		const { headers, text } = await exported(`/mileage-reports/export.csv?driver=${idOf("dana")}`);
		await sql("update users set first_name = 'Dana' where id = ?", idOf("dana"));
		expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
		expect(headers.get("Content-Disposition")).toBe(
			`attachment; filename="mileage-report-${daysAgo(0)}.csv"`,
		);
		expect(text).toBe(
			`Driver,Driver ID,Total Miles,Fuel Cost,Cost per Mile,Efficiency\r\n"'=1+1 Driver",DRV-0001,1250,1234.50,0.99,Good\r\n`,
		);
	});

	it("has only a header without figures, and continues past the first chunk", async () => {
		expect((await exported("/mileage-reports/export.csv")).text).toMatch(
			/^Driver,Driver ID,Total Miles,Fuel Cost,Cost per Mile,Efficiency\r\n$/,
		);
		await insertManyDrivers(sql, 1100);
		const { lines } = await exported("/mileage-reports/export.csv");
		const some = lines.filter(({ Driver }) => Driver.startsWith("Many"));
		expect(new Set(some.map((line) => line["Driver ID"])).size).toBe(1100);
		expect(some).toHaveLength(1100);
		const miles = lines.map((line) => Number(line["Total Miles"]));
		expect(miles).toEqual(miles.toSorted((a, b) => b - a));
	});
});
