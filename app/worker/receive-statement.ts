/**
 * Receives a form with a statement: the file is streamed into the file store in parts, and its few
 * fields are read like those of any form.
 */
import { getMultipartBoundary, type MultipartPart } from "@remix-run/multipart-parser";
import { displayFileName } from "../domain/receipts/file-name.ts";
import { fileKey, ObjectWriter, type Upload } from "../domain/statements/object-writer.server.ts";
import { DEFAULT_FILE_NAME, MAX_STATEMENT_BYTES } from "../domain/statements/rules.ts";
import type { BodyReader } from "../http/body.server.ts";
import {
	type FormBody,
	type FormLimits,
	MAX_NAME_LENGTH,
	STATEMENT,
} from "../http/form-body.server.ts";
import { multipartEvents } from "../http/multipart-stream.ts";
import { describeError } from "../values/describe-error.ts";
import { truncateForSchema } from "../values/fields.ts";

/** The name of the file's field. */
const FILE = "file";

/** The field being read. */
type Field = { readonly name: string; readonly chunks: Uint8Array[]; isCut: boolean };

/** Reads the form and stores its first file. */
export async function receiveStatement(
	reader: BodyReader,
	contentType: string,
	limits: FormLimits,
	bucket: R2Bucket,
): Promise<{ form: FormBody; upload: Upload | undefined }> {
	const fields: Field[] = [];
	let textSize = 0;
	let parts = 0;
	let isWhole = false;
	let file: StatementFile | undefined;
	let take: ((bytes: Uint8Array) => Promise<void> | void) | undefined;
	const boundary = getMultipartBoundary(contentType) ?? "";
	try {
		for await (const event of multipartEvents(reader.chunks(), boundary)) {
			if (event.kind === "end") isWhole = true;
			else if (event.kind === "bytes") await take?.(event.bytes);
			else {
				parts += 1;
				if (parts > limits.fields) break;
				const { name = "", isFile } = event.part;
				take = undefined;
				if (isFile && name === FILE && !file) {
					const begun = new StatementFile(bucket, event.part);
					file = begun;
					take = (bytes) => begun.write(bytes);
				} else if (!isFile && name !== "" && name.length <= MAX_NAME_LENGTH) {
					const field: Field = { name, chunks: [], isCut: false };
					fields.push(field);
					take = (bytes) => {
						textSize += bytes.byteLength;
						if (textSize > mostText(limits)) field.isCut = true;
						else field.chunks.push(bytes.slice());
					};
				}
			}
		}
	} catch (error) {
		// What was stored isn't a statement.
		await file?.finish(false);
		throw error;
	}
	const form = new FormData();
	for (const { name, chunks, isCut } of fields) {
		// A statement sent as text is accepted complete or not at all.
		if (isCut && name === STATEMENT) continue;
		const text = decodeText(chunks);
		form.append(name, name === STATEMENT ? text : truncateForSchema(text, limits.most(name)));
	}
	const isTooMuch = textSize > mostText(limits);
	const fault = parts > limits.fields ? "too-many-fields" : isTooMuch ? "too-much-text" : undefined;
	return { form: { form, fault }, upload: await file?.finish(isWhole && !fault) };
}

/** The form may also say who a statement's drivers are, or include a small statement as text. */
const mostText = ({ text, most }: FormLimits) => Math.max(text, most("drivers"));

function decodeText(chunks: readonly Uint8Array[]): string {
	const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
}

/** Stores the file as it arrives, up to the size limit of a statement. */
class StatementFile {
	readonly #id = crypto.randomUUID();
	readonly #fileName: string;
	readonly #isNamed: boolean;
	readonly #writer: ObjectWriter;
	#state: "open" | "too-large" | "lost" = "open";
	#reason = "the form broke off";

	constructor(bucket: R2Bucket, part: MultipartPart) {
		this.#isNamed = Boolean(part.filename);
		this.#fileName = displayFileName(part.filename || DEFAULT_FILE_NAME);
		this.#writer = new ObjectWriter(bucket, fileKey(this.#id));
	}

	async write(bytes: Uint8Array): Promise<void> {
		if (this.#state !== "open") return;
		if (this.#writer.size + bytes.byteLength > MAX_STATEMENT_BYTES) return this.#end("too-large");
		await this.#writer.write(bytes).catch((error) => this.#fail(error));
	}

	/** Undefined if no file was chosen. */
	async finish(isWhole: boolean): Promise<Upload | undefined> {
		if (this.#writer.size === 0 && !this.#isNamed) return undefined;
		if (this.#state === "open" && !isWhole) await this.#end("lost");
		if (this.#state === "open") {
			const written = await this.#writer.finish().catch((error) => this.#fail(error));
			if (written) return { kind: "stored", id: this.#id, fileName: this.#fileName, ...written };
		}
		return this.#state === "too-large"
			? { kind: "too-large" }
			: { kind: "lost", reason: this.#reason };
	}

	async #fail(error: unknown): Promise<undefined> {
		this.#reason = describeError(error);
		await this.#end("lost");
	}

	async #end(state: "too-large" | "lost"): Promise<void> {
		this.#state = state;
		await this.#writer.abort();
	}
}
