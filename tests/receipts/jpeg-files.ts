/** JPEGs as phones, cameras, programs and attackers make them. */
import {
	type Accepted,
	be16,
	bytesFrom,
	type CorpusFile,
	FIXTURE_SIZE,
	fixture,
	patched,
	TAILS,
} from "./corpus-file.ts";
import { colorProfile, exif, XMP } from "./metadata.ts";

type Bytes = Uint8Array | readonly number[];

export const JPEGS = [
	"baseline",
	"progressive",
	"restart",
	"progressive-restart",
	"adobe-rgb",
	"grayscale",
	"canvas",
] as const;

/** One segment with its marker and length. */
export function segment(code: number, ...parts: readonly (string | Bytes)[]): Uint8Array {
	const content = bytesFrom(...parts);
	return bytesFrom([0xff, code], be16(content.length + 2), content);
}

const exifSegment = (...options: Parameters<typeof exif>) =>
	segment(0xe1, "Exif\0\0", exif(...options));

/** Where each marker of a well-formed file stands, the scans' data passed over. */
function markersOf(bytes: Uint8Array): { code: number; at: number }[] {
	const found: { code: number; at: number }[] = [];
	for (let at = 2; at < bytes.length; ) {
		const code = bytes[at + 1] ?? 0;
		found.push({ code, at });
		if (code === 0xd9) break;
		at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
		if (code === 0xda)
			while (bytes[at] !== 0xff || bytes[at + 1] === 0 || ((bytes[at + 1] ?? 0) & 0xf8) === 0xd0)
				at++;
	}
	return found;
}

/** Where the first marker of a kind stands. */
function placeOf(bytes: Uint8Array, ...codes: readonly number[]): number {
	const marker = markersOf(bytes).find(({ code }) => codes.includes(code));
	if (!marker) throw new RangeError(`No marker ${codes}`);
	return marker.at;
}

const SOF = [0xc0, 0xc1, 0xc2] as const;

function inserted(bytes: Uint8Array, at: number, ...parts: readonly Bytes[]): Uint8Array {
	return bytesFrom(bytes.subarray(0, at), ...parts, bytes.subarray(at));
}

/** Right after the first bytes, where cameras put Exif. */
const atStart = (bytes: Uint8Array, ...parts: readonly Bytes[]) => inserted(bytes, 2, ...parts);

export function sizedJpeg(width: number, height: number): Uint8Array {
	const base = fixture("baseline.jpg");
	return patched(base, placeOf(base, ...SOF) + 5, [...be16(height), ...be16(width)]);
}

export function jpegFiles(): CorpusFile[] {
	const base = fixture("baseline.jpg");
	const progressive = fixture("progressive-restart.jpg");
	const good = (
		what: string,
		bytes: Uint8Array,
		expected: Partial<Accepted> = {},
		hasPlace?: true,
	): CorpusFile => ({
		what: `JPEG ${what}`,
		givenName: "receipt.jpg",
		bytes,
		hasPlace,
		expected: { mediaType: "image/jpeg", size: FIXTURE_SIZE, ...expected },
	});
	const clean = { stored: base };
	const bad = (
		what: string,
		bytes: Uint8Array,
		expected: CorpusFile["expected"] = "broken",
	): CorpusFile => ({
		what: `JPEG ${what}`,
		givenName: "receipt.jpg",
		bytes,
		expected,
	});
	const profile = segment(0xe2, "ICC_PROFILE\0", [1, 1], colorProfile());
	const halves = [colorProfile().subarray(0, 200), colorProfile().subarray(200)] as const;
	const xmp = segment(0xe1, "http://ns.adobe.com/xap/1.0/\0", XMP);
	const iptc = segment(0xed, "Photoshop 3.0\0", "8BIM\x04\x04\0\0", "SECRET-CAPTION");
	const comment = segment(0xfe, "SECRET-COMMENT <script>alert(1)</script>");
	const thumbnail = fixture("grayscale.jpg");
	const sof = placeOf(base, ...SOF);
	const dqt = placeOf(base, 0xdb);
	const dht = placeOf(base, 0xc4);
	const sos = placeOf(base, 0xda);
	const scan = base.subarray(sos, base.length - 2);
	const files: CorpusFile[] = [];

	for (const name of JPEGS) {
		const bytes = fixture(`${name}.jpg`);
		files.push(good(name, bytes, { stored: bytes }));
		for (const endian of ["little", "big"] as const)
			files.push(
				good(
					`${name}, GPS ${endian} endian`,
					atStart(bytes, exifSegment({ endian })),
					{ stored: bytes },
					true,
				),
			);
		files.push(
			good(
				`${name}, GPS, orientation 6, thumbnail`,
				atStart(bytes, exifSegment({ orientation: 6, thumbnail })),
				{ orientation: 6 },
				true,
			),
		);
	}
	for (let orientation = 1; orientation <= 8; orientation++)
		for (const endian of ["little", "big"] as const) {
			const segmentWith = exifSegment({ endian, orientation });
			files.push(
				good(
					`orientation ${orientation} ${endian} endian`,
					atStart(base, segmentWith),
					{ orientation },
					true,
				),
			);
		}
	files.push(
		good("orientation 0", atStart(base, exifSegment({ orientation: 0 })), clean, true),
		good("orientation 9", atStart(base, exifSegment({ orientation: 9 })), clean, true),
		good(
			"orientation without a place",
			atStart(base, exifSegment({ orientation: 8, hasPlace: false })),
			{ orientation: 8 },
		),
		good(
			"Exif after JFIF",
			inserted(base, 20, exifSegment({ orientation: 3 })),
			{ orientation: 3 },
			true,
		),
		good(
			"Exif before the scan",
			inserted(base, sos, exifSegment({ orientation: 5 })),
			{ orientation: 5 },
			true,
		),
		good(
			"Exif twice",
			atStart(
				base,
				exifSegment({ orientation: 6 }),
				exifSegment({ orientation: 8, endian: "little" }),
			),
			{ orientation: 6 },
			true,
		),
		good(
			"Exif that is cut off",
			atStart(base, segment(0xe1, "Exif\0\0", exif({ orientation: 6 }).subarray(0, 30))),
			clean,
		),
		good("Exif that is nonsense", atStart(base, segment(0xe1, "Exif\0\0", "SECRET")), clean),
		good(
			"Exif whose directory is its own header",
			atStart(base, segment(0xe1, "Exif\0\0", "MM\0*", [0, 0, 0, 0])),
			clean,
		),
		good("XMP", atStart(base, xmp), clean),
		good("XMP and Exif", atStart(base, xmp, exifSegment()), clean, true),
		good(
			"extended XMP",
			atStart(base, segment(0xe1, "http://ns.adobe.com/xmp/extension/\0", XMP)),
			clean,
		),
		good("IPTC", atStart(base, iptc), clean),
		good("comment", atStart(base, comment), clean),
		good(
			"comment that contains an end",
			atStart(base, segment(0xfe, [0xff, 0xd9], "SECRET", [0xff, 0xda])),
			clean,
		),
		good("color profile", atStart(base, profile), { stored: atStart(base, profile) }),
		good(
			"color profile in two pieces",
			atStart(
				base,
				...halves.map((half, index) => segment(0xe2, "ICC_PROFILE\0", [index + 1, 2], half)),
			),
		),
		good(
			"color profile that is none",
			atStart(base, segment(0xe2, "ICC_PROFILE\0", [1, 1], "<script>SECRET</script>")),
			clean,
		),
		good("multi-picture index", atStart(base, segment(0xe2, "MPF\0", "SECRET")), clean),
		good(
			"makers' segments",
			atStart(base, segment(0xe4, "SECRET"), segment(0xea, "SECRET"), segment(0xef, "SECRET")),
			clean,
		),
		good("thumbnail in JFIF", patchedJfif(base, 3, 2), clean),
		good(
			"thumbnail in JFXX",
			inserted(base, 20, segment(0xe0, "JFXX\0\x10", thumbnail, "SECRET")),
			clean,
		),
		good("JFIF twice", inserted(base, 20, base.subarray(2, 20)), clean),
		good("Adobe segment with an appendix", lengthenedAdobe(), { stored: fixture("adobe-rgb.jpg") }),
		good(
			"everything at once",
			bytesFrom(atStart(base, exifSegment({ thumbnail }), xmp, iptc, comment), TAILS.HTML),
			clean,
			true,
		),
		good("fill bytes before every marker", filled(base), clean),
		good("stray bytes between segments", inserted(base, dqt, [0, 0, 0, 0x20]), clean),
		good(
			"Exif between scans",
			inserted(progressive, lastScanOf(progressive), exifSegment({ orientation: 6 })),
			{ stored: progressive },
			true,
		),
		good("comment between scans", inserted(progressive, lastScanOf(progressive), comment), {
			stored: progressive,
		}),
		good(
			"a number of lines after the scan",
			inserted(base, base.length - 2, segment(0xdc, be16(24))),
			clean,
		),
		good(
			"a second picture after its end",
			bytesFrom(base, atStart(base, exifSegment())),
			clean,
			true,
		),
	);
	for (const [name, tail] of Object.entries(TAILS))
		files.push(good(`${name} after its end`, bytesFrom(base, tail), clean));

	for (const name of ["baseline", "progressive-restart"] as const) {
		const bytes = atStart(fixture(`${name}.jpg`), exifSegment({ thumbnail }));
		const places = markersOf(bytes).flatMap(({ at, code }) =>
			code === 0xd9 ? [at, at + 1] : [at, at + 1, at + 3],
		);
		for (const at of new Set([
			1,
			2,
			3,
			4,
			7,
			...places,
			(bytes.length / 2) | 0,
			bytes.length - 3,
			bytes.length - 1,
		]))
			files.push(bad(`${name} cut off after ${at} bytes`, bytes.subarray(0, at)));
	}
	const notShown = { isNotShown: true } as const;
	for (const [width, height] of [
		[8000, 6250],
		[10_000, 10_000],
		[65_500, 1],
	] as const)
		files.push(
			good(`${width} by ${height}`, sizedJpeg(width, height), {
				size: [width, height],
				...notShown,
			}),
		);
	for (const [width, height] of [
		[10_001, 10_000],
		[12_625, 8000],
		[65_535, 65_535],
		[65_501, 1],
		[1, 65_501],
	] as const)
		files.push(bad(`${width} by ${height}`, sizedJpeg(width, height), "too-many-pixels"));
	files.push(
		bad("of width 0", sizedJpeg(0, 24)),
		bad("of height 0", sizedJpeg(40, 0)),
		bad("with nothing but an end", bytesFrom([0xff, 0xd8, 0xff, 0xd9])),
		bad("without a scan", bytesFrom(base.subarray(0, sos), [0xff, 0xd9])),
		bad("without a frame", bytesFrom(base.subarray(0, 20), [0xff, 0xd9])),
		bad("with an empty scan", bytesFrom(base.subarray(0, sos + 14), [0xff, 0xd9])),
		bad("with a scan before its frame", bytesFrom(base.subarray(0, sof), scan, [0xff, 0xd9])),
		bad("with two frames", inserted(base, sof, base.subarray(sof, sof + 19))),
		bad("with a beginning inside", inserted(base, sof, [0xff, 0xd8])),
		bad("with a reserved marker", inserted(base, sof, segment(0x50, "SECRET"))),
		bad("with an extension marker", inserted(base, sof, segment(0xf3, "SECRET"))),
		bad(
			"of hierarchical kind",
			inserted(base, sof, segment(0xde, [8, 0, 24, 0, 40, 1, 1, 0x11, 0])),
		),
		bad("with a length of 1", inserted(base, sof, [0xff, 0xfe, 0, 1])),
		bad("with two components", twoComponents(base, sof)),
		bad("with a sampling of 0", patched(base, sof + 11, [0])),
		bad("with an unknown component in the scan", patched(base, sos + 5, [99])),
		bad("with a scan of no component", patched(base, sos + 4, [0])),
		bad("without its quantization tables", bytesFrom(base.subarray(0, dqt), base.subarray(sof))),
		bad(
			"with a quantization table too long",
			inserted(base, dqt, segment(0xdb, new Uint8Array(70))),
		),
		bad(
			"with a quantization table numbered 4",
			inserted(base, dqt, segment(0xdb, [4], new Uint8Array(64))),
		),
		bad("with a component of quantization table 4", patched(base, sof + 12, [4])),
		bad("with a Huffman table cut short", inserted(base, dht, segment(0xc4, new Uint8Array(9)))),
		bad(
			"with a Huffman table of 257 symbols",
			inserted(base, dht, segment(0xc4, [0, 255, 2], new Uint8Array(14 + 257))),
		),
		bad("with a restart interval of 3 bytes", inserted(base, sof, segment(0xdd, [0, 0, 1]))),
		bad(
			"of 101 scans",
			bytesFrom(base.subarray(0, sos), ...new Array(101).fill(scan), [0xff, 0xd9]),
		),
		good(
			"of 100 scans",
			bytesFrom(base.subarray(0, sos), ...new Array(100).fill(scan), [0xff, 0xd9]),
			notShown,
		),
		bad("coded arithmetically", fixture("arithmetic.jpg"), "unsupported"),
		bad("lossless", patched(base, sof + 1, [0xc3]), "unsupported"),
		bad("of 12 bits", patched(base, sof + 4, [12]), "unsupported"),
	);
	return files;
}

function lastScanOf(bytes: Uint8Array): number {
	return markersOf(bytes).findLast(({ code }) => code === 0xda)?.at ?? 0;
}

/** Every marker with three more FF before it. */
function filled(bytes: Uint8Array): Uint8Array {
	let result = bytes;
	for (const { at } of markersOf(bytes).reverse())
		result = inserted(result, at, [0xff, 0xff, 0xff]);
	return result;
}

/** The JFIF segment with an uncompressed thumbnail. */
function patchedJfif(base: Uint8Array, width: number, height: number): Uint8Array {
	const pixels = bytesFrom("SECRET", new Uint8Array(width * height * 3 - 6));
	return bytesFrom(
		[0xff, 0xd8],
		segment(0xe0, base.subarray(6, 18), [width, height], pixels),
		base.subarray(20),
	);
}

function lengthenedAdobe(): Uint8Array {
	const bytes = fixture("adobe-rgb.jpg");
	const at = placeOf(bytes, 0xee);
	return bytesFrom(
		bytes.subarray(0, at),
		segment(0xee, bytes.subarray(at + 4, at + 16), "SECRET"),
		bytes.subarray(at + 16),
	);
}

function twoComponents(base: Uint8Array, sof: number): Uint8Array {
	return bytesFrom(
		base.subarray(0, sof),
		segment(0xc0, base.subarray(sof + 4, sof + 9), [2], base.subarray(sof + 10, sof + 16)),
		base.subarray(sof + 19),
	);
}
