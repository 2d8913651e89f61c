/**
 * Writes an object of the file store while its bytes arrive: in parts of five megabytes, so that at
 * most one is in memory. An object that fits into one part is stored at once.
 */

/** The smallest part that R2 accepts, except for the last one; all but the last have this size. */
const PART_BYTES = 5 * 1024 * 1024;

/** A statement that the Worker has streamed into the file store. */
export type Upload =
	| ({ readonly kind: "stored"; readonly id: string; readonly fileName: string } & Written)
	| { readonly kind: "too-large" }
	/** The body broke off, or the file store is down. */
	| { readonly kind: "lost"; readonly reason: string };

export type Written = {
	readonly size: number;
	/** The file store's hash of the content; identical content has the same one. */
	readonly contentTag: string;
};

/** Where a statement's file waits, and where its parsed lines do. */
export const fileKey = (id: string) => `s/${id}/file`;
export const readingKey = (id: string) => `s/${id}/reading`;

export class ObjectWriter {
	readonly #bucket: R2Bucket;
	readonly #key: string;
	#buffer = new Uint8Array(64 * 1024);
	#filled = 0;
	#size = 0;
	#upload: R2MultipartUpload | undefined;
	readonly #parts: R2UploadedPart[] = [];

	constructor(bucket: R2Bucket, key: string) {
		this.#bucket = bucket;
		this.#key = key;
	}

	/** Bytes written so far. */
	get size(): number {
		return this.#size;
	}

	/** Copies the bytes, so that the caller may reuse them. */
	async write(bytes: Uint8Array): Promise<void> {
		for (let at = 0; at < bytes.byteLength; ) {
			const piece = bytes.subarray(at, at + PART_BYTES - this.#filled);
			this.#makeRoom(this.#filled + piece.byteLength);
			this.#buffer.set(piece, this.#filled);
			this.#filled += piece.byteLength;
			at += piece.byteLength;
			if (this.#filled === PART_BYTES) await this.#sendPart();
		}
		this.#size += bytes.byteLength;
	}

	/** Completes the object. */
	async finish(): Promise<Written> {
		if (!this.#upload) {
			const content = this.#buffer.subarray(0, this.#filled);
			const object = await this.#bucket.put(this.#key, content);
			if (!object) throw new Error(`${this.#key} was not stored`);
			return { size: this.#size, contentTag: object.etag };
		}
		if (this.#filled > 0) await this.#sendPart();
		const object = await this.#upload.complete(this.#parts);
		return { size: this.#size, contentTag: object.etag };
	}

	/** Cleans up; if that fails as well, the store discards the parts after a week. */
	async abort(): Promise<void> {
		await this.#upload?.abort().catch(() => undefined);
	}

	#makeRoom(bytes: number): void {
		if (bytes <= this.#buffer.byteLength) return;
		const larger = new Uint8Array(Math.min(PART_BYTES, Math.max(bytes, 2 * this.#filled)));
		larger.set(this.#buffer.subarray(0, this.#filled));
		this.#buffer = larger;
	}

	async #sendPart(): Promise<void> {
		this.#upload ??= await this.#bucket.createMultipartUpload(this.#key);
		const part = this.#buffer.subarray(0, this.#filled);
		this.#parts.push(await this.#upload.uploadPart(this.#parts.length + 1, part));
		this.#filled = 0;
	}
}
