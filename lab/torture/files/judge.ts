/** Checks that a stored file opens as its declared type and as nothing else. */
import sharp from "sharp";
import { prepareReceipt } from "../../../app/domain/receipts/prepare.ts";
import { MAX_BYTES, MAX_PIXELS } from "../../../app/domain/receipts/rules.ts";
import { tracesIn } from "../../../tests/receipts/metadata.ts";

const SIGNATURES: Readonly<Record<string, (beginning: Buffer) => boolean>> = {
	"image/jpeg": (bytes) => bytes.readUIntBE(0, 3) === 0xffd8ff,
	"image/png": (bytes) => bytes.toString("latin1", 1, 4) === "PNG",
	"image/webp": (bytes) =>
		bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP",
	"application/pdf": (bytes) => bytes.toString("latin1", 0, 5) === "%PDF-",
};
const FORMATS: Readonly<Record<string, string>> = {
	jpeg: "image/jpeg",
	png: "image/png",
	webp: "image/webp",
};

/** The fault of a stored file; undefined if it is good. */
export async function findFault(
	stored: Uint8Array,
	mediaType: string,
	sent: Uint8Array,
	isGenuine: boolean,
): Promise<string | undefined> {
	if (!SIGNATURES[mediaType]?.(Buffer.from(stored.subarray(0, 16))))
		return `called ${mediaType}, begins otherwise`;
	if (stored.byteLength > MAX_BYTES) return "too large";
	if (mediaType === "application/pdf")
		// Without anything before its start.
		return Buffer.from(stored).equals(sent.subarray(-stored.byteLength)) &&
			sent.byteLength - stored.byteLength <= 1024
			? undefined
			: "a PDF that was changed";
	// In damaged files, what used to be metadata may have become part of the image.
	const traces = isGenuine ? tracesIn(stored) : [];
	if (traces.length > 0) return `traces: ${traces.join(", ")}`;
	const again = prepareReceipt(stored, "again");
	if (!again.ok || !Buffer.from(again.value.bytes).equals(stored))
		return "not clean after cleaning";
	// A second opinion from another reader, as far as it can read damaged files.
	const seen = await sharp(stored, { limitInputPixels: false })
		.metadata()
		.catch(() => undefined);
	if (!seen) return undefined;
	if (FORMATS[seen.format] !== mediaType) return `called ${mediaType}, opens as ${seen.format}`;
	return seen.width * seen.height > MAX_PIXELS ? "too many pixels" : undefined;
}
