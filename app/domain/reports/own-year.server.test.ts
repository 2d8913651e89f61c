/** A driver's own year around the start of a year, and how its rows are found. */
import { describe, expect, it } from "vitest";
import { idOf, ZONE } from "../../../tests/support/cast.ts";
import { linesOf, openMovingFleet } from "../../../tests/support/moving-clock.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import { Database, type Statement } from "../../db/client.server.ts";
import { type CalendarDate, parseCalendarDate } from "../../values/calendar-date.ts";
import type { ReportDocument, Row } from "./document.ts";
import { buildOwnMileageLog } from "./mileage-log.server.ts";
import { selectVoidedTrips } from "./queries.server.ts";
import { selectRequestSums, selectVoidedSums } from "./year-queries.server.ts";
import { buildYearSummary } from "./year-summary.server.ts";
import { selectYearsWithEntries } from "./years.server.ts";

const bench = await openMovingFleet();
const { requests, logs } = await linesOf(bench, "dana");
/** There are requests at this moment and in the millisecond before it. */
const NEW_YEAR = Date.parse("2026-01-01T05:00:00Z");
for (const at of [NEW_YEAR - 1, NEW_YEAR]) expect(requests.map(({ order }) => order)).toContain(at);

async function rowsOf({ sections }: ReportDocument, title: string): Promise<Row[]> {
	const section = sections.find((each) => each.title === title);
	const rows: Row[] = [];
	for await (const page of section?.pages() ?? []) rows.push(...page);
	return rows;
}
const total = (rows: readonly Row[], column: number) =>
	rows.reduce((sum, row) => sum + Number(row[column]), 0);
const sum = (lines: readonly { value: number }[]) =>
	lines.reduce((all, { value }) => all + value, 0);

describe.each([
	["a millisecond before New Year", NEW_YEAR - 1, 2025, "2025-12-31"],
	["at New Year, the year that has ended", NEW_YEAR, 2025, "2025-12-31"],
	["at New Year, the year that has begun", NEW_YEAR, 2026, "2026-01-01"],
	["on the last day of a leap year", Date.parse("2025-01-01T04:59:00Z"), 2024, "2024-12-31"],
	["on February 29", Date.parse("2024-02-29T17:00:00Z"), 2024, "2024-02-29"],
])("%s", (_, now, year, last) => {
	const isIn = ({ date }: { date: string }) => date >= `${year}-01-01` && date <= last;
	const trips = logs.filter((line) => isIn(line) && line.status === "logged");
	const voided = logs.filter((line) => isIn(line) && line.status === "voided");
	const asked = requests.filter((line) => isIn(line) && line.status !== "withdrawn");

	it("the log has the trips up to that day, and the voided ones apart", async () => {
		const driver = await bench.driver("dana", now);
		const { document } = await buildOwnMileageLog(driver, year, "Fleet");
		const byDate = (lines: typeof logs) => lines.map(({ date, value }) => [date, value]).sort();
		const found = async (title: string) =>
			(await rowsOf(document, title)).map((row) => [row[0], row[3]]).sort();
		expect(trips.length).toBeGreaterThan(0);
		expect(await found("Mileage Log")).toEqual(byDate(trips));
		expect(await found("Voided Entries")).toEqual(byDate(voided));
	});

	it("the summary adds up what was driven and asked for up to that day", async () => {
		const driver = await bench.driver("dana", now);
		const { document } = await buildYearSummary(driver, year, "Fleet");
		const money = await rowsOf(document, "Fund Requests");
		const approved = asked.filter(({ status }) => status === "approved");
		expect(approved.length).toBeGreaterThan(0);
		expect([1, 2, 3].map((column) => total(money, column))).toEqual([
			asked.length,
			sum(asked),
			sum(approved),
		]);
		const mileage = await rowsOf(document, "Mileage");
		expect([1, 2].map((column) => total(mileage, column))).toEqual([trips.length, sum(trips)]);
		expect(mileage).toHaveLength(Number(last.slice(5, 7)));
	});
});

describe("are found by an index alone", () => {
	const { build } = new Database(bench.batches);
	const period = { from: parseCalendarDate("2026-01-01"), to: parseCalendarDate("2026-12-31") };
	const dana = idOf("dana");
	const after = { drivenOn: "2026-05-05" as CalendarDate, endMiles: 1, id: "x" };
	it.each<[string, Statement, string]>([
		[
			"the sums of requests",
			selectRequestSums(build, dana, period, ZONE),
			"requests_by_driver (driver_id=? AND created_at>? AND created_at<?)",
		],
		[
			"the sums of voided trips",
			selectVoidedSums(build, dana, period),
			"mileage_by_driver_day (driver_id=? AND driven_on>? AND driven_on<?)",
		],
		[
			"voided trips after one",
			selectVoidedTrips(build, dana, period, 10, after),
			"mileage_by_driver_day (driver_id=? AND driven_on>? AND driven_on<?)",
		],
	])("%s", async (_, statement, step) => {
		const { sql, params } = (
			statement as unknown as { toSQL(): { sql: string; params: unknown[] } }
		).toSQL();
		const plan = await bench.rows<{ detail: string }>(`explain query plan ${sql}`, ...params);
		expect(plan.map(({ detail }) => detail).join("\n")).toContain(step);
	});

	it("the years, with a few rows for each, however much is in them", async () => {
		const all = [...requests, ...logs].map(({ date }) => date.slice(0, 4));
		const db = new Database(bench.batches);
		const { entries } = await db.batch({ entries: selectYearsWithEntries(dana) });
		expect(entries.map(({ day }) => day.slice(0, 4))).toEqual([...new Set(all)].sort());
		const inEachYear = entries.map(({ day }) => all.filter((year) => day.startsWith(year)).length);
		expect(Math.min(...inEachYear)).toBeGreaterThan(3);
		console.log(`${entries.length} years among ${all.length} entries: ${db.cost.rows} rows read`);
		expect(db.cost.rows).toBeLessThan(30 * (entries.length + 1));
		expect(db.cost.rows).toBeLessThan(all.length);
	});

	it("a year that starts where the day starts first", async () => {
		const kiritimati = Date.parse("2031-01-01T00:00:00+14:00");
		await insertRequest(bench.rows, 9_000_001, "ines", {
			created_at: kiritimati,
			requested_on: "2031-01-01",
		});
		const db = new Database(bench.batches);
		const { entries } = await db.batch({ entries: selectYearsWithEntries(idOf("ines")) });
		expect(entries).toContainEqual({ day: "2031-01-01" });
	});
});
