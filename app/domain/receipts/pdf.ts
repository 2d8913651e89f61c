/**
 * A PDF is stored unchanged and only ever downloaded, so the only check is whether it has an end.
 */
import { hasTag } from "./bytes.ts";

/**
 * How far before the end the trailer may be, in bytes: readers look 1 KB back, and scanners append
 * more than that.
 */
const TRAILER_BYTES = 2048;

/**
 * Whether a PDF has an end. `%%EOF` is missing from some scanners' files, which end with
 * `startxref`; spaces and zeros that a transfer appended are ignored.
 */
export function hasPdfEnd(bytes: Uint8Array): boolean {
	let end = bytes.length;
	while (end > 0 && isFiller(bytes[end - 1] ?? 0)) end--;
	for (let at = end - 1; at >= Math.max(0, end - TRAILER_BYTES); at--) {
		if (hasTag(bytes, at, "%%EOF") || hasTag(bytes, at, "startxref")) return true;
	}
	return false;
}

function isFiller(byte: number): boolean {
	return byte === 0 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1a;
}
