/** A file's type, by its leading bytes only: its name and declared type are just claims. */
import { done, type Outcome } from "../../values/outcome.ts";
import { hasTag, nameAt, textAt } from "./bytes.ts";
import { type REFUSALS, type ReceiptRefusal, refusedFile } from "./refusals.ts";
import type { MediaType } from "./rules.ts";

const PDF_START = "%PDF-";
/** How each accepted type starts; a character is a byte, and `?` in WebP's length is any byte. */
const SIGNATURES: readonly (readonly [MediaType, string])[] = [
	["image/jpeg", "\xff\xd8\xff"],
	["image/png", "\x89PNG\r\n\x1a\n"],
	["image/webp", "RIFF????WEBP"],
	["application/pdf", PDF_START],
];

/** How many leading bytes are checked for types that aren't accepted. */
const LOOKED_AT = 4096;
/** How many bytes may come before a PDF, which readers skip and which aren't stored. */
const MAX_BEFORE_PDF = 1024;

/** Where a PDF starts: past what a download or an email put before it. -1 if it isn't one. */
export function startOfPdf(bytes: Uint8Array): number {
	return textAt(bytes, 0, MAX_BEFORE_PDF + PDF_START.length).indexOf(PDF_START);
}

function beginsWith(bytes: Uint8Array, beginning: string): boolean {
	const length = Math.min(bytes.length, beginning.length);
	for (let at = 0; at < length; at++) {
		const expected = beginning.charCodeAt(at);
		if (expected !== 0x3f && bytes[at] !== expected) return false;
	}
	return true;
}

/** The type of an accepted file, or why it isn't accepted. */
export function detectMediaType(bytes: Uint8Array): Outcome<MediaType, ReceiptRefusal> {
	if (bytes.length === 0) return refusedFile("empty", "empty");
	for (const [mediaType, beginning] of SIGNATURES) {
		if (!beginsWith(bytes, beginning)) continue;
		// A file that ends within a type's signature was cut off.
		return bytes.length < beginning.length ? refusedFile("broken", "incomplete") : done(mediaType);
	}
	const kind = detectUnsupportedKind(bytes);
	if (kind === "latePdf" && startOfPdf(bytes) > 0) return done("application/pdf");
	return refusedFile("unsupported", kind);
}

const HEIC_BRANDS = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"];
const AVIF_BRANDS = ["avif", "avis"];

/** The type of a rejected file, where naming it helps the driver. */
function detectUnsupportedKind(bytes: Uint8Array): keyof typeof REFUSALS {
	if (hasTag(bytes, 4, "ftyp")) {
		const brand = nameAt(bytes, 8);
		if (AVIF_BRANDS.includes(brand)) return "avif";
		return HEIC_BRANDS.includes(brand) ? "heic" : "video";
	}
	if (hasTag(bytes, 0, "GIF8")) return "gif";
	if (hasTag(bytes, 0, "II*\0") || hasTag(bytes, 0, "MM\0*")) return "tiff";
	if (hasTag(bytes, 0, "BM") && hasTag(bytes, 6, "\0\0\0\0")) return "bmp";
	if (hasTag(bytes, 0, "PK\x03\x04") || hasTag(bytes, 0, "\xd0\xcf\x11\xe0")) return "zip";
	if (hasTag(bytes, 0, "\x1aE\xdf\xa3") || (hasTag(bytes, 0, "RIFF") && hasTag(bytes, 8, "AVI ")))
		return "video";
	return otherText(textAt(bytes, 0, LOOKED_AT));
}

function otherText(beginning: string): keyof typeof REFUSALS {
	// UTF-16 becomes readable without its zero bytes; a byte order mark and spaces may precede the
	// first tag.
	const text = beginning
		.replaceAll("\0", "")
		.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "")
		.trimStart()
		.toLowerCase();
	if (text.startsWith("<")) {
		if (text.startsWith("<!doctype html") || text.startsWith("<html")) return "html";
		if (text.includes("<svg")) return "svg";
		if (text.startsWith("<?xml") || text.startsWith("<!doctype")) return "xml";
		return "html";
	}
	return beginning.includes(PDF_START) ? "latePdf" : "unknown";
}
