import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCalendarDate } from "./calendar-date.ts";
import { cursors } from "./cursor.ts";

const list = cursors({ day: "date", createdAt: "number", id: "id" });
const day = "2026-11-21";
if (!isCalendarDate(day)) throw new Error("no date");
const row = { day, createdAt: 1_795_000_000_000, id: "00000000-0000-4000-8000-000000000001" };

describe("a cursor", () => {
	it("is the row's columns in the list's order", () => {
		expect(list.format(row)).toBe("2026-11-21_1795000000000_00000000-0000-4000-8000-000000000001");
	});

	it("ignores the row's other columns", () => {
		expect(list.parse(list.format({ ...row, amount: 5 } as typeof row))).toEqual(row);
	});

	it("comes back as it went out", () => {
		fc.assert(
			fc.property(fc.uuid(), fc.nat(), fc.boolean(), (uuid, createdAt, isPlain) => {
				const id = isPlain ? uuid.replaceAll("-", "") : uuid;
				expect(list.parse(list.format({ ...row, id, createdAt }))).toEqual({ ...row, id, createdAt });
			}),
		);
	});

	it.each([
		null,
		"",
		"x",
		"2026-11-21",
		"2026-11-21_1_",
		"2026-02-30_1_00000000-0000-4000-8000-000000000001",
		"2026-11-21_1_00000000-0000-4000-8000-00000000000g",
		"2026-11-21_1_00000000-0000-4000-8000-000000000001_",
		"2026-11-21_-1_00000000-0000-4000-8000-000000000001",
		"2026-11-21_1234567890123456_00000000-0000-4000-8000-000000000001",
		"2026-11-21_1.5_00000000-0000-4000-8000-000000000001",
		"' or 1=1 --",
	])("in %j is none: the first page", (text) => {
		expect(list.parse(text)).toBeUndefined();
	});
});
