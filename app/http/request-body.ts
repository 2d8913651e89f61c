/**
 * The body of a request as the Worker read it. Everything here needs only this part of a request's
 * context.
 */
import type { FormBody } from "./form-body.server.ts";

/** A form, and whether the database knows its sender's session. */
export type SentForm = FormBody & { readonly isSenderKnown: boolean };

export type RequestBody = {
	/**
	 * The fields of the posted form, each cut to what it can hold.
	 * @throws a 413 answer if the form was not read completely
	 */
	readonly form: () => Promise<FormData>;
	/** What was read of it, to be shown again. */
	readonly sent: () => SentForm;
	/**
	 * The body as text, up to the limit.
	 * @throws if it `isExact` and the body isn't UTF-8; otherwise U+FFFD stands for what can't be read
	 */
	readonly bodyText: (isExact?: boolean) => string;
	/** The maximum length of a field with this name in any form. */
	readonly mostFor: (name: string) => number;
};
