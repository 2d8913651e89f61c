/** The figures of a year's summary, without a database. */
import { describe, expect, it } from "vitest";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { type Totals, ZERO_TOTALS } from "../analytics/rules.ts";
import type { Row, Section } from "./document.ts";
import { addRow, emptySums } from "./document.ts";
import { type YearFigures, yearSections } from "./year-summary.ts";

const day = parseCalendarDate;
const sums = {
	requests: 0,
	asked: 0,
	approved: 0,
	paid: 0,
	withdrawnRequests: 0,
	withdrawnCents: 0,
};
const figures = (more: Partial<YearFigures> = {}): YearFigures => ({
	period: { from: day("2026-01-01"), to: day("2026-12-31") },
	totals: ZERO_TOTALS,
	days: new Map(),
	requests: [],
	personal: [],
	voided: { trips: 0, miles: 0 },
	...more,
});

/** The rows of a section with its total under them. */
async function linesOf(section: Section | undefined): Promise<Row[]> {
	if (!section) throw new Error("no such section");
	const rows: Row[] = [];
	for await (const page of section.pages()) rows.push(...page);
	const all = emptySums(section.columns);
	for (const row of rows) addRow(all, section.columns, row);
	return section.totals ? [...rows, section.totals(all)] : rows;
}
const sectionOf = (title: string, more?: Partial<YearFigures>) =>
	linesOf(yearSections(figures(more)).find((section) => section.title === title));
const driven = (trips: number, miles: number): Totals => ({ ...ZERO_TOTALS, trips, miles });

describe("Mileage", () => {
	it("puts the last day of a month and the first of the next in their own months", async () => {
		const days = new Map([
			[day("2024-01-01"), driven(1, 1)],
			[day("2024-02-28"), driven(1, 10)],
			[day("2024-02-29"), driven(2, 100)],
			[day("2024-03-01"), driven(1, 1000)],
			[day("2024-12-31"), driven(1, 10_000)],
		]);
		const period = { from: day("2024-01-01"), to: day("2024-12-31") };
		const lines = await sectionOf("Mileage", { period, days });
		expect(lines).toHaveLength(13);
		expect(lines.filter(([, trips]) => trips !== 0)).toEqual([
			["January", 1, 1, 0, 1],
			["February", 3, 110, 0, 110],
			["March", 1, 1000, 0, 1000],
			["December", 1, 10_000, 0, 10_000],
			["Total", 6, 11_111, 0, 11_111],
		]);
	});

	it("sets apart what wasn't business, in its own month", async () => {
		const period = { from: day("2026-01-01"), to: day("2026-02-28") };
		const days = new Map([
			[day("2026-01-31"), driven(2, 100)],
			[day("2026-02-01"), driven(1, 50)],
		]);
		const personal = [
			{ drivenOn: day("2026-01-31"), personalMiles: 30 },
			{ drivenOn: day("2026-01-31"), personalMiles: 4 },
			{ drivenOn: day("2026-02-01"), personalMiles: 50 },
		];
		expect(await sectionOf("Mileage", { period, days, personal })).toEqual([
			["January", 2, 100, 34, 66],
			["February", 1, 50, 50, 0],
			["Total", 3, 150, 84, 66],
		]);
	});

	it.each([
		["2026-01-01", ["January"]],
		["2026-02-28", ["January", "February"]],
		["2026-03-01", ["January", "February", "March"]],
	])("of a year up to %s has the months %o", async (to, months) => {
		const period = { from: day("2026-01-01"), to: day(to) };
		const lines = await sectionOf("Mileage", { period });
		expect(lines.map(([month]) => month)).toEqual([...months, "Total"]);
	});
});

describe("Fund Requests", () => {
	it("has a line for every type, in the order of the form, and no column without figures", async () => {
		const lines = await sectionOf("Fund Requests", {
			requests: [
				{ ...sums, type: "other", requests: 1, asked: 500, withdrawnRequests: 1 },
				{
					...sums,
					type: "gas",
					requests: 3,
					asked: 9000,
					approved: 4000,
					paid: 1000,
					withdrawnCents: 70,
				},
			],
		});
		expect(lines).toEqual([
			["Gas/Fuel", 3, 9000, 4000, 1000],
			["Vehicle Maintenance", 0, 0, 0, 0],
			["Other", 1, 500, 0, 0],
			["Total", 4, 9500, 4000, 1000],
		]);
		const { columns } = yearSections(figures())[1] ?? { columns: [] };
		expect(columns.map(({ head }) => head)).toEqual([
			"Type",
			"Requests",
			"Asked",
			"Approved",
			"Paid",
		]);
	});
});

describe("Uber Fees", () => {
	it("has a line for every category", async () => {
		const totals = {
			...ZERO_TOTALS,
			commissionCents: 100,
			commissionFees: 2,
			bookingFeeCents: 20,
			bookingFeeFees: 1,
		};
		expect(await sectionOf("Uber Fees", { totals })).toEqual([
			["Commission", 2, 100],
			["Service fee", 0, 0],
			["Booking fee", 1, 20],
			["Other", 0, 0],
			["Total", 3, 120],
		]);
	});
});

describe("Voided and Withdrawn", () => {
	it("has what counts nowhere else, all types together, and no total of different things", async () => {
		const lines = await sectionOf("Voided and Withdrawn", {
			voided: { trips: 2, miles: 90 },
			requests: [
				{ ...sums, type: "gas", withdrawnRequests: 1, withdrawnCents: 70 },
				{ ...sums, type: "other", withdrawnRequests: 2, withdrawnCents: 5 },
			],
		});
		expect(lines).toEqual([
			["Voided trips", 2, 90, null],
			["Withdrawn requests", 3, null, 75],
		]);
	});
});
