import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { bulkApprovalInput, tickedIds } from "./input.ts";
import { MAX_BULK_SIZE } from "./rules.ts";

const ids = (count: number) => Array.from({ length: count }, (_, position) => `id-${position}`);
const refusalOf = (values: readonly unknown[]) => {
	const parsed = v.safeParse(bulkApprovalInput, { ids: values });
	return parsed.success ? undefined : parsed.issues.map(({ message }) => message);
};

describe("a bulk approval", () => {
	it("accepts ids in one field each, all in one field, or both, and each once", () => {
		expect(v.parse(tickedIds, ["a", "b c", " a  d "])).toEqual(["a", "b", "c", "d"]);
	});

	it("doesn't accept a file as an id", () => {
		expect(v.parse(tickedIds, [new File(["a"], "a"), "b"])).toEqual(["b"]);
	});

	it("needs at least one request", () => {
		expect(refusalOf([])).toEqual(["Please select requests to approve"]);
		expect(refusalOf(["  "])).toEqual(["Please select requests to approve"]);
	});

	it("accepts up to the maximum number of requests and no more", () => {
		expect(refusalOf(ids(MAX_BULK_SIZE))).toBeUndefined();
		expect(refusalOf([ids(MAX_BULK_SIZE + 1).join(" ")])).toEqual([
			"At most 500 requests at once.",
		]);
	});
});
