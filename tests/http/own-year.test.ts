/**
 * A driver's own year as files: every format is read back with another library and compared with
 * the rows, the screens and the API (docs/product.md, 'Reports and exports').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { currentTime, waitForFreshMinute } from "../support/clock.ts";
import { expectedSummary, type Row, total } from "../support/expected-year.ts";
import { insertFee } from "../support/fees.ts";
import { dayOf, daysAgo, describeDate, midnight } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { insertLog } from "../support/mileage.ts";
import { deletePayouts, gather } from "../support/payouts.ts";
import { expectAgreement } from "../support/report-agreement.ts";
import { readCsv, readPdf, readXlsx } from "../support/report-files.ts";
import { reportsClient } from "../support/reports.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ transferLimit: { limit: 1000, period: 60 } });
const sql = <Row = Record<string, unknown>>(query: string, ...values: unknown[]) =>
	fleet.sql<Row>(query, ...values);
const dana = await fleet.as("dana");
const admin = await fleet.as("ada");
const { file } = reportsClient(dana);
const today = daysAgo(0);
const thisYear = Number(today.slice(0, 4));

const logLink = (year: number | string, format: string) =>
	`/history/tax-year?year=${year}&format=${format}`;
const summaryLink = (year: number | string, format: string) =>
	`/history/year-summary?year=${year}&format=${format}`;
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const nameOf = (headers: Headers) => headers.get("Content-Disposition");
const decided = (status: string) => ({ status, decided_at: 1, decided_by: idOf("ada") });
const withdrawn = { status: "withdrawn", withdrawn_at: 1 };
/** Texts that occur only in Omar's rows. */
const FOREIGN = ["Omar", "Okafor", "DRV-0002", "omar's", "777", "31.41"];

/** Inserts rows on either side of both ends of a year and within it, for Dana and for Omar. */
async function fill(year: number): Promise<void> {
	const [first, last] = [`${year}-01-01`, `${year}-12-31`];
	const [before, after] = [`${year - 1}-12-31`, `${year + 1}-01-01`];
	const middle = new Date(Date.UTC(year, 1, 29)).toISOString().slice(0, 10);
	const own = [before, first, middle, last, after].filter((day) => day <= today);
	for (const [each, day] of own.entries()) {
		const number = (year % 100) * 100 + each * 10;
		await insertLog(sql, number, "dana", day, 100 + each, {
			notes: each % 2 ? `=SUM(A${each})` : null,
			purpose: each % 2 ? null : `=airport ${each}`,
			personal_miles: [null, 0, 30, 100 + each][each % 4] ?? null,
			created_at: midnight(day) + 20 * 3_600_000 + each * 4 * 86_400_000,
		});
		await insertLog(sql, number + 1, "dana", day, 50 + each, {
			voided_at: midnight(day) + 21 * 3_600_000,
			voided_by: idOf(each % 2 ? "dana" : "ada"),
			void_reason: each % 2 ? null : "Wrong\nvan",
		});
		await insertLog(sql, number + 2, "omar", day, 777, { notes: "omar's trip" });
		await insertFee(sql, number, "dana", day, {
			category: ["commission", "service_fee", "booking_fee", "other"][each % 4] ?? "other",
			amount_cents: 1000 + each,
		});
		await insertFee(sql, number + 1, "dana", day, { deleted_at: 1, deleted_by: idOf("ada") });
		await insertFee(sql, number + 2, "omar", day, { amount_cents: 3141 });
	}
	const moments = [midnight(first) - 1, midnight(first), midnight(middle), midnight(after) - 1];
	moments.push(midnight(after));
	const standings = [decided("approved"), decided("rejected"), withdrawn, {}, decided("approved")];
	const approvedAt = new Map<number, string[]>();
	for (const [each, created_at] of moments.entries())
		for (const [standing, more] of standings.entries()) {
			if (created_at > currentTime()) continue;
			const number = (year % 100) * 1000 + each * 100 + standing * 10;
			const type = ["gas", "maintenance", "other"][(each + standing) % 3] ?? "gas";
			const amount_cents = 2000 + 10 * each + standing;
			const id = await insertRequest(sql, number, "dana", {
				created_at,
				type,
				amount_cents,
				...more,
			});
			if ("status" in more && more.status === "approved")
				approvedAt.set(each, [...(approvedAt.get(each) ?? []), id]);
			const omars = { created_at, type, amount_cents: 3141, description: "omar's", ...more };
			await insertRequest(sql, number + 5, "omar", omars);
		}
	await payOut(approvedAt.get(1) ?? [], true);
	await payOut(approvedAt.get(2) ?? [], false);
}

/** Puts requests into a payout, either paid or still open. */
async function payOut(requestIds: readonly string[], isPaid: boolean): Promise<void> {
	if (requestIds.length === 0) return;
	const { id } = await gather(admin, { requestIds });
	if (!isPaid) return;
	const answer = await admin.call("PUT", `/api/payouts/${id}`, { status: "paid", paidOn: today });
	expect(answer.status).toBe(200);
}

const rowsOf = (table: string, order = "id") =>
	sql<Row>(`select * from ${table} where driver_id = ? order by ${order}`, idOf("dana"));
/** Dana's rows of a year, calculated without any of the application's code. */
async function bookOf(year: number) {
	const isIn = (day: unknown) => String(day).startsWith(`${year}-`) && String(day) <= today;
	const trips = (await rowsOf("mileage_logs", "driven_on, end_miles")).filter((row) =>
		isIn(row.driven_on),
	);
	return {
		trips: trips.filter((row) => row.voided_at === null),
		voided: trips.filter((row) => row.voided_at !== null),
		requests: (
			await sql<Row>(
				"select fund_requests.*, payouts.status as payout_status from fund_requests left join payouts on payouts.id = payout_id where fund_requests.driver_id = ? order by fund_requests.id",
				idOf("dana"),
			)
		).filter((row) => isIn(dayOf(Number(row.created_at)))),
		fees: (await rowsOf("uber_fees")).filter(
			(row) => row.deleted_at === null && isIn(row.charged_on),
		),
	};
}
const shownMoment = (moment: unknown) => {
	const time = new Date(Number(moment)).toLocaleTimeString("en-US", {
		timeZone: "America/New_York",
		hour: "numeric",
		minute: "2-digit",
	});
	return `${describeDate(dayOf(Number(moment)))}, ${time.replace("\u202f", " ")}`;
};
const soon = (row: Row) => {
	const days =
		(Date.parse(dayOf(Number(row.created_at))) - Date.parse(String(row.driven_on))) / 864e5;
	return days <= 0 ? "Same day" : days <= 7 ? "Within a week" : "Later";
};
const why = (row: Row) => {
	const who = row.voided_by === row.driver_id ? "By the driver" : "By an administrator";
	return row.void_reason ? `${who}: ${row.void_reason}` : who;
};
const businessShare = (trips: readonly Row[]) => {
	const all = total(trips, "miles");
	return `${((100 * (all - total(trips, "personal_miles"))) / all).toFixed(1)}%`;
};
const lastMonth = (year: number) => (year === thisYear ? Number(today.slice(5, 7)) : 12);
const period = (year: number) =>
	year === thisYear
		? `Jan 1, ${year}${today.endsWith("-01-01") ? "" : ` to ${describeDate(today)}`}`
		: `Jan 1, ${year} to Dec 31, ${year}`;

beforeEach(async () => {
	await deletePayouts(sql);
	for (const table of ["mileage_logs", "uber_fees"]) await sql(`delete from ${table}`);
});

// Two whole years, one of them a leap year, and the current one.
describe.each([thisYear, thisYear - 1, 2024])("of %d", (year) => {
	beforeEach(() => fill(year));

	it("the mileage log is a workbook with every trip, voided ones listed separately", async () => {
		const { status, headers, bytes } = await file(logLink(year, "xlsx"));
		expect(status).toBe(200);
		expect(nameOf(headers)).toBe(`attachment; filename="mileage-log-DRV-0001-${year}.xlsx"`);
		const { trips, voided } = await bookOf(year);
		expect(trips.length).toBeGreaterThanOrEqual(today < `${year}-03-01` ? 1 : 2);
		const [cover, log, apart] = await readXlsx(bytes);
		const facts = new Map(cover?.rows.map(([label, text]) => [label, text]));
		expect(cover?.rows[0]?.[0]).toBe(`Mileage Log ${year}`);
		for (const [label, text] of [
			["Driver", "Dana Driver (DRV-0001)"],
			["Tax year", String(year)],
			["Period", period(year)],
			["Time zone", "America/New_York"],
			["Generated by", "Dana Driver"],
			["Trips", String(trips.length)],
			["Miles", total(trips, "miles").toLocaleString("en-US")],
			["Business share", businessShare(trips)],
		])
			expect(facts.get(label), label).toBe(text);
		expect(facts.get("Generated")).toContain(describeDate(today));
		expect(facts.get("Please note")).toContain("Not tax advice");
		const dayIn = (cell: unknown) => (cell as Date).toISOString().slice(0, 10);
		expect(
			log?.rows.slice(1, -1).map(([day, ...cells]) => [dayIn(day), ...cells.toSpliced(4, 1)]),
		).toEqual(
			trips.map((row) => [
				row.driven_on,
				row.start_miles,
				row.end_miles,
				row.miles,
				row.notes,
				soon(row),
				row.purpose,
				row.personal_miles,
				Number(row.miles) - Number(row.personal_miles),
			]),
		);
		const [all, personal] = [total(trips, "miles"), total(trips, "personal_miles")];
		expect(log?.rows.at(-1)?.[3]).toBe(all);
		expect(log?.rows.at(-1)?.slice(-2)).toEqual([personal, all - personal]);
		expect(apart?.name).toBe("Voided Entries");
		expect(voided.length).toBeGreaterThan(0);
		expect(
			apart?.rows.slice(1).map(([day, ...cells]) => [dayIn(day), ...cells.toSpliced(3, 2)]),
		).toEqual(
			voided.map((row) => [row.driven_on, row.start_miles, row.end_miles, row.miles, why(row)]),
		);
	});

	it("the mileage log is a PDF with a line to sign", async () => {
		const { status, headers, bytes } = await file(logLink(year, "pdf"));
		expect(status).toBe(200);
		expect(nameOf(headers)).toBe(`attachment; filename="mileage-log-DRV-0001-${year}.pdf"`);
		const { text } = await readPdf(bytes);
		const { trips, voided } = await bookOf(year);
		const number = (value: unknown) => Number(value).toLocaleString("en-US");
		const readings = (row: Row) =>
			`${describeDate(String(row.driven_on))} ${number(row.start_miles)} ${number(row.end_miles)} ${number(row.miles)}`;
		for (const row of trips) expect(text).toContain(readings(row));
		const apart = text.slice(text.indexOf("Voided Entries"));
		for (const row of voided) {
			expect(apart).toContain(`${readings(row)} ${shownMoment(row.created_at)}`);
			expect(apart).toContain(why(row).replace(/\s+/g, " "));
			expect(text.slice(0, -apart.length)).not.toContain(readings(row));
		}
		for (const words of [
			`Mileage Log ${year}`,
			`Period ${period(year)}`,
			"Time zone America/New_York",
			"Not tax advice",
			"Driver's signature",
			`Generated ${describeDate(today)}`,
		])
			expect(text).toContain(words);
	});

	it.each(["pdf", "csv"])("the summary has the year's totals as %s", async (format) => {
		const { status, headers, bytes } = await file(summaryLink(year, format));
		expect(status).toBe(200);
		expect(nameOf(headers)).toBe(`attachment; filename="year-summary-DRV-0001-${year}.${format}"`);
		const book = await bookOf(year);
		expect(book.requests.length).toBeGreaterThanOrEqual(5);
		expect(book.requests.some((row) => row.payout_status === "paid")).toBe(true);
		await expectAgreement(bytes, format, expectedSummary(lastMonth(year), book));
		const text =
			format === "pdf"
				? (await readPdf(bytes)).text
				: readCsv(bytes)
						.facts.map((fact) => fact.join(" "))
						.join(" ");
		for (const words of [
			`Year Summary ${year}`,
			"Driver Dana Driver (DRV-0001)",
			`Period ${period(year)}`,
			`Business share ${businessShare(book.trips)}`,
			"Time zone America/New_York",
			`Generated ${describeDate(today)}`,
			"Not tax advice",
		])
			expect(text).toContain(words);
	});

	it("no file contains another driver's data", async () => {
		const pdfs = [logLink(year, "pdf"), summaryLink(year, "pdf")];
		const texts = [
			...(await Promise.all(
				pdfs.map(async (link) => (await readPdf((await file(link)).bytes)).text),
			)),
			JSON.stringify(await readXlsx((await file(logLink(year, "xlsx"))).bytes)),
			textOf((await file(summaryLink(year, "csv"))).bytes),
		];
		for (const text of texts) {
			expect(text).toContain("Dana");
			for (const word of FOREIGN) expect(text).not.toContain(word);
		}
	});
});

describe("the same figures", () => {
	beforeEach(() => fill(thisYear));

	it("are in the driver's API, the administrators' expense analysis and their mileage log", async () => {
		const { sections } = readCsv((await file(summaryLink(thisYear, "csv"))).bytes);
		const totalOf = (title: string) =>
			sections.get(title)?.find(([name]) => name === "Total") ?? [];
		const first = `${thisYear}-01-01`;
		const isIn = (day: string) => day >= first && day <= today;
		const call = async (path: string) =>
			JSON.parse((await dana.get(path)).text) as Record<string, string>[];
		const sum = (rows: Record<string, string>[], name: string) =>
			rows.reduce((all, row) => all + Math.round(Number(row[name]) * 100), 0);
		const cents = (text: string | undefined) => Math.round(Number(text) * 100);

		const trips = (await call(`/api/mileage?startDate=${first}&endDate=${today}`)).filter(
			({ status }) => status === "logged",
		);
		const [all, personal] = [
			sum(trips, "calculatedMiles") / 100,
			sum(trips, "personalMiles") / 100,
		] as const;
		expect(totalOf("Mileage")).toEqual([
			"Total",
			String(trips.length),
			String(all),
			String(personal),
			String(all - personal),
		]);
		const requests = (await call("/api/fund-requests")).filter(
			({ createdAt, status }) =>
				isIn(dayOf(Date.parse(String(createdAt)))) && status !== "withdrawn",
		);
		const [, count, asked, approved] = totalOf("Fund Requests");
		expect([Number(count), cents(asked)]).toEqual([requests.length, sum(requests, "amount")]);
		const agreed = requests.filter(({ status }) => status === "approved");
		expect(cents(approved)).toBe(sum(agreed, "amount"));
		const fees = (await call("/api/uber-fees")).filter(({ date }) => isIn(String(date)));
		const [, entries, amount] = totalOf("Uber Fees");
		expect([Number(entries), cents(amount)]).toEqual([fees.length, sum(fees, "amount")]);

		const ada = reportsClient(await fleet.as("ada"));
		const analysis = await ada.call({
			type: "expense",
			format: "csv",
			startDate: first,
			endDate: today,
		});
		const own = readCsv(analysis.bytes)
			.sections.get("By Driver")
			?.find(([code]) => code === "DRV-0001");
		const types = ["Gas/Fuel", "Vehicle Maintenance", "Other"];
		expect(own?.slice(2, 6)).toEqual([
			...types.map(
				(type) => sections.get("Fund Requests")?.find(([name]) => name === type)?.[3] ?? "",
			),
			amount,
		]);
		const fields = { driverId: idOf("dana"), year: String(thisYear), format: "excel" };
		const theirs = await readXlsx((await ada.form("/reports/mileage-log", fields)).bytes);
		const hers = await readXlsx((await file(logLink(thisYear, "xlsx"))).bytes);
		expect(hers[1]).toEqual(theirs[1]);
	});
});

describe("refusals", () => {
	const beyond = `The year must be between 2000 and ${thisYear}`;
	it.each([
		["/history/tax-year", "Enter a year, such as 2026. Select PDF or Excel"],
		["/history/tax-year?format=pdf", "Enter a year, such as 2026"],
		["/history/tax-year?year=26&format=pdf", "Enter a year, such as 2026"],
		["/history/tax-year?year=2026.5&format=pdf", "Enter a year, such as 2026"],
		["/history/tax-year?year=1999&format=pdf", beyond],
		[logLink(thisYear + 1, "pdf"), beyond],
		[logLink(thisYear, "csv"), "Select PDF or Excel"],
		[logLink(thisYear, "<script>"), "Select PDF or Excel"],
		["/history/year-summary", "Enter a year, such as 2026. Select PDF or CSV"],
		[summaryLink(thisYear + 1, "csv"), beyond],
		[summaryLink(thisYear, "xlsx"), "Select PDF or CSV"],
	])("%s is 400 with '%s', and no download", async (path, message) => {
		const files = () => sql("select count(*) as n from audit_events where entity = 'file'");
		const before = await files();
		const { status, headers, text } = await dana.get(path);
		expect(status).toBe(400);
		expect(headers.get("Content-Type")).toBe("text/html; charset=utf-8");
		expect(nameOf(headers)).toBeNull();
		expect(text).toContain(`<p>${message}.</p>`);
		expect(text).toContain('<a href="/history">Back to History</a>');
		expect(await files()).toEqual(before);
	});

	it("no one but an approved driver gets a file", async () => {
		for (const link of [logLink(thisYear, "xlsx"), summaryLink(thisYear, "csv")]) {
			for (const [name, status] of [
				["ada", 404],
				["nora", 403],
				["rex", 403],
				["nina", 403],
			] as const) {
				const answer = await (await fleet.as(name)).get(link);
				expect([answer.status, nameOf(answer.headers)], name).toEqual([status, null]);
			}
			expect((await fleet.client().get(link)).status).toBe(401);
		}
	});

	it("one file too many in a minute: 429 with Retry-After, and none for another driver", async () => {
		const limited = await openFleet({ transferLimit: { limit: 2, period: 60 } });
		const one = await limited.as("dana");
		await waitForFreshMinute();
		expect((await one.get(summaryLink(thisYear, "csv"))).status).toBe(200);
		expect((await one.get(logLink(thisYear, "xlsx"))).status).toBe(200);
		for (const link of [summaryLink(thisYear, "csv"), logLink(thisYear, "xlsx")]) {
			const { status, headers, text } = await one.get(link);
			expect([status, headers.get("Retry-After")]).toEqual([429, "60"]);
			expect(text).toContain("Too many reports in the last minute");
		}
		const other = await limited.as("omar");
		expect((await other.get(summaryLink(thisYear, "csv"))).status).toBe(200);
	});
});

describe("as CSV", () => {
	it("has a byte order mark and RFC 4180 lines, and a name that looks like a formula stays text", async () => {
		await sql("update users set first_name = '=1+1' where id = ?", idOf("dana"));
		try {
			const { headers, bytes } = await file(summaryLink(thisYear, "csv"));
			expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
			const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
			expect(text.startsWith("\ufeffYear Summary")).toBe(true);
			expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
			expect(text).toContain(`Driver,"'=1+1 Driver (DRV-0001)"\r\n`);
		} finally {
			await sql("update users set first_name = 'Dana' where id = ?", idOf("dana"));
		}
	});
});

describe("the screen", () => {
	const yearsIn = async () => {
		const { html } = formWith((await dana.get("/history")).text, "Mileage Log (PDF)");
		return [...html.matchAll(/<option value="(\d+)"/g)].map(([, year]) => Number(year));
	};

	it("offers only this year to a driver without entries", async () => {
		await insertLog(sql, 1, "omar", "2024-05-05", 10);
		expect(await yearsIn()).toEqual([thisYear]);
	});

	it("offers exactly the years with an entry, including voided or withdrawn ones", async () => {
		await insertLog(sql, 1, "dana", "2011-12-31", 10);
		await insertLog(sql, 2, "dana", "2013-01-01", 10, { voided_at: 1, voided_by: idOf("ada") });
		await insertFee(sql, 1, "dana", "2015-06-01");
		await insertFee(sql, 2, "dana", "2016-06-01", { deleted_at: 1, deleted_by: idOf("ada") });
		// The year is the one in the fleet's time zone, not in UTC.
		await insertRequest(sql, 1, "dana", { created_at: midnight("2019-01-01") - 1, ...withdrawn });
		await insertRequest(sql, 2, "dana", { created_at: midnight("2021-01-01") });
		await insertLog(sql, 3, "dana", `${thisYear + 1}-01-01`, 10);
		expect(await yearsIn()).toEqual([thisYear, 2021, 2018, 2015, 2013, 2011]);
	});

	it("has a button for each file that works without a script", async () => {
		await fill(thisYear);
		const form = formWith((await dana.get("/history")).text, "Mileage Log (PDF)");
		const buttons = [...form.html.matchAll(/<button([^>]*)>([^<]*)</g)].map(
			([, attributes = "", label = ""]) => {
				const of = (name: string) => new RegExp(`${name}="([^"]*)"`, "i").exec(attributes)?.[1];
				return [label, `${of("formaction")}?${of("name")}=${of("value")}`];
			},
		);
		expect(buttons).toEqual([
			["Mileage Log (PDF)", "/history/tax-year?format=pdf"],
			["Mileage Log (Excel)", "/history/tax-year?format=xlsx"],
			["Year Summary (PDF)", "/history/year-summary?format=pdf"],
			["Year Summary (CSV)", "/history/year-summary?format=csv"],
		]);
		for (const [, url = ""] of buttons)
			expect((await dana.get(`${url}&year=${form.fields.year}`)).status).toBe(200);
	});

	it("costs three round trips per file: the session, the contents and the audit", async () => {
		const { headers } = await dana.get(summaryLink(thisYear, "csv"));
		expect(headers.get("Server-Timing")).toContain("3 trips");
	});
});
