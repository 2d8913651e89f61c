/**
 * A page after the first of a list whose rows are gone: a decision took the last of them, or the
 * address is an old one. It doesn't say that the fleet has none.
 */
import { expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { insertApproved } from "../support/payouts.ts";
import { insertRequest } from "../support/requests.ts";
import type { Sql } from "../support/rows.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const sql: Sql = (query, ...values) => fleet.sql(query, ...values);
await insertRequest(sql, 1, "dana");
await insertApproved(sql, 2, "dana", 20_00);

const ID = "00000000-0000-4000-8000-000000000000";

it.each([
	["ada", `/fund-requests?status=pending&after=1_${ID}`, "No fund requests found"],
	["ada", `/fund-requests?before=999999999999999_${ID}`, "No fund requests found"],
	["ada", `/payouts?owedAfter=0_${ID}`, "Nothing is approved and unpaid"],
	[
		"ada",
		`/payouts?choose=${idOf("dana")}&unpaidAfter=999999999999999`,
		"Nothing is approved and unpaid here",
	],
	["ada", "/payouts?status=all&after=0", "No payouts yet"],
	["ada", "/settlements?week=2026-10-05&after=999999999", "No settlements for this week yet"],
	["ada", `/uber-fees/import?importsAfter=1_${ID}`, "No statements imported yet"],
	["ada", `/settings/webhooks?after=1_${ID}`, "No events yet."],
	["ada", `/email?after=1_${ID}`, "No emails yet."],
	["ada", "/audit?after=0_0", "No entries found"],
	["ada", `/drivers/${idOf("dana")}?charges=2000-01-01_1_${ID}`, "No charges"],
	["dana", `/requests?after=1_${ID}`, "No fund requests yet"],
] as const)("says to %s at %s that only the page is empty", async (who, path, words) => {
	const client = await fleet.as(who);
	const { status, text } = await client.get(path);
	expect(status).toBe(200);
	expect(text).toContain("Nothing on this page");
	expect(text).not.toContain(words);
	expect(text).toMatch(/>(First page|Newest requests)</);
});
