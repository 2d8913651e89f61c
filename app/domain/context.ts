/**
 * The proofs that commands demand. Only auth/guard.server.ts makes one, so forgetting a check does
 * not compile.
 */
import type { Database } from "../db/client.server.ts";
import type { users } from "../db/schema.ts";
import type { CalendarDate } from "../values/calendar-date.ts";
import type { FleetSettings } from "./settings/definitions.ts";
import type { Standing } from "./users/rules.ts";
import type { Waiting } from "./waiting.ts";

export type UserRow = typeof users.$inferSelect;

/** What the audit records about who acted. */
export type AuditActor = {
	/** Null for actors without an account: the command line, the scheduler, a visitor. */
	readonly id: string | null;
	readonly role: string;
	/** First digits of the session's hash: tells sessions apart, opens nothing. */
	readonly sessionRef: string | null;
	readonly requestId: string | null;
	/** When the request came in, UTC milliseconds. */
	readonly now: number;
};

/** What the guard proves about everyone it admits. */
export type AuthenticatedContext = {
	readonly user: UserRow;
	readonly role: "admin" | "driver";
	/** First digits of the session's hash: tells sessions apart, opens nothing. */
	readonly sessionRef: string;
	readonly requestId: string;
	/** When the request came in, UTC milliseconds. */
	readonly now: number;
	readonly db: Database;
	/** Where the entries of closed years are. */
	readonly archive: Database;
	readonly timeZone: string;
	/** Today in the fleet's zone. */
	readonly today: CalendarDate;
	/** The fleet's settings in force. */
	readonly settings: FleetSettings;
	/** What waits for them: on their pages, when they are shown. */
	readonly waiting?: Waiting | undefined;
	/** Makes the error that a command throws when this person lost access during the request. */
	readonly accessLost: () => Promise<unknown>;
};

declare const proof: unique symbol;
/** Proof that the request comes from an approved, active driver with a complete name. */
export type DriverContext = AuthenticatedContext & {
	readonly role: "driver";
	readonly [proof]: "driver";
};
/** Proof that the request comes from an active administrator. */
export type AdminContext = AuthenticatedContext & {
	readonly role: "admin";
	readonly [proof]: "admin";
};
/** Proof that the request comes from a signed-in person, in whatever standing the route admits. */
export type SelfContext = AuthenticatedContext & {
	readonly standing: Standing;
	readonly [proof]: "self";
};
/**
 * The operator of a fleet at a terminal. There is no sign-in: access to the database is the
 * permission.
 */
export type OperatorContext = {
	readonly role: "operator";
	readonly db: Database;
	readonly now: number;
};
/** Milepost itself, running a scheduled task. It needs no proof: only the schedule starts it. */
export type SystemContext = {
	readonly role: "system";
	readonly db: Database;
	readonly now: number;
};

/** Anyone who may run a command. */
export type Actor = DriverContext | AdminContext | SelfContext | OperatorContext | SystemContext;
