/** What the Worker entry hands to every loader and action: everything about a request that needs no database. */
import type { RouteRule } from "../auth/permissions.ts";
import type { Presented } from "../auth/session.server.ts";
import type { Database } from "../db/client.server.ts";
import type { Env, Settings } from "../env.server.ts";
import type { Toast } from "../messages.ts";
import type { CalendarDate } from "../values/calendar-date.ts";
import type { FormBody } from "./form-body.server.ts";

/** A form, and whether the database was asked for its sender's session before all of it was read. */
export type SentForm = FormBody & { readonly isSenderKnown: boolean };

export type RequestContext = {
	readonly env: Env;
	readonly settings: Settings;
	readonly db: Database;
	/** When the request came in, UTC milliseconds: the only clock of the request. */
	readonly now: number;
	/** Today in the fleet's zone. */
	readonly today: CalendarDate;
	readonly requestId: string;
	readonly rule: RouteRule;
	readonly method: string;
	/** Path and query as asked for. */
	readonly address: string;
	readonly presented: Presented | undefined;
	/** The toast of the flash cookie, already read. */
	readonly toast: Toast | undefined;
	/**
	 * The fields of the posted form, each cut to what it can hold.
	 * @throws a 413 answer when the form was not read whole
	 */
	readonly form: () => Promise<FormData>;
	/** The same as far as it was read, to be shown again. */
	readonly sent: () => SentForm;
	/** The body as text, capped. */
	readonly bodyText: () => string;
	/** Work that outlives the answer. */
	readonly later: (work: Promise<unknown>) => void;
	/** Set by the guard, for the log line. */
	userId: string | undefined;
	/** Set where a form turns out to be another account's, for the phone's worker. */
	isOtherAccounts: boolean;
};

declare module "@remix-run/cloudflare" {
	interface AppLoadContext extends RequestContext {}
}
