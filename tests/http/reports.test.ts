/**
 * Reports & Analytics (spec §2, §5, §7, §8, §9; decisions.md 'Numbers' and 'Reports and exports'): every file read back with another library,
 * every figure worked out anew from the rows.
 */
import { describe, expect, it } from "vitest";
import { type CastName, idOf } from "../cast.ts";
import { booksOf, type Expected, expectedDrivers, expectedExpenses, expectedSummary, later, type Value } from "../expected-reports.ts";
import { insertFee } from "../fees.ts";
import { dayOf, daysAgo, inWords, midnight } from "../fleet-days.ts";
import { formWith } from "../forms.ts";
import { readCsv, readPdf, readXlsx } from "../report-files.ts";
import { insertRequest } from "../requests.ts";
import { type Client, openFleet } from "../worker.ts";

const fleet = await openFleet({ reportLimit: { limit: 1000, period: 60 } });
const sql = <Row = Record<string, unknown>>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const ada = await fleet.as("ada");
const today = dayOf(Date.now());

/** Numbers that look random and are the same every time. */
let seed = 20261121;
const random = (most: number) => {
	seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
	return seed % most;
};

/** A fleet of four drivers, one of whom has left, busy for seventy days, with rows at the very edges of days. */
await sql("delete from mileage_logs");
await sql("delete from uber_fees");
await sql("delete from mails");
await sql("delete from fund_requests");
const DRIVERS = ["dana", "omar", "lena", "ivan"] as const satisfies readonly CastName[];
const decided = { decided_at: 1, decided_by: idOf("ben") };
let made = 1000;
for (let back = 0; back < 70; back++) {
	const day = daysAgo(back);
	for (const [position, driver] of DRIVERS.entries()) {
		made += 1;
		if (random(3) > 0)
			await sql(
				`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash, voided_at, voided_by, notes)
					values (?, ?, ?, ?, ?, 'seed', ?, 'x', ?, ?, ?)`,
				`70000000-0000-4000-8000-${String(made).padStart(12, "0")}`,
				idOf(driver),
				day,
				100_000 * position + 700 * (70 - back),
				100_000 * position + 700 * (70 - back) + 1 + random(600),
				midnight(day) + 20 * 3_600_000 + (back % 3) * 86_400_000 * 4,
				...(random(12) === 0 ? [1, idOf("ada")] : [null, null]),
				back % 5 ? null : `=SUM(A1) note ${made}`,
			);
		const type = ["gas", "gas", "gas", "maintenance", "other"][random(5)] ?? "gas";
		const moment = back % 2 ? midnight(day) : midnight(later(day, 1)) - 1;
		if (random(2) === 0 && moment <= Date.now())
			await insertRequest(sql, made, driver, {
				type,
				amount_cents: 1 + random(40_000),
				created_at: moment,
				requested_on: day,
				description: `${type} number ${made}`,
				...(random(6) === 0 ? {} : { status: "approved", ...decided }),
			});
		if (random(2) === 0)
			await insertFee(sql, made, driver, day, {
				category: ["commission", "service_fee", "booking_fee", "other"][random(4)] ?? "other",
				amount_cents: 1 + random(20_000),
				reference_number: `UB-2026-${made}`,
				...(random(9) === 0 ? { deleted_at: 1, deleted_by: idOf("ada") } : {}),
			});
	}
}

type Downloaded = { readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array };

async function post(client: Client, path: string, body: string, type: string): Promise<Downloaded> {
	const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
	const answer = await fleet.worker.dispatchFetch(fleet.origin + path, {
		method: "POST",
		redirect: "manual",
		headers: { Origin: fleet.origin, "Sec-Fetch-Site": "same-origin", Cookie: cookie, "Content-Type": type },
		body,
	});
	return { status: answer.status, headers: answer.headers as unknown as Headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
}
const call = (body: object) => post(ada, "/api/reports/generate", JSON.stringify(body), "application/json");
const form = (path: string, fields: Record<string, string>) =>
	post(ada, path, new URLSearchParams(fields).toString(), "application/x-www-form-urlencoded");
const messageOf = ({ bytes }: Downloaded) =>
	JSON.parse(new TextDecoder().decode(bytes)) as { message: string; fields?: Record<string, string[]> };

/** The screen that a refused form comes back on. */
const screenOf = ({ bytes }: Downloaded) => new TextDecoder().decode(bytes);

/** What a person reads on paper. */
const money = (cents: number) => `${cents < 0 ? "-" : ""}$${(Math.abs(cents) / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
const onPaper = (kind: string, value: Value) => {
	if (value === null) return "";
	if (typeof value === "string") return kind === "d" && /^\d{4}-/.test(value) ? inWords(value) : value;
	if (kind === "c") return money(value);
	if (kind === "s" || kind === "x") return `${kind === "x" && value > 0 ? "+" : ""}${(value / 10).toFixed(1)}%`;
	return value.toLocaleString("en-US");
};

/** A cell of a workbook or a CSV as the value it stands for. */
function fromSheet(kind: string, cell: unknown): Value {
	if (cell === null || cell === undefined) return null;
	if (cell instanceof Date) return cell.toISOString().slice(0, 10);
	if (typeof cell === "number") return Math.round(cell * (kind === "c" ? 100 : "sx".includes(kind) ? 1000 : 1));
	return String(cell);
}
function fromCsv(kind: string, cell: string | undefined): Value {
	if (cell === undefined || cell === "") return null;
	if ("ncsx".includes(kind) && /^-?\d+(\.\d+)?$/.test(cell)) {
		expect(cell).toMatch(kind === "n" ? /^\d+$/ : kind === "c" ? /^\d+\.\d\d$/ : /^-?\d+\.\d$/);
		return Math.round(Number(cell) * (kind === "c" ? 100 : "sx".includes(kind) ? 10 : 1));
	}
	return cell.replace(/^'(?==)/, "");
}

const emptyToNull = (rows: readonly (readonly Value[])[]) => rows.map((row) => row.map((value) => (value === "" ? null : value)));

async function agree(bytes: Uint8Array, format: string, expected: readonly Expected[]): Promise<void> {
	if (format === "excel") {
		const sheets = await readXlsx(bytes);
		expect(sheets.map(({ name }) => name)).toEqual(["Report", ...expected.map(({ title }) => title)]);
		for (const { title, kinds, rows } of expected) {
			const found = sheets.find(({ name }) => name === title)?.rows.slice(1) ?? [];
			expect(
				found.map((row) => kinds.map((kind, position) => fromSheet(kind, row[position]))),
				title,
			).toEqual(emptyToNull(rows));
			for (const row of found.slice(0, -1))
				for (const [position, kind] of kinds.entries()) {
					if (kind === "d") expect(row[position]).toBeInstanceOf(Date);
					if ("nc".includes(kind)) expect(typeof row[position]).toBe("number");
				}
		}
	} else if (format === "csv") {
		const { sections } = readCsv(bytes);
		expect([...sections.keys()]).toEqual(expected.map(({ title }) => title));
		for (const { title, kinds, rows } of expected) {
			const found = (sections.get(title) ?? []).slice(-rows.length);
			expect(
				found.map((row) => kinds.map((kind, position) => fromCsv(kind, row[position]))),
				title,
			).toEqual(emptyToNull(rows));
		}
	} else {
		const { text } = await readPdf(bytes);
		for (const { title, kinds, rows } of expected) {
			expect(text).toContain(title);
			// On paper a driver's name is the heading of his own table.
			const skipped = title === "By Driver and Day" ? 2 : 0;
			for (const row of rows) {
				const isTotal = row[0] === "Total" && skipped > 0;
				const cells = isTotal ? ["Total", ...row.slice(skipped + 1)] : row.slice(skipped);
				const shown = cells.map((value, position) => onPaper(kinds[position + skipped] ?? "t", value));
				expect(text, title).toContain(shown.filter((each) => each !== "").join(" "));
			}
			if (skipped > 0) for (const [code, name] of rows.slice(0, -1)) expect(text).toContain(`${code} · ${name}`);
		}
	}
}

/** Sunday of a day's week. */
const sunday = (day: string) => later(day, -new Date(day).getUTCDay());
const monthsEarlier = (day: string) => {
	const [year = 0, month = 0] = day.split("-").map(Number);
	const first = new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 10);
	const last = new Date(Date.UTC(year, month - 1, 0)).toISOString().slice(0, 10);
	const same = `${first.slice(0, 8)}${day.slice(8)}`;
	const isLast = later(day, 1).slice(8) === "01";
	return { first, last, same: same > last || isLast ? last : same };
};
const FORMATS = ["pdf", "csv", "excel"] as const;

describe("every figure of every report in every format", () => {
	// 33 days are no month, whenever the test runs.
	const from = daysAgo(35);
	const to = daysAgo(3);
	const before: [string, string] = [later(from, -33), later(from, -1)];

	it.each(FORMATS.flatMap((format) => ["weekly", "monthly", "driver", "expense"].map((type) => [type, format] as const)))(
		"%s as %s over custom dates",
		async (type, format) => {
			const { status, headers, bytes } = await call({ type, format, startDate: from, endDate: to });
			expect(status).toBe(200);
			const ending = format === "excel" ? "xlsx" : format;
			expect(headers.get("Content-Disposition")).toBe(`attachment; filename="fleet-report-${today}.${ending}"`);
			const books = await booksOf(sql);
			const expected =
				type === "driver"
					? expectedDrivers(books, from, to)
					: type === "expense"
						? expectedExpenses(books, [from, to], before)
						: expectedSummary(books, type as "weekly" | "monthly", [from, to], before);
			await agree(bytes, format, expected);
		},
	);

	it.each([
		["current_week", () => [sunday(today), today], () => [later(sunday(today), -7), later(today, -7)]],
		["last_week", () => [later(sunday(today), -7), later(sunday(today), -1)], () => [later(sunday(today), -14), later(sunday(today), -8)]],
		["current_month", () => [`${today.slice(0, 8)}01`, today], () => [monthsEarlier(today).first, monthsEarlier(today).same]],
		["last_month", () => [monthsEarlier(today).first, monthsEarlier(today).last], undefined],
	] as const)("%s covers the dates it says, against the dates before", async (range, dates, earlier) => {
		const [start = "", end = ""] = dates();
		const type = range.endsWith("month") ? "monthly" : "weekly";
		const { bytes } = await call({ type, format: "csv", range });
		const { facts } = readCsv(bytes);
		expect(facts).toContainEqual(["Period", start === end ? inWords(start) : `${inWords(start)} to ${inWords(end)}`]);
		const [first = "", last = ""] = earlier?.() ?? [monthsEarlier(start).first, monthsEarlier(start).last];
		expect(facts).toContainEqual(["Compared with", first === last ? inWords(first) : `${inWords(first)} to ${inWords(last)}`]);
		await agree(bytes, "csv", expectedSummary(await booksOf(sql), type, [start, end], [first, last]));
	});

	it("states the fleet, the dates, the zone, when it was made and for whom, in every format", async () => {
		for (const format of FORMATS) {
			const { bytes } = await call({ type: "expense", format, range: "last_week" });
			const text =
				format === "pdf"
					? (await readPdf(bytes)).text
					: format === "csv"
						? readCsv(bytes).facts.flat().join(" ")
						: ((await readXlsx(bytes))[0]?.rows.flat().filter(Boolean).join(" ") ?? "");
			for (const fact of [
				"Expense Analysis",
				"Fleet Milepost",
				"Time zone America/New_York",
				"Made for Ada Admin",
				`Made ${inWords(today)}`,
			])
				expect(text, format).toContain(fact);
		}
	});

	it("agrees with the screen for the same dates", async () => {
		const { bytes } = await call({ type: "weekly", format: "csv", startDate: daysAgo(6), endDate: today });
		const spending = new Map((readCsv(bytes).sections.get("Spending") ?? []).map(([label = "", value = ""]) => [label, value]));
		const { text } = await ada.get("/reports");
		expect(text).toContain(money(Number(spending.get("Total Spend")) * 100));
		expect(text).toContain(money(Number(spending.get("Fuel Expenses")) * 100));
		const summary = JSON.parse((await ada.get("/api/analytics/weekly-summary")).text) as Record<string, string>;
		expect([summary.fuelExpenses, summary.uberFees, summary.totalSpend]).toEqual(
			["Fuel Expenses", "Uber Fees", "Total Spend"].map((label) => spending.get(label)),
		);
	});

	it("counts somebody who lost his role in the totals, on a line of its own", async () => {
		await sql("update users set role = 'none' where id = ?", idOf("omar"));
		try {
			const { sections } = readCsv((await call({ type: "driver", format: "csv", startDate: from, endDate: to })).bytes);
			const lines = sections.get("Drivers") ?? [];
			const all = (await booksOf(sql)).entries.filter(({ day }) => day >= from && day <= to);
			const miles = (driver?: string) =>
				all.filter((each) => each.as === "miles" && (!driver || each.driver === driver)).reduce((sum, { amount }) => sum + amount, 0);
			expect(lines.find(([, name]) => name === "People who are no longer drivers")?.[2]).toBe(String(miles(idOf("omar"))));
			expect(lines.at(-1)?.[2]).toBe(String(miles()));
		} finally {
			await sql("update users set role = 'driver' where id = ?", idOf("omar"));
		}
	});
});

describe("the mileage log of a year", () => {
	const year = today.slice(0, 4);
	const fields = { driverId: idOf("dana"), year, format: "excel", paper: "a4" };
	const tripsOf = () =>
		sql<Record<string, number | string | null>>(
			"select * from mileage_logs where driver_id = ? and voided_at is null and driven_on between ? and ? order by driven_on, end_miles",
			idOf("dana"),
			`${year}-01-01`,
			`${year}-12-31`,
		);
	const soon = (row: Record<string, unknown>) => {
		const days = (Date.parse(dayOf(Number(row.created_at))) - Date.parse(String(row.driven_on))) / 86_400_000;
		return days <= 0 ? "Same day" : days <= 7 ? "Within a week" : "Later";
	};

	it("lists every trip with its readings and how soon it was recorded, as a workbook", async () => {
		const { status, headers, bytes } = await form("/reports/mileage-log", fields);
		expect(status).toBe(200);
		expect(headers.get("Content-Disposition")).toBe(`attachment; filename="mileage-log-DRV-0001-${year}.xlsx"`);
		const [cover, log] = await readXlsx(bytes);
		const trips = await tripsOf();
		expect(trips.length).toBeGreaterThan(20);
		expect(new Set(trips.map(soon))).toEqual(new Set(["Same day", "Within a week", "Later"]));
		expect(
			log?.rows
				.slice(1, -1)
				.map(([date, start, end, miles, notes, , how]) => [(date as Date).toISOString().slice(0, 10), start, end, miles, notes, how]),
		).toEqual(
			trips.map((row) => [
				row.driven_on,
				row.start_miles,
				row.end_miles,
				Number(row.end_miles) - Number(row.start_miles),
				row.notes,
				soon(row),
			]),
		);
		const miles = trips.reduce((sum, row) => sum + Number(row.end_miles) - Number(row.start_miles), 0);
		expect(log?.rows.at(-1)?.[3]).toBe(miles);
		const facts = new Map(cover?.rows.map(([label, text]) => [label, text]));
		expect(facts.get("Driver")).toBe("Dana Driver (DRV-0001)");
		expect(facts.get("Miles")).toBe(miles.toLocaleString("en-US"));
		expect(facts.get("First reading")).toBe(`${trips[0]?.start_miles?.toLocaleString("en-US")} on ${inWords(String(trips[0]?.driven_on))}`);
		expect(facts.get("Last reading")).toBe(
			`${trips.at(-1)?.end_miles?.toLocaleString("en-US")} on ${inWords(String(trips.at(-1)?.driven_on))}`,
		);
	});

	it("is a PDF with a line to sign", async () => {
		const { text } = await readPdf((await form("/reports/mileage-log", { ...fields, format: "pdf", paper: "letter" })).bytes);
		for (const row of await tripsOf())
			expect(text).toContain(
				`${inWords(String(row.driven_on))} ${row.start_miles?.toLocaleString("en-US")} ${row.end_miles?.toLocaleString("en-US")}`,
			);
		for (const words of [`Mileage Log ${year}`, "Driver's signature", "I certify", "=SUM(A1) note"]) expect(text).toContain(words);
	});

	it.each([
		[{ driverId: "" }, "Please choose one of the drivers"],
		[{ driverId: "60000000-0000-4000-8000-000000000099" }, "Please choose one of the drivers"],
		[{ driverId: idOf("nora") }, "Please choose one of the drivers"],
		[{ year: "26" }, "Please enter a year, such as 2026"],
		[{ year: "1999" }, `The year must be from 2000 to ${year}`],
		[{ year: String(Number(year) + 1) }, `The year must be from 2000 to ${year}`],
		[{ format: "csv" }, "Please choose PDF or Excel"],
	])("refuses %o on the screen, with what was typed", async (wrong, message) => {
		const answer = await form("/reports/mileage-log", { ...fields, ...wrong });
		expect(answer.status).toBe(400);
		const text = screenOf(answer);
		expect(text).toContain(message);
		const kept = formWith(text, "Download Mileage Log").fields;
		expect(kept.year).toBe((wrong as { year?: string }).year ?? year);
	});
});

describe("what is refused", () => {
	const fields = { type: "weekly", format: "pdf", range: "custom", startDate: daysAgo(10), endDate: daysAgo(1), paper: "letter" };
	const cases: [Record<string, string>, string, string][] = [
		[{ startDate: daysAgo(1), endDate: daysAgo(2) }, "startDate", "The start date must not be after the end date"],
		[{ startDate: "" }, "startDate", "Please choose a start date"],
		[{ endDate: "" }, "endDate", "Please choose an end date"],
		[{ startDate: later(today, -366), endDate: today }, "endDate", "A report covers at most 366 days"],
		[{ startDate: "2026-02-30" }, "startDate", "The start date must be a real date, as YYYY-MM-DD"],
		[{ endDate: "11/21/2026" }, "endDate", "The end date must be a real date, as YYYY-MM-DD"],
		[{ endDate: later(today, 2) }, "endDate", "The end date cannot be in the future"],
		[{ startDate: "1999-12-31", endDate: "2000-01-05" }, "startDate", "Please check the year of the start date"],
		[{ type: "yearly" }, "type", "Please choose a report type"],
		[{ format: "doc" }, "format", "Please choose PDF, CSV or Excel"],
		[{ range: "forever" }, "range", "Please choose a date range"],
		[{ paper: "a3" }, "paper", "Please choose US Letter or A4"],
	];

	it.each(cases)("%o by the call, as JSON and as a form: 400 with %s", async (wrong, field, message) => {
		for (const answer of [await call({ ...fields, ...wrong }), await form("/api/reports/generate", { ...fields, ...wrong })]) {
			expect(answer.status).toBe(400);
			expect(messageOf(answer)).toMatchObject({ message, fields: { [field]: [message] } });
		}
	});

	it.each(cases)("%o on the screen: the message, and the form as it was typed", async (wrong, field, message) => {
		const typed: Record<string, string> = { ...fields, ...wrong };
		const answer = await form("/reports/generate", typed);
		expect(answer.status).toBe(400);
		expect(answer.headers.get("Content-Disposition")).toBeNull();
		const text = screenOf(answer);
		expect(text).toContain("Failed to generate report");
		expect(text).toContain(message);
		expect(text).toMatch(new RegExp(`<(input|select)[^>]*aria-invalid="true"[^>]*name="${field}"`));
		const kept = formWith(text, "Generate Report</button>").fields;
		for (const name of ["startDate", "endDate"]) expect(kept[name]).toBe(typed[name]);
		if (field !== "format") expect(kept.format).toBe("pdf");
	});

	it("everything that is wrong at once", async () => {
		const answer = await call({ type: "yearly", startDate: "", paper: "a3" });
		expect(answer.status).toBe(400);
		expect(messageOf(answer)).toEqual({
			message: "Please choose a report type",
			fields: {
				type: ["Please choose a report type"],
				format: ["Please choose PDF, CSV or Excel"],
				paper: ["Please choose US Letter or A4"],
				startDate: ["Please choose a start date"],
				endDate: ["Please choose an end date"],
			},
		});
	});

	it("takes a leap year, one day, today and the tomorrow of a browser in the east", async () => {
		for (const [startDate, endDate, shown] of [
			[later(today, -365), today, `${inWords(later(today, -365))} to ${inWords(today)}`],
			[today, today, inWords(today)],
			[daysAgo(3), later(today, 1), `${inWords(daysAgo(3))} to ${inWords(today)}`],
			["2024-02-29", "2024-02-29", "Feb 29, 2024"],
			[`${daysAgo(3)}T00:00:00.000Z`, `${today}T00:00:00Z`, `${inWords(daysAgo(3))} to ${inWords(today)}`],
		] as const) {
			const { status, bytes } = await call({ type: "weekly", format: "csv", startDate, endDate });
			expect(status).toBe(200);
			expect(readCsv(bytes).facts).toContainEqual(["Period", shown]);
		}
	});

	it("takes the form's own encoding, and excel by the ending of its file", async () => {
		const byForm = await form("/api/reports/generate", { ...fields, format: "xlsx" });
		expect(byForm.status).toBe(200);
		expect(byForm.headers.get("Content-Disposition")).toContain(".xlsx");
		expect((await readXlsx(byForm.bytes))[0]?.name).toBe("Report");
		expect((await post(ada, "/api/reports/generate", "type=weekly", "text/plain")).status).toBe(415);
	});

	it("a PDF of more than 5,000 rows: a clear message, and the workbook has them", async () => {
		const many = Array.from({ length: 18 }, (_, each) => `80000000-0000-4000-8000-${String(each).padStart(12, "0")}`);
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
		const message = "A PDF holds at most 5,000 rows, and this report has more. Please choose Excel or CSV, or fewer days.";
		const refused = await call({ ...wide, format: "pdf" });
		expect(refused.status).toBe(400);
		expect(messageOf(refused)).toEqual({ message, fields: { format: [message] } });
		const onScreen = await form("/reports/generate", { ...wide, range: "custom", format: "pdf" });
		expect(onScreen.status).toBe(400);
		expect(screenOf(onScreen)).toContain(message);
		const books = await booksOf(sql);
		await agree((await call({ ...wide, format: "excel" })).bytes, "excel", expectedDrivers(books, daysAgo(299), today));
		await sql("delete from uber_fees where id like '90000000%'");
		await sql("delete from driver_totals where driver_id like '80000000%'");
		await sql("delete from users where last_name like 'Rows%'");
	});
});

describe("the screen", () => {
	it("shows its figures with the dates they cover, in one trip", async () => {
		const answer = await ada.get("/reports");
		expect(answer.headers.get("Server-Timing")).toContain("1 trip,");
		const { entries } = await booksOf(sql);
		const within = (days: number) => entries.filter(({ day }) => day >= daysAgo(days - 1) && day <= today);
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
		const window = (days: number) => `${inWords(daysAgo(days - 1))} to ${inWords(today)}`;
		for (const words of [
			`|Total Weekly Spend|${money(fuel + fees)}|${window(7)}|`,
			`|Total Miles|${miles.toLocaleString("en-US")}|${window(30)}|`,
			`|Avg Cost per Mile|${money(perMile)}|${perMile > 100 ? "Above target" : "Within target"}|${window(30)}|`,
			`|Fuel:Uber Ratio|${share}:${100 - share}|Target: 70:30 (${window(7)})|`,
			`|Expense Breakdown|${window(7)}|Fuel Expenses|${money(fuel)}|Uber Fees|${money(fees)}|Total|${money(fuel + fees)}|`,
			`|Performance Trends|Total Miles|${window(30)}|${miles.toLocaleString("en-US")}|Active Drivers|at least one trip, ${window(30)}|${active}|`,
			`|Average Weekly Spend|${window(84)}|${money(Math.floor(spent(84) / 12 + 0.5))}|`,
			"|Weekly PDF Report|",
			"|Monthly CSV Export|",
			"|Driver Performance Excel|",
		])
			expect(text).toContain(words);
	});

	it("says 0:0 and Within target in a fleet where nothing happened", async () => {
		const other = await openFleet({ seed: "admin" });
		const { text } = await (await other.as("ada")).get("/reports");
		expect(text).toContain(">0:0<");
		expect(text).toContain("Within target");
	});

	it("offers the reports, ranges and formats of the specification, and quick actions that make what they say", async () => {
		const { text } = await ada.get("/reports");
		const { html } = formWith(text, "Generate Report</button>");
		expect([...html.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)</g)].map(([, value, label]) => [value, label])).toEqual([
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
			expect(headers.get("Content-Disposition")).toBe(`attachment; filename="fleet-report-${today}.${ending}"`);
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

describe("the limit", () => {
	it("is 30 a minute for each administrator, then 429 with Retry-After; another one goes on", async () => {
		const limited = await openFleet({ reportLimit: { limit: 3, period: 60 } });
		const one = await limited.as("ada");
		const body = { type: "weekly", format: "csv", range: "current_week" };
		for (let each = 0; each < 3; each++) expect((await one.call("POST", "/api/reports/generate", body)).status).toBe(200);
		const refused = await one.call("POST", "/api/reports/generate", body);
		expect(refused.status).toBe(429);
		expect(refused.headers.get("Retry-After")).toBe("60");
		// On the screen the form is still there, as it was filled in.
		const custom = { ...body, range: "custom", startDate: daysAgo(9), endDate: daysAgo(2), paper: "a4" };
		const onScreen = await one.post("/reports/generate", custom);
		expect([onScreen.status, onScreen.headers.get("Retry-After")]).toEqual([429, "60"]);
		expect(onScreen.text).toContain("You have made very many reports in the last minute");
		expect(formWith(onScreen.text, "Generate Report</button>").fields).toMatchObject(custom);
		const log = await one.post("/reports/mileage-log", { driverId: idOf("dana"), year: "2024", format: "excel", paper: "a4" });
		expect([log.status, log.headers.get("Retry-After")]).toEqual([429, "60"]);
		expect(formWith(log.text, "Download Mileage Log").fields).toMatchObject({ driverId: idOf("dana"), year: "2024", format: "excel" });
		expect((await (await limited.as("ben")).call("POST", "/api/reports/generate", body)).status).toBe(200);
	});
});
