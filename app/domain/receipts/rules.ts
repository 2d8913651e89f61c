/** What a receipt file may be, how many a driver may send, and the sentences a driver reads when one is refused. */
import type { MEDIA_TYPES } from "../../db/schema.ts";
import { type Refused, refused } from "../../values/outcome.ts";

export type MediaType = (typeof MEDIA_TYPES)[number];

/** The largest file, in bytes: 8 MB. */
export const MOST_BYTES = 8 * 1024 * 1024;
/**
 * The largest picture, in pixels: what a browser unpacks to 400 MB, and twice what phone cameras make by default. With 16 bits a sample
 * a pixel takes twice the memory, so a picture may have half as many.
 */
export const MOST_PIXELS = 100_000_000;
/** How many files a driver may send on one calendar date of the fleet. */
export const MOST_FILES_A_DAY = 50;
/** How much a driver may send on one calendar date of the fleet, in bytes: 200 MB. */
export const MOST_BYTES_A_DAY = 200 * 1024 * 1024;

const EXTENSIONS: Readonly<Record<MediaType, string>> = {
	"image/jpeg": "jpg",
	"image/png": "png",
	"image/webp": "webp",
	"application/pdf": "pdf",
};

/** The `accept` of a receipt's file field. It names each type: with `image/*` a phone sends HEIC, with these it converts to JPEG itself. */
export const ACCEPT = Object.keys(EXTENSIONS).join(",");

/** True for what a browser can show as a picture. */
export function isPicture(mediaType: MediaType): boolean {
	return mediaType !== "application/pdf";
}

/**
 * The name a receipt is downloaded under, `receipt-FR-000123.jpg`: ASCII letters, digits and `-` only, so that it needs no quoting anywhere.
 * @param reference the request's number, or the receipt's id while it belongs to no request
 */
export function downloadName(reference: string, mediaType: MediaType): string {
	const safe = reference.replace(/[^A-Za-z0-9-]/g, "").slice(0, 40);
	return `receipt${safe && "-"}${safe}.${EXTENSIONS[mediaType]}`;
}

export type RefusalReason = "too-large" | "empty" | "unsupported" | "broken" | "too-many-pixels";
/** Why a file is no receipt; the message is for the driver, its name in `REFUSALS` for an address. */
export type ReceiptRefusal = {
	readonly [Reason in RefusalReason]: Refused<Reason, { readonly message: string; readonly words: RefusalWords }>;
}[RefusalReason];

const THE_FOUR = "Please send a JPEG, PNG or WebP picture, or a PDF.";

/** What is said of every file that is refused. */
export const REFUSALS = {
	empty: "This file is empty. Please choose the receipt again.",
	tooLarge: "This file is larger than 8 MB. Please send a smaller picture or PDF.",
	tooManyPixels: "This picture has more than 100 million pixels. Please send a smaller one.",
	tooDeep:
		"This picture has 16 bits per color and more than 50 million pixels. Please save it with 8 bits per color, or send a smaller one.",
	tooLong: "This picture is wider or taller than 65,500 pixels, more than browsers can show. Please send a smaller one.",
	incomplete: "This file is incomplete: its end is missing. Please choose or take the receipt again.",
	brokenPicture: "This picture is damaged and cannot be shown. Please choose or take it again.",
	brokenPdf: "This PDF is incomplete or damaged. Please save or scan it again.",
	latePdf: "This PDF has other data before its beginning. Please save or print it as a PDF again.",
	rareJpeg: "Browsers cannot show this kind of JPEG. Please save it as an ordinary JPEG, or send a screenshot.",
	animated: "A moving picture cannot be a receipt. Please send a still picture or a PDF.",
	heic: `HEIC photos cannot be shown in every browser. ${THE_FOUR} On an iPhone: Settings, Camera, Formats, Most Compatible.`,
	avif: `AVIF pictures cannot be shown in every browser. ${THE_FOUR}`,
	gif: `A GIF cannot be a receipt. ${THE_FOUR}`,
	svg: `An SVG cannot be a receipt. ${THE_FOUR}`,
	html: `A web page cannot be a receipt. ${THE_FOUR}`,
	xml: `An XML file cannot be a receipt. ${THE_FOUR}`,
	tiff: `A TIFF cannot be a receipt. ${THE_FOUR}`,
	bmp: `A BMP cannot be a receipt. ${THE_FOUR}`,
	video: `A video cannot be a receipt. ${THE_FOUR}`,
	zip: `An office document or ZIP file cannot be a receipt. ${THE_FOUR}`,
	unknown: `This is no picture or PDF we know. ${THE_FOUR}`,
	filesToday: "You have sent 50 receipt files today, the most for one day. Please add this receipt tomorrow.",
	bytesToday: "You have sent 200 MB of receipts today, the most for one day. Please add this receipt tomorrow.",
	storeDown: "This receipt cannot be stored right now. Please add it again in a moment.",
} as const;

/** The name of a sentence of `REFUSALS`. */
export type RefusalWords = keyof typeof REFUSALS;

/** A refusal in the words of `REFUSALS`. */
export function refusedFile(reason: RefusalReason, words: RefusalWords): ReceiptRefusal {
	return refused(reason, { message: REFUSALS[words], words }) as ReceiptRefusal;
}

/**
 * The refusal of a picture of this size, or `undefined` when it may be stored. A side of 0 is no picture.
 * @param depth bits of a sample
 */
export function refusalOfSize(width: number, height: number, depth = 8): ReceiptRefusal | undefined {
	if (width < 1 || height < 1) return refusedFile("broken", "brokenPicture");
	if (depth > 8 && width * height * 2 > MOST_PIXELS)
		return refusedFile("too-many-pixels", width * height > MOST_PIXELS ? "tooManyPixels" : "tooDeep");
	return width * height > MOST_PIXELS ? refusedFile("too-many-pixels", "tooManyPixels") : undefined;
}
