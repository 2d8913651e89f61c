/** All settlements of a week, however many drivers there are. */
import { sql } from "drizzle-orm";
import { settlements } from "../../db/schema.ts";
import type { Period } from "../../values/period.ts";
import type { AdminContext } from "../kernel/context.ts";
import { type SettlementRow, settlementsWithLines } from "./rows.server.ts";
import { DRIVERS_PER_STEP } from "./rules.ts";

/**
 * A week's drafts, or everything in it that counts, in steps.
 * @param driverIds whose; absent for everyone's
 */
export async function readWeek(
	{ db }: AdminContext,
	{ from: weekFrom }: Period,
	driverIds: readonly string[] | undefined,
	isDraftsOnly: boolean,
): Promise<SettlementRow[]> {
	const named = driverIds && JSON.stringify(driverIds);
	const rows: SettlementRow[] = [];
	for (let after = 0; ; ) {
		const { page } = await db.batch({
			page: settlementsWithLines(db.build)
				.where(sql`${settlements.weekFrom} = ${weekFrom} and ${settlements.number} > ${after}
					and ${isDraftsOnly ? sql`+${settlements.status} = 'draft'` : sql`+${settlements.status} <> 'void'`}
					${named === undefined ? sql`` : sql`and ${settlements.driverId} in (select value from json_each(${named}))`}`)
				.orderBy(settlements.number)
				.limit(DRIVERS_PER_STEP),
		});
		rows.push(...page);
		const last = page.at(-1);
		if (!last || page.length < DRIVERS_PER_STEP) return rows;
		after = last.settlement.number;
	}
}
