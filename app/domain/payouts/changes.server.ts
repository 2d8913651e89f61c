/** What counts as a change of a payout in the API's list. */
import { sql } from "drizzle-orm";
import { payouts } from "../../db/schema.ts";
import { type ChangeSource, isItself, isOfRenamed } from "../kernel/changes.server.ts";
import { BILL_FORMATS } from "./rules.ts";

/** Its bills' file names, as the audit has them. */
const bills = sql.join(
	BILL_FORMATS.map((format) => sql`printf(${`payout-PO-%06d-${format}.csv`}, changed_row.number)`),
	sql`, `,
);

export const PAYOUT_CHANGES: ChangeSource = {
	table: payouts,
	links: [
		isItself("payout"),
		{
			entity: "file",
			actions: ["payout.export"],
			rows: sql`entry.entity_id like 'payout-PO-%'
				and changed_row.number = cast(substr(entry.entity_id, 11) as integer)`,
			entityIds: bills,
		},
		{
			...isOfRenamed,
			rows: sql`changed_row.id in (select payout_id from payout_requests
				where driver_id = entry.entity_id
				union select payout_id from payout_settlements where driver_id = entry.entity_id)`,
		},
	],
};
