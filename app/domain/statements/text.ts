/** The text of a file, of which only a piece at a time is in memory. */
import { otherFileByBytes, SNIFFED_BYTES } from "./other-bytes.ts";
import { MAX_STATEMENT_BYTES } from "./rules.ts";
import type { RefusedFile } from "./statement.ts";
import { UNREADABLE, UnreadableFile } from "./unreadable-file.ts";

/** How many bytes are decoded at once. */
const PIECE_BYTES = 64 * 1024;

type ByteReader = ReadableStreamDefaultReader<Uint8Array>;

/** UTF-8 unless the first characters say otherwise; Excel's 'Unicode Text' is UTF-16. */
function encodingOf([a, b, c, d]: Uint8Array): string {
	if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0 && c !== 0 && d === 0)) return "utf-16le";
	if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0 && c === 0 && d !== 0)) return "utf-16be";
	return "utf-8";
}

function join(parts: readonly Uint8Array[]): Uint8Array {
	const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
	let at = 0;
	for (const part of parts) {
		joined.set(part, at);
		at += part.byteLength;
	}
	return joined;
}

/** The bytes in pieces, starting with those already read. */
async function* piecesOf(first: Uint8Array, reader: ByteReader): AsyncGenerator<Uint8Array> {
	let size = 0;
	for (let chunk: Uint8Array | undefined = first; chunk; chunk = (await reader.read()).value) {
		size += chunk.byteLength;
		if (size > MAX_STATEMENT_BYTES) throw new UnreadableFile(UNREADABLE.tooLarge);
		for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES)
			yield chunk.subarray(at, at + PIECE_BYTES);
	}
}

/** Byte order marks at the beginning, also one that was read in another encoding and saved again. */
const BYTE_ORDER_MARKS = /^(?:\ufeff|ï»¿)+/;

/** Normalizes line endings to `\n`, since a file that went through two systems has both kinds. */
async function* decodeChunks(first: Uint8Array, reader: ByteReader): AsyncGenerator<string> {
	const decoder = new TextDecoder(encodingOf(first), { fatal: true });
	let held = "";
	let isFirst = true;
	const decode = (piece?: Uint8Array) => {
		try {
			return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
		} catch {
			throw new UnreadableFile(UNREADABLE.notText);
		}
	};
	const toLines = (text: string) => {
		if (text.includes("\0")) throw new UnreadableFile(UNREADABLE.notText);
		return text.replace(/\r\n?/g, "\n");
	};
	try {
		for await (const piece of piecesOf(first, reader)) {
			const decoded = held + decode(piece);
			const text = isFirst ? decoded.replace(BYTE_ORDER_MARKS, "") : decoded;
			isFirst = false;
			// The other half of a line ending may be in the next piece.
			held = text.endsWith("\r") ? "\r" : "";
			yield toLines(held === "" ? text : text.slice(0, -1));
		}
		yield toLines(held + decode());
	} finally {
		await reader.cancel();
	}
}

/** A file's text, or a refusal of a file that isn't text by its first bytes. */
export async function openText(
	bytes: ReadableStream<Uint8Array>,
): Promise<{ readonly pieces: AsyncGenerator<string> } | RefusedFile> {
	const reader = bytes.getReader();
	const parts: Uint8Array[] = [];
	let size = 0;
	while (size < SNIFFED_BYTES) {
		const { value } = await reader.read();
		if (!value) break;
		parts.push(value);
		size += value.byteLength;
	}
	const first = join(parts);
	const refused =
		first.byteLength === 0
			? ({ kind: "refused", message: UNREADABLE.empty } as const)
			: otherFileByBytes(first);
	if (refused) await reader.cancel();
	return refused ?? { pieces: decodeChunks(first, reader) };
}
