/** What a file of fees may have, and what its columns are called. */
import { expect, it } from "vitest";
import { COLUMN_LABELS, COLUMNS, OPTIONAL_COLUMNS } from "./columns.ts";

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
