/**
 * The color profile of a JPEG, which comes in numbered pieces: kept complete, in order and as long
 * as declared, or not at all.
 */
import { uint32 } from "./bytes.ts";
import { isColorProfile } from "./exif.ts";
import type { Span } from "./jpeg-tables.ts";

/** `ICC_PROFILE`, a zero, the piece's number and the total. */
const HEAD_BYTES = 14;
/** The longest profile, in bytes: that of a printing press has about half of it. */
export const MAX_PROFILE_BYTES = 1024 * 1024;

/** Whether a profile declares this length. It may be padded to a multiple of four. */
export function isProfileLength(declared: number, length: number): boolean {
	return declared <= length && length <= declared + 3 && length <= MAX_PROFILE_BYTES;
}

/** Collects the pieces until the last one. */
export class IccPieces {
	private pieces: Span[] = [];
	private count = 0;
	private declared = 0;
	private length = 0;
	private isDone = false;

	/**
	 * Adds a piece.
	 * @returns all pieces of the profile with its last one; nothing before, or for an unexpected
	 * piece
	 */
	take(bytes: Uint8Array, span: Span): readonly Span[] {
		const number = bytes[span.from + HEAD_BYTES - 2] ?? 0;
		const count = bytes[span.from + HEAD_BYTES - 1] ?? 0;
		if (this.isDone) return [];
		if (
			number === 1 &&
			this.pieces.length === 0 &&
			isColorProfile(bytes.subarray(0, span.to), span.from + HEAD_BYTES)
		) {
			this.count = count;
			this.declared = uint32(bytes, span.from + HEAD_BYTES);
		} else if (number !== this.pieces.length + 1 || count !== this.count || number === 1) {
			// Out of order, or from another profile: decoders ignore all of it.
			this.isDone = true;
			return [];
		}
		this.pieces.push(span);
		this.length += span.to - span.from - HEAD_BYTES;
		if (number < this.count) return [];
		this.isDone = true;
		return isProfileLength(this.declared, this.length) ? this.pieces : [];
	}
}
