/**
 * The chunks of a PNG that affect its appearance: each once, before the picture's data, and as long
 * as the format allows. Anything else with their names could hide something or trip up a decoder,
 * and decoders ignore it.
 */

/** Samples per pixel, by color type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const GRAY = 0;
const COLOR = 2;
const PALETTE = 3;

/**
 * The longest compressed color profile, in bytes. Real ones have hundreds to thousands; deflate
 * unpacks this to 66 MB at the very most, a fraction of the picture itself.
 */
const MAX_PROFILE_BYTES = 64 * 1024;

/** The length of each chunk, by color type. */
const LENGTHS: Readonly<Record<string, (length: number, colorType: number) => boolean>> = {
	gAMA: (length) => length === 4,
	cHRM: (length) => length === 32,
	sRGB: (length) => length === 1,
	cICP: (length) => length === 4,
	mDCV: (length) => length === 24,
	cLLI: (length) => length === 8,
	pHYs: (length) => length === 9,
	iCCP: (length) => length > 2 && length <= MAX_PROFILE_BYTES,
	// A palette's significant bits are those of its red, green and blue.
	sBIT: (length, colorType) => length === (colorType === PALETTE ? 3 : SAMPLES[colorType]),
	bKGD: (length, colorType) =>
		length === (colorType === PALETTE ? 1 : colorType === GRAY || colorType === 4 ? 2 : 6),
	tRNS: (length, colorType) =>
		colorType === PALETTE
			? length >= 1 && length <= 256
			: length === (colorType === GRAY ? 2 : colorType === COLOR ? 6 : -1),
};

/** Tracks what has been kept of one picture. */
export class PngSettings {
	private readonly seen = new Set<string>();

	/**
	 * Whether a chunk is kept.
	 * @param data where its data is in `bytes`
	 */
	keeps(
		type: string,
		bytes: Uint8Array,
		data: { readonly from: number; readonly length: number },
		colorType: number,
	): boolean {
		if (
			!Object.hasOwn(LENGTHS, type) ||
			this.seen.has(type) ||
			!LENGTHS[type]?.(data.length, colorType)
		)
			return false;
		if (type === "iCCP" && !isNamedProfile(bytes, data)) return false;
		this.seen.add(type);
		return true;
	}
}

/** A name of 1 to 79 bytes, its terminator, and the only compression method. */
function isNamedProfile(
	bytes: Uint8Array,
	{ from, length }: { readonly from: number; readonly length: number },
): boolean {
	const nameLength = bytes.subarray(from, from + Math.min(length - 1, 80)).indexOf(0);
	return nameLength >= 1 && bytes[from + nameLength + 1] === 0;
}
