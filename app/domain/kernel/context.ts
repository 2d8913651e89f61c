/**
 * The proofs that commands demand. Only auth/guard.server.ts makes one, so forgetting a check does
 * not compile.
 */
import type { Database } from "../../db/client.server.ts";
import type { users } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { FleetSettings } from "./fleet-settings.ts";
import type { Standing } from "./standing.ts";
import type { Waiting } from "./waiting.ts";

export type UserRow = typeof users.$inferSelect;

/** What the audit records about who acted. */
export type AuditActor = {
	/** Null for actors without an account: the command line, the scheduler, a visitor. */
	readonly id: string | null;
	readonly role: string;
	/** First digits of the session's hash: enough to tell sessions apart, not to use one. */
	readonly sessionRef: string | null;
	readonly requestId: string | null;
	/** When the request arrived, in UTC milliseconds. */
	readonly now: number;
};

/** What the guard proves about everyone it admits. */
export type AuthenticatedContext = {
	readonly user: UserRow;
	readonly role: "admin" | "viewer" | "driver";
	/**
	 * First digits of the session's hash, enough to tell sessions apart and not to use one; or the id
	 * of the token.
	 */
	readonly sessionRef: string;
	readonly requestId: string;
	/** When the request arrived, in UTC milliseconds. */
	readonly now: number;
	readonly db: Database;
	/** Has the entries of closed years. */
	readonly archive: Database;
	readonly timeZone: string;
	/** Today in the fleet's time zone. */
	readonly today: CalendarDate;
	/** The fleet's current settings. */
	readonly settings: FleetSettings;
	/** The counts shown in their navigation, on pages. */
	readonly waiting?: Waiting | undefined;
	/** Reports a logged fault to `ERROR_WEBHOOK`. */
	readonly reportFault: (error: unknown) => void;
	/** Makes the error that a command throws if this person lost access during the request. */
	readonly accessLost: () => Promise<unknown>;
	/** Makes the error that a command throws if they have changed too much in the last hour. */
	readonly tooMany: () => unknown;
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
/** Proof that the request comes from an active accountant, who reads and downloads. */
export type ViewerContext = AuthenticatedContext & {
	readonly role: "viewer";
	readonly [proof]: "viewer";
};
/** Proof that the request may read what administrators read; it changes nothing. */
export type ReaderContext = AdminContext | ViewerContext;
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
/**
 * Milepost itself, running a scheduled task. It needs no proof, since only the schedule starts it.
 */
export type SystemContext = {
	readonly role: "system";
	readonly db: Database;
	readonly now: number;
};

/** Anyone who may run a command. */
export type Actor =
	| DriverContext
	| AdminContext
	| ViewerContext
	| SelfContext
	| OperatorContext
	| SystemContext;
