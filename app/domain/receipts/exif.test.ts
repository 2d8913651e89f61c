import { describe, expect, it } from "vitest";
import { exif, orientationsIn, tracesIn } from "../../../tests/receipts/metadata.ts";
import { orientationOf, tiffWith } from "./exif.ts";

describe("the orientation", () => {
	it.each([1, 2, 3, 4, 5, 6, 7, 8])("%i is read from either byte order and written so that anybody reads it", (orientation) => {
		for (const endian of ["little", "big"] as const) expect(orientationOf(exif({ endian, orientation }))).toBe(orientation);
		const written = tiffWith(orientation);
		expect(written.length).toBe(26);
		expect(orientationOf(written)).toBe(orientation);
		expect(orientationsIn(written)).toEqual([orientation]);
		expect(tracesIn(written)).toEqual([]);
	});

	it.each([0, 9, 255, 256, 65_535])("%i is no orientation", (orientation) => {
		expect(orientationOf(exif({ orientation }))).toBe(1);
	});

	it("is upright where there is none, or a number of another type or count", () => {
		expect(orientationOf(exif())).toBe(1);
		expect(orientationOf(new Uint8Array())).toBe(1);
		const written = tiffWith(6);
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
			expect(orientationOf(changed), `byte ${at}`).toBe(1);
		}
	});

	it("is found in a directory that promises more entries than there are, and in one without an end", () => {
		const written = tiffWith(6);
		const promising = written.slice();
		promising[8] = 0xff;
		expect(orientationOf(promising)).toBe(6);
		expect(orientationOf(written.subarray(0, 22))).toBe(6);
		expect(orientationOf(written.subarray(0, 21))).toBe(1);
	});
});
