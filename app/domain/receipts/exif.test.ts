import { describe, expect, it } from "vitest";
import { exif, orientationsIn, tracesIn } from "../../../tests/receipts/metadata.ts";
import { buildOrientationTiff, readOrientation } from "./exif.ts";

describe("the orientation", () => {
	it.each([1, 2, 3, 4, 5, 6, 7, 8])(
		"%i is read in either byte order, and written portably",
		(orientation) => {
			for (const endian of ["little", "big"] as const)
				expect(readOrientation(exif({ endian, orientation }))).toBe(orientation);
			const written = buildOrientationTiff(orientation);
			expect(written.length).toBe(26);
			expect(readOrientation(written)).toBe(orientation);
			expect(orientationsIn(written)).toEqual([orientation]);
			expect(tracesIn(written)).toEqual([]);
		},
	);

	it.each([0, 9, 255, 256, 65_535])("%i isn't an orientation", (orientation) => {
		expect(readOrientation(exif({ orientation }))).toBe(1);
	});

	it("defaults to upright when missing, or of the wrong type or count", () => {
		expect(readOrientation(exif())).toBe(1);
		expect(readOrientation(new Uint8Array())).toBe(1);
		const written = buildOrientationTiff(6);
		for (const [at, value] of [
			[0, 0x4e],
			[3, 0x2b],
			[13, 4],
			[17, 2],
			[7, 0xff],
			[9, 0],
		] as const) {
			const changed = written.slice();
			changed[at] = value;
			expect(readOrientation(changed), `byte ${at}`).toBe(1);
		}
	});

	it("is found in a directory that claims too many entries, and in one without an end", () => {
		const written = buildOrientationTiff(6);
		const promising = written.slice();
		promising[8] = 0xff;
		expect(readOrientation(promising)).toBe(6);
		expect(readOrientation(written.subarray(0, 22))).toBe(6);
		expect(readOrientation(written.subarray(0, 21))).toBe(1);
	});
});
