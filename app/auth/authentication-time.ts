/** When someone last proved their identity to their provider, which isn't when they came back. */
import type { JWTPayload } from "jose";

/**
 * As the ID token says, or else during this attempt if the provider was asked for that; 0 if it
 * could be any time.
 * @param tolerance how far the provider's clock may be off, in seconds
 * @throws if the provider was asked but says it was earlier
 */
export function authenticationOf(
	{ auth_time: said }: JWTPayload,
	{ isFresh, startedAt }: { readonly isFresh: boolean; readonly startedAt: number },
	tolerance: number,
): number {
	if (said === undefined) return isFresh ? startedAt : 0;
	if (typeof said !== "number" || !Number.isSafeInteger(said) || said < 0)
		throw new Error("auth_time isn't a time");
	const at = said * 1000;
	if (isFresh && at < startedAt - tolerance * 1000)
		throw new Error("the provider didn't ask again who it is");
	return at;
}
