/**
 * What cameras and programs write into pictures about their taker, and the search for what is left
 * of it.
 */
import { be16, be32, bytesFrom, le32 } from "./corpus-file.ts";

export type Endian = "little" | "big";

/** Numerators of the seconds of latitude and longitude: numbers that nothing else contains. */
const LATITUDE_SECONDS = 354_871_233;
const LONGITUDE_SECONDS = 287_654_321;

type Entry = {
	readonly tag: number;
	readonly type: 1 | 2 | 3 | 4 | 5;
	readonly count: number;
	readonly value: Uint8Array;
};

export type ExifOptions = {
	readonly endian?: Endian;
	readonly orientation?: number;
	readonly hasPlace?: boolean;
	readonly thumbnail?: Uint8Array;
};

/** A camera's TIFF block: maker, orientation, place, and a second directory with a thumbnail. */
export function exif({
	endian = "big",
	orientation,
	hasPlace = true,
	thumbnail,
}: ExifOptions = {}): Uint8Array {
	const isLittle = endian === "little";
	const short = (value: number) => (isLittle ? be16(value).reverse() : be16(value));
	const long = (value: number) => (isLittle ? le32(value) : be32(value));
	const text = (tag: number, value: string): Entry => ({
		tag,
		type: 2,
		count: value.length + 1,
		value: bytesFrom(value, [0]),
	});
	const longs = (tag: number, ...values: number[]): Entry => ({
		tag,
		type: 4,
		count: values.length,
		value: bytesFrom(...values.map(long)),
	});
	const rationals = (tag: number, ...values: number[]): Entry => ({
		...longs(tag, ...values),
		type: 5,
		count: values.length / 2,
	});

	/**
	 * A directory at an offset, with the values that do not fit behind it, and the offset of the
	 * next.
	 */
	const directory = (at: number, entries: readonly Entry[], next: (end: number) => number) => {
		const valuesAt = at + 2 + entries.length * 12 + 4;
		const rows: number[] = [];
		let values = new Uint8Array();
		for (const { tag, type, count, value } of entries) {
			const isInline = value.length <= 4;
			rows.push(...short(tag), ...short(type), ...long(count));
			rows.push(
				...(isInline
					? bytesFrom(value, new Array(4 - value.length).fill(0))
					: long(valuesAt + values.length)),
			);
			if (!isInline) values = new Uint8Array(bytesFrom(values, value));
		}
		const end = valuesAt + values.length;
		return bytesFrom(short(entries.length), rows, long(next(end)), values);
	};

	const place = directory(
		8,
		[
			{ tag: 0, type: 1, count: 4, value: bytesFrom([2, 3, 0, 0]) },
			text(1, "N"),
			rationals(2, 40, 1, 44, 1, LATITUDE_SECONDS, 10_000_000),
			text(3, "W"),
			rationals(4, 73, 1, 59, 1, LONGITUDE_SECONDS, 10_000_000),
		],
		() => 0,
	);
	// The place's values point into the block as if it stood first; so it does, and the main
	// directory follows it.
	const mainAt = 8 + place.length;
	const main: Entry[] = [text(0x010f, "SECRET-MAKER"), text(0x0110, "SECRET-MODEL")];
	if (orientation !== undefined)
		main.push(
			{ tag: 0x0112, type: 3, count: 1, value: bytesFrom(short(orientation)) },
			text(0x0131, "SECRET-SOFTWARE"),
		);
	if (hasPlace) main.push(longs(0x8825, 8));
	const first = directory(mainAt, main, (end) => (thumbnail ? end : 0));
	const secondAt = mainAt + first.length;
	const second = thumbnail
		? bytesFrom(
				directory(
					secondAt,
					[longs(0x0201, secondAt + 30), longs(0x0202, thumbnail.length)],
					() => 0,
				),
				thumbnail,
			)
		: new Uint8Array();
	const block = hasPlace ? place : new Uint8Array(place.length);
	return bytesFrom(isLittle ? "II*\0" : "MM\0*", long(mainAt), block, first, second);
}

/** An XMP packet that says the place in words. */
export const XMP = bytesFrom(
	'<?xpacket begin="\xef\xbb\xbf"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
	'<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="40,44.5914N" exif:GPSLongitude="73,59.4794W" ',
	'xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="SECRET-XMP"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>',
);

/**
 * A color profile (ICC v4, matrix) whose red is sRGB's blue and the other way round: without it a
 * picture looks plainly wrong.
 */
export function colorProfile(): Uint8Array {
	const fixed = (value: number) => be32(Math.round(value * 65_536) >>> 0);
	const words = (value: string) =>
		bytesFrom(
			"mluc",
			be32(0),
			be32(1),
			be32(12),
			"enUS",
			be32(value.length * 2),
			be32(28),
			...[...value].map((letter) => `\0${letter}`),
		);
	const xyz = (...values: number[]) => bytesFrom("XYZ ", be32(0), ...values.map(fixed));
	const curve = bytesFrom("curv", be32(0), be32(1), be16(0x0233), [0, 0]);
	const tags: readonly (readonly [string, Uint8Array])[] = [
		["desc", words("Swapped")],
		["cprt", words("None")],
		["wtpt", xyz(0.9642, 1, 0.8249)],
		["rXYZ", xyz(0.1431, 0.0606, 0.7141)],
		["gXYZ", xyz(0.3851, 0.7169, 0.0971)],
		["bXYZ", xyz(0.4361, 0.2225, 0.0139)],
		["rTRC", curve],
		["gTRC", curve],
		["bTRC", curve],
	];
	let at = 128 + 4 + tags.length * 12;
	const table = tags.map(([name, data]) => {
		const row = bytesFrom(name, be32(at), be32(data.length));
		at += data.length;
		return row;
	});
	const head = bytesFrom(
		be32(at),
		"none",
		be32(0x0430_0000),
		"mntrRGB XYZ ",
		new Array(12).fill(0),
		"acsp",
		new Array(28).fill(0),
	);
	const illuminant = bytesFrom(fixed(0.9642), fixed(1), fixed(0.8249), new Array(48).fill(0));
	return bytesFrom(head, illuminant, be32(tags.length), ...table, ...tags.map(([, data]) => data));
}

/** Byte sequences that no stored picture may hold. */
const TRACES: readonly (readonly [string, Uint8Array])[] = [
	["a secret", bytesFrom("SECRET")],
	["XMP", bytesFrom("x:xmpmeta")],
	["a place in words", bytesFrom("GPSLatitude")],
	...[LATITUDE_SECONDS, LONGITUDE_SECONDS].flatMap((seconds) => [
		["a coordinate, big endian", bytesFrom(be32(seconds))] as const,
		["a coordinate, little endian", bytesFrom(le32(seconds))] as const,
	]),
];

/** Which traces of a taker a file holds, found without any knowledge of its format. */
export function tracesIn(bytes: Uint8Array): string[] {
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const found = TRACES.filter(([, trace]) => file.includes(Buffer.from(trace))).map(
		([name]) => name,
	);
	return placePointersIn(file) > 0 ? [...found, "a GPS directory"] : found;
}

/** How many tags of the TIFF blocks anywhere in a file point to a GPS directory. */
function placePointersIn(file: Buffer): number {
	let found = 0;
	for (const directory of directoriesIn(file))
		found += directory.filter(({ tag }) => tag === 0x8825).length;
	return found;
}

/**
 * The orientation a file says; 1 when it says none. Every directory of every TIFF block is looked
 * at.
 */
export function orientationsIn(bytes: Uint8Array): number[] {
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return directoriesIn(file).flatMap((directory) =>
		directory.filter(({ tag }) => tag === 0x0112).map(({ value }) => value),
	);
}

type Row = { readonly tag: number; readonly value: number };

/**
 * The chain of directories of every TIFF block, wherever one begins in a file: a reader of its own,
 * that shares nothing with the app's.
 */
function directoriesIn(file: Buffer): Row[][] {
	const all: Row[][] = [];
	for (const [signature, isLittle] of [
		["II*\0", true],
		["MM\0*", false],
	] as const) {
		for (
			let start = file.indexOf(signature, 0, "latin1");
			start >= 0;
			start = file.indexOf(signature, start + 1, "latin1")
		) {
			const block = file.subarray(start);
			const short = (at: number) =>
				at + 2 > block.length ? 0 : isLittle ? block.readUInt16LE(at) : block.readUInt16BE(at);
			const long = (at: number) =>
				at + 4 > block.length ? 0 : isLittle ? block.readUInt32LE(at) : block.readUInt32BE(at);
			const visited = new Set<number>();
			for (let at = long(4); at >= 8 && at < block.length && !visited.has(at); ) {
				visited.add(at);
				const count = Math.min(short(at), 200);
				all.push(
					Array.from({ length: count }, (_, row) => ({
						tag: short(at + 2 + row * 12),
						value: short(at + 10 + row * 12),
					})),
				);
				at = long(at + 2 + count * 12);
			}
		}
	}
	return all;
}
