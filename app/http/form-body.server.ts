/**
 * The forms that are posted: read part by part, every text cut to what a field of ours can hold
 * before anything else sees it. The parser tells a part's text from a file's bytes by the part's
 * own header, and never makes text of a file.
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
import { LONGEST_HEADER } from "./multipart-stream.ts";
import { isMultipart } from "./security.server.ts";

/** Fields a form may have. */
export const FIELD_LIMIT = 50;
/** Bytes of all text fields of a form together. */
export const TEXT_LIMIT = BODY_LIMIT;
/** No field of ours has a longer name; one that has is left out. */
export const LONGEST_NAME = 100;

/**
 * Why a form cannot be taken: more fields than any of ours, more text, or a sender for whom no file
 * is read.
 */
export type FormFault = "too-many-fields" | "too-much-text" | "left-out";

/** A form as far as it was read. With a fault it is only good for being shown again. */
export type FormBody = { readonly form: FormData; readonly fault: FormFault | undefined };

export const emptyForm = (): FormBody => ({ form: new FormData(), fault: undefined });

/** What a form's route allows. */
export type FormLimits = {
	readonly fields: number;
	/** Bytes of text; a form that carries a statement as text has more than others. */
	readonly text: number;
	/** Characters that a field of this name may have. */
	readonly most: (name: string) => number;
};

/**
 * The form in a body, whichever of the two ways it was sent. A body that is none is an empty form.
 */
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
 * The field that carries a statement, on the routes that take one: it is taken whole or not at all.
 */
export const STATEMENT = "csv";
const isStatement = (name: string, limits: FormLimits) =>
	name === STATEMENT && limits.text > TEXT_LIMIT;

function urlencodedForm({ bytes, isCut }: BodyRead, limits: FormLimits): FormBody {
	const form = new FormData();
	const text = new TextDecoder().decode(bytes);
	// Counted before anything is taken apart.
	if (text.split("&", limits.fields + 1).length > limits.fields)
		return { form, fault: "too-many-fields" };
	for (const [name, value] of new URLSearchParams(text)) {
		if (!isStatement(name, limits)) add(form, name, truncateForSchema(value, limits.most(name)));
		else if (!isCut) add(form, name, value);
	}
	return { form, fault: isCut ? "too-much-text" : undefined };
}

/** The text of a part, from at most so many bytes. */
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
	// A body that was cut is closed, so that what it holds up to there is seen.
	const message = isCut ? [bytes, new TextEncoder().encode(`\r\n--${boundary}--\r\n`)] : [bytes];
	const most = {
		maxHeaderSize: LONGEST_HEADER,
		maxParts: limits.fields,
		maxFileSize: FILE_BODY_LIMIT,
		maxTotalSize: FILE_BODY_LIMIT,
	};
	const parts: MultipartPart[] = [];
	try {
		for (const part of parseMultipart(message, { boundary, ...most })) {
			// Decoded here, where a header that is no text is caught.
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
	if (name !== "" && name.length <= LONGEST_NAME) form.append(name, value);
}

/**
 * A file that was cut where no file may be that long is refused for its length by whoever takes it.
 */
const isLongFile = (part: MultipartPart | undefined) =>
	part?.isFile === true && part.size > FILE_BODY_LIMIT - 2 * TEXT_LIMIT;
