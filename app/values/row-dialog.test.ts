import { expect, it } from "vitest";
import { parseRowDialog } from "./row-dialog.ts";

const ID = "30000000-0000-4000-8000-000000000001";
const read = (query: string) =>
	parseRowDialog(new URLSearchParams(query), ["approve", "reject"] as const);

it.each([
	[`approve=${ID}`, "approve", ID],
	[`dialog=reject&id=${ID}`, "reject", ID],
	[`approve=${ID}&dialog=reject&id=x`, "approve", ID],
	["approve=1", "approve", ""],
	[`dialog=delete&id=${ID}`, undefined, ID],
	["", undefined, ""],
])("?%s opens %s of %s", (query, dialog, id) => {
	expect(read(query)).toEqual({ dialog, id });
});
