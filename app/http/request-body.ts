/**
 * The body of a request as the Worker read it. Everything here works on this, whatever else a
 * request's context holds.
 */
import type { FormBody } from "./form-body.server.ts";

/**
 * A form, and whether the database was asked for its sender's session before all of it was read.
 */
export type SentForm = FormBody & { readonly isSenderKnown: boolean };

export type RequestBody = {
	/**
	 * The fields of the posted form, each cut to what it can hold.
	 * @throws a 413 answer when the form was not read whole
	 */
	readonly form: () => Promise<FormData>;
	/** The same as far as it was read, to be shown again. */
	readonly sent: () => SentForm;
	/** The body as text, capped. */
	readonly bodyText: () => string;
	/** Characters that a field of this name may have in any form. */
	readonly mostFor: (name: string) => number;
};
