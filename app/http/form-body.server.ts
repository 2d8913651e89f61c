/**
 * Parses posted forms part by part, and cuts every text to what its field can hold before anything
 * else sees it. The parser distinguishes text from files by each part's own header, and never
 * decodes a file.
 */
import {
	getMultipartBoundary,
	MaxHeaderSizeExceededError,
	MaxPartsExceededError,
	type MultipartPart,
	parseMultipart,
} from "@remix-run/multipart-parser";
import { truncateForSchema } from "../values/fields.ts";
import { BODY_LIMIT, type BodyRead, FILE_BODY_LIMIT } from "./body.server.ts";
import { MAX_HEADER_LENGTH } from "./multipart-stream.ts";
import { isMultipart } from "./security.server.ts";

/** The maximum number of fields. */
export const FIELD_LIMIT = 50;
/** The maximum size of all text fields together, in bytes. */
export const TEXT_LIMIT = BODY_LIMIT;
/** None of our fields has a longer name; fields that do are ignored. */
export const MAX_NAME_LENGTH = 100;

/**
 * Why a form can't be accepted: too many fields, too much text, or a sender whose file isn't read.
 */
export type FormFault = "too-many-fields" | "too-much-text" | "left-out";

/** A form as far as it was read. With a fault it can only be shown again. */
export type FormBody = { readonly form: FormData; readonly fault: FormFault | undefined };

export const emptyForm = (): FormBody => ({ form: new FormData(), fault: undefined });

/** What the form's route allows. */
export type FormLimits = {
	readonly fields: number;
	/** Bytes of text; higher for a form that carries a statement as text. */
	readonly text: number;
	/** The maximum length of a field with this name. */
	readonly most: (name: string) => number;
};

/** The form in a body, in either encoding. Anything else is an empty form. */
export function parseFormBody(
	read: BodyRead,
	contentType: string | null,
	limits: FormLimits,
): FormBody {
	return isMultipart(contentType)
		? multipartForm(read, contentType ?? "", limits)
		: urlencodedForm(read, limits);
}

/**
 * The field that carries a statement, where the route accepts one. It is kept complete or not at
 * all.
 */
export const STATEMENT = "csv";
const isStatement = (name: string, limits: FormLimits) =>
	name === STATEMENT && limits.text > TEXT_LIMIT;

function urlencodedForm({ bytes, isCut }: BodyRead, limits: FormLimits): FormBody {
	const form = new FormData();
	const text = new TextDecoder().decode(bytes);
	// Counted before anything is parsed.
	if (text.split("&", limits.fields + 1).length > limits.fields)
		return { form, fault: "too-many-fields" };
	for (const [name, value] of new URLSearchParams(text)) {
		if (!isStatement(name, limits)) add(form, name, truncateForSchema(value, limits.most(name)));
		else if (!isCut) add(form, name, value);
	}
	return { form, fault: isCut ? "too-much-text" : undefined };
}

/** A part's text, from at most this many bytes. */
function textOf(part: MultipartPart, most: number): string {
	const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	let left = most;
	let text = "";
	for (const chunk of part.content) {
		const piece = chunk.subarray(0, left);
		text += decoder.decode(piece, { stream: true });
		left -= piece.byteLength;
	}
	return text + decoder.decode();
}

function multipartForm(
	{ bytes, isCut }: BodyRead,
	contentType: string,
	limits: FormLimits,
): FormBody {
	const form = new FormData();
	const boundary = getMultipartBoundary(contentType);
	if (!boundary) return { form, fault: undefined };
	// A body that was cut is given an end, so that its contents up to the cut are seen.
	const message = isCut ? [bytes, new TextEncoder().encode(`\r\n--${boundary}--\r\n`)] : [bytes];
	const most = {
		maxHeaderSize: MAX_HEADER_LENGTH,
		maxParts: limits.fields,
		maxFileSize: FILE_BODY_LIMIT,
		maxTotalSize: FILE_BODY_LIMIT,
	};
	const parts: MultipartPart[] = [];
	try {
		for (const part of parseMultipart(message, { boundary, ...most })) {
			// Decoded here, to catch a header that isn't text.
			if (part.headers) parts.push(part);
		}
	} catch (error) {
		if (error instanceof MaxPartsExceededError) return { form, fault: "too-many-fields" };
		if (error instanceof MaxHeaderSizeExceededError) return { form, fault: "too-much-text" };
		if (!isCut) return { form, fault: undefined };
	}
	let textSize = 0;
	for (const [position, part] of parts.entries()) {
		const { name = "" } = part;
		if (part.isFile) {
			add(form, name, fileOf(part));
			continue;
		}
		textSize += part.size;
		const isWhole = part.size <= limits.text && !(isCut && position === parts.length - 1);
		if (!isStatement(name, limits))
			add(form, name, truncateForSchema(textOf(part, TEXT_LIMIT), limits.most(name)));
		else if (isWhole) add(form, name, textOf(part, part.size));
	}
	return {
		form,
		fault:
			textSize > limits.text || (isCut && !isLongFile(parts.at(-1))) ? "too-much-text" : undefined,
	};
}

const fileOf = (part: MultipartPart) =>
	new File(part.content as Uint8Array<ArrayBuffer>[], part.filename ?? "", {
		type: part.mediaType ?? "",
	});

function add(form: FormData, name: string, value: string | File): void {
	if (name !== "" && name.length <= MAX_NAME_LENGTH) form.append(name, value);
}

/** A cut file is longer than any allowed file, so its size gets it refused. */
const isLongFile = (part: MultipartPart | undefined) =>
	part?.isFile === true && part.size > FILE_BODY_LIMIT - 2 * TEXT_LIMIT;
