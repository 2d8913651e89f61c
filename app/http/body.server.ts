/** Reading bodies: never more than was asked for, whatever `Content-Length` says. */

/** Bytes a body may have unless its route and its sender allow more. */
export const BODY_LIMIT = 64 * 1024;
/** Bytes the body of a route that takes a receipt may have: the largest file and its form. */
export const FILE_BODY_LIMIT = 9 * 1024 * 1024;
/**
 * How much of a refused body is read and thrown away, so that its sender hears the answer and can
 * use the connection again.
 */
export const DRAIN_LIMIT = 1024 * 1024;
/**
 * The same of a form: a phone's photos and scans, which may be sent where or when none can be
 * taken.
 */
export const FORM_DRAIN_LIMIT = 64 * 1024 * 1024;

/** The beginning of a body, and whether there is more. */
export type BodyRead = { readonly bytes: Uint8Array<ArrayBuffer>; readonly isCut: boolean };

/** A body that is read in steps: how much is taken can be decided after its beginning was seen. */
export class BodyReader {
	readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
	#chunks: Uint8Array[] = [];
	#size = 0;
	#isDone = false;

	constructor({ body }: Pick<Request, "body">) {
		this.#reader = body?.getReader();
	}

	async #next(): Promise<Uint8Array | undefined> {
		const part = await this.#reader?.read();
		if (part && !part.done) {
			this.#size += part.value.byteLength;
			return part.value;
		}
		this.#isDone = true;
		return undefined;
	}

	/** The body's first bytes, at most `limit`; asked again with a higher limit it reads on. */
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

	/** The body from its beginning, chunk by chunk; nothing is kept. */
	async *chunks(): AsyncGenerator<Uint8Array> {
		const read = this.#chunks;
		this.#chunks = [];
		yield* read;
		while (!this.#isDone) {
			const chunk = await this.#next();
			if (chunk) yield chunk;
		}
	}

	/** Reads on to the end and keeps nothing; a body of more than `limit` bytes is broken off. */
	async drain(limit: number): Promise<void> {
		this.#chunks = [];
		while (!this.#isDone) {
			if (this.#size > limit) return this.#reader?.cancel();
			await this.#next();
		}
	}
}

/**
 * The whole body, or `undefined` when it is larger than `limit` bytes; what is too much is read up
 * to a megabyte and thrown away.
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
