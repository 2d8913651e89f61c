/** What SQL writes for people to read is what the functions in TypeScript write. */
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { openDatabase } from "../../../tests/support/database.ts";
import { Database } from "../../db/client.server.ts";
import { formatDollars } from "../../values/money.ts";
import { payoutNumber } from "../fund-requests/payment.ts";
import { requestNumber } from "../fund-requests/rules.ts";
import { formatDriverCode } from "../people/rules.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import {
	dollarsOf,
	driverCodeOf,
	payoutNumberOf,
	requestNumberOf,
	settlementNumberOf,
} from "./shown-in-sql.server.ts";

const bench = await openDatabase();
const db = new Database(bench.d1);
const NUMBERS = [1, 12, 99, 100, 9_999, 10_000, 123_456, 999_999, 1_000_000, 100_000_000];

it.each([
	["dollars", dollarsOf, formatDollars],
	["a request's number", requestNumberOf, requestNumber],
	["a payout's number", payoutNumberOf, payoutNumber],
	["a settlement's number", settlementNumberOf, settlementNumber],
	["a driver ID", driverCodeOf, formatDriverCode],
] as const)("writes %s the same", async (_, inSql, inTypeScript) => {
	for (const number of NUMBERS) {
		const { rows } = await db.batch({
			rows: db.build.all<{ shown: string }>(sql`select ${inSql(sql`${number}`)} as shown`),
		});
		expect(rows[0]?.shown).toBe(inTypeScript(number));
	}
});
