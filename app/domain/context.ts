/** The proofs that commands demand. Only auth/guard.server.ts makes one, so forgetting a check does not compile. */
import type { Database } from "../db/client.server.ts";
import type { users } from "../db/schema.ts";
import type { CalendarDate } from "../values/calendar-date.ts";
import type { Standing } from "./users/rules.ts";

export type UserRow = typeof users.$inferSelect;

/** Who acts: what the audit needs to know of a person. */
export type Actor = {
	readonly user: UserRow;
	readonly role: "admin" | "driver";
	/** First digits of the session's hash: tells sessions apart, opens nothing. */
	readonly sessionRef: string;
	readonly requestId: string;
	/** When the request came in, UTC milliseconds. */
	readonly now: number;
};

export type Proven = Actor & {
	readonly db: Database;
	readonly timeZone: string;
	/** Today in the fleet's zone. */
	readonly today: CalendarDate;
};

declare const proof: unique symbol;
/** Proof that an approved, active driver with a complete name is asking. */
export type DriverContext = Proven & { readonly role: "driver"; readonly [proof]: "driver" };
/** Proof that an active administrator is asking. */
export type AdminContext = Proven & { readonly role: "admin"; readonly [proof]: "admin" };
/** Proof that some signed-in person is asking, in whatever standing the route's audience lets pass. */
export type SelfContext = Proven & { readonly standing: Standing; readonly [proof]: "self" };
