/** Secrets and signatures, by the Standard Webhooks convention. */
import { decodeBase64, encodeBase64 } from "@oslojs/encoding";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and base64 of 32 random bytes. */
export const newSecret = (): string =>
	`${PREFIX}${encodeBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`;

type Signed = { readonly id: string; readonly timestamp: number; readonly body: string };

/**
 * The signature of a message: `v1,` and base64.
 * @param timestamp in seconds
 */
export async function sign(secret: string, { id, timestamp, body }: Signed): Promise<string> {
	const bytes = new Uint8Array(decodeBase64(secret.slice(PREFIX.length)));
	const hmac = { name: "HMAC", hash: "SHA-256" };
	const key = await crypto.subtle.importKey("raw", bytes, hmac, false, ["sign"]);
	const text = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
	return `v1,${encodeBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, text)))}`;
}

/** The headers of a message, with a signature for each secret. */
export async function signedHeaders(
	secrets: readonly string[],
	signed: Signed,
): Promise<Readonly<Record<string, string>>> {
	const signatures = await Promise.all(secrets.map((secret) => sign(secret, signed)));
	return {
		"webhook-id": signed.id,
		"webhook-timestamp": String(signed.timestamp),
		"webhook-signature": signatures.join(" "),
	};
}
