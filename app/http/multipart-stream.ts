/**
 * Parses a multipart body as it arrives: headers, then bytes as soon as they certainly belong to a
 * part, so that a file of any size passes through without being kept.
 */
import { MultipartPart } from "@remix-run/multipart-parser";

/** A part starts, more of its content is here, or the body has ended. */
export type PartEvent =
	| { readonly kind: "part"; readonly part: MultipartPart }
	| { readonly kind: "bytes"; readonly bytes: Uint8Array }
	| { readonly kind: "end" };

/** The maximum size of a part's header, which has its file's name: the text limit of a form. */
export const MAX_HEADER_LENGTH = 64 * 1024;
const CR = 13;
const DASH = 45;
const encoder = new TextEncoder();
const HEADER_END = encoder.encode("\r\n\r\n");

function indexOf(data: Uint8Array, needle: Uint8Array): number {
	const [first = 0] = needle;
	for (let at = data.indexOf(first); at !== -1; at = data.indexOf(first, at + 1)) {
		let matched = 1;
		while (matched < needle.length && data[at + matched] === needle[matched]) matched++;
		if (matched === needle.length) return at;
	}
	return -1;
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
	if (one.byteLength === 0) return other;
	const both = new Uint8Array(one.byteLength + other.byteLength);
	both.set(one);
	both.set(other, one.byteLength);
	return both;
}

/** False for a header that isn't UTF-8. */
function isReadable(part: MultipartPart): boolean {
	try {
		return part.headers !== undefined;
	} catch {
		return false;
	}
}

/**
 * The parts of a body, in order. Anything else, or a body that breaks off, ends early.
 * @param boundary from the Content-Type
 */
export async function* multipartEvents(
	chunks: AsyncIterable<Uint8Array>,
	boundary: string,
): AsyncGenerator<PartEvent> {
	const delimiter = encoder.encode(`\r\n--${boundary}`);
	// There is no line before the first delimiter.
	let data: Uint8Array = encoder.encode("\r\n");
	let state: "before" | "delimiter" | "header" | "body" = "before";
	for await (const chunk of chunks) {
		data = concat(data, chunk);
		for (;;) {
			if (state === "delimiter") {
				if (data.byteLength < 2) break;
				if (data[0] === DASH && data[1] === DASH) return void (yield { kind: "end" });
				data = data.subarray(2);
				state = "header";
			} else if (state === "header") {
				const end = indexOf(data, HEADER_END);
				if (end === -1 && data.byteLength <= MAX_HEADER_LENGTH) break;
				if (end === -1 || end > MAX_HEADER_LENGTH) return;
				const part = new MultipartPart(data.slice(0, end), []);
				if (!isReadable(part)) return;
				yield { kind: "part", part };
				data = data.subarray(end + HEADER_END.byteLength);
				state = "body";
			} else {
				const end = indexOf(data, delimiter);
				const known = end === -1 ? withoutBeginning(data) : end;
				if (state === "body" && known > 0) yield { kind: "bytes", bytes: data.subarray(0, known) };
				data = data.subarray(end === -1 ? known : end + delimiter.byteLength);
				if (end === -1) break;
				state = "delimiter";
			}
		}
	}

	/**
	 * How many bytes are certainly content: a possible start of a delimiter waits for the next chunk.
	 */
	function withoutBeginning(bytes: Uint8Array): number {
		const from = Math.max(0, bytes.byteLength - delimiter.byteLength + 1);
		const at = bytes.indexOf(CR, from);
		return at === -1 ? bytes.byteLength : at;
	}
}
