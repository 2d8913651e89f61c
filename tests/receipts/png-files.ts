/** PNGs of every color type, with what programs and attackers put into them. */
import { deflateSync } from "node:zlib";
import { type Accepted, be32, bytesFrom, type CorpusFile, patched, TAILS } from "./corpus-file.ts";
import { colorProfile, exif, XMP } from "./metadata.ts";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10];

/** CRC-32 bit by bit: slow, and independent of the app's. */
function crc(bytes: Uint8Array): number {
	let value = ~0;
	for (const byte of bytes) {
		value ^= byte;
		for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
	}
	return ~value >>> 0;
}

export function chunk(
	type: string,
	...parts: readonly (string | Uint8Array | readonly number[])[]
): Uint8Array {
	const content = bytesFrom(...parts);
	const body = bytesFrom(type, content);
	return bytesFrom(be32(content.length), body, be32(crc(body)));
}

type ColorType = 0 | 2 | 3 | 4 | 6;
const SAMPLES: Readonly<Record<ColorType, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

type PngOptions = {
	readonly width?: number;
	readonly height?: number;
	readonly colorType?: ColorType;
	readonly depth?: number;
	readonly isInterlaced?: boolean;
	/** Chunks between header and data, between data and end. */
	readonly before?: readonly Uint8Array[];
	readonly after?: readonly Uint8Array[];
	/** How many chunks the data is spread over. */
	readonly pieces?: number;
};

const SIZE = [9, 7] as const;
const IHDR = chunk("IHDR", be32(SIZE[0]), be32(SIZE[1]), [8, 6, 0, 0, 0]);
const IEND = chunk("IEND");
/** The starting column and row and the steps of the seven passes of an interlaced picture. */
const PASSES = [
	[0, 0, 8, 8],
	[4, 0, 8, 8],
	[0, 4, 4, 8],
	[2, 0, 4, 4],
	[0, 2, 2, 4],
	[1, 0, 2, 2],
	[0, 1, 1, 2],
] as const;

/** The samples of a picture no two corners of which are alike, row by row, as PNG packs them. */
function pixels(
	width: number,
	height: number,
	colorType: ColorType,
	depth: number,
	isInterlaced: boolean,
): Uint8Array {
	const rows: number[] = [];
	for (const [left, top, across, down] of isInterlaced ? PASSES : ([[0, 0, 1, 1]] as const)) {
		if (left >= width) continue;
		for (let y = top; y < height; y += down) {
			const bits: string[] = [];
			for (let x = left; x < width; x += across)
				for (let sample = 0; sample < SAMPLES[colorType]; sample++) {
					const value = (x * 29 + y * 53 + sample * 97 + (x > y ? 60 : 0)) % 256;
					// A palette of two colors is enough for every depth.
					const scaled =
						colorType === 3 ? value & 1 : depth === 16 ? value * 257 : value >> (8 - depth);
					bits.push(scaled.toString(2).padStart(depth, "0"));
				}
			const packed = bits.join("");
			rows.push(0);
			for (let at = 0; at < packed.length; at += 8)
				rows.push(Number.parseInt(packed.slice(at, at + 8).padEnd(8, "0"), 2));
		}
	}
	return new Uint8Array(deflateSync(Uint8Array.from(rows)));
}

const PALETTE = chunk("PLTE", [200, 30, 40, 20, 60, 220]);

export function png(options: PngOptions = {}): Uint8Array {
	const {
		width = SIZE[0],
		height = SIZE[1],
		colorType = 6,
		depth = 8,
		isInterlaced = false,
		before = [],
		after = [],
		pieces = 1,
	} = options;
	const data = pixels(SIZE[0], SIZE[1], colorType, depth, isInterlaced);
	const step = Math.ceil(data.length / pieces);
	const idats = Array.from({ length: pieces }, (_, piece) =>
		chunk("IDAT", data.subarray(piece * step, (piece + 1) * step)),
	);
	return bytesFrom(
		SIGNATURE,
		chunk("IHDR", be32(width), be32(height), [depth, colorType, 0, 0, isInterlaced ? 1 : 0]),
		...(colorType === 3 ? [PALETTE] : []),
		...before,
		...idats,
		...after,
		IEND,
	);
}

/** The control chunk of an animation's frame: the whole picture for a second. */
const frame = (sequence: number) =>
	chunk("fcTL", ...[sequence, ...SIZE, 0, 0].map(be32), [0, 1, 0, 1, 0, 0]);

export function pngFiles(): CorpusFile[] {
	const base = png();
	const clean = { stored: base };
	const good = (
		what: string,
		bytes: Uint8Array,
		expected: Partial<Accepted> = {},
		hasPlace?: true,
	): CorpusFile => ({
		what: `PNG ${what}`,
		givenName: "receipt.png",
		bytes,
		hasPlace,
		expected: { mediaType: "image/png", size: SIZE, ...expected },
	});
	const bad = (
		what: string,
		bytes: Uint8Array,
		expected: CorpusFile["expected"] = "broken",
	): CorpusFile => ({
		what: `PNG ${what}`,
		givenName: "receipt.png",
		bytes,
		expected,
	});
	const files: CorpusFile[] = [];

	const kinds: readonly (readonly [ColorType, readonly number[]])[] = [
		[0, [1, 2, 4, 8, 16]],
		[2, [8, 16]],
		[3, [1, 2, 4, 8]],
		[4, [8, 16]],
		[6, [8, 16]],
	];
	for (const [colorType, depths] of kinds)
		for (const depth of depths)
			for (const isInterlaced of [false, true]) {
				const bytes = png({ colorType, depth, isInterlaced });
				files.push(
					good(
						`of color type ${colorType}, ${depth} bits${isInterlaced ? ", interlaced" : ""}`,
						bytes,
						{ stored: bytes },
					),
				);
			}
	for (let orientation = 1; orientation <= 8; orientation++)
		for (const endian of ["little", "big"] as const) {
			const before = [chunk("eXIf", exif({ endian, orientation }))];
			files.push(
				good(`orientation ${orientation} ${endian} endian`, png({ before }), { orientation }, true),
			);
		}
	const place = chunk("eXIf", exif());
	const metadata: readonly (readonly [string, Uint8Array, hasPlace?: true])[] = [
		["GPS", place, true],
		["GPS little endian", chunk("eXIf", exif({ endian: "little" })), true],
		["GPS with a JPEG's prefix", chunk("eXIf", "Exif\0\0", exif()), true],
		["text", chunk("tEXt", "Comment\0SECRET")],
		["raw profile text", chunk("tEXt", "Raw profile type exif\0SECRET")],
		["compressed text", chunk("zTXt", "Comment\0\0", new Uint8Array(deflateSync("SECRET")))],
		["international text", chunk("iTXt", "Comment\0\0\0en\0\0SECRET")],
		["XMP", chunk("iTXt", "XML:com.adobe.xmp\0\0\0\0\0", XMP)],
		["time", chunk("tIME", [7, 234, 11, 21, 9, 30, 0])],
		["private chunk", chunk("seCr", "SECRET")],
		["safe-to-copy private chunk", chunk("phOp", "SECRET")],
		["suggested palette", chunk("sPLT", "SECRET\0", [8])],
		["C2PA manifest", chunk("caBX", "SECRET")],
	];
	for (const [name, extra, hasPlace] of metadata) {
		files.push(good(`${name} before the data`, png({ before: [extra] }), clean, hasPlace));
		files.push(good(`${name} after the data`, png({ after: [extra] }), clean, hasPlace));
	}
	const kept: readonly (readonly [string, Uint8Array])[] = [
		["color profile", chunk("iCCP", "Swapped\0\0", new Uint8Array(deflateSync(colorProfile())))],
		["sRGB", chunk("sRGB", [0])],
		["gamma", chunk("gAMA", be32(100_000))],
		[
			"chromaticities",
			chunk("cHRM", ...[31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000].map(be32)),
		],
		["density", chunk("pHYs", be32(2835), be32(2835), [1])],
		["significant bits", chunk("sBIT", [5, 5, 5, 8])],
		["background", chunk("bKGD", [0, 10, 0, 20, 0, 30])],
	];
	for (const [name, extra] of kept) {
		const bytes = png({ before: [extra] });
		files.push(good(name, bytes, { stored: bytes }));
	}
	const transparent = png({ colorType: 3, depth: 2, before: [chunk("tRNS", [0, 255])] });
	const split = png({ pieces: 5 });
	const data = base.subarray(33, base.length - 12);
	files.push(
		good("transparent palette", transparent, { stored: transparent }),
		good("data in five chunks", split, { stored: split }),
		good(
			"data in five chunks with GPS",
			png({ pieces: 5, before: [place] }),
			{ stored: split },
			true,
		),
		good("an empty first data chunk", bytesFrom(SIGNATURE, IHDR, chunk("IDAT"), data, IEND)),
		good(
			"Exif twice",
			png({
				before: [chunk("eXIf", exif({ orientation: 6 })), chunk("eXIf", exif({ orientation: 3 }))],
			}),
			{ orientation: 6 },
			true,
		),
		good(
			"orientation after the data",
			png({ after: [chunk("eXIf", exif({ orientation: 6 }))] }),
			{ orientation: 6 },
			true,
		),
		good(
			"orientation with a JPEG's prefix",
			png({ before: [chunk("eXIf", "Exif\0\0", exif({ orientation: 6 }))] }),
			clean,
			true,
		),
		good(
			"animated: the still picture stays",
			png({
				before: [chunk("acTL", be32(2), be32(0)), frame(0)],
				after: [
					frame(1),
					chunk("fdAT", be32(2), pixels(...SIZE, 6, 8, true)),
					chunk("tEXt", "Comment\0SECRET"),
				],
			}),
			clean,
		),
	);
	for (const [name, tail] of Object.entries(TAILS))
		files.push(good(`${name} after its end`, bytesFrom(base, tail), clean));

	const withText = png({ before: [chunk("tEXt", "Comment\0SECRET")] });
	for (const at of [
		1,
		4,
		7,
		8,
		9,
		12,
		20,
		32,
		33,
		40,
		60,
		67,
		68,
		(withText.length / 2) | 0,
		...[13, 12, 11, 8, 5, 1].map((back) => withText.length - back),
	])
		files.push(bad(`cut off after ${at} bytes`, withText.subarray(0, at)));
	for (const [name, at] of [
		["header", 29],
		["text", withText.indexOf(0x74, 33) + 18],
		["data", withText.length - 13],
		["end", withText.length - 1],
	] as const)
		files.push(
			bad(`with a wrong checksum of its ${name}`, patched(withText, at, [(withText[at] ?? 0) ^ 1])),
		);
	const notShown = { isNotShown: true } as const;
	for (const [width, height] of [
		[8000, 6250],
		[10_000, 10_000],
		[100_000_000, 1],
	] as const)
		files.push(
			good(`${width} by ${height}`, png({ width, height }), { size: [width, height], ...notShown }),
		);
	for (const [width, height] of [
		[10_001, 10_000],
		[12_625, 8000],
		[0x7fff_ffff, 0x7fff_ffff],
		[0xffff_ffff, 0xffff_ffff],
		[1, 100_000_001],
	] as const)
		files.push(bad(`${width} by ${height}`, png({ width, height }), "too-many-pixels"));
	const header = (...tail: readonly number[]) =>
		bytesFrom(SIGNATURE, chunk("IHDR", be32(9), be32(7), tail), data, IEND);
	files.push(
		bad("of width 0", png({ width: 0 })),
		bad("of height 0", png({ height: 0 })),
		bad("of nothing but its signature", bytesFrom(SIGNATURE)),
		bad("of 3 bits", header(3, 6, 0, 0, 0)),
		bad("of color type 5", header(8, 5, 0, 0, 0)),
		bad("of color type 2 with 4 bits", header(4, 2, 0, 0, 0)),
		bad("of an unknown compression", header(8, 6, 1, 0, 0)),
		bad("of an unknown filter method", header(8, 6, 0, 1, 0)),
		bad("of an unknown interlacing", header(8, 6, 0, 0, 2)),
		bad("with a header of 14 bytes", header(8, 6, 0, 0, 0, 0)),
		bad("with data before its header", bytesFrom(SIGNATURE, data, IHDR, IEND)),
		bad(
			"with Apple's own first chunk",
			bytesFrom(SIGNATURE, chunk("CgBI", be32(0x5000_2006)), IHDR, data, IEND),
		),
		bad("with two headers", bytesFrom(SIGNATURE, IHDR, IHDR, data, IEND)),
		bad("without data", bytesFrom(SIGNATURE, IHDR, IEND)),
		bad("with empty data", bytesFrom(SIGNATURE, IHDR, chunk("IDAT"), IEND)),
		bad(
			"with data in two places",
			bytesFrom(SIGNATURE, IHDR, data, chunk("tEXt", "a\0b"), data, IEND),
		),
		bad(
			"without its palette",
			bytesFrom(SIGNATURE, chunk("IHDR", be32(9), be32(7), [1, 3, 0, 0, 0]), data, IEND),
		),
		bad("with a palette of 4 bytes", png({ before: [chunk("PLTE", [1, 2, 3, 4])] })),
		bad("with an empty palette", png({ before: [chunk("PLTE")] })),
		bad("with a palette of 257 colors", png({ before: [chunk("PLTE", new Uint8Array(771))] })),
		bad("with two palettes", png({ before: [PALETTE, PALETTE] })),
		bad("with its palette after the data", png({ after: [PALETTE] })),
		bad("with an unknown critical chunk", png({ before: [chunk("SECr", "SECRET")] })),
		bad("with a chunk type that is no text", png({ before: [chunk("te\0t", "SECRET")] })),
		bad(
			"with an end that has content",
			bytesFrom(base.subarray(0, base.length - 12), chunk("IEND", "SECRET")),
		),
		bad("with a length past its end", patched(base, 33, [0x7f, 0xff, 0xff, 0xff])),
		bad("with a negative length", patched(base, 33, [0xff, 0xff, 0xff, 0xff])),
		bad("without an end", base.subarray(0, base.length - 12)),
	);
	return files;
}
