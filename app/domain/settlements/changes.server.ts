/** What counts as a change of a settlement in the API's list. */
import { sql } from "drizzle-orm";
import { settlements } from "../../db/schema.ts";
import { type ChangeSource, isItself, isOfRenamed } from "../kernel/changes.server.ts";

export const SETTLEMENT_CHANGES: ChangeSource = {
	table: settlements,
	links: [
		isItself("settlement"),
		{
			entity: "settlement-message",
			rows: sql`changed_row.id = (select settlement_id from settlement_messages
				where id = entry.entity_id)`,
			entityIds: sql`select id from settlement_messages where settlement_id = changed_row.id`,
		},
		{
			entity: "payout",
			rows: sql`changed_row.id in (select settlement_id from payout_settlements
				where payout_id = entry.entity_id)`,
			entityIds: sql`select payout_id from payout_settlements where settlement_id = changed_row.id`,
		},
		isOfRenamed,
	],
};

/** For settlements that their drivers could see, including any voided since. */
export const PUBLISHED_CHANGES: ChangeSource = {
	...SETTLEMENT_CHANGES,
	isListed: sql`changed_row.published_at is not null`,
};
