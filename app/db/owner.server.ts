/** The person a statement is about. */
import { type Placeholder, SQL, sql } from "drizzle-orm";
import { sessions } from "./schema.ts";

/**
 * The signed-in user's id as a sub-select, so that data can be read in the same batch that proves
 * the session.
 */
export class SessionUser extends SQL<string> {
	constructor(
		readonly tokenHash: string | Placeholder,
		/** UTC milliseconds. */
		readonly askedAt: number | Placeholder,
	) {
		const live = sql`(select ${sessions.userId} from ${sessions} where ${sessions.tokenHash} = ${tokenHash} and ${sessions.endedAt} is null and ${sessions.expiresAt} > ${askedAt})`;
		super(live.queryChunks);
	}
}

/** A user's id, or a sub-select for it: the session's, until that is proved. */
export type Owner = string | SQL<string>;
