/** The API's list of fees, and what counts as a change of one: imports write many fees at once. */
import { sql } from "drizzle-orm";
import { uberFees } from "../../db/schema.ts";
import { type ChangeSource, isItself, isOfRenamed } from "../kernel/changes.server.ts";
import type { ListSource } from "../kernel/list.server.ts";
import type { FeeWithDriver } from "../uber-fees/json.ts";
import { cursorOf, feesWithDrivers, listFees } from "../uber-fees/queries.server.ts";
import { type FeeCursor, feeCursors } from "../uber-fees/search.ts";
import { editedFees } from "./comparison.server.ts";

const FEE_CHANGES: ChangeSource = {
	table: uberFees,
	links: [
		isItself("uber-fee"),
		{
			entity: "fee-import",
			rows: sql`changed_row.import_id = entry.entity_id`,
			entityIds: sql`changed_row.import_id`,
		},
		// Fees that it corrects.
		{
			entity: "fee-import",
			rows: sql`changed_row.id in (
				with recursive ${editedFees(
					sql`select fee_id as value from statement_lines where replaced_by = entry.entity_id
						union select replaces_id from uber_fees
							where import_id = entry.entity_id and replaces_id is not null`,
				)} select id from edited)`,
		},
		// Once it is undone, nothing else says which fees it had corrected to zero. One of the period's
		// last night is dated the day after it.
		{
			entity: "fee-import",
			actions: ["fee.undo-import"],
			rows: sql`changed_row.id in (select fee.id from fee_imports as made
				cross join uber_fees as fee indexed by fees_by_day on fee.deleted_at is null
					and fee.charged_on between made.period_from and date(made.period_to, '+1 day')
					and fee.last_change_id = made.last_change_id
				where made.id = entry.entity_id)`,
		},
		{ ...isOfRenamed, actions: ["driver.pseudonymize"] },
	],
};

export const FEE_LIST: ListSource<FeeWithDriver, FeeCursor> = {
	cursors: feeCursors,
	cursorOf,
	idOf: ({ fee }) => fee.id,
	rows: (build, whose, limit, cursor) =>
		listFees(build, whose, limit, cursor && { way: "after", cursor }),
	changes: {
		source: FEE_CHANGES,
		rows: (build, ids) => feesWithDrivers(build).where(sql`${uberFees.id} in ${ids}`),
	},
};
