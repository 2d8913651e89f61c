/**
 * The result of a command: done with a value, or refused for a reason that the caller can show.
 * Unexpected failures are thrown instead.
 */

export type Done<Value> = { readonly ok: true; readonly value: Value };
export type Refused<Reason extends string, Details = undefined> = {
	readonly ok: false;
	readonly reason: Reason;
	readonly details: Details;
};
export type Outcome<Value, Refusals> = Done<Value> | Refusals;

export function done<Value>(value: Value): Done<Value> {
	return { ok: true, value };
}

export function refused<Reason extends string>(reason: Reason): Refused<Reason>;
export function refused<Reason extends string, Details>(
	reason: Reason,
	details: Details,
): Refused<Reason, Details>;
export function refused(reason: string, details?: unknown) {
	return { ok: false, reason, details };
}

/** How a refusal is answered. */
export type RefusalAnswer = {
	readonly status: 400 | 403 | 404 | 409 | 413 | 422 | 429 | 503;
	readonly message: string;
	/** The invalid field, by its name in forms and JSON. */
	readonly field?: string | undefined;
	/** The requests that prevent it, each with the reason. */
	readonly requests?:
		| readonly {
				readonly id: string;
				readonly requestNumber: string | null;
				readonly reason: string;
		  }[]
		| undefined;
	/** The settlements that prevent it. */
	readonly settlements?:
		| readonly { readonly id: string; readonly number: string | null; readonly reason: string }[]
		| undefined;
	/** Seconds until a retry makes sense. */
	readonly retryAfter?: number | undefined;
	/**
	 * Tells a phone's outbox to remove the correction from an entry that can only be new, or to skip
	 * an entry whose file can't be stored now.
	 */
	readonly reason?: "nothing-to-amend" | "file-later" | undefined;
};
