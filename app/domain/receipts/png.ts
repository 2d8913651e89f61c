/**
 * Rewrites a PNG chunk by chunk, without texts, times, Exif (except the orientation), unknown
 * extras and everything after IEND. Every length and checksum is verified: a wrong one means a
 * damaged file. An animated PNG is reduced to its still picture.
 */
import { done } from "../../values/outcome.ts";
import { bytesOf, nameAt, Output, uint32 } from "./bytes.ts";
import { buildOrientationTiff, readOrientation } from "./exif.ts";
import type { PictureOutcome } from "./picture.ts";
import { PngSettings } from "./png-settings.ts";
import { refusedFile } from "./refusals.ts";
import { checkPictureSize } from "./rules.ts";

const SIGNATURE_BYTES = 8;
/** Length, type and checksum around a chunk's data. */
const FRAMING_BYTES = 12;

/** Bits per sample that each color type allows. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
	0: [1, 2, 4, 8, 16],
	2: [8, 16],
	3: [1, 2, 4, 8],
	4: [8, 16],
	6: [8, 16],
};
const PALETTE = 3;

const broken = () => refusedFile("broken", "brokenPicture");
const incomplete = () => refusedFile("broken", "incomplete");

/** The picture without metadata. The bytes start with the PNG signature. */
export function cleanPng(bytes: Uint8Array): PictureOutcome {
	const output = new Output(bytes);
	output.keep(0, SIGNATURE_BYTES);
	let header: { width: number; height: number; colorType: number } | undefined;
	const settings = new PngSettings();
	let hasPalette = false;
	let hasExif = false;
	let hasData = false;
	let previous = "";
	for (let at = SIGNATURE_BYTES; ; ) {
		if (at + FRAMING_BYTES > bytes.length) return incomplete();
		const length = uint32(bytes, at);
		const from = at + 8;
		const end = from + length + 4;
		const type = nameAt(bytes, at + 4);
		if (!/^[A-Za-z]{4}$/.test(type)) return broken();
		if (end > bytes.length) return incomplete();
		if (checksum(bytes, at + 4, from + length) !== uint32(bytes, from + length)) return broken();
		if (!header) {
			if (type !== "IHDR" || length !== 13) return broken();
			header = {
				width: uint32(bytes, from),
				height: uint32(bytes, from + 4),
				colorType: bytes[from + 9] ?? 0,
			};
			// Depth allowed for the color type, the only compression and filter method, plain or
			// interlaced.
			if (!DEPTHS[header.colorType]?.includes(bytes[from + 8] ?? 0)) return broken();
			if (bytes[from + 10] !== 0 || bytes[from + 11] !== 0 || (bytes[from + 12] ?? 0) > 1)
				return broken();
			const refusal = checkPictureSize(header.width, header.height, bytes[from + 8]);
			if (refusal) return refusal;
			output.keep(at, end);
		} else if (type === "IDAT") {
			if (hasData && previous !== "IDAT") return broken();
			if (header.colorType === PALETTE && !hasPalette) return broken();
			hasData ||= length > 0;
			output.keep(at, end);
		} else if (type === "IEND") {
			if (!hasData || length !== 0) return broken();
			output.keep(at, end);
			return done({ bytes: output.bytes, width: header.width, height: header.height });
		} else if (type === "PLTE") {
			if (hasPalette || hasData || length === 0 || length % 3 !== 0 || length > 768)
				return broken();
			hasPalette = true;
			output.keep(at, end);
		} else if (type === "eXIf") {
			if (!hasExif) writeOrientation(output, bytes.subarray(from, from + length));
			hasExif = true;
		} else if (isCritical(type)) return broken();
		else if (!hasData && settings.keeps(type, bytes, { from, length }, header.colorType))
			output.keep(at, end);
		previous = type;
		at = end;
	}
}

/** A capital first letter means that the picture can't be shown without the chunk. */
function isCritical(type: string): boolean {
	return type.charCodeAt(0) < 0x61;
}

function writeOrientation(output: Output, exif: Uint8Array): void {
	const orientation = readOrientation(exif);
	if (orientation === 1) return;
	const tiff = buildOrientationTiff(orientation);
	const chunk = Uint8Array.from([0, 0, 0, tiff.length, ...bytesOf("eXIf"), ...tiff, 0, 0, 0, 0]);
	const sumAt = chunk.length - 4;
	new DataView(chunk.buffer).setUint32(sumAt, checksum(chunk, 4, sumAt));
	output.write(chunk);
}

const CHECKSUM_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
	let value = index;
	for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
	return value;
});

/** CRC-32 of a span, as in PNG and ZIP. */
function checksum(bytes: Uint8Array, from: number, to: number): number {
	let value = 0xffff_ffff;
	for (let at = from; at < to; at++)
		value = (value >>> 8) ^ (CHECKSUM_TABLE[(value ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
	return (value ^ 0xffff_ffff) >>> 0;
}
