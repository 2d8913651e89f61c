import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import { literal } from "./literal.ts";

it("writes only words into a statement", () => {
	expect(new SQLiteAsyncDialect().sqlToQuery(literal("no-receipt"))).toEqual({
		sql: "'no-receipt'",
		params: [],
	});
	for (const text of ["", "a'b", "a b", "A", "1"])
		expect(() => literal(text), text).toThrow("must be bound");
});
