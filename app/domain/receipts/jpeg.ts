/**
 * Rewrites a JPEG segment by segment, without anything that describes who took it: Exif (place,
 * time, thumbnail), XMP, IPTC, comments, makers' own segments, and everything after the end. It
 * keeps the picture, its color information (JFIF, ICC profile, Adobe) and its orientation. The
 * segments that a decoder depends on are checked in jpeg-tables.ts.
 */
import { done } from "../../values/outcome.ts";
import { bytesOf, hasTag, Output, uint16 } from "./bytes.ts";
import { buildOrientationTiff, type Orientation, readOrientation } from "./exif.ts";
import { IccPieces } from "./icc-profile.ts";
import {
	type Frame,
	isHuffmanTables,
	isScanOf,
	parseFrame,
	parseQuantizationTables,
	type Span,
} from "./jpeg-tables.ts";
import type { PictureOutcome } from "./picture.ts";
import { refusedFile } from "./refusals.ts";
import { checkPictureSize } from "./rules.ts";

/** libjpeg's limit for a side, in pixels. */
const MAX_SIDE = 65_500;
/**
 * Real progressive pictures have about ten scans; thousands over a large picture would freeze the
 * viewer's browser.
 */
const MAX_SCANS = 100;

const MARKER = {
	tem: 0x01,
	sof0: 0xc0,
	sof2: 0xc2,
	dht: 0xc4,
	jpg: 0xc8,
	dac: 0xcc,
	sof15: 0xcf,
	rst0: 0xd0,
	rst7: 0xd7,
	soi: 0xd8,
	eoi: 0xd9,
	sos: 0xda,
	dqt: 0xdb,
	dnl: 0xdc,
	dri: 0xdd,
	app0: 0xe0,
	app1: 0xe1,
	app2: 0xe2,
	app14: 0xee,
	app15: 0xef,
	com: 0xfe,
} as const;

const broken = () => refusedFile("broken", "brokenPicture");
const incomplete = () => refusedFile("broken", "incomplete");

/** The picture without metadata. The bytes start with FF D8. */
export function cleanJpeg(bytes: Uint8Array): PictureOutcome {
	const output = new Output(bytes);
	output.keep(0, 2);
	let frame: Frame | undefined;
	let scans = 0;
	let quantizations = 0;
	const seen: Seen = { hasJfif: false, hasExif: false, profile: new IccPieces() };
	for (let at = 2; ; ) {
		const marker = findNextMarker(bytes, at);
		if (!marker) return incomplete();
		const { code } = marker;
		at = marker.end;
		if (code === MARKER.tem || (code >= MARKER.rst0 && code <= MARKER.rst7)) continue;
		if (code === MARKER.eoi) {
			if (!frame || scans === 0) return broken();
			output.write([0xff, MARKER.eoi]);
			return done({ bytes: output.bytes, width: frame.width, height: frame.height });
		}
		if (code < MARKER.sof0 || code === MARKER.soi || code === MARKER.jpg) return broken();
		if (at + 2 > bytes.length) return incomplete();
		const span: Span = { from: at + 2, to: at + uint16(bytes, at) };
		if (span.to < span.from) return broken();
		if (span.to > bytes.length) return incomplete();
		at = span.to;
		if (code >= MARKER.app0) {
			if (code > MARKER.app15 && code !== MARKER.com) return broken();
			// A decoder reads its settings up to the first scan; later ones never apply.
			if (scans === 0) keepSettings(bytes, code, span, output, seen);
			continue;
		}
		if (code === MARKER.dac || code === MARKER.dnl) continue;
		if (code === MARKER.sos) {
			if (!frame || !isScanOf(frame, bytes, span, quantizations) || ++scans > MAX_SCANS)
				return broken();
			at = findScanEnd(bytes, span.to);
			if (at < 0) return incomplete();
			if (at === span.to) return broken();
			output.keep(span.from - 4, at);
			continue;
		}
		if (code === MARKER.dqt) {
			const defined = parseQuantizationTables(bytes, span);
			if (defined === undefined) return broken();
			quantizations |= defined;
		} else if (code === MARKER.dht) {
			if (!isHuffmanTables(bytes, span)) return broken();
		} else if (code === MARKER.dri) {
			if (span.to - span.from !== 2) return broken();
		} else if (code <= MARKER.sof15) {
			if (code > MARKER.sof2) return refusedFile("unsupported", "rareJpeg");
			const found = parseFrame(bytes, span);
			if (frame || !found) return broken();
			if (bytes[span.from] !== 8) return refusedFile("unsupported", "rareJpeg");
			if (found.width > MAX_SIDE || found.height > MAX_SIDE)
				return refusedFile("too-many-pixels", "tooLong");
			const refusal = checkPictureSize(found.width, found.height);
			if (refusal) return refusal;
			frame = found;
		} else return broken();
		output.keep(span.from - 4, span.to);
	}
}

/**
 * The next marker and the position after it. Stray bytes and fill bytes before it are skipped, as
 * every decoder does.
 */
function findNextMarker(
	bytes: Uint8Array,
	from: number,
): { code: number; end: number } | undefined {
	for (let at = from; ; ) {
		at = bytes.indexOf(0xff, at);
		if (at < 0) return undefined;
		while (bytes[at] === 0xff) at++;
		const code = bytes[at];
		if (code === undefined) return undefined;
		at++;
		if (code !== 0) return { code, end: at };
	}
}

/**
 * Where a scan's data ends: at the FF of the first marker that is neither an escaped FF (FF 00) nor
 * a restart; -1 if there is none. A D9 without its FF, and thumbnails' own ends, don't occur here:
 * those are inside segments, which are skipped by their length.
 */
function findScanEnd(bytes: Uint8Array, from: number): number {
	for (let at = from; ; ) {
		const end = bytes.indexOf(0xff, at);
		if (end < 0) return -1;
		at = end;
		while (bytes[at] === 0xff) at++;
		const code = bytes[at];
		if (code === undefined) return -1;
		at++;
		if (code !== 0 && (code < MARKER.rst0 || code > MARKER.rst7)) return end;
	}
}

type Seen = { hasJfif: boolean; hasExif: boolean; readonly profile: IccPieces };

/**
 * Keeps what an application segment says about how to show the picture, rebuilt so that nothing
 * else is included.
 */
function keepSettings(
	bytes: Uint8Array,
	code: number,
	{ from, to }: Span,
	output: Output,
	seen: Seen,
): void {
	const length = to - from;
	if (code === MARKER.app0 && hasTag(bytes, from, "JFIF\0") && length >= 14 && !seen.hasJfif) {
		seen.hasJfif = true;
		// Version, unit and densities; the thumbnail that may follow is left out and its size set to 0
		// by 0.
		output.write([0xff, MARKER.app0, 0, 16]);
		output.keep(from, from + 12);
		output.write([0, 0]);
	} else if (
		code === MARKER.app1 &&
		hasTag(bytes, from, "Exif\0") &&
		length >= 6 &&
		!seen.hasExif
	) {
		seen.hasExif = true;
		writeOrientation(output, readOrientation(bytes.subarray(from + 6, to)));
	} else if (code === MARKER.app2 && hasTag(bytes, from, "ICC_PROFILE\0") && length > 14) {
		for (const piece of seen.profile.take(bytes, { from, to }))
			output.keep(piece.from - 4, piece.to);
	} else if (code === MARKER.app14 && hasTag(bytes, from, "Adobe") && length >= 12) {
		output.write([0xff, MARKER.app14, 0, 14]);
		output.keep(from, from + 12);
	}
}

function writeOrientation(output: Output, orientation: Orientation): void {
	if (orientation === 1) return;
	const exif = [...bytesOf("Exif\0\0"), ...buildOrientationTiff(orientation)];
	output.write([0xff, MARKER.app1, 0, exif.length + 2, ...exif]);
}
