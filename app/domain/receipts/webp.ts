/**
 * Rewrites a WebP chunk by chunk, without Exif (except the orientation), XMP, unknown chunks and
 * everything after the RIFF container. Headers are checked as libwebp checks them. Animations are
 * refused, because each frame could have its own chunks.
 */
import { done } from "../../values/outcome.ts";
import {
	bytesOf,
	hasTag,
	nameAt,
	Output,
	uint16Little,
	uint24Little,
	uint32,
	uint32Little,
} from "./bytes.ts";
import { buildOrientationTiff, isColorProfile, readOrientation } from "./exif.ts";
import { isProfileLength } from "./icc-profile.ts";
import type { PictureOutcome } from "./picture.ts";
import { refusedFile } from "./refusals.ts";
import { checkPictureSize } from "./rules.ts";

const RIFF_BYTES = 12;
/** Where the extended header's flags are in our output: it is always the first chunk. */
const FLAGS_AT = RIFF_BYTES + 8;
const FLAG = { animation: 0x02, exif: 0x08, alpha: 0x10, profile: 0x20 } as const;

type Size = { readonly width: number; readonly height: number };

const broken = () => refusedFile("broken", "brokenPicture");
const incomplete = () => refusedFile("broken", "incomplete");

/** The picture without metadata. The bytes start with RIFF, a length and WEBP. */
export function cleanWebp(bytes: Uint8Array): PictureOutcome {
	const riffEnd = uint32Little(bytes, 4) + 8;
	if (riffEnd > bytes.length) return incomplete();
	const output = new Output(bytes);
	output.keep(0, RIFF_BYTES);
	let canvas: (Size & { readonly flags: number }) | undefined;
	let picture: Size | undefined;
	let hasExif = false;
	let kept = 0;
	for (let at = RIFF_BYTES; at < riffEnd; ) {
		if (at + 8 > riffEnd) return incomplete();
		const type = nameAt(bytes, at);
		const from = at + 8;
		const to = from + uint32Little(bytes, at + 4);
		if (to > riffEnd) return incomplete();
		const isFirst = at === RIFF_BYTES;
		if (type === "VP8X") {
			if (!isFirst || to - from !== 10) return broken();
			canvas = {
				flags: bytes[from] ?? 0,
				width: uint24Little(bytes, from + 4) + 1,
				height: uint24Little(bytes, from + 7) + 1,
			};
			if (canvas.flags & FLAG.animation) return refusedFile("unsupported", "animated");
			keepChunk(output, at, to);
		} else if (type === "VP8 " || type === "VP8L") {
			if (picture) return broken();
			picture = (type === "VP8 " ? sizeOfLossy : sizeOfLossless)(bytes, from, to);
			if (!picture) return broken();
			if (canvas && (canvas.width !== picture.width || canvas.height !== picture.height))
				return broken();
			const refusal = checkPictureSize(picture.width, picture.height);
			if (refusal) return refusal;
			keepChunk(output, at, to);
		} else if (type === "ANIM" || type === "ANMF") return refusedFile("unsupported", "animated");
		else if (isFirst) return broken();
		else if (type === "ICCP" && isProfileMeant(canvas?.flags, kept) && isProfile(bytes, from, to)) {
			kept |= FLAG.profile;
			keepChunk(output, at, to);
		} else if (type === "ALPH" && canvas && !picture) keepChunk(output, at, to);
		else if (type === "EXIF" && canvas && !hasExif) {
			hasExif = true;
			if (writeOrientation(output, bytes.subarray(from, to))) kept |= FLAG.exif;
		}
		at = to + ((to - from) & 1);
	}
	if (!picture) return broken();
	if (canvas) output.bytes[FLAGS_AT] = (canvas.flags & FLAG.alpha) | kept;
	new DataView(output.bytes.buffer).setUint32(4, output.length - 8, true);
	return done({ bytes: output.bytes, ...picture });
}

/** A profile counts only if the header announces one, and only the first. */
function isProfileMeant(announced: number | undefined, kept: number): boolean {
	return ((announced ?? 0) & FLAG.profile & ~kept) !== 0;
}

/** A color profile of the length it declares. */
function isProfile(bytes: Uint8Array, from: number, to: number): boolean {
	return (
		isColorProfile(bytes.subarray(0, to), from) && isProfileLength(uint32(bytes, from), to - from)
	);
}

/** Copies a chunk, with a padding byte if its length is odd, even if the last one lacked it. */
function keepChunk(output: Output, at: number, to: number): void {
	output.keep(at, to);
	if ((to - at) & 1) output.write([0]);
}

/** The size in a lossy picture's first frame header. */
function sizeOfLossy(bytes: Uint8Array, from: number, to: number): Size | undefined {
	if (to - from < 10 || !hasTag(bytes, from + 3, "\x9d\x01\x2a")) return undefined;
	const head = uint24Little(bytes, from);
	// A key frame of a known profile, to be shown, whose first partition is within the chunk.
	if (head & 1 || ((head >> 1) & 7) > 3 || !((head >> 4) & 1) || head >> 5 >= to - from)
		return undefined;
	return {
		width: uint16Little(bytes, from + 6) & 0x3fff,
		height: uint16Little(bytes, from + 8) & 0x3fff,
	};
}

/** The size in a lossless picture's header: 14 bits each, minus one, and a version of 0. */
function sizeOfLossless(bytes: Uint8Array, from: number, to: number): Size | undefined {
	if (to - from < 6 || bytes[from] !== 0x2f) return undefined;
	const head = uint32Little(bytes, from + 1);
	if (head >>> 29 !== 0) return undefined;
	return { width: (head & 0x3fff) + 1, height: ((head >>> 14) & 0x3fff) + 1 };
}

/** Whether an orientation was written; upright needs none. */
function writeOrientation(output: Output, exif: Uint8Array): boolean {
	// Some programs copy a JPEG's segment with its prefix.
	const orientation = readOrientation(hasTag(exif, 0, "Exif\0\0") ? exif.subarray(6) : exif);
	if (orientation === 1) return false;
	const tiff = buildOrientationTiff(orientation);
	output.write([...bytesOf("EXIF"), tiff.length, 0, 0, 0, ...tiff]);
	return true;
}
