/**
 * What a command answers: done with a value, or refused for a reason the caller can show. Failures
 * that nobody expects are thrown instead.
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
	/** The field at fault, by its name on the wire. */
	readonly field?: string | undefined;
	/** The requests that stand in the way, each with why. */
	readonly requests?:
		| readonly {
				readonly id: string;
				readonly requestNumber: string | null;
				readonly reason: string;
		  }[]
		| undefined;
	/** Seconds to wait before another try. */
	readonly retryAfter?: number | undefined;
	/**
	 * What a phone's outbox acts on: it takes the correction out of an entry that can only be new.
	 */
	readonly reason?: "nothing-to-amend" | undefined;
};
