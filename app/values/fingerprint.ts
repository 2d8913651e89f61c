/** Fingerprints of payloads: resubmissions have equal ones. */

import { encodeHexLowerCase } from "@oslojs/encoding";

/** Hex SHA-256 of the JSON of plain values, in the order given. */
export async function computeFingerprint(
	values: readonly (string | number | null)[],
): Promise<string> {
	const digest = await crypto.subtle.digest(
		"SHA-256",
		new TextEncoder().encode(JSON.stringify(values)),
	);
	return encodeHexLowerCase(new Uint8Array(digest));
}
