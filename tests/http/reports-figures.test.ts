/**
 * The figures of Reports & Analytics (docs/product.md §5, §7, §8, §9, 'Numbers, money and dates'
 * and 'Reports and exports'): every file read back with another library, every figure worked out
 * anew from the rows.
 */
import { describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { insertDriver } from "../support/drivers.ts";
import {
	booksOf,
	expectedDrivers,
	expectedExpenses,
	expectedSummary,
	later,
} from "../support/expected-reports.ts";
import { feeId, insertFee } from "../support/fees.ts";
import { dayOf, daysAgo, inWords } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { expectAgreement, money } from "../support/report-agreement.ts";
import { readCsv, readPdf, readXlsx } from "../support/report-files.ts";
import { createAsker, insertBusyFleet } from "../support/reports.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ reportLimit: { limit: 1000, period: 60 } });
const sql = <Row = Record<string, unknown>>(query: string, ...values: unknown[]) =>
	fleet.sql<Row>(query, ...values);
const ada = await fleet.as("ada");
await insertBusyFleet(sql);
const { call, form, screenAfter } = createAsker(fleet, ada);
const today = daysAgo(0);

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

	it.each(
		FORMATS.flatMap((format) =>
			["weekly", "monthly", "driver", "expense"].map((type) => [type, format] as const),
		),
	)("%s as %s over custom dates", async (type, format) => {
		const { status, headers, bytes } = await call({ type, format, startDate: from, endDate: to });
		expect(status).toBe(200);
		const ending = format === "excel" ? "xlsx" : format;
		expect(headers.get("Content-Disposition")).toBe(
			`attachment; filename="fleet-report-${today}.${ending}"`,
		);
		const books = await booksOf(sql);
		const expected =
			type === "driver"
				? expectedDrivers(books, from, to)
				: type === "expense"
					? expectedExpenses(books, [from, to], before)
					: expectedSummary(books, type as "weekly" | "monthly", [from, to], before);
		await expectAgreement(bytes, format, expected);
	});

	it.each([
		[
			"current_week",
			() => [sunday(today), today],
			() => [later(sunday(today), -7), later(today, -7)],
		],
		[
			"last_week",
			() => [later(sunday(today), -7), later(sunday(today), -1)],
			() => [later(sunday(today), -14), later(sunday(today), -8)],
		],
		[
			"current_month",
			() => [`${today.slice(0, 8)}01`, today],
			() => [monthsEarlier(today).first, monthsEarlier(today).same],
		],
		["last_month", () => [monthsEarlier(today).first, monthsEarlier(today).last], undefined],
	] as const)(
		"%s covers the dates it says, against the dates before",
		async (range, dates, earlier) => {
			const [start = "", end = ""] = dates();
			const type = range.endsWith("month") ? "monthly" : "weekly";
			const { bytes } = await call({ type, format: "csv", range });
			const { facts } = readCsv(bytes);
			expect(facts).toContainEqual([
				"Period",
				start === end ? inWords(start) : `${inWords(start)} to ${inWords(end)}`,
			]);
			const [first = "", last = ""] = earlier?.() ?? [
				monthsEarlier(start).first,
				monthsEarlier(start).last,
			];
			expect(facts).toContainEqual([
				"Compared with",
				first === last ? inWords(first) : `${inWords(first)} to ${inWords(last)}`,
			]);
			await expectAgreement(
				bytes,
				"csv",
				expectedSummary(await booksOf(sql), type, [start, end], [first, last]),
			);
		},
	);

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
		const { bytes } = await call({
			type: "weekly",
			format: "csv",
			startDate: daysAgo(6),
			endDate: today,
		});
		const spending = new Map(
			(readCsv(bytes).sections.get("Spending") ?? []).map(([label = "", value = ""]) => [
				label,
				value,
			]),
		);
		const { text } = await ada.get("/reports");
		expect(text).toContain(money(Number(spending.get("Total Spend")) * 100));
		expect(text).toContain(money(Number(spending.get("Fuel Expenses")) * 100));
		const summary = JSON.parse((await ada.get("/api/analytics/weekly-summary")).text) as Record<
			string,
			string
		>;
		expect([summary.fuelExpenses, summary.uberFees, summary.totalSpend]).toEqual(
			["Fuel Expenses", "Uber Fees", "Total Spend"].map((label) => spending.get(label)),
		);
	});

	it.each(FORMATS)(
		"has a line and days of its own for people who are no longer drivers, as %s",
		async (format) => {
			const cancelled = crypto.randomUUID();
			const last = daysAgo(2);
			const feeNumber = 900 + FORMATS.indexOf(format);
			await sql("update users set role = 'none' where id = ?", idOf("omar"));
			await insertDriver(sql, { id: cancelled, last_name: "Cancelled", invited_at: 1 });
			await insertFee(sql, feeNumber, "dana", last, { driver_id: cancelled, amount_cents: 700 });
			await sql("update users set deleted_at = 1 where id = ?", cancelled);
			try {
				const dates = { startDate: from, endDate: last };
				const { bytes } = await call({ type: "driver", format, ...dates });
				const expected = expectedDrivers(await booksOf(sql), from, last);
				expect(expected[0]?.rows.at(-2)?.[1]).toBe("People who are no longer drivers");
				await expectAgreement(bytes, format, expected);
			} finally {
				await sql("update users set role = 'driver' where id = ?", idOf("omar"));
				await sql(
					"update uber_fees set deleted_at = 1, deleted_by = ? where id = ?",
					idOf("ada"),
					feeId(feeNumber),
				);
			}
		},
	);
});

describe("the mileage log of a year", () => {
	// The year that most of the fleet's 70 days are in, also in January.
	const year = daysAgo(35).slice(0, 4);
	const thisYear = today.slice(0, 4);
	const fields = { driverId: idOf("dana"), year, format: "excel", paper: "a4" };
	const tripsOf = () =>
		sql<Record<string, number | string | null>>(
			"select * from mileage_logs where driver_id = ? and voided_at is null and driven_on between ? and ? order by driven_on, end_miles",
			idOf("dana"),
			`${year}-01-01`,
			`${year}-12-31`,
		);
	const soon = (row: Record<string, unknown>) => {
		const days =
			(Date.parse(dayOf(Number(row.created_at))) - Date.parse(String(row.driven_on))) / 86_400_000;
		return days <= 0 ? "Same day" : days <= 7 ? "Within a week" : "Later";
	};

	it("lists every trip with its readings and how soon it was recorded, as a workbook", async () => {
		const { status, headers, bytes } = await form("/reports/mileage-log", fields);
		expect(status).toBe(200);
		expect(headers.get("Content-Disposition")).toBe(
			`attachment; filename="mileage-log-DRV-0001-${year}.xlsx"`,
		);
		const [cover, log] = await readXlsx(bytes);
		const trips = await tripsOf();
		expect(trips.length).toBeGreaterThan(10);
		expect(new Set(trips.map(soon))).toEqual(new Set(["Same day", "Within a week", "Later"]));
		expect(
			log?.rows
				.slice(1, -1)
				.map(([date, start, end, miles, notes, , how]) => [
					(date as Date).toISOString().slice(0, 10),
					start,
					end,
					miles,
					notes,
					how,
				]),
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
		const miles = trips.reduce(
			(sum, row) => sum + Number(row.end_miles) - Number(row.start_miles),
			0,
		);
		expect(log?.rows.at(-1)?.[3]).toBe(miles);
		const facts = new Map(cover?.rows.map(([label, text]) => [label, text]));
		expect(facts.get("Driver")).toBe("Dana Driver (DRV-0001)");
		expect(facts.get("Miles")).toBe(miles.toLocaleString("en-US"));
		expect(facts.get("First reading")).toBe(
			`${trips[0]?.start_miles?.toLocaleString("en-US")} on ${inWords(String(trips[0]?.driven_on))}`,
		);
		expect(facts.get("Last reading")).toBe(
			`${trips.at(-1)?.end_miles?.toLocaleString("en-US")} on ${inWords(String(trips.at(-1)?.driven_on))}`,
		);
	});

	it("is a PDF with a line to sign", async () => {
		const { text } = await readPdf(
			(await form("/reports/mileage-log", { ...fields, format: "pdf", paper: "letter" })).bytes,
		);
		for (const row of await tripsOf())
			expect(text).toContain(
				`${inWords(String(row.driven_on))} ${row.start_miles?.toLocaleString("en-US")} ${row.end_miles?.toLocaleString("en-US")}`,
			);
		for (const words of [`Mileage Log ${year}`, "Driver's signature", "I certify", "=SUM(A1) note"])
			expect(text).toContain(words);
	});

	it.each([
		[{ driverId: "" }, "Please choose one of the drivers"],
		[{ driverId: "60000000-0000-4000-8000-000000000099" }, "Please choose one of the drivers"],
		[{ driverId: idOf("nora") }, "Please choose one of the drivers"],
		[{ year: "26" }, "Please enter a year, such as 2026"],
		[{ year: "1999" }, `The year must be from 2000 to ${thisYear}`],
		[{ year: String(Number(thisYear) + 1) }, `The year must be from 2000 to ${thisYear}`],
		[{ format: "csv" }, "Please choose PDF or Excel"],
	])("refuses %o on the screen, with what was typed", async (wrong, message) => {
		const text = await screenAfter("/reports/mileage-log", { ...fields, ...wrong });
		expect(text).toContain(message);
		const kept = formWith(text, "Download Mileage Log").fields;
		expect(kept.year).toBe((wrong as { year?: string }).year ?? year);
	});
});
