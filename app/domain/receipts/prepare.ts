/**
 * Turns the bytes a driver sent into the receipt that is stored: identified by content, checked,
 * stripped of metadata and named.
 */
import { done, type Outcome } from "../../values/outcome.ts";
import { MAX_RECEIPT_MEGABYTES } from "../kernel/limits.ts";
import { displayFileName } from "./file-name.ts";
import { cleanJpeg } from "./jpeg.ts";
import { detectMediaType, startOfPdf } from "./media.ts";
import { pdfProblem } from "./pdf.ts";
import type { PictureOutcome } from "./picture.ts";
import { cleanPng } from "./png.ts";
import { fileTooLarge, type ReceiptRefusal, refusedFile } from "./refusals.ts";
import { bytesOf, type MediaType } from "./rules.ts";
import { cleanWebp } from "./webp.ts";

export type PreparedReceipt = {
	readonly mediaType: MediaType;
	/** What is stored: a PDF without what came before its start, a picture without metadata. */
	readonly bytes: Uint8Array;
	readonly fileName: string;
	/** Pixels as stored, before the orientation is applied; absent for a PDF. */
	readonly width?: number;
	readonly height?: number;
};

const CLEAN: Readonly<
	Record<Exclude<MediaType, "application/pdf">, (bytes: Uint8Array) => PictureOutcome>
> = {
	"image/jpeg": cleanJpeg,
	"image/png": cleanPng,
	"image/webp": cleanWebp,
};

/**
 * The receipt to store, or why the file isn't one. Handles any bytes in linear time and never
 * throws.
 * @param givenName the device's name for the file
 * @param megabytes the limit on a file, as it arrives and as it is stored
 */
export function prepareReceipt(
	bytes: Uint8Array,
	givenName: string,
	megabytes = MAX_RECEIPT_MEGABYTES,
): Outcome<PreparedReceipt, ReceiptRefusal> {
	const most = bytesOf(megabytes);
	if (bytes.length > most) return fileTooLarge(megabytes);
	const media = detectMediaType(bytes);
	if (!media.ok) return media;
	const mediaType = media.value;
	const fileName = displayFileName(givenName);
	if (mediaType === "application/pdf") {
		const pdf = bytes.subarray(startOfPdf(bytes));
		const problem = pdfProblem(pdf);
		return problem ? refusedFile("broken", problem) : done({ mediaType, bytes: pdf, fileName });
	}
	const picture = CLEAN[mediaType](bytes);
	if (!picture.ok) return picture;
	// Rewriting the orientation can add a few bytes to a file at the limit.
	if (picture.value.bytes.length > most) return fileTooLarge(megabytes);
	return done({ mediaType, fileName, ...picture.value });
}
