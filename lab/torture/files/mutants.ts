/** Damaged or made-up files, based on genuine ones. */
import { be32, bytesFrom, patched } from "../../../tests/receipts/corpus-file.ts";
import { receiptCorpus } from "../../../tests/support/receipt-corpus.ts";
import type { Dice } from "../dice.ts";

export type Mutant = {
	readonly bytes: Uint8Array;
	readonly name: string;
	readonly type: string;
	/** Which file it was, and what was done to it. */
	readonly what: string;
	/** The media type if it is still a valid receipt. */
	readonly good?: string;
};

/** Small enough to be sent a hundred thousand times. */
const MAX_BYTES = 100_000;
const corpus = receiptCorpus();
const seeds = corpus.filter(({ bytes }) => bytes.byteLength <= MAX_BYTES);
const genuine = seeds.flatMap((file) =>
	typeof file.expected === "string" ? [] : [{ ...file, mediaType: file.expected.mediaType }],
);

const HEADS = [
	"\xff\xd8\xff\xe0",
	"\x89PNG\r\n\x1a\n",
	"RIFF\x24\0\0\0WEBPVP8 ",
	"%PDF-1.7\n",
	"GIF89a",
	"<svg xmlns='http://www.w3.org/2000/svg'>",
	"PK\x03\x04",
	"MZ",
	"<!doctype html><script>alert(1)</script>",
];
const NAMES = ["receipt.jpg", "receipt.png", "r.pdf", "a.webp", "x.svg", "no-ending", "a.jpg.exe"];
const TYPES = ["image/jpeg", "image/png", "image/webp", "application/pdf", "text/html", ""];
/** Bytes with a meaning in one of the formats. */
const SPECIAL_BYTES = [
	0, 1, 0x7f, 0x80, 0xc0, 0xc2, 0xc4, 0xd0, 0xd8, 0xd9, 0xda, 0xe1, 0xfe, 0xff,
];

type Change = (bytes: Uint8Array, dice: Dice) => Uint8Array;
const at = (bytes: Uint8Array, dice: Dice) => dice.below(Math.max(1, bytes.length));
/** A position near the start, where the important parts are; most of a file is image data. */
const early = (bytes: Uint8Array, dice: Dice) =>
	dice.below(Math.min(200, Math.max(1, bytes.length)));

const CHANGES: Readonly<Record<string, Change>> = {
	"a bit": (bytes, dice) => {
		const place = dice.once(2) ? at(bytes, dice) : early(bytes, dice);
		return patched(bytes, Math.min(place, bytes.length - 1), [
			(bytes[place] ?? 0) ^ (1 << dice.below(8)),
		]);
	},
	"a byte": (bytes, dice) =>
		patched(bytes, Math.min(early(bytes, dice), bytes.length - 1), [dice.pick(SPECIAL_BYTES)]),
	cut: (bytes, dice) => bytes.slice(0, at(bytes, dice)),
	"cut out": (bytes, dice) => {
		const from = at(bytes, dice);
		return bytesFrom(bytes.subarray(0, from), bytes.subarray(from + 1 + dice.below(400)));
	},
	repeated: (bytes, dice) => {
		const from = at(bytes, dice);
		return bytesFrom(bytes.subarray(0, from + 1 + dice.below(400)), bytes.subarray(from));
	},
	"another head": (bytes, dice) => {
		const head = dice.pick(HEADS);
		return bytesFrom(head, bytes.subarray(dice.once(2) ? head.length : 0));
	},
	"another's end": (bytes, dice) => {
		const other = dice.pick(seeds).bytes;
		return bytesFrom(bytes.subarray(0, at(bytes, dice)), other.subarray(at(other, dice)));
	},
	"another's middle": (bytes, dice) => {
		const other = dice.pick(seeds).bytes;
		const from = at(other, dice);
		const place = at(bytes, dice);
		return bytesFrom(
			bytes.subarray(0, place),
			other.subarray(from, from + 1 + dice.below(300)),
			bytes.subarray(place),
		);
	},
	/** A length or dimension far larger than the file. */
	"a bomb": (bytes, dice) =>
		bytes.length < 8
			? bytes
			: patched(bytes, Math.min(early(bytes, dice), bytes.length - 4), [
					...be32(dice.pick([0, 0x7fffffff, 0xffffffff, 65_535, 100_000, 0x80000000])),
				]),
};
const CHANGE_NAMES = Object.keys(CHANGES);

/** What phones and programs add to an image without changing how it looks. */
const COMMENT = bytesFrom([0xff, 0xfe, 0, 8], "HELLO!");
function harmless(bytes: Uint8Array, mediaType: string, dice: Dice): Uint8Array {
	if (mediaType === "image/jpeg" && dice.once(2))
		return bytesFrom(bytes.subarray(0, 2), COMMENT, bytes.subarray(2));
	return bytes;
}

/** A file to send; one in eight is good. */
export function mutant(dice: Dice): Mutant {
	const [name, type] = [dice.pick(NAMES), dice.pick(TYPES)];
	if (dice.once(8)) {
		const file = dice.pick(genuine);
		const bytes = harmless(file.bytes, file.mediaType, dice);
		return { bytes, name, type, what: file.what, good: file.mediaType };
	}
	const seed = dice.pick(seeds);
	let { bytes } = seed;
	const changes: string[] = [];
	for (let count = 1 + dice.below(3); count > 0; count--) {
		const change = dice.pick(CHANGE_NAMES);
		if (bytes.length > 0 && bytes.length < 2 * MAX_BYTES)
			bytes = CHANGES[change]?.(bytes, dice) ?? bytes;
		changes.push(change);
	}
	return { bytes, name, type, what: `${seed.what}: ${changes.join(", ")}` };
}

/** Longer than any file system allows; a form's part headers aren't read much further. */
const MAX_NAME_LENGTH = 1000;

/** Every genuine and every bad file, unchanged. */
export const wholeCorpus = (): Mutant[] =>
	corpus
		.filter(({ givenName }) => givenName.length <= MAX_NAME_LENGTH)
		.map(({ what, bytes, givenName, expected }) => ({
			what,
			bytes,
			name: givenName,
			type: "",
			...(typeof expected === "string" ? {} : { good: expected.mediaType }),
		}));
/** The corpus's files that aren't valid receipts. */
export const BAD: ReadonlySet<string> = new Set(
	corpus.filter(({ expected }) => typeof expected === "string").map(({ what }) => what),
);
