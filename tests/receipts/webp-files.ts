/** WebPs, lossy, lossless and with alpha, with what programs and attackers put into them. */
import {
	type Accepted,
	bytesFrom,
	type CorpusFile,
	FIXTURE_SIZE,
	fixture,
	le24,
	le32,
	patched,
	TAILS,
} from "./corpus-file.ts";
import { colorProfile, exif, XMP } from "./metadata.ts";

export const WEBPS = ["lossy", "lossless", "canvas", "canvas-alpha", "canvas-lossless"] as const;

export function riffChunk(
	type: string,
	...parts: readonly (string | Uint8Array | readonly number[])[]
): Uint8Array {
	const content = bytesFrom(...parts);
	return bytesFrom(type, le32(content.length), content, content.length & 1 ? [0] : []);
}

export function riff(...chunks: readonly Uint8Array[]): Uint8Array {
	const content = bytesFrom("WEBP", ...chunks);
	return bytesFrom("RIFF", le32(content.length), content);
}

const vp8x = (flags: number, [width, height]: readonly [number, number] = FIXTURE_SIZE) =>
	riffChunk("VP8X", [flags, 0, 0, 0], le24(width - 1), le24(height - 1));

const FLAG = { animation: 2, xmp: 4, exif: 8, alpha: 16, profile: 32 } as const;

/** A lossless picture that says this size. */
export function sizedLossless(width: number, height: number): Uint8Array {
	const bits = ((width - 1) | ((height - 1) << 14)) >>> 0;
	return patched(fixture("lossless.webp"), 21, le32(bits));
}

export function webpFiles(): CorpusFile[] {
	const lossy = fixture("lossy.webp");
	const lossless = fixture("lossless.webp");
	const vp8 = lossy.subarray(12);
	const vp8l = lossless.subarray(12);
	const good = (
		what: string,
		bytes: Uint8Array,
		expected: Partial<Accepted> = {},
		hasPlace?: true,
	): CorpusFile => ({
		what: `WebP ${what}`,
		givenName: "receipt.webp",
		bytes,
		hasPlace,
		expected: { mediaType: "image/webp", size: FIXTURE_SIZE, ...expected },
	});
	const bad = (
		what: string,
		bytes: Uint8Array,
		expected: CorpusFile["expected"] = "broken",
	): CorpusFile => ({
		what: `WebP ${what}`,
		givenName: "receipt.webp",
		bytes,
		expected,
	});
	const files: CorpusFile[] = [];
	const xmp = riffChunk("XMP ", XMP);
	const profile = riffChunk("ICCP", colorProfile());
	const extended = riff(vp8x(0), vp8);
	const clean = { stored: extended };

	for (const name of WEBPS) {
		const bytes = fixture(`${name}.webp`);
		files.push(good(name, bytes, { stored: bytes }));
		for (const endian of ["little", "big"] as const) {
			const withPlace = withMetadata(bytes, riffChunk("EXIF", exif({ endian })), xmp);
			files.push(
				good(
					`${name}, GPS ${endian} endian and XMP`,
					withPlace,
					{ stored: withMetadata(bytes) },
					true,
				),
			);
		}
		files.push(
			good(
				`${name}, orientation 6`,
				withMetadata(bytes, riffChunk("EXIF", exif({ orientation: 6 }))),
				{ orientation: 6 },
				true,
			),
		);
	}
	for (let orientation = 1; orientation <= 8; orientation++)
		for (const endian of ["little", "big"] as const) {
			const bytes = riff(vp8x(FLAG.exif), vp8l, riffChunk("EXIF", exif({ endian, orientation })));
			files.push(good(`orientation ${orientation} ${endian} endian`, bytes, { orientation }, true));
		}
	const withProfile = riff(vp8x(FLAG.profile), profile, vp8);
	files.push(
		good(
			"Exif with a JPEG's prefix",
			riff(vp8x(FLAG.exif), vp8, riffChunk("EXIF", "Exif\0\0", exif({ orientation: 6 }))),
			{ orientation: 6 },
			true,
		),
		good(
			"Exif before the picture",
			riff(vp8x(FLAG.exif), riffChunk("EXIF", exif({ orientation: 3 })), vp8),
			{ orientation: 3 },
			true,
		),
		good(
			"Exif twice",
			riff(
				vp8x(FLAG.exif),
				vp8,
				riffChunk("EXIF", exif({ orientation: 6 })),
				riffChunk("EXIF", exif({ orientation: 3 })),
			),
			{ orientation: 6 },
			true,
		),
		good(
			"Exif of odd length",
			riff(vp8x(FLAG.exif), vp8, riffChunk("EXIF", exif(), [0])),
			clean,
			true,
		),
		good(
			"Exif in a plain file",
			riff(vp8, riffChunk("EXIF", exif({ orientation: 6 }))),
			{ stored: lossy },
			true,
		),
		good("XMP", riff(vp8x(FLAG.xmp), vp8, xmp), clean),
		good(
			"flags for metadata it lacks",
			riff(vp8x(FLAG.xmp | FLAG.exif | FLAG.profile), vp8),
			clean,
		),
		good("reserved flags", riff(vp8x(0xc0), vp8), { ...clean, isNotShown: true }),
		good(
			"unknown chunk",
			riff(vp8x(0), riffChunk("SCRT", "SECRET"), vp8, riffChunk("JUNK", "SECRET!")),
			clean,
		),
		good("unknown chunk in a plain file", riff(vp8, riffChunk("SCRT", "SECRET")), {
			stored: lossy,
		}),
		good("color profile", withProfile, { stored: withProfile }),
		good("color profile without its flag", riff(vp8x(0), profile, vp8), clean),
		good("color profile twice", riff(vp8x(FLAG.profile), profile, profile, vp8), {
			stored: withProfile,
		}),
		good(
			"color profile that is none",
			riff(vp8x(FLAG.profile), riffChunk("ICCP", "<script>SECRET</script>"), vp8),
			clean,
		),
		good("color profile after the picture", riff(vp8x(FLAG.profile), vp8, profile), {
			stored: riff(vp8x(FLAG.profile), vp8, profile),
		}),
		good("a last chunk without padding", unpadded(vp8), { isNotShown: true }),
	);
	for (const [name, tail] of Object.entries(TAILS))
		files.push(good(`${name} after its end`, bytesFrom(lossy, tail), { stored: lossy }));

	const withPlace = riff(vp8x(FLAG.exif), vp8, riffChunk("EXIF", exif()));
	for (const at of [
		1,
		4,
		8,
		11,
		12,
		16,
		20,
		29,
		30,
		38,
		48,
		(withPlace.length / 2) | 0,
		withPlace.length - 2,
		withPlace.length - 1,
	])
		files.push(bad(`cut off after ${at} bytes`, withPlace.subarray(0, at)));
	const notShown = { isNotShown: true } as const;
	for (const [width, height] of [
		[8000, 6250],
		[10_000, 10_000],
		[16_384, 6103],
	] as const)
		files.push(
			good(`lossless ${width} by ${height}`, sizedLossless(width, height), {
				size: [width, height],
				...notShown,
			}),
		);
	const big = patched(lossy, 26, [0xff, 0x3f, 0xff, 0x3f]);
	files.push(
		bad("lossless 10001 by 10000", sizedLossless(10_001, 10_000), "too-many-pixels"),
		bad("lossless 12625 by 8000", sizedLossless(12_625, 8000), "too-many-pixels"),
		bad("lossless 16384 by 16384", sizedLossless(16_384, 16_384), "too-many-pixels"),
		bad("lossy 16383 by 16383", big, "too-many-pixels"),
		bad("with a canvas of 16777216 by 16777216", riff(vp8x(0, [0x100_0000, 0x100_0000]), vp8)),
		bad("with a canvas of another size", riff(vp8x(0, [40, 25]), vp8)),
		bad("lossy of width 0", patched(lossy, 26, [0, 0])),
		bad("lossy of height 0", patched(lossy, 28, [0, 0])),
		bad("without a picture", riff(vp8x(0))),
		bad("without a chunk", riff()),
		bad("with a container of length 0", patched(lossy, 4, [0, 0, 0, 0])),
		bad("with a container longer than the file", patched(lossy, 4, [0xff, 0xff, 0xff, 0xff])),
		bad("with a chunk longer than its container", patched(lossy, 16, [0xff, 0xff, 0xff, 0xff])),
		bad("with half a chunk at its end", riff(vp8, bytesFrom("SECR"))),
		bad("with two pictures", riff(vp8, vp8l)),
		bad("with an extended header of 9 bytes", riff(riffChunk("VP8X", new Uint8Array(9)), vp8)),
		bad("with its extended header later", riff(vp8, vp8x(0))),
		bad("that begins with an unknown chunk", riff(riffChunk("SCRT", "SECRET"), vp8)),
		bad("that begins with alpha", riff(riffChunk("ALPH", [0, 1, 2]), vp8)),
		bad("lossy that is no key frame", patched(lossy, 20, [(lossy[20] ?? 0) | 1])),
		bad("lossy of profile 4", patched(lossy, 20, [(lossy[20] ?? 0) | 8])),
		bad("lossy that is not to be shown", patched(lossy, 20, [(lossy[20] ?? 0) & ~16])),
		bad("lossy without its start code", patched(lossy, 23, [0])),
		bad("lossy with a partition past its end", patched(lossy, 21, [0xff, 0xff])),
		bad("lossy of 9 bytes", riff(riffChunk("VP8 ", vp8.subarray(8, 17)))),
		bad("lossless without its signature", patched(lossless, 20, [0])),
		bad("lossless of version 1", patched(lossless, 24, [(lossless[24] ?? 0) | 0x20])),
		bad("lossless of 5 bytes", riff(riffChunk("VP8L", vp8l.subarray(8, 13)))),
		bad(
			"animated by its flag",
			riff(
				vp8x(FLAG.animation),
				riffChunk("ANIM", new Uint8Array(6)),
				riffChunk("ANMF", new Uint8Array(16), vp8),
			),
			"unsupported",
		),
		bad(
			"animated by its chunks",
			riff(vp8x(0), riffChunk("ANMF", new Uint8Array(16), vp8)),
			"unsupported",
		),
	);
	return files;
}

/**
 * The file as an extended one, with chunks of metadata at its end and the flags that announce them.
 */
export function withMetadata(bytes: Uint8Array, ...chunks: readonly Uint8Array[]): Uint8Array {
	const isExtended = bytesFrom("VP8X").every((byte, at) => bytes[12 + at] === byte);
	const head = isExtended ? bytes.subarray(12, 30) : vp8x(0);
	const metadataFlags = chunks.length === 0 ? 0 : FLAG.exif | (chunks.length > 1 ? FLAG.xmp : 0);
	return riff(
		patched(head, 8, [(head[8] ?? 0) | metadataFlags]),
		bytes.subarray(isExtended ? 30 : 12),
		...chunks,
	);
}

/** A lossy picture of odd length whose byte of padding was forgotten. */
function unpadded(vp8: Uint8Array): Uint8Array {
	const length = (vp8.length - 8 - 1) | 1;
	return riff(bytesFrom("VP8 ", le32(length), vp8.subarray(8, 8 + length)));
}
