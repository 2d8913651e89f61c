/**
 * Reads numbers and tags from a file, and writes the cleaned one. Past the end everything reads as
 * 0: callers check lengths first.
 */

/** Unsigned, most significant byte first. */
export function uint16(bytes: Uint8Array, at: number): number {
	return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

/** Unsigned, most significant byte first. */
export function uint32(bytes: Uint8Array, at: number): number {
	return uint16(bytes, at) * 0x1_0000 + uint16(bytes, at + 2);
}

/** Unsigned, least significant byte first. */
export function uint16Little(bytes: Uint8Array, at: number): number {
	return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

/** Unsigned, least significant byte first. */
export function uint24Little(bytes: Uint8Array, at: number): number {
	return uint16Little(bytes, at) | ((bytes[at + 2] ?? 0) << 16);
}

/** Unsigned, least significant byte first. */
export function uint32Little(bytes: Uint8Array, at: number): number {
	return uint16Little(bytes, at) + uint16Little(bytes, at + 2) * 0x1_0000;
}

/** Whether these bytes are at this position; each character of the tag is one byte. */
export function hasTag(bytes: Uint8Array, at: number, tag: string): boolean {
	if (at + tag.length > bytes.length) return false;
	for (let offset = 0; offset < tag.length; offset++)
		if (bytes[at + offset] !== tag.charCodeAt(offset)) return false;
	return true;
}

/** The four characters that name a chunk. */
export function nameAt(bytes: Uint8Array, at: number): string {
	return String.fromCharCode(
		bytes[at] ?? 0,
		bytes[at + 1] ?? 0,
		bytes[at + 2] ?? 0,
		bytes[at + 3] ?? 0,
	);
}

/** The characters of a span, one per byte. For short spans. */
export function textAt(bytes: Uint8Array, from: number, to: number): string {
	return String.fromCharCode(...bytes.subarray(from, to));
}

/** The bytes of a text with one byte per character. */
export function bytesOf(text: string): Uint8Array {
	return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * Extra bytes that a cleaned file may need: a longer form of the orientation, and a byte of
 * padding.
 */
const ROOM = 64;

/**
 * The cleaned file as it grows. It is one buffer, allocated up front: with a list of pieces, a
 * hostile file of two million tiny segments would use more memory than a Worker has.
 */
export class Output {
	private readonly buffer: Uint8Array;
	length = 0;

	/** @param original the file to clean; the output is at most a few bytes longer */
	constructor(private readonly original: Uint8Array) {
		this.buffer = new Uint8Array(original.length + ROOM);
	}

	/** Copies a span of the original. */
	keep(from: number, to: number): void {
		this.write(this.original.subarray(from, to));
	}

	write(bytes: Uint8Array | readonly number[]): void {
		this.buffer.set(bytes, this.length);
		this.length += bytes.length;
	}

	/** What has been written so far; later writes change it. */
	get bytes(): Uint8Array {
		return this.buffer.subarray(0, this.length);
	}
}
