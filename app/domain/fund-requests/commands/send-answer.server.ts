import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { DriverContext } from "../../kernel/context.ts";
import type { UploadRefusal } from "../../receipts/upload.server.ts";
import { type ReceiptNotAllowed, storeUploadFor } from "../../receipts/upload.server.ts";
import type { AnswerForm } from "../input.ts";
import type { RequestWithPeople } from "../json.ts";
import { type AddReceiptRefusal, addReceipt } from "./add-receipt.server.ts";
import { type MessageRefusal, writeAboutRequest } from "./message.server.ts";

/** Why the receipt of an answer isn't on its request. */
export type UnstoredReceipt = UploadRefusal | ReceiptNotAllowed | AddReceiptRefusal;
export type SentAnswer = {
	/** The number of the request. */
	readonly number: number;
	/** The same answer was stored before; this is its result. */
	readonly isReplay: boolean;
	/** The text was stored, but not the receipt. */
	readonly unstored: UnstoredReceipt | undefined;
};
export type AnswerRefusal =
	| MessageRefusal
	| UnstoredReceipt
	| Refused<"empty">
	/** The request was decided, so that it takes no more text, but its receipt was added. */
	| Refused<"only-receipt", RequestWithPeople>;

/**
 * Sends an answer to a question about one's own request: text, the receipt, or both. The text never
 * waits for the receipt.
 * @param capturedAt when the phone captured it, if it waited there
 */
export async function sendAnswer(
	driver: DriverContext,
	bucket: R2Bucket,
	{ requestId, text, key }: AnswerForm,
	file: File | undefined,
	source: "form" | "outbox",
	capturedAt?: number,
): Promise<Outcome<SentAnswer, AnswerRefusal>> {
	if (!text && !file) return refused("empty");
	const upload = file && (await storeUploadFor(requestId, bucket, driver, file));
	// The phone still has both, so what can't be stored now is sent again.
	if (source === "outbox" && upload && !upload.ok && upload.reason === "store-down") return upload;
	const written =
		text && (await writeAboutRequest(driver, requestId, { text, key }, source, capturedAt));
	if (written && !written.ok && written.reason !== "not-pending") return written;
	const added = upload && (upload.ok ? await addReceipt(driver, requestId, upload.value) : upload);
	// A decided request takes no more text, but may still lack its receipt.
	if (written && !written.ok) return added?.ok ? refused("only-receipt", written.details) : written;
	const unstored = added && !added.ok ? added : undefined;
	if (written) {
		const { number, isReplay } = written.value;
		return done({ number, isReplay, unstored });
	}
	if (unstored) return unstored;
	return added?.ok
		? done({ number: added.value.number, isReplay: false, unstored })
		: refused("empty");
}
