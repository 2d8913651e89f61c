/**
 * Of a photo's Exif data, only the orientation is kept. A phone stores the picture as its sensor
 * sees it, with a number that says how to rotate it; without that, receipts would be shown
 * sideways. Place, time, camera and thumbnail are removed.
 */
import { hasTag, uint16, uint16Little, uint32, uint32Little } from "./bytes.ts";

/** 1 to 8 as in Exif; 1 is upright. */
export type Orientation = number;

const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;

/** The orientation in a TIFF block; 1 if it is missing or invalid. */
export function readOrientation(tiff: Uint8Array): Orientation {
	const isLittle = hasTag(tiff, 0, "II*\0");
	if (!isLittle && !hasTag(tiff, 0, "MM\0*")) return 1;
	const [short, long] = isLittle ? [uint16Little, uint32Little] : [uint16, uint32];
	const directory = long(tiff, 4);
	if (directory + 2 > tiff.length) return 1;
	const entries = Math.min(
		short(tiff, directory),
		Math.floor((tiff.length - directory - 2) / ENTRY_BYTES),
	);
	for (let entry = 0; entry < entries; entry++) {
		const at = directory + 2 + entry * ENTRY_BYTES;
		if (
			short(tiff, at) !== ORIENTATION_TAG ||
			short(tiff, at + 2) !== SHORT ||
			long(tiff, at + 4) !== 1
		)
			continue;
		const value = short(tiff, at + 8);
		return value >= 1 && value <= 8 ? value : 1;
	}
	return 1;
}

/** A TIFF block with only the orientation: 26 bytes. */
export function buildOrientationTiff(orientation: Orientation): Uint8Array {
	// Header, directory at 8, one entry (tag, SHORT, one value, padded to four bytes), no further
	// directory.
	const header = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8];
	return Uint8Array.from([
		...header,
		0,
		1,
		0x01,
		0x12,
		0,
		SHORT,
		0,
		0,
		0,
		1,
		0,
		orientation,
		0,
		0,
		0,
		0,
		0,
		0,
	]);
}

/** Whether an ICC color profile starts here: its signature is at byte 36. */
export function isColorProfile(bytes: Uint8Array, at: number): boolean {
	return hasTag(bytes, at + 36, "acsp");
}
