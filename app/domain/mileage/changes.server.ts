/** What counts as a change of a trip in the API's list. */
import { sql } from "drizzle-orm";
import { mileageLogs } from "../../db/schema.ts";
import { type ChangeSource, isItself, isOfRenamed } from "../kernel/changes.server.ts";
import { affectedBy } from "./flags.server.ts";

export const TRIP_CHANGES: ChangeSource = {
	table: mileageLogs,
	moves: "mileage-log",
	links: [
		isItself("mileage-log"),
		// Their flags follow from it.
		{
			entity: "mileage-log",
			rows: sql`changed_row.id in (${affectedBy(sql`id = entry.entity_id`)})`,
		},
		isOfRenamed,
	],
};
