/** The content of a PDF's streams that hold objects or their positions, within limits. */
import { Inflate } from "fflate";
import { hasTag } from "./bytes.ts";
import { type Allowance, isDict, PdfName, type PdfStream, type PdfValue } from "./pdf-objects.ts";

/** A kind of compression that isn't read here: the file can't be judged. */
export class UnknownFilterError extends Error {
	override name = "UnknownFilter";
}

/** How much is decompressed at once, so that a small file can't become a large one unseen. */
const PIECE = 4096;
/**
 * After this many pieces without content a stream has ended: its largest block takes 17. The library
 * would keep all that follows, and copy it with each piece.
 */
const MAX_SILENT_PIECES = 20;

/**
 * The decompressed bytes, as far as they can be read.
 * @param resolve follows a reference
 * @throws TooMuchWorkError, UnknownFilterError
 */
export function readStream(
	bytes: Uint8Array,
	{ dict, start }: PdfStream,
	resolve: (value: PdfValue | undefined) => PdfValue,
	allowance: Allowance,
): Uint8Array {
	const content = bytes.subarray(
		start,
		endOf(bytes, start, resolve(dict.get("Length")), allowance),
	);
	// Many streams can share the same bytes.
	allowance.use("scannedBytes", content.length);
	const filter = single(resolve(dict.get("Filter")), resolve);
	if (filter === null) return content;
	if (!(filter instanceof PdfName) || !/^Fl(ateDecode)?$/.test(filter.text))
		throw new UnknownFilterError("not deflated");
	const inflated = inflate(content, allowance);
	const parameters = single(resolve(dict.get("DecodeParms") ?? dict.get("DP")), resolve);
	if (!isDict(parameters)) return inflated;
	const number = (key: string, otherwise: number) => {
		const value = resolve(parameters.get(key));
		return typeof value === "number" && value > 0 ? value : otherwise;
	};
	const predictor = number("Predictor", 1);
	if (predictor === 1) return inflated;
	if (predictor < 10) throw new UnknownFilterError("a TIFF predictor");
	const bits = number("Colors", 1) * number("BitsPerComponent", 8);
	return unpredict(inflated, Math.ceil((number("Columns", 1) * bits) / 8), Math.ceil(bits / 8));
}

/** The only element of a list, or the value itself. */
function single(value: PdfValue, resolve: (value: PdfValue | undefined) => PdfValue): PdfValue {
	if (!Array.isArray(value)) return value;
	if (value.length > 1) throw new UnknownFilterError("several filters");
	return resolve(value[0]);
}

/** Where a stream ends: by its length if that is right, or before the next `endstream`. */
function endOf(bytes: Uint8Array, start: number, length: PdfValue, allowance: Allowance): number {
	if (typeof length === "number" && length >= 0 && start + length <= bytes.length) {
		const end = start + length;
		for (let at = end; at <= end + 2; at++) if (hasTag(bytes, at, "endstream")) return end;
	}
	let at = start;
	while (at < bytes.length && !hasTag(bytes, at, "endstream")) at += 1;
	allowance.use("scannedBytes", at - start);
	return at;
}

function inflate(content: Uint8Array, allowance: Allowance): Uint8Array {
	const pieces: Uint8Array[] = [];
	let silent = 0;
	const inflater = new Inflate((piece) => {
		allowance.use("inflatedBytes", piece.length);
		if (piece.length > 0) silent = 0;
		pieces.push(piece);
	});
	try {
		// Past the two bytes of zlib's header.
		for (let at = 2; at < content.length && silent++ < MAX_SILENT_PIECES; at += PIECE)
			inflater.push(content.subarray(at, at + PIECE), at + PIECE >= content.length);
	} catch (error) {
		// What was read before the damage counts; fflate's errors have a code.
		if (!(error instanceof Error && "code" in error) && !(error instanceof RangeError)) throw error;
	}
	const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const piece of pieces) {
		bytes.set(piece, at);
		at += piece.length;
	}
	return bytes;
}

/**
 * Undoes PNG's filters.
 * @param width bytes of a row, without the byte that names its filter
 * @param step bytes from one pixel to the next
 */
function unpredict(bytes: Uint8Array, width: number, step: number): Uint8Array {
	const rows = Math.floor(bytes.length / (width + 1));
	const out = new Uint8Array(rows * width);
	for (let row = 0; row < rows; row++) {
		const filter = bytes[row * (width + 1)] ?? 0;
		for (let column = 0; column < width; column++) {
			const to = row * width + column;
			const left = column >= step ? (out[to - step] ?? 0) : 0;
			const up = row > 0 ? (out[to - width] ?? 0) : 0;
			const corner = row > 0 && column >= step ? (out[to - width - step] ?? 0) : 0;
			const raw = bytes[row * (width + 1) + 1 + column] ?? 0;
			out[to] = raw + predicted(filter, left, up, corner);
		}
	}
	return out;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
	switch (filter) {
		case 1:
			return left;
		case 2:
			return up;
		case 3:
			return (left + up) >> 1;
		case 4: {
			const [toLeft, toUp, toCorner] = [
				Math.abs(up - corner),
				Math.abs(left - corner),
				Math.abs(left + up - 2 * corner),
			];
			if (toLeft <= toUp && toLeft <= toCorner) return left;
			return toUp <= toCorner ? up : corner;
		}
		default:
			return 0;
	}
}
