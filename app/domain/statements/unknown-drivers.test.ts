import { describe, expect, it } from "vitest";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { type CountedImport, describeLeftOut, leavingOut, withoutCopy } from "./unknown-drivers.ts";

const made = (createdAt: number, unmatchedDrivers: number, more: Partial<CountedImport> = {}) => ({
	...{ id: `import ${createdAt}`, createdAt, fileName: "payments_driver-Fleet.csv" },
	...{ platform: "uber", format: "uber-payments-driver" },
	periodFrom: parseCalendarDate("2026-11-09"),
	periodTo: parseCalendarDate("2026-11-15"),
	...{ unmatchedDrivers, unmatchedCents: unmatchedDrivers * 1000 },
	...more,
});
const idsOf = (...imports: CountedImport[]) =>
	leavingOut(imports).map(({ createdAt }) => createdAt);

describe("imports that still leave drivers out", () => {
	it("are those whose file wasn't sent again without leaving anyone out", () => {
		expect(idsOf(made(1, 2))).toEqual([1]);
		expect(idsOf(made(1, 0))).toEqual([]);
		expect(idsOf(made(1, 2), made(2, 0))).toEqual([]);
		expect(idsOf(made(2, 0), made(1, 2))).toEqual([]);
		expect(idsOf(made(1, 0), made(2, 2))).toEqual([2]);
		expect(idsOf(made(1, 3), made(2, 1))).toEqual([2]);
		expect(idsOf(made(1, 2), made(2, 0, { fileName: "payments_driver-Fleet (1).csv" }))).toEqual(
			[],
		);
	});

	it("aren't answered by another file, kind, platform or period", () => {
		const others: Partial<CountedImport>[] = [
			{ fileName: "payments_driver-Other.csv" },
			{ format: "uber-payments-order" },
			{ platform: "bolt" },
			{ periodFrom: parseCalendarDate("2026-11-10") },
			{ periodTo: parseCalendarDate("2026-11-16") },
		];
		for (const other of others) expect(idsOf(made(1, 2), made(2, 0, other))).toEqual([1]);
		expect(idsOf(made(1, 2), made(3, 1, { platform: "bolt" }))).toEqual([3, 1]);
	});

	it("are told in words, without a sum of nothing", () => {
		expect(describeLeftOut({ unmatchedDrivers: 2, unmatchedCents: 41_210 })).toBe(
			"2 unknown drivers ($412.10)",
		);
		expect(describeLeftOut({ unmatchedDrivers: 1, unmatchedCents: -500 })).toBe(
			"1 unknown driver (-$5.00)",
		);
		expect(describeLeftOut({ unmatchedDrivers: 1, unmatchedCents: 0 })).toBe("1 unknown driver");
	});

	it("know a second download by its name", () => {
		expect(withoutCopy("week (2).csv")).toBe("week.csv");
		expect(withoutCopy("week(2)")).toBe("week");
		expect(withoutCopy("week 2.csv")).toBe("week 2.csv");
	});
});
