/** The limits of receipt files, and how many a driver may send. */
import type { MEDIA_TYPES } from "../../db/schema.ts";
import { MAX_RECEIPT_MEGABYTES } from "../kernel/limits.ts";
import { refusedFile as fileRefusal, type ReceiptRefusal } from "./refusals.ts";

export type MediaType = (typeof MEDIA_TYPES)[number];

const MEGABYTE = 1024 * 1024;
/** In bytes. */
export const MAX_BYTES = MAX_RECEIPT_MEGABYTES * MEGABYTE;
/** The bytes of a limit in megabytes. */
export const bytesOf = (megabytes: number) => megabytes * MEGABYTE;
/**
 * The largest picture, in pixels: a browser decodes it to 400 MB, and it is twice what phone
 * cameras make by default. With 16 bits per sample a pixel takes twice the memory, so such a
 * picture may have half as many.
 */
export const MAX_PIXELS = 100_000_000;
/** How much a driver may send on one calendar date of the fleet, in bytes: 200 MB. */
export const MAX_BYTES_PER_DAY = 200 * 1024 * 1024;

const EXTENSIONS: Readonly<Record<MediaType, string>> = {
	"image/jpeg": "jpg",
	"image/png": "png",
	"image/webp": "webp",
	"application/pdf": "pdf",
};

/**
 * The `accept` of a receipt's file field. It names each type: with `image/*` a phone sends HEIC,
 * with these it converts to JPEG itself.
 */
export const ACCEPT = Object.keys(EXTENSIONS).join(",");

/** Whether a browser can show it as an image. */
export function isPicture(mediaType: MediaType): boolean {
	return mediaType !== "application/pdf";
}

/**
 * The name a receipt is downloaded under, `receipt-FR-000123.jpg`: ASCII letters, digits and `-`
 * only, so that it needs no quoting anywhere.
 * @param reference the request's number, or the receipt's id while it has no request
 */
export function downloadName(reference: string, mediaType: MediaType): string {
	const safe = reference.replace(/[^A-Za-z0-9-]/g, "").slice(0, 40);
	return `receipt${safe && "-"}${safe}.${EXTENSIONS[mediaType]}`;
}

/**
 * The refusal of a picture of this size, or `undefined` if it may be stored. A side of 0 isn't a
 * picture.
 * @param depth bits per sample
 */
export function checkPictureSize(
	width: number,
	height: number,
	depth = 8,
): ReceiptRefusal | undefined {
	if (width < 1 || height < 1) return fileRefusal("broken", "brokenPicture");
	if (depth > 8 && width * height * 2 > MAX_PIXELS)
		return fileRefusal(
			"too-many-pixels",
			width * height > MAX_PIXELS ? "tooManyPixels" : "tooDeep",
		);
	return width * height > MAX_PIXELS ? fileRefusal("too-many-pixels", "tooManyPixels") : undefined;
}
