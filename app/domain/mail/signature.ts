/** The signature of a provider's webhook, as Svix makes it for Resend. */
import { hmac } from "@oslojs/crypto/hmac";
import { SHA256 } from "@oslojs/crypto/sha2";
import { constantTimeEqual } from "@oslojs/crypto/subtle";
import { decodeBase64IgnorePadding } from "@oslojs/encoding";

/** An older request may be a replay, in milliseconds. */
const TOLERANCE_MS = 5 * 60_000;

/** The shortest secret that Svix allows, in bytes. */
const SHORTEST_KEY = 24;

/**
 * Whether a webhook was signed with our secret recently.
 * @param secret `whsec_` and base64
 */
export function isSigned(headers: Headers, body: string, secret: string, now: number): boolean {
	const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
		headers.get(`svix-${name}`),
	);
	if (!id || !timestamp || !signatures) return false;
	if (!(Math.abs(Number(timestamp) * 1000 - now) <= TOLERANCE_MS)) return false;
	const key = bytesOf(secret.replace(/^whsec_/, ""));
	// With an invalid secret, anyone could sign with an empty key.
	if (!key || key.length < SHORTEST_KEY) return false;
	const expected = hmac(SHA256, key, new TextEncoder().encode(`${id}.${timestamp}.${body}`));
	return signatures.split(" ").some((each) => {
		const [version, text = ""] = each.split(",");
		const given = version === "v1" ? bytesOf(text) : undefined;
		return given !== undefined && constantTimeEqual(given, expected);
	});
}

function bytesOf(text: string): Uint8Array | undefined {
	try {
		return decodeBase64IgnorePadding(text);
	} catch {
		return undefined;
	}
}
