/** Mileage Reports & Analytics and its export, judged by a computation of its own over the rows (spec §2, §4, §9; decisions 'Numbers', 'Mileage'). */
import Papa from "papaparse";
import { beforeEach, describe, expect, it } from "vitest";
import { CAST, type CastName, idOf } from "../cast.ts";
import { dayOf, daysAgo, inWords, midnight } from "../fleet-days.ts";
import { formWith } from "../forms.ts";
import { insertLog, logId } from "../mileage.ts";
import { insertRequest } from "../requests.ts";
import { type Client, openFleet } from "../worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const MANY = "70000000-0000-4000-8000-";

beforeEach(async () => {
	for (const table of ["fund_requests", "mileage_logs"]) await sql(`delete from ${table}`);
	await sql(`delete from users where id like '${MANY}%'`);
});

const decided = (status: string) => ({ status, decided_at: 1, decided_by: idOf("ben") });
const voided = { voided_at: 1, voided_by: idOf("dana") };
const decode = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&#x27;", "'").replaceAll("&lt;", "<");
const plain = (html: string) =>
	decode(
		html
			.replace(/<[^>]+>/g, "|")
			.replace(/\|+/g, "|")
			.replace(/^\||\|$/g, ""),
	);
/** A table's cells as text, row by row. */
const table = (html: string, caption: string) => {
	const found = new RegExp(`<caption[^>]*>${caption}[^<]*</caption>([\\s\\S]*?)</table>`).exec(html)?.[1] ?? "";
	const rows = found.split("<tbody")[1]?.match(/<tr[\s\S]*?<\/tr>/g) ?? [];
	return rows.map((row) => [...row.matchAll(/<t[hd]\b[^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) => plain(cell)));
};
const PERFORMANCE = "Driver Performance Analysis";
/** The stat cards: label and figure. */
const cards = (html: string) =>
	Object.fromEntries(
		[...html.matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*><span[^>]*>([^<]*)<\/span>/g)].map(([, label = "", value]) => [label, value]),
	);
const linkTo = (html: string, words: string, label = "") =>
	decode(new RegExp(`${label}[\\s\\S]*?href="([^"]+)"[^>]*>${words}<`).exec(label ? html.slice(html.indexOf(label)) : html)?.[1] ?? "");
const nextOf = (html: string, what: "drivers" | "entries") => {
	const nav = new RegExp(`<nav aria-label="Pages of ${what}"[\\s\\S]*?</nav>`).exec(html)?.[0] ?? "";
	return decode(/href="([^"#]+)#\w+"[^>]*>Next page</.exec(nav)?.[1] ?? "");
};
const costOf = (headers: Headers) => {
	const [, trips, rows] = /(\d+) trips?, \d+ statements, (\d+) rows/.exec(headers.get("Server-Timing") ?? "") ?? [];
	return { trips: Number(trips), rows: Number(rows) };
};
const money = (cents: number) => (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });

/** The first day of a window, by the calendar and not by the application's own dates. */
function firstDayOf(range: string): string {
	if (range === "week") return daysAgo(6);
	const [year = 0, month = 0, day = 0] = daysAgo(0).split("-").map(Number);
	const back = month - 1 - (range === "quarter" ? 3 : 1);
	const lastDay = new Date(Date.UTC(year, back + 1, 0)).getUTCDate();
	return new Date(Date.UTC(year, back, Math.min(day, lastDay) + 1)).toISOString().slice(0, 10);
}

type Person = { id: string; first_name: string; last_name: string; driver_number: number | null; is_active: number };
/** What the table must show, from every row that there is. */
async function expected(from: string, to: string, driver?: string): Promise<string[][]> {
	const people = await fleet.sql<Person>(
		"select * from users where role = 'driver' and approval_status = 'approved' and deleted_at is null",
	);
	const logs = await fleet.sql<{ driver_id: string; driven_on: string; start_miles: number; end_miles: number }>(
		"select * from mileage_logs where voided_at is null",
	);
	const fuel = await fleet.sql<{ driver_id: string; created_at: number; amount_cents: number }>(
		"select * from fund_requests where status = 'approved' and type = 'gas'",
	);
	const isIn = (day: string) => day >= from && day <= to;
	return people
		.filter(({ id }) => driver === undefined || id === driver)
		.map((person) => {
			const miles = logs
				.filter((log) => log.driver_id === person.id && isIn(log.driven_on))
				.reduce((sum, log) => sum + log.end_miles - log.start_miles, 0);
			const cents = fuel
				.filter((request) => request.driver_id === person.id && isIn(dayOf(request.created_at)))
				.reduce((sum, request) => sum + request.amount_cents, 0);
			return { ...person, miles, cents };
		})
		.filter((person) => driver !== undefined || person.is_active === 1 || person.miles + person.cents > 0)
		.sort(
			(a, b) =>
				b.miles - a.miles ||
				b.cents - a.cents ||
				(a.last_name < b.last_name ? -1 : a.last_name > b.last_name ? 1 : a.first_name < b.first_name ? -1 : 1),
		)
		.map(({ first_name, last_name, driver_number, is_active, miles, cents }) => {
			const perMile = miles === 0 ? 0 : Number((BigInt(cents) * 2n + BigInt(miles)) / (2n * BigInt(miles)));
			return [
				`${first_name} ${last_name}${is_active ? "" : "|inactive"}`,
				driver_number === null ? "N/A" : `DRV-${String(driver_number).padStart(4, "0")}`,
				miles.toLocaleString("en-US"),
				money(cents),
				money(perMile),
				miles === 0 ? "No miles" : perMile < 85 ? "Excellent" : perMile < 100 ? "Good" : "Needs Improvement",
			];
		});
}
const numberIn = (text = "") => Number(text.replace(/[$,]/g, ""));
/** The cards and the counts by tier that belong to a whole column. */
function judged(rows: readonly string[][]) {
	const miles = rows.reduce((sum, row) => sum + numberIn(row[2]), 0);
	const cents = rows.reduce((sum, row) => sum + Math.round(numberIn(row[3]) * 100), 0);
	const count = (tier: string) => {
		const found = rows.filter((row) => row[5] === tier).length;
		return `${found} ${found === 1 ? "driver" : "drivers"}`;
	};
	return {
		"Total Miles Driven": miles.toLocaleString("en-US"),
		"Total Fuel Expenses": money(cents),
		"Average Cost per Mile": money(miles === 0 ? 0 : Math.floor((2 * cents + miles) / (2 * miles))),
		Excellent: count("Excellent"),
		Good: count("Good"),
		"Needs Improvement": count("Needs Improvement"),
	};
}

/** Trips and requests on either side of every edge, of every status and type; amounts tell them apart. */
async function edges(): Promise<void> {
	let number = 0;
	const people = ["dana", "omar", "lena", "ivan"] as const satisfies readonly CastName[];
	for (const range of ["week", "month", "quarter"])
		for (const [position, owner] of people.entries()) {
			const first = firstDayOf(range);
			const before = new Date(Date.parse(first) - 86_400_000).toISOString().slice(0, 10);
			for (const day of [before, first]) {
				number += 1;
				if (owner !== "lena" || range === "quarter") await insertLog(sql, number, owner, day, 100 + number);
			}
			for (const created_at of [midnight(first) - 1, midnight(first)]) {
				number += 1;
				await insertRequest(sql, number, owner, { ...decided("approved"), created_at, amount_cents: 8000 + 5000 * position + number });
			}
		}
	for (const [day, more] of [
		[daysAgo(0), {}],
		[daysAgo(-1), {}],
		[daysAgo(1), voided],
	] as const) {
		number += 1;
		await insertLog(sql, number, "dana", day, 300 + number, more);
	}
	const end = midnight(daysAgo(-1));
	for (const [created_at, more] of [
		[end - 1, decided("approved")],
		[end, decided("approved")],
		[end - 2, decided("rejected")],
		[end - 3, { status: "withdrawn", withdrawn_at: 1 }],
		[end - 4, {}],
		[end - 5, { ...decided("approved"), type: "maintenance" }],
		[end - 6, { ...decided("approved"), type: "other" }],
	] as const) {
		number += 1;
		await insertRequest(sql, number, "omar", { created_at, amount_cents: 10_000 * number, ...more });
	}
}

describe("the report", () => {
	it("says when there is nothing, with the filters at all drivers and month", async () => {
		const { text, status, headers } = await ada.get("/mileage-reports");
		expect(status).toBe(200);
		expect(costOf(headers).trips).toBe(1);
		expect(text).toContain(">Mileage Reports &amp; Analytics</h1>");
		expect(text).toContain("No mileage data found for the selected filters");
		expect(text).toContain(">Fleet Insights</h2>");
		expect(text).toContain("4 drivers without miles, in no tier.");
		expect(text).toContain("Nothing to recommend for these dates");
		expect(text).toContain("No flagged entries in this window");
		expect(cards(text)).toEqual(judged([]));
		const form = formWith(text, ">Apply</button>");
		expect([form.action, form.fields]).toEqual(["/mileage-reports", { driver: "all", range: "month", startDate: "", endDate: "" }]);
		for (const name of ["dana", "omar", "lena", "ivan", "ines"] as const) expect(form.html).toContain(`<option value="${idOf(name)}">`);
		for (const name of ["nora", "rex", "ada"] as const) expect(form.html).not.toContain(idOf(name));
		expect([...form.html.matchAll(/<option value="(week|month|quarter|custom)"/g)].map(([, value]) => value)).toEqual([
			"week",
			"month",
			"quarter",
			"custom",
		]);
		expect(text).toMatch(/<a href="\/mileage-reports"[^>]*aria-current="page"/);
	});

	it("shows what lies in each window and nothing else, to the day and the moment, for all and for each driver", async () => {
		await edges();
		const custom = [daysAgo(40), daysAgo(3)] as const;
		for (const [range, from, to] of [
			["week", firstDayOf("week"), daysAgo(0)],
			["month", firstDayOf("month"), daysAgo(0)],
			["quarter", firstDayOf("quarter"), daysAgo(0)],
			[`custom&startDate=${custom[0]}&endDate=${custom[1]}`, ...custom],
			[`custom&startDate=${daysAgo(0)}&endDate=${daysAgo(0)}`, daysAgo(0), daysAgo(0)],
			[`custom&startDate=1990-01-01&endDate=2990-01-01`, "2000-01-01", daysAgo(-1)],
			// Where no entry can be there is nothing, and nothing of another window either.
			["custom&startDate=1999-01-01&endDate=1999-12-31", "1999-01-01", "1999-12-31"],
			["custom&startDate=2990-01-01&endDate=2990-01-31", "2990-01-01", "2990-01-31"],
		] as const)
			for (const driver of [undefined, "dana", "omar", "ivan"] as const) {
				const query = `?range=${range}${driver ? `&driver=${idOf(driver)}` : ""}`;
				const { text, headers } = await ada.get(`/mileage-reports${query}`);
				const rows = await expected(from, to, driver && idOf(driver));
				expect(costOf(headers).trips, query).toBe(1);
				expect(text, query).toContain(`${inWords(from)} to ${inWords(to)}`);
				const shown = judged(rows);
				if (shown["Total Miles Driven"] === "0" && shown["Total Fuel Expenses"] === "$0.00") {
					expect(text, query).toContain("No mileage data found for the selected filters");
					expect(cards(text), query).toEqual(judged(rows));
				} else {
					expect(table(text, PERFORMANCE), query).toEqual(rows);
					expect(cards(text), query).toEqual(shown);
				}
			}
		// What was to be told apart was there: a driver without miles, and one who has left.
		const { text } = await ada.get("/mileage-reports?range=week");
		expect(text).toContain("Ivan Inactive (DRV-0004)");
		expect(table(text, PERFORMANCE).map((row) => row[5])).toContain("No miles");
		expect(text).toContain("Łena Nguyễn (DRV-0003) has $");
	});

	it("judges the tiers by the rounded cost, at their thresholds", async () => {
		const cases = [
			["dana", 844_999, "$0.84", "Excellent"],
			["omar", 845_000, "$0.85", "Good"],
			["lena", 994_999, "$0.99", "Good"],
			["ivan", 995_000, "$1.00", "Needs Improvement"],
		] as const;
		for (const [position, [owner, cents]] of cases.entries()) {
			await insertLog(sql, position * 10 + 1, owner, daysAgo(1), 10_000);
			await insertRequest(sql, position + 1, owner, { ...decided("approved"), amount_cents: cents });
		}
		const { text } = await ada.get("/mileage-reports");
		for (const [owner, , perMile, tier] of cases)
			expect(
				table(text, PERFORMANCE)
					.find((row) => row[0]?.startsWith(CAST[owner].firstName))
					?.slice(4),
			).toEqual([perMile, tier]);
		expect(cards(text)).toMatchObject({ Excellent: "1 driver", Good: "2 drivers", "Needs Improvement": "1 driver" });
		expect(text).toContain("1 driver without miles, in no tier.");
		expect(plain(text)).toContain("Ivan Inactive (DRV-0004) is at $1.00 a mile, $0.15 over the $0.85 target: $1,450.00 more for fuel");
	});

	it.each([
		["", "A custom range needs a start date and an end date"],
		[`&startDate=${daysAgo(3)}`, "A custom range needs a start date and an end date"],
		["&startDate=2026-02-30&endDate=2026-03-01", "A custom range needs a start date and an end date"],
		[`&startDate=${daysAgo(2)}&endDate=${daysAgo(3)}`, "The start date is after the end date"],
	])("does not apply a custom range of '%s', says so and keeps the form", async (dates, words) => {
		await edges();
		const { text } = await ada.get(`/mileage-reports?range=custom${dates}`);
		const month = await ada.get("/mileage-reports");
		expect(text).toContain(
			`${words}. The custom range is not applied: ${inWords(firstDayOf("month"))} to ${inWords(daysAgo(0))} is shown.`,
		);
		expect(table(text, PERFORMANCE)).toEqual(table(month.text, PERFORMANCE));
		expect(formWith(text, ">Apply</button>").fields.range).toBe("custom");
		if (dates.startsWith("&startDate=2") && !dates.includes("-02-30"))
			expect(formWith(text, ">Apply</button>").fields.startDate).toBe(/startDate=([\d-]+)/.exec(dates)?.[1]);
	});

	it("falls back where the address is nonsense, and where nobody of an id has figures", async () => {
		await edges();
		const rows = table((await ada.get("/mileage-reports")).text, PERFORMANCE);
		for (const query of ["?range=year", "?driver=x", "?after=nobody&entry=1", `?after=${MANY}000000000001`, "?range=__proto__&driver=all"])
			expect(table((await ada.get(`/mileage-reports${query}`)).text, PERFORMANCE), query).toEqual(rows);
		for (const id of [idOf("nora"), idOf("ada"), `${MANY}000000000001`]) {
			const answer = await ada.get(`/mileage-reports?driver=${id}&range=week`);
			expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/mileage-reports?range=week"]);
		}
	});
});

/** So many more drivers, each with a trip and some fuel. */
async function many(count: number): Promise<void> {
	await sql(`insert into users (id, role, first_name, last_name, approval_status, created_at, approved_at, driver_number)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
		select printf('${MANY}%012d', i), 'driver', 'Many', printf('Of%04d', i), 'approved', 1, 1, 1000 + i from n`);
	await sql(`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
		select printf('42000000-0000-4000-8000-%012d', i), printf('${MANY}%012d', i), '${daysAgo(2)}', 0, 100 + i % 7, 'seed', 1, 'x' from n`);
	await sql(`insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source, created_at, requested_on, payload_hash, decided_at, decided_by)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
		select printf('32000000-0000-4000-8000-%012d', i), 1000 + i, printf('${MANY}%012d', i), 'gas', 5000 + i * 90, 'x', 'approved', 'seed', ${midnight(daysAgo(3))}, '${daysAgo(3)}', 'x', 1, '${idOf("ada")}' from n`);
}
async function pagesOf(query: string, client: Client = ada): Promise<{ rows: string[][][]; texts: string[] }> {
	const [rows, texts]: [string[][][], string[]] = [[], []];
	for (let path = `/mileage-reports${query}`; path; ) {
		const { text } = await client.get(path);
		rows.push(table(text, PERFORMANCE));
		texts.push(text);
		path = nextOf(text, "drivers");
	}
	return { rows, texts };
}

describe("a large fleet", () => {
	it("is paged, 25 drivers a page, and the cards hold the whole column on every page", async () => {
		await edges();
		await many(60);
		for (const [range, from] of [
			["week", firstDayOf("week")],
			["quarter", firstDayOf("quarter")],
		] as const) {
			const { rows, texts } = await pagesOf(`?range=${range}`);
			const all = await expected(from, daysAgo(0));
			expect(rows.map(({ length }) => length)).toEqual([25, 25, all.length - 50]);
			expect(rows.flat()).toEqual(all);
			for (const text of texts) expect(cards(text)).toEqual(judged(all));
			expect(linkTo(texts[2] ?? "", "First page")).toBe(`/mileage-reports?range=${range}#performance`);
		}
		const { text } = await ada.get("/mileage-reports?range=week");
		expect(text).toMatch(/\d+ more drivers are over the target, by \$[\d,.]+ together\./);
		expect(text).toContain("Drivers 1 to 25 of 65, the most miles first");
	});

	it("is searched for a driver instead of naming all of them", async () => {
		await many(60);
		const asked = formWith((await ada.get("/mileage-reports")).text, ">Apply</button>").fields;
		expect(asked).toMatchObject({ driver: "all", driverSearch: "", range: "month" });
		const { text } = await ada.get(`/mileage-reports?${new URLSearchParams({ ...asked, range: "week", driverSearch: "of0042" })}`);
		expect(formWith(text, ">Apply</button>").fields.range).toBe("week");
		expect(text).toContain("1 person found for &#x27;of0042&#x27;.");
		expect(text).toContain(`value="${MANY}000000000042"`);
		const chosen = await ada.get(`/mileage-reports?driver=${MANY}000000000042&range=week`);
		expect(table(chosen.text, PERFORMANCE)).toEqual(await expected(firstDayOf("week"), daysAgo(0), `${MANY}000000000042`));
		expect(chosen.text).toContain(">Entries of Many Of0042 (DRV-1042)</h2>");
	});

	it("costs at most 300 rows and 40 for each driver, whatever the window and however much was logged in it", async () => {
		const drivers = 5;
		/** A flagged trip on each of 700 days; `million` keeps the readings and ids of several apart. */
		const fill = (owner: CastName, million: number) =>
			sql(`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash, gap_miles)
				with recursive n(i) as (select 1 union all select i + 1 from n where i < 700)
				select printf('43000000-0000-4000-${8000 + Number(idOf(owner).slice(-3))}-%012d', i + ${million}000000), '${idOf(owner)}',
					date('${daysAgo(0)}', '-' || i || ' days'), i * 10 + ${million}000000, i * 10 + ${million}000005, 'seed', 1, 'x', 5 from n`);
		// Every driver on every day, and of one so much that each list is as long as it gets.
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
				const { trips, rows } = costOf((await ada.get(`/mileage-reports${query}`)).headers);
				expect(trips, query).toBe(1);
				expect(rows, query).toBeLessThanOrEqual(300 + 40 * drivers);
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

type Line = Record<"Driver" | "Driver ID" | "Total Miles" | "Fuel Cost" | "Cost per Mile" | "Efficiency", string>;
async function exported(path: string) {
	const answer = await ada.get(path);
	expect(answer.status).toBe(200);
	return { ...answer, lines: Papa.parse<Line>(answer.text.replace(/^\ufeff/, ""), { header: true, skipEmptyLines: true }).data };
}

describe("the export", () => {
	it("is what the screen shows, all pages of it, with numbers left as numbers", async () => {
		await edges();
		await many(60);
		for (const query of ["", "?range=week", `?range=custom&startDate=${daysAgo(40)}&endDate=${daysAgo(2)}`, `?driver=${idOf("omar")}`]) {
			const { rows, texts } = await pagesOf(query);
			const { lines, headers } = await exported(linkTo(texts.at(-1) ?? "", "Export Report"));
			expect(costOf(headers).trips).toBe(1);
			const asShown = lines.map((line) => [
				line.Driver,
				line["Driver ID"],
				Number(line["Total Miles"]).toLocaleString("en-US"),
				money(Math.round(Number(line["Fuel Cost"]) * 100)),
				money(Math.round(Number(line["Cost per Mile"]) * 100)),
				line.Efficiency,
			]);
			expect(asShown, query).toEqual(rows.flat().map(([driver = "", ...cells]) => [driver.replace("|inactive", ""), ...cells]));
		}
	});

	it("is a file for a spreadsheet: its name, its mark, its line ends, its columns, and no formula", async () => {
		await insertLog(sql, 1, "dana", daysAgo(1), 1250);
		await insertRequest(sql, 1, "dana", { ...decided("approved"), amount_cents: 123_450 });
		await sql("update users set first_name = '=1+1' where id = ?", idOf("dana"));
		const { headers, text } = await exported(`/mileage-reports/export.csv?driver=${idOf("dana")}`);
		await sql("update users set first_name = 'Dana' where id = ?", idOf("dana"));
		expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
		expect(headers.get("Content-Disposition")).toBe(`attachment; filename="mileage-report-${daysAgo(0)}.csv"`);
		expect(text.replace(/^\ufeff/, "")).toBe(
			`Driver,Driver ID,Total Miles,Fuel Cost,Cost per Mile,Efficiency\r\n"'=1+1 Driver",DRV-0001,1250,1234.50,0.99,Good\r\n`,
		);
	});

	it("without figures has its head, and goes on past one chunk", async () => {
		expect((await exported("/mileage-reports/export.csv")).text).toMatch(
			/^\ufeff?Driver,Driver ID,Total Miles,Fuel Cost,Cost per Mile,Efficiency\r\n$/,
		);
		await many(1100);
		const { lines } = await exported("/mileage-reports/export.csv");
		const some = lines.filter(({ Driver }) => Driver.startsWith("Many"));
		expect(new Set(some.map((line) => line["Driver ID"])).size).toBe(1100);
		expect(some).toHaveLength(1100);
		const miles = lines.map((line) => Number(line["Total Miles"]));
		expect(miles).toEqual(miles.toSorted((a, b) => b - a));
	});
});

describe("the entries", () => {
	const FLAGGED = [
		["gap_miles", 1234, "Gap of 1,234 mi"],
		["is_overlap", 1, "Overlap"],
		["is_out_of_order", 1, "Out of order"],
		["is_long", 1, "Long trip"],
	] as const;

	it("are the fleet's flagged ones of the window, the latest first, with driver, readings and flags", async () => {
		for (const [position, [column, value]] of FLAGGED.entries())
			await insertLog(sql, position + 1, "omar", daysAgo(position), 10, { [column]: value });
		await insertLog(sql, 5, "dana", daysAgo(0), 10);
		await insertLog(sql, 6, "dana", daysAgo(0), 10, { is_long: 1, ...voided });
		const before = new Date(Date.parse(firstDayOf("month")) - 86_400_000).toISOString().slice(0, 10);
		for (const [position, day] of [firstDayOf("month"), before, daysAgo(-1)].entries())
			await insertLog(sql, 50 + position, "dana", day, 10, { is_long: 1, is_overlap: 1, is_out_of_order: 1 });
		const { text } = await ada.get("/mileage-reports");
		const rows = table(text, "Flagged entries");
		expect(rows.map((row) => row.slice(0, 7))).toEqual([
			...FLAGGED.map(([, , words], position) => {
				const start = (position + 1) * 2000;
				const reading = (miles: number) => miles.toLocaleString("en-US");
				return [inWords(daysAgo(position)), "Driver DRV-0002|Omar Okafor", reading(start), reading(start + 10), "10", "-", words];
			}),
			[inWords(firstDayOf("month")), "Driver DRV-0001|Dana Driver", expect.any(String), expect.any(String), "10", "-", "Overlap|Long trip"],
		]);
		expect(plain(text)).toContain("5 entries are flagged: Omar Okafor (DRV-0002) 4, Dana Driver (DRV-0001) 1.");
	});

	it("are paged, each once, 25 a page, and a place in one list keeps the place in the other", async () => {
		for (let number = 1; number <= 60; number++)
			await insertLog(sql, number, number % 2 ? "dana" : "omar", daysAgo(number % 4), 10, { gap_miles: 1 });
		const all = await fleet.sql<{ id: string }>("select id from mileage_logs order by driven_on desc, id desc");
		const seen: string[] = [];
		for (let path = `/mileage-reports?range=week&after=${idOf("ines")}`; path; ) {
			const { text } = await ada.get(path);
			expect(path).toContain(`range=week&after=${idOf("ines")}`);
			seen.push(...[...text.matchAll(/<tr id="log-([^"]+)"/g)].map(([, id = ""]) => id));
			path = nextOf(text, "entries");
		}
		expect(seen).toEqual(all.map(({ id }) => id));
	});

	it("are all of a driver's once he is chosen, voided ones with the reason, and the flagged alone on demand", async () => {
		for (let number = 1; number <= 30; number++)
			await insertLog(sql, number, "dana", daysAgo(number % 3), 10, number % 10 ? {} : { is_long: 1 });
		await insertLog(sql, 31, "dana", daysAgo(0), 10, {
			is_long: 1,
			voided_at: midnight(daysAgo(0)),
			voided_by: idOf("ben"),
			void_reason: "Wrong van",
		});
		await insertLog(sql, 32, "omar", daysAgo(0), 10, { is_long: 1 });
		const caption = "Entries of Dana Driver";
		const first = await ada.get(`/mileage-reports?driver=${idOf("dana")}&range=week`);
		const second = await ada.get(nextOf(first.text, "entries"));
		const rows = [...table(first.text, caption), ...table(second.text, caption)];
		const ids = [first, second].flatMap(({ text }) => [...text.matchAll(/<tr id="log-([^"]+)"/g)].map(([, id]) => id));
		const all = await fleet.sql<{ id: string }>(
			"select id from mileage_logs where driver_id = ? order by driven_on desc, end_miles desc, id desc",
			idOf("dana"),
		);
		expect(ids).toEqual(all.map(({ id }) => id));
		expect(rows.filter((row) => row[5] === "Logged")).toHaveLength(27);
		expect(rows.filter((row) => row[5] === "Long trip")).toHaveLength(3);
		expect(rows.filter((row) => row[5]?.startsWith("Voided")).map((row) => row.slice(5))).toEqual([
			[`Voided|${inWords(daysAgo(0))} by Ben Backup|Reason: Wrong van`, ""],
		]);
		const flagged = await ada.get(linkTo(first.text, "Show flagged only").replace(/#.*/, ""));
		expect(table(flagged.text, caption).every((row) => row[5] === "Long trip")).toBe(true);
		expect(table(flagged.text, caption).length).toBeGreaterThan(0);
		expect(flagged.text).toContain("the flagged among 25 entries");
	});
});

describe("voiding an entry", () => {
	const here = "/mileage-reports?range=week";

	it("asks why, keeps what was typed, voids it with the reason, and the driver reads it in both of his lists", async () => {
		const id = await insertLog(sql, 1, "dana", daysAgo(1), 120, { is_long: 1, created_at: Date.now() - 6 * 86_400_000, notes: "Depot" });
		await insertLog(sql, 2, "dana", daysAgo(1), 30);
		const page = await ada.get(linkTo((await ada.get(here)).text, "Void"));
		expect(costOf(page.headers).trips).toBe(1);
		const form = formWith(page.text, "Void entry");
		expect(form.fields).toEqual({ intent: "void", id, reason: "" });
		for (const facts of ["Driver DRV-0001, Dana Driver", "2,000 to 2,120, 120 miles", "Depot", "Long trip"])
			expect(page.text).toContain(facts);
		for (const [reason, words] of [
			["", "Please give a reason"],
			[" \u200b ", "Please give a reason"],
			["x".repeat(501), "Please use at most 500 characters"],
		] as const) {
			const refused = await ada.post(form.action, { ...form.fields, reason });
			expect(refused.status).toBe(400);
			expect(refused.text).toContain(`Failed to void the entry. ${words}.`);
			expect(formWith(refused.text, "Void entry").fields.reason).toBe(reason);
		}
		const answer = await ada.post(form.action, { ...form.fields, reason: "Wrong <van>\r\nLog it again" });
		expect([answer.status, answer.headers.get("Location")]).toEqual([303, `${here}#entries`]);
		expect(costOf(answer.headers).trips).toBe(2);
		const after = await ada.get(here);
		expect(after.text).toContain("Entry voided");
		expect(after.text).toContain("No flagged entries in this window");
		expect(cards(after.text)["Total Miles Driven"]).toBe("30");
		expect((await fleet.sql("select reason, actor_id from audit_events where action = 'mileage.void' and entity_id = ?", id))[0]).toEqual({
			reason: "Wrong <van>\nLog it again",
			actor_id: idOf("ada"),
		});
		const dana = await fleet.as("dana");
		for (const path of ["/mileage", "/history?range=week"])
			expect((await dana.get(path)).text, path).toContain("By an administrator: Wrong &lt;van&gt;\nLog it again");
	});

	it("goes back to the row in a driver's own list, and the driver's own void says nothing of an administrator", async () => {
		const id = await insertLog(sql, 1, "dana", daysAgo(1), 120, { created_at: 1 });
		await insertLog(sql, 2, "dana", daysAgo(0), 10, { ...voided, void_reason: "Corrected" });
		const path = `/mileage-reports?driver=${idOf("dana")}`;
		const form = formWith((await ada.get(`${path}&dialog=void&id=${id}`)).text, "Void entry");
		const answer = await ada.post(form.action, { ...form.fields, reason: "Twice" });
		expect(answer.headers.get("Location")).toBe(`${path}#log-${id}`);
		const rows = table((await ada.get(path)).text, "Entries of Dana Driver");
		expect(rows.map((row) => row[5])).toEqual([
			expect.stringMatching(/by the driver\|Reason: Corrected$/),
			`Voided|${inWords(daysAgo(0))} by Ada Admin|Reason: Twice`,
		]);
		const history = (await (await fleet.as("dana")).get("/history")).text;
		expect(history.match(/By an administrator: /g)).toHaveLength(1);
	});

	it("tells the loser who was first, and knows no other entry and no other intent", async () => {
		const id = await insertLog(sql, 1, "dana", daysAgo(1), 120);
		const fields = { intent: "void", id, reason: "One" };
		const ben = await fleet.as("ben");
		expect((await ben.post("/mileage-reports", fields)).status).toBe(303);
		const late = await ada.post(`/mileage-reports?dialog=void&id=${id}`, { ...fields, reason: "Two" });
		expect(late.status).toBe(409);
		expect(late.text).toContain(`Failed to void the entry. It was voided on ${inWords(daysAgo(0))} by Ben Backup.`);
		expect(late.text).not.toContain("Void this entry?");
		for (const unknown of [logId(77), "1' or 1=1", ""])
			expect((await ada.post("/mileage-reports", { ...fields, id: unknown })).status).toBe(404);
		expect((await ada.post("/mileage-reports", { id, reason: "x" })).status).toBe(400);
		expect(await sql("select void_reason, voided_by from mileage_logs")).toEqual([{ void_reason: "One", voided_by: idOf("ben") }]);
	});

	it("says so when the database fails, with the reason kept", async () => {
		const id = await insertLog(sql, 1, "dana", daysAgo(1), 120);
		const fields = { intent: "void", id, reason: "Do not lose me" };
		await sql("alter table mileage_logs rename to hidden");
		const answer = await ada.post("/mileage-reports", fields, { mayFail: true });
		await sql("alter table hidden rename to mileage_logs");
		expect(answer.status).toBe(503);
		expect(answer.text).toContain("Failed to void the entry");
		expect(formWith(answer.text, "Send again").fields).toEqual(fields);
		expect(fleet.takeErrors()).toHaveLength(1);
	});
});
