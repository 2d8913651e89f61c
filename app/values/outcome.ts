/** What a command answers: done with a value, or refused for a reason the caller can show. Failures that nobody expects are thrown instead. */

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
export function refused<Reason extends string, Details>(reason: Reason, details: Details): Refused<Reason, Details>;
export function refused(reason: string, details?: unknown) {
	return { ok: false, reason, details };
}
