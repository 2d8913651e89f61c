/** What a request says about a statement besides its file. */
import * as v from "valibot";
import { expect, it } from "vitest";
import { statementInput } from "./input.ts";

it("takes a period's moments at midnight UTC as dates", () => {
	const sent = { from: "2026-11-02T00:00:00.000Z", to: "2026-11-08T00:00:00Z" };
	expect(v.parse(statementInput, sent)).toMatchObject({ from: "2026-11-02", to: "2026-11-08" });
	expect(v.safeParse(statementInput, { ...sent, to: "2026-11-08T05:00:00Z" }).success).toBe(false);
	expect(v.parse(statementInput, { from: "", to: " " })).not.toHaveProperty("from", "");
});
