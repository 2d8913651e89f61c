/** What a file of fees may have, and what its columns are called. */
import { expect, it } from "vitest";
import {
	COLUMN_LABELS,
	COLUMNS,
	LIMITS_TEXT,
	MAX_BYTES,
	OPTIONAL_COLUMNS,
	SAME_WITHIN_MS,
} from "./rules.ts";

it("is up to 1 MB and 2,000 rows, and known again for a leap year", () => {
	expect([MAX_BYTES, SAME_WITHIN_MS]).toEqual([1_048_576, 31_622_400_000]);
	expect(LIMITS_TEXT).toBe("At most 2,000 rows and 1 MB");
});

it("has six columns, of which two may be absent", () => {
	expect(COLUMNS.map((column) => COLUMN_LABELS[column])).toEqual([
		"Driver",
		"Fee Category",
		"Amount",
		"Date",
		"Reference Number",
		"Description",
	]);
	expect(OPTIONAL_COLUMNS).toEqual(["reference", "description"]);
});
