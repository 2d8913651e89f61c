/** Dates as files write them, and the order of day and month in a file. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, parseCalendarDate } from "../../values/calendar-date.ts";
import { contradictionText, DateEvidence } from "./date-orders.ts";
import { dayAsWritten, isExcelDateNumber, readDay, USUAL_ORDERS, whyNoDay } from "./day.ts";

function decideDates(cells: readonly string[], isDecimalComma: boolean) {
	const evidence = new DateEvidence(isDecimalComma ? ";" : ",");
	for (const cell of cells) evidence.add(cell, isDecimalComma ? ["12,50"] : []);
	return evidence.decide();
}

const SEPTEMBER_21 = [
	...["2026-09-21", "2026/09/21", "2026.09.21", "2026-9-21", "20260921", " 2026-09-21 "],
	...["2026-09-21 00:00:00", "2026-09-21T08:14:00Z", "2026-09-21T08:14", "20260921T081400Z"],
	...["2026-09-21T23:59:59.123456+02:00", "2026-09-21 08:14:22.351 -0500 CST"],
	...["2026-09-21 23:14:22.3 +0530 +0530", "2026-09-21 08:14:22 -0600 CST"],
	...["21.09.2026", "21.9.2026", "21. 9. 2026", "21.09.26", "21.09.2026 08:14", "21.09.2026 8.14"],
	...["21/09/2026", "9/21/2026", "9/21/26", "09-21-2026", "21-09-2026", "9/21/2026 8:14"],
	...["9/21/2026, 8:14:00 AM", "9/21/2026, 8:14:00\u202fAM", "9/21/2026 8 PM", "09.21.2026"],
	...["21-Sep-2026", "21-Sep-26", "21 Sep 2026", "21 sept. 2026", "21-SEP-2026", "2026-Sep-21"],
	...["Sep 21, 2026", "Sep 21 2026", "September 21st, 2026", "Sept. 21, 2026 at 8:14 AM"],
	...["Mon 9/21/2026", "Mon, 21 Sep 2026 08:14:00 +0000", "Monday, September 21, 2026"],
	"Mon Sep 21 2026 08:14:00 GMT-0400 (Eastern Daylight Time)",
	...["21. September 2026", "21 de septiembre de 2026", "21 września 2026", "21 settembre 2026"],
	...["2026年9月21日", "2026. 9. 21.", "２０２６-０９-２１", "٢٠٢٦/٠٩/٢١"],
	...[
		"2026–09–21",
		"2026−09−21",
		"21‑09‑2026",
		"21‐Sep‐2026",
		"２０２６／０９／２１",
		"２１．０９．２０２６",
	],
	...["2026 09 21", "2026_09_21", "2026-09-21Z", "2026-09-21+02:00", "2026-09-21 +0200"],
	...["21SEP2026", "21Sep26", "21SEP2026:08:14:22"],
];

it.each(SEPTEMBER_21)("%j can mean one day only", (cell) => {
	const found = decideDates([cell], false);
	if (found.kind !== "orders") return expect.fail("a cell contradicts itself");
	expect(dayAsWritten(cell, found.orders)).toBe("2026-09-21");
});

it.each(["13 maart 2026", "13 mrt 2026", "13. März 2026", "13 marca 2026", "13 mars 2026"])(
	"%j is in March",
	(cell) => {
		expect(readDay(cell)).toBe("2026-03-13");
	},
);

it.each([
	...["", "-", "2026-09", "Sep-26", "21-Sep", "9/21", "12:30", "2026-21-09", "2026-13-01"],
	...[
		"31/02/2026",
		"30.02.2026",
		"2026-02-30",
		"Sep 31, 2026",
		"46286",
		"46286.343",
		"1.5",
		"5-Apr",
	],
	...["2026-09-21 and 22", "2026-09-21x", "9/21/226", "9-21/2026", "21.09.2026-28.09.2026"],
	...["Sep 21–22", "2026-09-21-22", "21.09.2026–28.09.2026", "2026-09 21", "2026 09"],
	...["9.01E+18", "########", "September", "21 Foo 2026", "1790000000", "2026-09-21\n2026-09-22"],
])("%j is no day", (cell) => {
	expect(readDay(cell)).toBeUndefined();
});

it("names an Excel date number as one", () => {
	expect(["46286", " 46286.343 ", "46286,5"].filter((cell) => !isExcelDateNumber(cell))).toEqual(
		[],
	);
	expect(
		["4628", "462860", "12345", "99999", "46286 x", "2026-09-21"].filter(isExcelDateNumber),
	).toEqual([]);
	expect(whyNoDay("46286")).toMatch(/^46286 is an Excel date number\. /);
	expect(whyNoDay("soon")).toBe("Enter a valid date (YYYY-MM-DD)");
});

const read = (cells: readonly string[], isDecimalComma = false) => {
	const dates = decideDates(cells, isDecimalComma);
	return dates.kind === "orders"
		? cells.map((cell) => dayAsWritten(cell, dates.orders) ?? null)
		: dates;
};

describe("the order of day and month", () => {
	it("is decided by one cell for all with its separator", () => {
		expect(read(["03/09/2026", "21/09/2026", "30/09/2026"])).toEqual([
			...["2026-09-03", "2026-09-21", "2026-09-30"],
		]);
		expect(read(["03/09/2026", "09/21/2026"])).toEqual(["2026-03-09", "2026-09-21"]);
		expect(read(["3-9-26", "21-9-26"])).toEqual(["2026-09-03", "2026-09-21"]);
	});

	it("is decided for each separator on its own", () => {
		expect(read(["03/09/2026", "03-09-2026", "21-09-2026", "03.09.2026"])).toEqual([
			...["2026-03-09", "2026-09-03", "2026-09-21", "2026-09-03"],
		]);
	});

	it("isn't decided by a date without one, nor by one that doesn't exist", () => {
		expect(read(["03/09/2026", "09/09/2026", "2026-09-21", "31/02/2026"])).toEqual([
			...["2026-03-09", "2026-09-09", "2026-09-21", null],
		]);
	});

	it("is day first with dots", () => {
		expect(read(["03.09.2026", "04.09.2026"])).toEqual(["2026-09-03", "2026-09-04"]);
	});

	it("is month first where nothing decides, with the months for a person to check", () => {
		expect(decideDates(["03/09/2026", "04/09/2026", "2026-09-05"], false)).toEqual({
			kind: "orders",
			orders: USUAL_ORDERS,
			isUndecided: true,
			months: ["2026-03", "2026-04", "2026-09"],
		});
		for (const sure of [["9/21/2026"], ["03.09.2026"], ["2026-09-03"], ["09/09/2026"], []])
			expect(decideDates(sure, false)).toMatchObject({ isUndecided: false });
	});

	it("is day first in a file with semicolons and decimal commas, unless a cell contradicts", () => {
		expect(decideDates(["03/09/2026", "04-09-2026"], true)).toMatchObject({
			orders: { "/": "day-first", "-": "day-first" },
			isUndecided: false,
			months: ["2026-09"],
		});
		expect(read(["03/09/2026", "09/21/2026"], true)).toEqual(["2026-03-09", "2026-09-21"]);
	});

	it("can't be both: two cells that contradict each other are named", () => {
		const dates = decideDates(["03/09/2026", "21/09/2026", "09/22/2026", "23/09/2026"], true);
		expect(dates).toEqual({ kind: "contradiction", cells: ["21/09/2026", "09/22/2026"] });
		expect(contradictionText(["21/09/2026", "09/22/2026"])).toMatch(
			/21\/09\/2026 .* 09\/22\/2026 /,
		);
		expect(read(["21/09/2026", "09-22-2026"])).toEqual(["2026-09-21", "2026-09-22"]);
	});
});

it("reads the dates of a file as they were written, or leaves the file unread", () => {
	const day = fc
		.integer({ min: 0, max: 1500 })
		.map((days) => addDays(parseCalendarDate("2024-01-01"), days));
	const writers = {
		"day-first": ([y = "", m = "", d = ""]: readonly string[], sep: string) => [d, m, y].join(sep),
		"month-first": ([y = "", m = "", d = ""]: readonly string[], sep: string) =>
			[m, d, y].join(sep),
	};
	fc.assert(
		fc.property(
			fc.array(day, { minLength: 1, maxLength: 40 }),
			fc.constantFrom("day-first" as const, "month-first" as const),
			fc.constantFrom("/", "-"),
			fc.boolean(),
			(days, order, separator, isShort) => {
				const cells = days.map((each) =>
					writers[order](
						each.split("-").map((part) => (isShort ? String(Number(part)).slice(-2) : part)),
						separator,
					),
				);
				const dates = decideDates(cells, false);
				if (dates.kind !== "orders") return expect.fail("a file contradicts itself");
				const isProven = days.some((each) => Number(each.slice(8)) > 12);
				if (!isProven && order === "day-first") return;
				expect(cells.map((cell) => dayAsWritten(cell, dates.orders))).toEqual(days);
			},
		),
		{ numRuns: 2000 },
	);
});
