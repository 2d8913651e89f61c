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

const THE_FOUR = "Please send a JPEG, PNG or WebP picture, or a PDF.";

/** What is said of every file that is refused. */
export const REFUSALS = {
	empty: "This file is empty. Please choose the receipt again.",
	tooLarge: "This file is larger than 8 MB. Please send a smaller picture or PDF.",
	tooManyPixels: "This picture has more than 100 million pixels. Please send a smaller one.",
	tooDeep:
		"This picture has 16 bits per color and more than 50 million pixels. Please save it with 8 bits per color, or send a smaller one.",
	tooLong:
		"This picture is wider or taller than 65,500 pixels, more than browsers can show. Please send a smaller one.",
	incomplete:
		"This file is incomplete: its end is missing. Please choose or take the receipt again.",
	brokenPicture: "This picture is damaged and cannot be shown. Please choose or take it again.",
	brokenPdf: "This PDF is incomplete or damaged. Please save or scan it again.",
	latePdf: "This PDF has other data before its beginning. Please save or print it as a PDF again.",
	rareJpeg:
		"Browsers cannot show this kind of JPEG. Please save it as an ordinary JPEG, or send a screenshot.",
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
	filesToday:
		"You have sent 50 receipt files today, the most for one day. Please add this receipt tomorrow.",
	bytesToday:
		"You have sent 200 MB of receipts today, the most for one day. Please add this receipt tomorrow.",
	storeDown: "This receipt cannot be stored right now. Please add it again in a moment.",
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
