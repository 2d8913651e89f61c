/** What counts as a change of a fund request in the API's list. */
import { sql } from "drizzle-orm";
import { fundRequests } from "../../db/schema.ts";
import { type ChangeSource, isItself, isOfRenamed } from "../kernel/changes.server.ts";

export const REQUEST_CHANGES: ChangeSource = {
	table: fundRequests,
	links: [
		isItself("fund-request"),
		{
			entity: "request-message",
			rows: sql`changed_row.id = (select request_id from request_messages
				where id = entry.entity_id)`,
			entityIds: sql`select id from request_messages where request_id = changed_row.id`,
		},
		{
			entity: "payout",
			rows: sql`changed_row.id in (select request_id from payout_requests
				where payout_id = entry.entity_id)`,
			entityIds: sql`select payout_id from payout_requests where request_id = changed_row.id`,
		},
		isOfRenamed,
	],
};
