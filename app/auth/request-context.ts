/**
 * What the Worker passes to every loader and action: everything about a request that needs no
 * database.
 */

import type { Database } from "../db/client.server.ts";
import type { Upload } from "../domain/statements/object-writer.server.ts";
import type { Env, Settings } from "../env.server.ts";
import type { RequestBody } from "../http/request-body.ts";
import type { Toast } from "../messages.ts";
import type { RouteRule } from "../routing/routes.ts";
import type { CalendarDate } from "../values/calendar-date.ts";
import type { PresentedToken } from "./bearer.server.ts";
import type { ReplicaRead } from "./replica-read.server.ts";
import type { PresentedSession } from "./session.server.ts";

export type RequestContext = RequestBody & {
	readonly env: Env;
	readonly settings: Settings;
	readonly db: Database;
	/** Has the entries of closed years; answers 503 if it isn't bound. */
	readonly archive: Database;
	/** When the request arrived, in UTC milliseconds: the request's only clock. */
	readonly now: number;
	/** Today in the fleet's time zone. */
	readonly today: CalendarDate;
	readonly requestId: string;
	readonly rule: RouteRule;
	readonly method: string;
	/** The path and query of the request. */
	readonly address: string;
	/** The cookie's session; none if a token came instead. */
	readonly presented: PresentedSession | undefined;
	/** The token of the header, on a path that takes one. */
	readonly bearer: PresentedToken | undefined;
	/** What a replica may answer; undefined without replicas. */
	readonly replica: ReplicaRead | undefined;
	/** The toast from the flash cookie. */
	readonly toast: Toast | undefined;
	/** One of the app's static files, by path. */
	readonly staticFile: (path: string) => Promise<Uint8Array>;
	/** Work that continues after the response. */
	readonly later: (work: Promise<unknown>) => void;
	/** Reports a logged fault to the operator's webhook. */
	readonly reportFault: (error: unknown) => void;
	/** The statement that the Worker has streamed into the file store, if there was one. */
	readonly upload: () => Upload | undefined;
	/**
	 * Set by the guard: whether replicas may answer the next pages, which is true only for drivers.
	 */
	mayReadReplica: boolean | undefined;
	/** Set by the guard; administrators' pages have more styles. */
	isAdministrator: boolean;
	/**
	 * The fleet's name: the variable's until the guard has read the setting along with the session.
	 */
	fleetName: string;
	/** Set by the guard, for the log line. */
	userId: string | undefined;
	/** Whether the JSON is streamed, so that logging it doesn't collect it. */
	isStreamed: boolean;
	/** Set when a form turns out to be from another account, for the phone's service worker. */
	isOtherAccounts: boolean;
};

declare module "@remix-run/cloudflare" {
	interface AppLoadContext extends RequestContext {}
}
