/**
 * The segments of a JPEG that a decoder depends on, checked as libjpeg checks them, so that
 * whatever is accepted can be shown.
 */
import { uint16 } from "./bytes.ts";

type Component = { readonly id: number; readonly quantization: number };
/** The picture's size in pixels and its components. */
export type Frame = {
	readonly width: number;
	readonly height: number;
	readonly components: readonly Component[];
};
/** What is between a segment's length and its end. */
export type Span = { readonly from: number; readonly to: number };

/** Precision, height, width, and three bytes for each of 1, 3 or 4 components. */
export function parseFrame(bytes: Uint8Array, { from, to }: Span): Frame | undefined {
	const count = bytes[from + 5] ?? 0;
	if (to - from !== 6 + 3 * count || ![1, 3, 4].includes(count)) return undefined;
	const components: Component[] = [];
	for (let at = from + 6; at < to; at += 3) {
		const sampling = bytes[at + 1] ?? 0;
		if (!isSampling(sampling >> 4) || !isSampling(sampling & 15)) return undefined;
		components.push({ id: bytes[at] ?? 0, quantization: bytes[at + 2] ?? 0 });
	}
	return { height: uint16(bytes, from + 1), width: uint16(bytes, from + 3), components };
}

function isSampling(factor: number): boolean {
	return factor >= 1 && factor <= 4;
}

/** Whether every component of a scan is the frame's and has its quantization table. */
export function isScanOf(
	frame: Frame,
	bytes: Uint8Array,
	{ from, to }: Span,
	quantizations: number,
): boolean {
	const count = bytes[from] ?? 0;
	if (count < 1 || count > 4 || to - from !== 4 + 2 * count) return false;
	for (let index = 0; index < count; index++) {
		const id = bytes[from + 1 + 2 * index];
		const component = frame.components.find((each) => each.id === id);
		if (
			!component ||
			component.quantization > 3 ||
			!(quantizations & (1 << component.quantization))
		)
			return false;
	}
	return true;
}

/**
 * The quantization tables that a segment defines, a bit for each of 0 to 3; `undefined` if it isn't
 * a list of tables.
 */
export function parseQuantizationTables(bytes: Uint8Array, { from, to }: Span): number | undefined {
	let defined = 0;
	let at = from;
	while (at < to) {
		const head = bytes[at] ?? 0;
		if ((head & 15) > 3) return undefined;
		defined |= 1 << (head & 15);
		at += head >> 4 ? 129 : 65;
	}
	return at === to ? defined : undefined;
}

/**
 * Whether a segment is a list of Huffman tables: a header, 16 counts, and as many symbols as they
 * add up to.
 */
export function isHuffmanTables(bytes: Uint8Array, { from, to }: Span): boolean {
	let at = from;
	while (at < to) {
		if (at + 17 > to || ((bytes[at] ?? 0) & 0xef) > 3) return false;
		let symbols = 0;
		for (let length = 1; length <= 16; length++) symbols += bytes[at + length] ?? 0;
		if (symbols > 256) return false;
		at += 17 + symbols;
	}
	return at === to;
}
