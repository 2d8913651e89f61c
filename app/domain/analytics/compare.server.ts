/** Compares the totals with the rows without changing anything, for the operator's checkup. */
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../db/client.server.ts";
import { BLOCK_DAYS } from "./blocks.ts";
import { FLEET } from "./queries.server.ts";
import {
	recountedTotals,
	selectOwnersAfter,
	TOTAL_COLUMN_NAMES,
	TOTAL_COLUMNS,
} from "./recount.server.ts";

/** What was compared, and whose totals are wrong; the fleet's own have the empty id. */
export type Comparison = { readonly drivers: number; readonly wrong: readonly string[] };

type Found = { readonly driverId: string };

/** Compares every driver's totals with their rows, then the fleet's with the drivers'. */
export async function compareTotals(db: Database): Promise<Comparison> {
	const wrong = new Set<string>();
	let drivers = 0;
	for (let after = FLEET; ; ) {
		const { page } = await db.batch({ page: selectOwnersAfter(db.build, after) });
		const last = page.at(-1)?.driverId;
		// Totals of someone without rows are wrong too, so the last page has no upper end.
		const whose = last === undefined ? sql`> ${after}` : sql`> ${after} and driver_id <= ${last}`;
		const found = await db.batch(
			Object.fromEntries(
				BLOCK_DAYS.map((days) => [
					`of${days}`,
					db.build.all<Found>(
						differing(
							recountedTotals(days, whose),
							sql`select driver_id, days, first_day, ${TOTAL_COLUMNS} from block_totals
								where driver_id ${whose} and days = ${days}`,
						),
					),
				]),
			),
		);
		for (const rows of Object.values(found)) for (const { driverId } of rows) wrong.add(driverId);
		if (last === undefined) break;
		drivers += page.length;
		after = last;
	}
	const sums = sql.raw(TOTAL_COLUMN_NAMES.map((name) => `sum(${name})`).join(", "));
	const { fleet } = await db.batch({
		fleet: db.build.all<Found>(
			differing(
				sql`select '' as driver_id, days, first_day, ${sums} from block_totals
					where driver_id > '' group by days, first_day`,
				sql`select driver_id, days, first_day, ${TOTAL_COLUMNS} from block_totals where driver_id = ''`,
			),
		),
	});
	if (fleet.length > 0) wrong.add(FLEET);
	return { drivers, wrong: [...wrong] };
}

/** Owners with rows in only one of two tables of totals; a block of zeros counts as none. */
function differing(one: SQL, other: SQL): SQL {
	const isAny = sql.raw(TOTAL_COLUMN_NAMES.map((name) => `${name} <> 0`).join(" or "));
	const named = (rows: SQL) => sql`select * from (
		with totals (driver_id, days, first_day, ${TOTAL_COLUMNS}) as (${rows})
		select * from totals where ${isAny})`;
	return sql`select distinct driver_id as driverId from (
		select * from (${named(one)} except ${named(other)})
		union all select * from (${named(other)} except ${named(one)})) limit 100`;
}
