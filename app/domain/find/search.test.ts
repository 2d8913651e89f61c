import { describe, expect, it } from "vitest";
import { parseFind } from "./search.ts";

const find = (q: string) => parseFind(new URLSearchParams({ q }));

describe("a search", () => {
	it.each([
		["FR-000012", 12, undefined, false],
		["fr 12", 12, undefined, false],
		["fr12", 12, undefined, false],
		["PO-000003", undefined, 3, false],
		["po 3", undefined, 3, false],
		["12", 12, 12, true],
		["#12", 12, 12, true],
		["000012", 12, 12, true],
		["DRV-0012", undefined, undefined, true],
		["Łena", undefined, undefined, true],
		["frank", undefined, undefined, true],
		["Frank 12", undefined, undefined, true],
		["dana@milepost.test", undefined, undefined, true],
		["1234567890", undefined, undefined, true],
		["", undefined, undefined, false],
		["  ", undefined, undefined, false],
	])("takes '%s' for request %s, payout %s, a person: %s", (q, request, payout, isPerson) => {
		expect(find(q)).toMatchObject({ requestNumber: request, payoutNumber: payout, isPerson });
	});

	it("takes a settlement's number only with its prefix", () => {
		for (const q of ["ST-000012", "st 12", "st12"])
			expect(find(q)).toMatchObject({
				...{ settlementNumber: 12, requestNumber: undefined, payoutNumber: undefined },
				isPerson: false,
			});
		expect(find("12").settlementNumber).toBeUndefined();
	});

	it("uses no more of a text than the longest name has", () => {
		expect(find("x".repeat(5000)).text).toHaveLength(100);
		expect(parseFind(new URLSearchParams()).text).toBe("");
	});
});
