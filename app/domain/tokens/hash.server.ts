import { encodeHexLowerCase } from "@oslojs/encoding";

const encoder = new TextEncoder();

/** What is stored of a token: its SHA-256, hex. */
export async function hashOfToken(text: string): Promise<string> {
	const hash = await crypto.subtle.digest("SHA-256", encoder.encode(text));
	return encodeHexLowerCase(new Uint8Array(hash));
}
