import { describe, expect, it } from "vitest";
import { MEDIA_TYPES } from "../../db/schema.ts";
import { MAX_FILES_PER_DAY } from "../kernel/limits.ts";
import { REFUSALS, refusalSentence } from "./refusals.ts";
import {
	ACCEPT,
	bytesOf,
	checkPictureSize,
	downloadName,
	isPicture,
	MAX_BYTES,
	MAX_BYTES_PER_DAY,
	MAX_PIXELS,
} from "./rules.ts";

describe("the limits", () => {
	it("are those in docs/product.md", () => {
		expect([MAX_BYTES, MAX_PIXELS, MAX_FILES_PER_DAY, MAX_BYTES_PER_DAY]).toEqual([
			8_388_608, 100_000_000, 50, 209_715_200,
		]);
	});

	it("are set in whole megabytes", () => {
		expect([1, 8].map(bytesOf)).toEqual([1_048_576, MAX_BYTES]);
	});

	it("allow a picture of up to 100 megapixels, and no side of 0", () => {
		expect(checkPictureSize(1, 1)).toBeUndefined();
		expect(checkPictureSize(10_000, 10_000)).toBeUndefined();
		expect(checkPictureSize(100_000_001, 1)?.reason).toBe("too-many-pixels");
		expect(checkPictureSize(0, 5)?.reason).toBe("broken");
		expect(checkPictureSize(5, 0)?.reason).toBe("broken");
	});

	it.each([
		[10_000, 5000, 16, undefined],
		[10_000, 5001, 16, "tooDeep"],
		[10_000, 10_000, 16, "tooDeep"],
		[10_000, 10_001, 16, "tooManyPixels"],
		[10_000, 10_000, 8, undefined],
		[10_000, 10_001, 8, "tooManyPixels"],
		[0, 5, 8, "brokenPicture"],
	])("take a picture of %i by %i pixels with %i bits unless: %s", (width, height, depth, words) => {
		const refused = checkPictureSize(width, height, depth);
		expect(refused?.details.words).toBe(words);
		const reason = words === "brokenPicture" ? "broken" : "too-many-pixels";
		expect(refused?.reason).toBe(words && reason);
	});
});

describe("the file field", () => {
	it("names the four types of the database and no wildcard", () => {
		expect(ACCEPT).toBe("image/jpeg,image/png,image/webp,application/pdf");
		expect(ACCEPT.split(",")).toEqual([...MEDIA_TYPES]);
		expect(MEDIA_TYPES.map(isPicture)).toEqual([true, true, true, false]);
	});
});

describe("the download's name", () => {
	it("is made of the reference and the stored type", () => {
		expect(MEDIA_TYPES.map((mediaType) => downloadName("FR-000123", mediaType))).toEqual([
			"receipt-FR-000123.jpg",
			"receipt-FR-000123.png",
			"receipt-FR-000123.webp",
			"receipt-FR-000123.pdf",
		]);
	});

	it("contains nothing that a header would have to quote", () => {
		expect(downloadName('"; filename=evil.html\r\nX: ü/..', "image/png")).toBe(
			"receipt-filenameevilhtmlX.png",
		);
		expect(downloadName("", "application/pdf")).toBe("receipt.pdf");
		expect(downloadName("a".repeat(100), "image/jpeg")).toBe(`receipt-${"a".repeat(40)}.jpg`);
	});
});

it("says every refusal in whole sentences that tell what to do", () => {
	for (const message of [...Object.values(REFUSALS), refusalSentence("tooLarge", 3)])
		expect(message).toMatch(/^[A-Z].+\. .*\b(?:Add|Choose|Save|Upload|try)\b.+\.$/);
});
