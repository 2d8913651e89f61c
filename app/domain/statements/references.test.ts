/** When two rows of one file may be the same fee. */
import { expect, it } from "vitest";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { ReferenceCheck } from "./references.ts";

const date = parseCalendarDate("2026-11-16");
/** Whether each of these rows, alike but for their numbers, is asked about. */
function asked(...references: readonly string[]): boolean[] {
	const check = new ReferenceCheck();
	return references.map((reference, at) => {
		const fee = { driverId: "dana", category: "commission", cents: 3333, date } as const;
		return check.compare({ row: at + 2, reference, ...fee }, []).doubt !== undefined;
	});
}

it.each([
	["leading zeros", "9012", "009012"],
	["a shortened number above", "9.01E+18", "9012345678901234567"],
	["a shortened number below", "9012345678901234567", "9.01E+18"],
	["two shortened numbers", "9.01E+18", "9.02E+18"],
])("rows that differ by %s are asked about", (_, ...references) => {
	expect(asked(...references)).toEqual([false, true]);
});

it.each([
	["other numbers", "9012", "9013"],
	["letters", "A-1", "A-2"],
	["one without a number", "", "9012"],
])("rows with %s are two fees", (_, ...references) => {
	expect(asked(...references)).toEqual([false, false]);
});
