/** One file of the receipt corpus: what a driver might send, and what must become of it. */
import { readFileSync } from "node:fs";
import type { RefusalReason } from "../../app/domain/receipts/refusals.ts";
import type { MediaType } from "../../app/domain/receipts/rules.ts";

export type Accepted = {
	readonly mediaType: MediaType;
	/** Pixels as stored; absent for a PDF. */
	readonly size?: readonly [width: number, height: number];
	/** 1 to 8; 1 when absent. */
	readonly orientation?: number;
	/** The very bytes that must be stored, where they are known beforehand. */
	readonly stored?: Uint8Array;
	/** The shown name, where the given one is odd. */
	readonly fileName?: string;
	/**
	 * No browser shows the original: a header without its picture, or one that says more than
	 * browsers take.
	 */
	readonly isNotShown?: true;
};

export type CorpusFile = {
	readonly what: string;
	readonly givenName: string;
	readonly bytes: Uint8Array;
	/** The original says where it was taken. */
	readonly hasPlace?: true;
	readonly expected: Accepted | RefusalReason;
};

/**
 * A small real file, made once with libjpeg-turbo's cjpeg, libwebp's cwebp or a browser's canvas:
 * 40 by 24 pixels, no two corners alike.
 */
export function fixture(name: string): Uint8Array {
	return new Uint8Array(readFileSync(new URL(`../fixtures/receipts/${name}`, import.meta.url)));
}

export const FIXTURE_SIZE = [40, 24] as const;

/** Text with one byte for each character, and bytes, one after the other. */
export function bytesFrom(
	...parts: readonly (string | Uint8Array | readonly number[])[]
): Uint8Array {
	return new Uint8Array(
		Buffer.concat(
			parts.map((part) =>
				typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part),
			),
		),
	);
}

export const be16 = (value: number) => [value >> 8, value & 255];
export const be32 = (value: number) => [
	value >>> 24,
	(value >> 16) & 255,
	(value >> 8) & 255,
	value & 255,
];
export const le32 = (value: number) => be32(value).reverse();
export const le24 = (value: number) => le32(value).slice(0, 3);

/** A copy with some bytes replaced. */
export function patched(
	bytes: Uint8Array,
	at: number,
	replacement: Uint8Array | readonly number[],
): Uint8Array {
	const copy = bytes.slice();
	copy.set(replacement, at);
	return copy;
}

/** What people append to a picture so that something else finds a second file in it. */
export const TAILS = {
	HTML: bytesFrom("<!doctype html><script>alert('SECRET')</script>"),
	JavaScript: bytesFrom("*/=1;alert('SECRET');/*"),
	ZIP: bytesFrom("PK\x03\x04", new Array(26).fill(0), "PK\x05\x06SECRET", new Array(18).fill(0)),
	PHP: bytesFrom("<?php system($_GET['SECRET']); ?>"),
	PDF: bytesFrom("%PDF-1.7\n1 0 obj<</SECRET 1>>endobj\nstartxref\n9\n%%EOF\n"),
	video: bytesFrom(be32(24), "ftypmp42", be32(0), "mp42isom", be32(24), "mdatSECRET-VIDEO"),
	zeros: new Uint8Array(4096),
} as const;
