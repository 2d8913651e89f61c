import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCalendarDate } from "./calendar-date.ts";
import { cursors, type Position, pageLinks, readPosition, setPosition, toPage } from "./cursor.ts";

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

	it("survives a round trip", () => {
		fc.assert(
			fc.property(fc.uuid(), fc.nat(), fc.boolean(), (uuid, createdAt, isPlain) => {
				const id = isPlain ? uuid.replaceAll("-", "") : uuid;
				expect(list.parse(list.format({ ...row, id, createdAt }))).toEqual({
					...row,
					id,
					createdAt,
				});
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
	])("in %j is invalid and means the first page", (text) => {
		expect(list.parse(text)).toBeUndefined();
	});
});

describe("a page", () => {
	const parse = (text: string | null) => (/^\d+$/.test(text ?? "") ? Number(text) : undefined);
	const read = (all: readonly number[], position: Position<number> | undefined, size: number) => {
		const past = all.filter(
			(row) =>
				!position || (position.way === "after" ? row > position.cursor : row < position.cursor),
		);
		return (position?.way === "before" ? past.reverse() : past).slice(0, size + 1);
	};

	it("has the rows in the list's order and links to its neighbors, from either side", () => {
		const sizes = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 9 }));
		fc.assert(
			fc.property(sizes, ([count, size]) => {
				const all = Array.from({ length: count }, (_, row) => row);
				const page = (position: Position<number> | undefined) =>
					toPage(read(all, position, size), position, size, (row) => row);
				const forth: (readonly number[])[] = [];
				let last = page(undefined);
				for (forth.push(last.rows); last.next; forth.push(last.rows)) last = page(last.next);
				expect(forth.flat()).toEqual(all);
				const back = [last.rows];
				while (last.previous) {
					last = page(last.previous);
					back.unshift(last.rows);
				}
				expect(back).toEqual(forth);
			}),
		);
	});

	it("has no neighbors where nothing was found", () => {
		expect(toPage([], { way: "after", cursor: 1 }, 5, (row) => row)).toEqual({ rows: [] });
		expect(toPage([], undefined, 5, (row) => row)).toEqual({ rows: [] });
	});

	it("is addressed by a URL, in either direction", () => {
		const names = { after: "entry", before: "entryBefore" };
		expect(readPosition(new URLSearchParams("after=3"), parse)).toEqual({
			way: "after",
			cursor: 3,
		});
		expect(readPosition(new URLSearchParams("before=3&after=9"), parse)).toEqual({
			way: "before",
			cursor: 3,
		});
		expect(readPosition(new URLSearchParams("after=x&entry=2"), parse)).toBeUndefined();
		expect(readPosition(new URLSearchParams("entryBefore=2"), parse, names)).toEqual({
			way: "before",
			cursor: 2,
		});
		const query = new URLSearchParams("show=all");
		setPosition(query, undefined, String);
		setPosition(query, { way: "before", cursor: 2 }, String, names);
		expect(String(query)).toBe("show=all&entryBefore=2");
	});

	it("links to the first page from every other one", () => {
		const next = { way: "after", cursor: 7 } as const;
		const addressOf = (position: Position<number> | undefined) =>
			`/list${position ? `?${position.way}=${position.cursor}` : ""}`;
		expect(pageLinks(undefined, { previous: undefined, next }, addressOf)).toEqual({
			next: "/list?after=7",
		});
		expect(pageLinks(next, { previous: undefined, next: undefined }, addressOf)).toEqual({
			first: "/list",
		});
	});
});
