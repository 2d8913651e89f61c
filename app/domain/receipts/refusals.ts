/** Why a receipt file is refused, and the message for its driver. */
import { KEY_REUSED } from "../../values/fields.ts";
import { type Refused, refused } from "../../values/outcome.ts";
import { type Answers, answersIn } from "../kernel/refusal-table.ts";
import { tooLargeSentence } from "./too-large.ts";

export type RefusalReason = "too-large" | "empty" | "unsupported" | "broken" | "too-many-pixels";
/** Why a file isn't a receipt; the message is for the driver, and its name for a URL. */
export type ReceiptRefusal = {
	readonly [Reason in RefusalReason]: Refused<
		Reason,
		{ readonly message: string; readonly words: RefusalWords }
	>;
}[RefusalReason];

const THE_FOUR = "Upload a JPEG, PNG, WebP or PDF.";

/** The messages that don't depend on settings. */
export const REFUSALS = {
	empty: "This file is empty. Choose the receipt again.",
	tooManyPixels: "This image is over 100 megapixels. Upload a smaller one.",
	tooDeep:
		"This 16-bit image is over 50 megapixels. Save it as an 8-bit image or upload a smaller one.",
	tooLong:
		"This image is wider or taller than 65,500 pixels, more than browsers can display. Upload a smaller one.",
	incomplete: "This file is incomplete. Choose the receipt or take the photo again.",
	brokenPicture: "This image is damaged. Choose the receipt or take the photo again.",
	brokenPdf: "This PDF is incomplete or damaged. Save or scan it again.",
	protectedPdf: "This PDF is protected with a password. Save it without one.",
	lockedPdf: "This PDF opens only for certain people or programs. Save it without that protection.",
	emptyPdf: "This PDF has no pages. Save or scan it again.",
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

/** What an outbox says about a file it sends again. */
const SENT_LATER = {
	filesToday: "You've reached today's limit of 50 receipts. This phone will send it tomorrow.",
	bytesToday:
		"You've reached today's limit of 200 MB of receipts. This phone will send it tomorrow.",
	storeDown: "This receipt can't be saved right now. This phone will try again.",
} as const;

/** The name of a message about a file that can be stored later. */
export type DelayCode = keyof typeof SENT_LATER;
/** The name of a message in `REFUSALS`. */
export type RefusalCode = keyof typeof REFUSALS;
/** The name of a refusal's message, for a URL. */
export type RefusalWords = RefusalCode | "tooLarge";

/** Whether a text is the name of a message. */
export const isRefusalWords = (text: string): text is RefusalWords =>
	text === "tooLarge" || Object.hasOwn(REFUSALS, text);

/**
 * A message by its name.
 * @param megabytes the limit on a file
 */
export const refusalSentence = (words: RefusalWords, megabytes: number): string =>
	words === "tooLarge" ? tooLargeSentence(megabytes) : REFUSALS[words];

/** A refusal with a message from `REFUSALS`. */
export function refusedFile(reason: RefusalReason, words: RefusalCode): ReceiptRefusal {
	return refused(reason, { message: REFUSALS[words], words }) as ReceiptRefusal;
}

/** The refusal of a file that is larger than the setting allows. */
export const fileTooLarge = (megabytes: number): ReceiptRefusal =>
	refused("too-large", { message: refusalSentence("tooLarge", megabytes), words: "tooLarge" });

const unfit = ({ message }: { readonly message: string }): Answers => ({
	status: 400,
	message,
	field: "receipt",
});

/** Why a file is not stored: because of itself, the day's quota, or the store. */
export const whyNotStored = answersIn<
	{ readonly [Reason in RefusalReason]: { readonly message: string } } & {
		readonly [Reason in "quota" | "store-down"]: { readonly words: DelayCode };
	} & { readonly "key-reused": undefined }
>({
	empty: unfit,
	unsupported: unfit,
	broken: unfit,
	"too-many-pixels": unfit,
	"too-large": (details) => ({ ...unfit(details), status: 413 }),
	"key-reused": () => ({ status: 422, message: KEY_REUSED }),
	quota: ({ words }) => ({
		status: 429,
		message: REFUSALS[words],
		retryAfter: 3600,
		onPhone: { message: SENT_LATER[words], reason: "file-later" },
	}),
	"store-down": ({ words }) => ({
		status: 503,
		message: REFUSALS[words],
		retryAfter: 10,
		onPhone: { message: SENT_LATER[words], retryAfter: 30, reason: "file-later" },
	}),
});
