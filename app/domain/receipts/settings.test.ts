/**
 * What a picture's settings may contain: as much as the format allows for each of them, and no
 * more.
 */
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { be32, bytesFrom, fixture } from "../../../tests/receipts/corpus-file.ts";
import { segment } from "../../../tests/receipts/jpeg-files.ts";
import { colorProfile } from "../../../tests/receipts/metadata.ts";
import { chunk, png } from "../../../tests/receipts/png-files.ts";
import { prepareReceipt } from "./prepare.ts";

const SECRET = "SECRET-RIDES-ALONG";
const secret = (length: number) =>
	new TextEncoder().encode(SECRET.padEnd(length, "x").slice(0, Math.max(length, SECRET.length)));
const cleaned = (bytes: Uint8Array, name: string) => {
	const outcome = prepareReceipt(bytes, name);
	if (!outcome.ok) expect.unreachable(outcome.details.message);
	return Buffer.from(outcome.value.bytes);
};
const withChunks = (...chunks: Uint8Array[]) => cleaned(png({ before: chunks }), "receipt.png");
const profile = (data: Uint8Array) =>
	chunk("iCCP", "Profile\0\0", new Uint8Array(deflateSync(data)));

describe("a PNG's settings", () => {
	it.each(["gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT", "pHYs", "bKGD", "tRNS"])(
		"%s is left out when it is longer than the format allows",
		(type) => {
			const plain = withChunks();
			for (const length of [1000, 5 * 1024 * 1024])
				expect(withChunks(chunk(type, secret(length))).equals(plain)).toBe(true);
		},
	);

	it("are kept once each, and in front of the picture only", () => {
		const pHYs = (first: number) => chunk("pHYs", be32(first), be32(2835), [1]);
		const one = withChunks(pHYs(2835));
		expect(one.includes("pHYs")).toBe(true);
		expect(
			withChunks(
				...Array.from({ length: 1000 }, (_, each) => pHYs(each === 0 ? 2835 : each)),
			).equals(one),
		).toBe(true);
		expect(cleaned(png({ after: [pHYs(2835)] }), "receipt.png").equals(withChunks())).toBe(true);
	});

	it("include a profile of the usual size, and none that unpacks to more than the picture", () => {
		expect(withChunks(profile(colorProfile())).includes("iCCP")).toBe(true);
		const bomb = profile(new Uint8Array(100 * 1024 * 1024));
		expect(bomb.length).toBeGreaterThan(64 * 1024);
		expect(withChunks(bomb).includes("iCCP")).toBe(false);
		expect(
			withChunks(
				chunk("iCCP", "x".repeat(80), "\0\0", new Uint8Array(deflateSync(colorProfile()))),
			).includes("iCCP"),
		).toBe(false);
		expect(withChunks(chunk("iCCP", "Profile\0\x01", secret(100))).includes("iCCP")).toBe(false);
	});
});

describe("a JPEG's color profile", () => {
	const base = fixture("baseline.jpg");
	const withSegments = (...segments: Uint8Array[]) =>
		cleaned(bytesFrom(base.subarray(0, 2), ...segments, base.subarray(2)), "receipt.jpg");
	const piece = (number: number, count: number, data: Uint8Array) =>
		segment(0xe2, "ICC_PROFILE\0", [number, count], data);
	const whole = colorProfile();
	const [first, second] = [whole.subarray(0, 200), whole.subarray(200)];
	const plain = withSegments();

	it("is kept in its pieces", () => {
		const kept = withSegments(piece(1, 2, first), piece(2, 2, second));
		expect(kept.includes(Buffer.from(first))).toBe(true);
		expect(kept.includes(Buffer.from(second))).toBe(true);
		expect(withSegments(piece(1, 1, whole)).includes(Buffer.from(whole))).toBe(true);
	});

	it.each<[string, () => Uint8Array[]]>([
		[
			"a second piece that holds something else",
			() => [piece(1, 2, whole), piece(2, 2, secret(60_000))],
		],
		[
			"a hundred pieces after it",
			() => [
				piece(1, 101, whole),
				...Array.from({ length: 100 }, (_, each) => piece(each + 2, 101, secret(60_000))),
			],
		],
		["pieces out of order", () => [piece(2, 2, second), piece(1, 2, first)]],
		["another count in the second", () => [piece(1, 2, first), piece(2, 3, second)]],
		["its first piece twice", () => [piece(1, 2, first), piece(1, 2, first), piece(2, 2, second)]],
		["no last piece", () => [piece(1, 2, first)]],
		["a piece too short", () => [piece(1, 2, first), piece(2, 2, second.subarray(0, 40))]],
	])("is left out with %s", (_, segments) => {
		const stored = withSegments(...segments());
		expect(stored.includes(SECRET)).toBe(false);
		expect(stored.equals(plain)).toBe(true);
	});

	it("is kept without what follows it", () => {
		const stored = withSegments(
			piece(1, 1, whole),
			piece(2, 2, secret(60_000)),
			piece(1, 1, secret(60_000)),
		);
		expect(stored.equals(withSegments(piece(1, 1, whole)))).toBe(true);
	});
});

describe("a picture's memory", () => {
	const outcomeOf = (width: number, height: number, depth: number) =>
		prepareReceipt(
			bytesFrom(
				png({}).subarray(0, 8),
				chunk("IHDR", be32(width), be32(height), [depth, 6, 0, 0, 0]),
				chunk("IDAT", [0]),
				chunk("IEND"),
			),
			"a.png",
		);

	it("is bounded by what a browser decodes: 100 million pixels of 8 bits, 50 million of 16", () => {
		expect(outcomeOf(10_000, 10_000, 8).ok).toBe(true);
		expect(outcomeOf(10_000, 5_000, 16).ok).toBe(true);
		for (const [width, height, words] of [
			[10_000, 10_000, "over 50 megapixels"],
			[10_000, 5_001, "over 50 megapixels"],
			[10_001, 10_000, "over 100 megapixels"],
		] as const)
			expect(outcomeOf(width, height, 16)).toMatchObject({
				reason: "too-many-pixels",
				details: { message: expect.stringContaining(words) },
			});
	});
});
