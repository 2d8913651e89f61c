import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keysAsRecorded } from "./row-order.ts";

const WEEK = "2026-11-16:2026-11-22";
const keyOf = (at: number) => `uber:b1:other${at === 0 ? "" : `#${at + 1}`}:${WEEK}`;
/** The keys of a driver's rows with these amounts, given the recorded ones. */
function keysOf(found: readonly string[], recorded: readonly string[]): (string | null)[] {
	const known = new Map(recorded.map((amounts, at) => [keyOf(at), amounts]));
	const rows = found.map((amounts, at) => ({ amounts, key: keyOf(at) }));
	return keysAsRecorded(
		rows,
		({ key }) => key,
		({ amounts }) => amounts,
		(key) => known.get(key),
	);
}
const [first, second, third] = [keyOf(0), keyOf(1), keyOf(2)];

describe("a driver's rows in a file by period", () => {
	it.each([
		["abc", "abc", [first, second, third]],
		["bca", "abc", [second, third, first]],
		["ba", "ab", [second, first]],
		["xa", "ab", [second, first]],
		["ax", "ab", [first, second]],
		["bax", "ab", [second, first, third]],
		["aa", "ab", [first, second]],
		["a", "ab", [first]],
		["ab", "", [first, second]],
	])("%s where %s is recorded", (found, recorded, keys) => {
		expect(keysOf([...found], [...recorded])).toEqual(keys);
	});

	it("share the same keys in any order, and each that is recorded has its own amounts", () => {
		const amounts = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 6 });
		fc.assert(
			fc.property(amounts, fc.infiniteStream(fc.nat()), (recorded, places) => {
				const found = recorded
					.map((each) => ({ each, place: places.next().value ?? 0 }))
					.sort((one, other) => one.place - other.place)
					.map(({ each }) => each);
				const keys = keysOf(found, recorded);
				expect([...keys].sort()).toEqual(recorded.map((_, at) => keyOf(at)).sort());
				for (const [at, key] of keys.entries())
					expect(found[at]).toBe(recorded[recorded.findIndex((_, place) => keyOf(place) === key)]);
			}),
		);
	});
});

it("rows of other drivers keep theirs, also without a key", () => {
	const keys = [null, `uber:b2:other:${WEEK}`, first, second];
	expect(
		keysAsRecorded(
			keys,
			(key) => key,
			(key) => (key === first ? "b" : "a"),
			(key) => (key === first ? "a" : "b"),
		),
	).toEqual([null, `uber:b2:other:${WEEK}`, second, first]);
});
