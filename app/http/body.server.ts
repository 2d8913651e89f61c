/** Reads bodies up to a limit, whatever `Content-Length` says. */

/** The limit in bytes, unless the route and the sender allow more. */
export const BODY_LIMIT = 64 * 1024;
/** The limit on routes that accept a receipt: the largest file plus its form. */
export const FILE_BODY_LIMIT = 9 * 1024 * 1024;
/**
 * How much of a refused body is read and discarded, so that the sender gets the response and can
 * reuse the connection.
 */
const DRAIN_LIMIT = 1024 * 1024;
/** The same for a form, whose photos and scans a phone may send even where no file is accepted. */
export const FORM_DRAIN_LIMIT = 64 * 1024 * 1024;

/** The connection ended before its body did, which phones in dead zones do all day: no fault. */
export class BrokenBody extends Error {}

/** The beginning of a body, and whether there is more. */
export type BodyRead = { readonly bytes: Uint8Array<ArrayBuffer>; readonly isCut: boolean };

/** Reads a body in steps, so that the limit can depend on its beginning. */
export class BodyReader {
	readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
	#chunks: Uint8Array[] = [];
	#size = 0;
	#isDone = false;

	constructor({ body }: Pick<Request, "body">) {
		this.#reader = body?.getReader();
	}

	async #next(): Promise<Uint8Array | undefined> {
		const part = await this.#reader?.read().catch((error: unknown) => {
			throw new BrokenBody("the body broke off", { cause: error });
		});
		if (part && !part.done) {
			this.#size += part.value.byteLength;
			return part.value;
		}
		this.#isDone = true;
		return undefined;
	}

	/** The body's first bytes, up to `limit`; a second call with a higher limit continues. */
	async first(limit: number): Promise<BodyRead> {
		while (!this.#isDone && this.#size <= limit) {
			const chunk = await this.#next();
			if (chunk) this.#chunks.push(chunk);
		}
		const bytes = new Uint8Array(Math.min(this.#size, limit));
		let offset = 0;
		for (const chunk of this.#chunks) {
			if (offset === bytes.byteLength) break;
			const piece = chunk.subarray(0, bytes.byteLength - offset);
			bytes.set(piece, offset);
			offset += piece.byteLength;
		}
		return { bytes, isCut: this.#size > limit };
	}

	/** The body from its beginning, chunk by chunk, without keeping it. */
	async *chunks(): AsyncGenerator<Uint8Array> {
		const read = this.#chunks;
		this.#chunks = [];
		yield* read;
		while (!this.#isDone) {
			const chunk = await this.#next();
			if (chunk) yield chunk;
		}
	}

	/** Reads to the end and discards everything; a body of more than `limit` bytes is cancelled. */
	async drain(limit: number): Promise<void> {
		this.#chunks = [];
		while (!this.#isDone) {
			if (this.#size > limit) return this.#reader?.cancel();
			await this.#next();
		}
	}
}

/**
 * The complete body, or `undefined` if it is larger than `limit` bytes; then up to a megabyte is
 * read in all, so that a browser whose body isn't much larger sees the answer.
 */
export async function readBodyWithin(
	request: Pick<Request, "headers" | "body">,
	limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
	if (Number(request.headers.get("Content-Length") ?? 0) > limit) return undefined;
	const reader = new BodyReader(request);
	const { bytes, isCut } = await reader.first(limit);
	if (!isCut) return bytes;
	await reader.drain(Math.max(limit, DRAIN_LIMIT));
	return undefined;
}
