/**
 * What the Worker entry hands to every loader and action: everything about a request that needs no
 * database.
 */

import type { Database } from "../db/client.server.ts";
import type { Upload } from "../domain/statements/object-writer.server.ts";
import type { Env, Settings } from "../env.server.ts";
import type { RequestBody } from "../http/request-body.ts";
import type { Toast } from "../messages.ts";
import type { RouteRule } from "../routing/routes.ts";
import type { CalendarDate } from "../values/calendar-date.ts";
import type { NearRead } from "./near-read.server.ts";
import type { PresentedSession } from "./session.server.ts";

export type RequestContext = RequestBody & {
	readonly env: Env;
	readonly settings: Settings;
	readonly db: Database;
	/** Where the entries of closed years are; answers 503 where it isn't bound. */
	readonly archive: Database;
	/** When the request came in, UTC milliseconds: the only clock of the request. */
	readonly now: number;
	/** Today in the fleet's zone. */
	readonly today: CalendarDate;
	readonly requestId: string;
	readonly rule: RouteRule;
	readonly method: string;
	/** Path and query as asked for. */
	readonly address: string;
	readonly presented: PresentedSession | undefined;
	/** What may be read from a replica; absent while there are none. */
	readonly near: NearRead | undefined;
	/** The toast of the flash cookie, already read. */
	readonly toast: Toast | undefined;
	/** One of the app's own static files, by its path. */
	readonly staticFile: (path: string) => Promise<Uint8Array>;
	/** Work that continues after the response. */
	readonly later: (work: Promise<unknown>) => void;
	/** Tells the operator's webhook of a fault that was logged. */
	readonly tellFault: (error: unknown) => void;
	/** The statement that the Worker has put into the file store on the way in, if one was sent so. */
	readonly upload: () => Upload | undefined;
	/**
	 * Set by the guard: true for a driver, whose next pages may come from a replica; false for everyone
	 * else, who loses that.
	 */
	mayReadNear: boolean | undefined;
	/**
	 * What the fleet is called: the variable, until the guard has admitted somebody and read the
	 * setting with their session.
	 */
	fleetName: string;
	/** Set by the guard, for the log line. */
	userId: string | undefined;
	/** Set where a form turns out to be another account's, for the phone's worker. */
	isOtherAccounts: boolean;
};

declare module "@remix-run/cloudflare" {
	interface AppLoadContext extends RequestContext {}
}
