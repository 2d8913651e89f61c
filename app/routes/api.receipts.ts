/**
 * POST /api/receipts: a receipt sent before its request, as the multipart field `receipt` or
 * `file`.
 */

import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../auth/guard.server.ts";
import { receiptUrlOf } from "../domain/fund-requests/input.ts";
import { saveReceiptRow } from "../domain/receipts/commands/keep.server.ts";
import { whyNotStored } from "../domain/receipts/refusals.ts";
import { storeUploadAlone } from "../domain/receipts/upload.server.ts";
import { uploadedFile } from "../http/form.server.ts";
import { createdResponse, idempotencyKey } from "../http/json.server.ts";
import { apiRefusal, refusedCall } from "../http/refusal.ts";
import { isMultipart } from "../http/security.server.ts";
import { refused } from "../values/outcome.ts";

const FIELDS = ["receipt", "file"] as const;

/** Stores a file for a later request. */
export async function action(args: ActionFunctionArgs) {
	const { driver } = await requireDriver(args);
	if (!isMultipart(args.request.headers.get("Content-Type")))
		throw apiRefusal(415, "Send the file as multipart/form-data, in a field named receipt.");
	const key = idempotencyKey(args.request);
	const file = await uploadedFile(args.context, FIELDS);
	if (!file)
		throw apiRefusal(400, "Send the file in a field named receipt.", { receipt: ["is missing"] });
	const stored = await storeUploadAlone(args.context.env.RECEIPTS, driver, file, key);
	if (!stored.ok) throw refusedCall(whyNotStored(stored, driver));
	const kept = await saveReceiptRow(driver, stored.value);
	if (!kept.ok) throw refusedCall(whyNotStored(kept, driver));
	const { row, isReplay } = kept.value;
	// Another file was stored under the same key at the same moment.
	if (row.sha256 !== stored.value.sha256)
		throw refusedCall(whyNotStored(refused("key-reused"), driver));
	const { id, fileName, mediaType, byteSize } = row;
	const receipt = { id, receiptUrl: receiptUrlOf(id), fileName, mediaType, byteSize };
	return createdResponse(receipt, isReplay);
}
