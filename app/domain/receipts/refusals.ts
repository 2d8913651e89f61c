/** Why a receipt file is refused, and the sentence its driver reads. */
import { type Refused, refused } from "../../values/outcome.ts";
import { type Answers, answersIn } from "../refusal-table.ts";

export type RefusalReason = "too-large" | "empty" | "unsupported" | "broken" | "too-many-pixels";
/**
 * Why a file is no receipt; the message is for the driver, its name in `REFUSALS` for an address.
 */
export type ReceiptRefusal = {
	readonly [Reason in RefusalReason]: Refused<
		Reason,
		{ readonly message: string; readonly words: RefusalWords }
	>;
}[RefusalReason];

const THE_FOUR = "Upload a JPEG, PNG, WebP or PDF.";

/** What is said of every file that is refused. */
export const REFUSALS = {
	empty: "This file is empty. Choose the receipt again.",
	tooLarge: "This file is over 8 MB. Upload a smaller image or PDF.",
	tooManyPixels: "This image is over 100 megapixels. Upload a smaller one.",
	tooDeep:
		"This 16-bit image is over 50 megapixels. Save it as an 8-bit image or upload a smaller one.",
	tooLong:
		"This image is wider or taller than 65,500 pixels, more than browsers can display. Upload a smaller one.",
	incomplete: "This file is incomplete. Choose the receipt or take the photo again.",
	brokenPicture: "This image is damaged. Choose the receipt or take the photo again.",
	brokenPdf: "This PDF is incomplete or damaged. Save or scan it again.",
	latePdf: "This PDF has extra data before it starts. Save or print it as a PDF again.",
	rareJpeg:
		"Browsers can't display this type of JPEG. Save it as a standard JPEG or upload a screenshot.",
	animated: "Animated images aren't accepted. Upload a still image or a PDF.",
	heic: `HEIC photos don't open in every browser. ${THE_FOUR} On an iPhone, go to Settings > Camera > Formats and choose Most Compatible.`,
	avif: `AVIF images don't open in every browser. ${THE_FOUR}`,
	gif: `GIF files aren't accepted. ${THE_FOUR}`,
	svg: `SVG files aren't accepted. ${THE_FOUR}`,
	html: `Web pages aren't accepted. ${THE_FOUR}`,
	xml: `XML files aren't accepted. ${THE_FOUR}`,
	tiff: `TIFF files aren't accepted. ${THE_FOUR}`,
	bmp: `BMP files aren't accepted. ${THE_FOUR}`,
	video: `Videos aren't accepted. ${THE_FOUR}`,
	zip: `Office documents and ZIP files aren't accepted. ${THE_FOUR}`,
	unknown: `Unsupported file type. ${THE_FOUR}`,
	filesToday: "You've reached today's limit of 50 receipts. Add this one tomorrow.",
	bytesToday: "You've reached today's limit of 200 MB of receipts. Add this one tomorrow.",
	storeDown: "This receipt can't be saved right now. Please try again in a moment.",
} as const;

/** The name of a sentence of `REFUSALS`. */
export type RefusalWords = keyof typeof REFUSALS;

/** A refusal in the words of `REFUSALS`. */
export function refusedFile(reason: RefusalReason, words: RefusalWords): ReceiptRefusal {
	return refused(reason, { message: REFUSALS[words], words }) as ReceiptRefusal;
}

/** What stands in the way of a file that is a receipt: the day's quota, or the store. */
export type StoringReason = RefusalReason | "quota" | "store-down";

const unfit = ({ words }: { readonly words: RefusalWords }): Answers => ({
	status: 400,
	message: REFUSALS[words],
	field: "receipt",
});

export const whyNotStored = answersIn<{
	readonly [Reason in StoringReason]: { readonly words: RefusalWords };
}>({
	empty: unfit,
	unsupported: unfit,
	broken: unfit,
	"too-many-pixels": unfit,
	"too-large": (details) => ({ ...unfit(details), status: 413 }),
	quota: ({ words }) => ({ status: 429, message: REFUSALS[words], retryAfter: 3600 }),
	"store-down": ({ words }) => ({
		status: 503,
		message: REFUSALS[words],
		retryAfter: 10,
		onPhone: { retryAfter: 30 },
	}),
});
