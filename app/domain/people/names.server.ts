import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.server.ts";

/**
 * Recalculates the rows that people are found by, for rows that were written without the triggers.
 */
export async function refillNames(db: Database): Promise<void> {
	await db.batch({
		gone: db.build.run(sql`delete from person_names`),
		names: db.build.run(sql`insert into person_names (user_id, circle, name)
			select distinct user_id, circle, name from names_of_people`),
	});
}
