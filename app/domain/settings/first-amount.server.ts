/** Whether the fleet has an amount or a trip, after which its currency and distance are fixed. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import {
	agreements,
	archivedYears,
	charges,
	fundRequests,
	mileageLogs,
	settings,
	statementMoney,
	uberFees,
} from "../../db/schema.ts";

/** What people record; everything else with an amount or a distance follows from these. */
const RECORDED = [
	mileageLogs.id,
	fundRequests.id,
	uberFees.id,
	statementMoney.importId,
	agreements.id,
	charges.id,
] as const;

/** True if one of their tables has a row, or had one that was archived; it reads one of each. */
const hasAmounts: SQL<number> = sql`(${sql.join(
	RECORDED.map((id) => sql`exists (select 1 from ${id.table} where ${id} > '')`),
	sql` or `,
)} or exists (select 1 from ${archivedYears}))`;

/** Whether they can still be chosen. */
export const isOpenSql: SQL<number> = sql`(coalesce(${settings.chosen} ->> 'unitsOpen', 0)
	or not ${hasAmounts})`;

export const selectHasAmounts = (build: Builder) =>
	build.all<{ hasAmounts: number }>(sql`select ${hasAmounts} as "hasAmounts"`);
