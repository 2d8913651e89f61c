/** The whole corpus through the only entry point, and random bytes. */
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesFrom, fixture } from "../../../tests/receipts/corpus-file.ts";
import { JPEGS, segment } from "../../../tests/receipts/jpeg-files.ts";
import { exif, orientationsIn, tracesIn, XMP } from "../../../tests/receipts/metadata.ts";
import { FOREIGN, PDF } from "../../../tests/receipts/other-files.ts";
import { chunk, png } from "../../../tests/receipts/png-files.ts";
import { riffChunk, WEBPS, withMetadata } from "../../../tests/receipts/webp-files.ts";
import { receiptCorpus } from "../../../tests/support/receipt-corpus.ts";
import { prepareReceipt } from "./prepare.ts";
import { MAX_BYTES } from "./rules.ts";

const corpus = receiptCorpus();

describe("the corpus", { timeout: 60_000 }, () => {
	it("has every file once, and the places it refers to", () => {
		expect(corpus.length).toBeGreaterThanOrEqual(240);
		expect(new Set(corpus.map(({ what }) => what)).size).toBe(corpus.length);
		for (const { what, bytes, hasPlace } of corpus)
			if (hasPlace)
				expect(tracesIn(bytes), what).toEqual(expect.arrayContaining(["a GPS directory"]));
		const coordinates = corpus.filter(({ bytes }) =>
			tracesIn(bytes).some((trace) => trace.startsWith("a coordinate")),
		);
		expect(coordinates.length).toBeGreaterThanOrEqual(
			corpus.filter(({ hasPlace }) => hasPlace).length,
		);
	});

	it.each(corpus)("$what", ({ bytes, givenName, expected }) => {
		const original = Buffer.from(bytes);
		const outcome = prepareReceipt(bytes, givenName);
		expect(original.equals(bytes), "the given bytes are left alone").toBe(true);
		if (typeof expected === "string") {
			expect(outcome).toMatchObject({ ok: false, reason: expected });
			if (!outcome.ok) expect(outcome.details.message).toMatch(/^[A-Z].+\.$/);
			return;
		}
		if (!outcome.ok) expect.unreachable(`refused: ${outcome.reason}, ${outcome.details.message}`);
		const { mediaType, width, height, fileName } = outcome.value;
		expect(mediaType).toBe(expected.mediaType);
		expect(width === undefined ? undefined : [width, height]).toEqual(expected.size);
		expect(fileName).toBe(expected.fileName ?? givenName);
		if (expected.stored)
			expect(Buffer.from(outcome.value.bytes).equals(expected.stored), "the expected bytes").toBe(
				true,
			);
		if (mediaType === "application/pdf") return;
		expect(tracesIn(outcome.value.bytes)).toEqual([]);
		const orientation = expected.orientation ?? 1;
		expect(orientationsIn(outcome.value.bytes)).toEqual(orientation === 1 ? [] : [orientation]);
		expect(Buffer.from(outcome.value.bytes).includes("Exif\0\0")).toBe(
			mediaType === "image/jpeg" && orientation !== 1,
		);
		const again = prepareReceipt(outcome.value.bytes, fileName);
		expect(
			again.ok && Buffer.from(again.value.bytes).equals(outcome.value.bytes),
			"clean stays as it is",
		).toBe(true);
	});

	it("reports its counts", () => {
		let badAccepted = 0;
		let goodRefused = 0;
		let placesLeft = 0;
		for (const { bytes, givenName, expected } of corpus) {
			const outcome = prepareReceipt(bytes, givenName);
			if (outcome.ok && typeof expected === "string") badAccepted++;
			if (!outcome.ok && typeof expected !== "string") goodRefused++;
			if (
				outcome.ok &&
				outcome.value.mediaType !== "application/pdf" &&
				tracesIn(outcome.value.bytes).length > 0
			)
				placesLeft++;
		}
		const good = corpus.filter(({ expected }) => typeof expected !== "string").length;
		console.info(
			`receipt corpus: ${corpus.length} files (${good} good, ${corpus.length - good} bad); ` +
				`bad accepted ${badAccepted}, good refused ${goodRefused}, GPS left ${placesLeft}`,
		);
		expect([badAccepted, goodRefused, placesLeft]).toEqual([0, 0, 0]);
	});
});

describe("a refusal", () => {
	const message = (bytes: Uint8Array) => {
		const outcome = prepareReceipt(bytes, "receipt.jpg");
		return outcome.ok ? "" : outcome.details.message;
	};

	it.each(FOREIGN)("says that %s is what it is", (_, bytes, word) => {
		expect(message(bytes)).toContain(word);
		expect(message(bytes)).toContain("Upload a JPEG, PNG, WebP or PDF.");
	});

	it("distinguishes files that are too large, empty, cut off, damaged or have too many pixels", () => {
		expect(message(new Uint8Array(MAX_BYTES + 1))).toContain("over 8 MB");
		expect(message(new Uint8Array())).toContain("empty");
		expect(message(fixture("baseline.jpg").subarray(0, 300))).toContain("incomplete");
		expect(message(png({ height: 0 }))).toContain("damaged");
		expect(message(png({ width: 10_001, height: 10_000 }))).toContain("over 100 megapixels");
		expect(message(fixture("arithmetic.jpg"))).toContain("standard JPEG");
		expect(message(bytesFrom("\n".repeat(1025), PDF))).toContain("extra data before it starts");
		expect(message(PDF.subarray(0, 100))).toContain("This PDF is incomplete or damaged");
	});
});

/** Complete files with a location, for the properties to damage. */
const SEEDS: readonly Uint8Array[] = [
	...JPEGS.map((name) => {
		const bytes = fixture(`${name}.jpg`);
		const extra = bytesFrom(
			segment(0xe1, "Exif\0\0", exif({ orientation: 6, thumbnail: fixture("grayscale.jpg") })),
			segment(0xfe, "SECRET"),
		);
		return bytesFrom(bytes.subarray(0, 2), extra, bytes.subarray(2));
	}),
	png({
		before: [chunk("eXIf", exif({ orientation: 3 }))],
		after: [chunk("iTXt", "XML:com.adobe.xmp\0\0\0\0\0", XMP)],
	}),
	png({ colorType: 3, depth: 4, isInterlaced: true }),
	...WEBPS.map((name) =>
		withMetadata(fixture(`${name}.webp`), riffChunk("EXIF", exif({ orientation: 8 }))),
	),
	PDF,
];
const JPEG_SEEDS = SEEDS.slice(0, JPEGS.length);

/** Bytes with a meaning in one of the formats. */
const TELLING = [
	0, 1, 2, 0x7f, 0x80, 0xc0, 0xc4, 0xd0, 0xd8, 0xd9, 0xda, 0xdb, 0xdd, 0xe0, 0xe1, 0xfe, 0xff,
];
type Damage = {
	readonly kind: "set" | "remove" | "repeat" | "cut";
	readonly where: number;
	readonly value: number;
	readonly span: number;
};
const damage: fc.Arbitrary<Damage> = fc.record({
	kind: fc.constantFrom("set", "set", "set", "remove", "repeat", "cut"),
	where: fc.double({ min: 0, max: 1, noNaN: true }),
	value: fc.oneof(fc.constantFrom(...TELLING), fc.nat(255)),
	span: fc.integer({ min: 1, max: 24 }),
});

function damaged(seed: Uint8Array, damages: readonly Damage[]): Uint8Array {
	let bytes = new Uint8Array(seed);
	for (const { kind, where, value, span } of damages) {
		const at = Math.min(bytes.length, Math.floor(where * bytes.length));
		if (kind === "set") bytes[at] = value;
		else if (kind === "cut") bytes = bytes.slice(0, at);
		else
			bytes = new Uint8Array(
				bytesFrom(
					bytes.subarray(0, kind === "repeat" ? at + span : at),
					bytes.subarray(kind === "repeat" ? at : at + span),
				),
			);
	}
	return bytes;
}

/** What holds for every result, for any bytes. */
function checkAnswer(bytes: Uint8Array): void {
	const outcome = prepareReceipt(bytes, "receipt");
	if (!outcome.ok) {
		expect(outcome.details.message.length).toBeGreaterThan(20);
		return;
	}
	const { value } = outcome;
	if (value.bytes.length > bytes.length + 16) expect.unreachable("grew");
	if (value.mediaType === "application/pdf") return;
	if (!((value.width ?? 0) * (value.height ?? 0) > 0)) expect.unreachable("no size");
	const again = prepareReceipt(value.bytes, "receipt");
	if (!again.ok || !Buffer.from(again.value.bytes).equals(value.bytes))
		expect.unreachable("what was cleaned is not clean");
}

describe("any bytes", () => {
	const RUNS = 25_000;

	it("never throw, however random", { timeout: 120_000 }, () => {
		const beginning = fc.constantFrom(
			"",
			"\xff\xd8\xff",
			"\x89PNG\r\n\x1a\n",
			"RIFF\x40\0\0\0WEBP",
			"%PDF-1.7",
		);
		fc.assert(
			fc.property(beginning, fc.uint8Array({ maxLength: 200 }), (head, tail) =>
				checkAnswer(bytesFrom(head, tail)),
			),
			{ numRuns: RUNS },
		);
	});

	it("never throw, however a good file is damaged", { timeout: 240_000 }, () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...SEEDS),
				fc.array(damage, { minLength: 1, maxLength: 6 }),
				(seed, damages) => checkAnswer(damaged(seed, damages)),
			),
			{ numRuns: RUNS * 2 },
		);
	});

	it("lose their location and metadata even where a JPEG is damaged", { timeout: 120_000 }, () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...JPEG_SEEDS),
				fc.nat(5_000),
				fc.constantFrom(...TELLING),
				(seed, at, value) => {
					const bytes = seed.slice();
					bytes[at % bytes.length] = value;
					const outcome = prepareReceipt(bytes, "receipt");
					if (outcome.ok) expect(tracesIn(outcome.value.bytes)).toEqual([]);
				},
			),
			{ numRuns: 5_000 },
		);
	});
});

/** Objects in a stream that is a thousandth of its content. */
function pdfBomb(): Uint8Array {
	const data = deflateSync(Buffer.alloc(1024 * 1024 * 1024, "1 0 "), { level: 9 });
	return bytesFrom(
		"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n",
		`3 0 obj<</Type/ObjStm/N 9999999/First 8/Filter/FlateDecode/Length ${data.length}>>stream\n`,
		data,
		"\nendstream endobj\n%%EOF",
	);
}

/** A thousand compressed tables, each to the end of the file, of blocks without content. */
function manyTables(): Uint8Array {
	const head = "%PDF-1.7\n";
	const blocks = Buffer.alloc(7_500_000, Buffer.of(0, 0, 0, 0xff, 0xff));
	const table = (number: number, previous: number, length: number) =>
		`${number} 0 obj<</Type/XRef/W[1 0 0]/Size 9/Filter/FlateDecode/Prev ${String(previous).padStart(7, "0")}/Length ${String(length).padStart(7, "0")}>>stream\nxx`;
	// Each table's first block holds the tables after it.
	const size = table(1000, 0, 0).length + 5;
	const tables = Array.from({ length: 1000 }, (_, index) => {
		const at = head.length + index * size;
		const behind = Math.min((999 - index) * size, 0xffff);
		const block = Buffer.of(0, 0, 0, 0, 0);
		block.writeUInt16LE(behind, 1);
		block.writeUInt16LE(0xffff - behind, 3);
		const length = 1000 * size + head.length + blocks.length - at - size + 7;
		return bytesFrom(table(1000 + index, at + size, length), block);
	});
	return bytesFrom(head, ...tables, blocks, `endstream endobj\nstartxref\n${head.length}\n%%EOF\n`);
}

describe("time", { timeout: 60_000 }, () => {
	const base = fixture("baseline.jpg");
	const repeated = (unit: Uint8Array, head: Uint8Array) =>
		bytesFrom(head, new Uint8Array(Buffer.alloc(MAX_BYTES - head.length, Buffer.from(unit))));
	const scanAt = base.length - 200;
	const jpegHead = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
	const hostile: readonly (readonly [string, Uint8Array])[] = [
		["fill bytes", repeated(Uint8Array.of(0xff), jpegHead.subarray(0, 3))],
		["stray bytes", repeated(Uint8Array.of(0xff, 0), jpegHead.subarray(0, 3))],
		[
			"comments without content",
			repeated(Uint8Array.of(0xff, 0xfe, 0, 2), jpegHead.subarray(0, 2)),
		],
		["restart intervals", repeated(segment(0xdd, [0, 0]), jpegHead.subarray(0, 2))],
		["markers in a scan", repeated(Uint8Array.of(0xff, 0xd0), base.subarray(0, scanAt))],
		["escapes in a scan", repeated(Uint8Array.of(0xff, 0), base.subarray(0, scanAt))],
		[
			"empty Exif segments",
			repeated(segment(0xe1, "Exif\0\0", "MM\0*", [0, 0, 0, 8, 255, 255]), jpegHead.subarray(0, 2)),
		],
		[
			"one Exif directory",
			repeated(
				segment(0xe1, "Exif\0\0MM\0*", [0, 0, 0, 8, 255, 255], new Uint8Array(65_000)),
				jpegHead.subarray(0, 2),
			),
		],
		["PNG chunks without content", repeated(chunk("teXt"), png().subarray(0, 33))],
		["PNG data", png({ after: [chunk("teXt", new Uint8Array(MAX_BYTES - 1000))] })],
		[
			"WebP chunks without content",
			bytesFrom(
				"RIFF",
				[0xf8, 0xff, 0x7f, 0],
				repeated(riffChunk("SCRT"), bytesFrom("WEBP", riffChunk("VP8X", new Uint8Array(10)))),
			).subarray(0, MAX_BYTES),
		],
		["a PDF's blanks", repeated(Uint8Array.of(0x20), bytesFrom("%PDF-1.7"))],
		["a PDF's percent signs", repeated(bytesFrom("%%EO"), bytesFrom("%PDF-1.7"))],
		...[
			"1 0 obj[",
			"1 0 obj<</A ",
			"(",
			"[",
			"<<",
			"<",
			"/",
			"1 0 R ",
			"1 0 obj ",
			"trailer<<",
			"endobj",
			"obj\n",
		].map(
			(unit) =>
				[
					`a PDF's ${JSON.stringify(unit)}`,
					bytesFrom(repeated(bytesFrom(unit), bytesFrom("%PDF-1.7\n")).subarray(0, -6), "\n%%EOF"),
				] as const,
		),
		[
			"a PDF's table of nine million",
			bytesFrom(
				repeated(
					bytesFrom("0000000009 00000 n \n"),
					bytesFrom("%PDF-1.7\nxref\n0 9999999\n"),
				).subarray(0, -20),
				"startxref\n9\n%%EOF",
			),
		],
		["a PDF's stream that inflates to a gigabyte", pdfBomb()],
		[
			"a PDF's numbers that end in a letter",
			bytesFrom(
				repeated(bytesFrom(`1 0 obj ${"1".repeat(255)}x\n`), bytesFrom("%PDF-1.7\n")).subarray(
					0,
					-6,
				),
				"\n%%EOF",
			),
		],
		["a PDF's thousand tables in the same bytes", manyTables()],
		["blanks", repeated(Uint8Array.of(0x20), new Uint8Array())],
	];

	// Anything worse than linear takes minutes, which is longer than a test may.
	it.each(hostile)("is bounded for 8 MB of %s", (_, bytes) => {
		expect(bytes.length).toBeLessThanOrEqual(MAX_BYTES);
		checkAnswer(bytes);
	});

	it.each(
		[" ", ".", "/", "\\", "a ", "\u200d", "\ud800", "a\u0301", ". /", "\r\n"].map((unit) => [
			JSON.stringify(unit),
			unit,
		]),
	)("is bounded for a name of a million times %s", (_, unit) => {
		prepareReceipt(base, unit.repeat(1_000_000));
	});
});
