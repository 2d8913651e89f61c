/** The limits of a platform's statement. */
import { expect, it } from "vitest";
import { DEFAULT_FILE_NAME, MAX_STATEMENT_BYTES, STATEMENT_LIMITS_TEXT } from "./rules.ts";

it("is up to 20 MB and 50,000 rows, and has a name even if its file has none", () => {
	expect(MAX_STATEMENT_BYTES).toBe(20_971_520);
	expect(STATEMENT_LIMITS_TEXT).toBe("At most 50,000 rows and 20 MB");
	expect(DEFAULT_FILE_NAME).toBe("statement.csv");
});
