/** POST /api/outbox/requests: a fund request that waited on a phone, with its receipt. A file that cannot be taken never stands in its way. */

import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { asDriver } from "../auth/guard.server.ts";
import { checkSender } from "../auth/sender.server.ts";
import { type SubmitRefusal, submitRequest } from "../domain/fund-requests/commands/submit.server.ts";
import { submitRequestInput } from "../domain/fund-requests/input.ts";
import { receivedRequest } from "../domain/fund-requests/rules.ts";
import { REFUSALS } from "../domain/receipts/rules.ts";
import { storeUpload } from "../domain/receipts/upload.server.ts";
import { fileOf } from "../http/form.server.ts";
import { capturedAt, entryOf, nothingToAmend, taken } from "../http/outbox.server.ts";
import { apiRefusal } from "../http/refusal.ts";
import { NO_SUCH_RECEIPT, NOT_TO_REPLACE, SENT_WITH_OTHER_VALUES } from "../messages.ts";
import { refusedRequest } from "./api.fund-requests/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { context } = args;
	const { driver } = await asDriver(args);
	await checkSender(context, driver);
	const input = await entryOf(context, submitRequestInput);
	const chosen = await fileOf(context, ["receipt"]);
	const upload = chosen && (await storeUpload(context.env.RECEIPTS, driver, chosen, input.key));
	// The phone still has the file: what the store could not take now, it can bring again.
	if (upload && !upload.ok && upload.reason === "store-down")
		return apiRefusal(503, upload.details.message, undefined, { "Retry-After": "30" });
	const file = upload?.ok ? upload.value : undefined;
	const outcome = await submitRequest(driver, input, "outbox", file, capturedAt(args.request, context.now));
	if (!outcome.ok) return refusedEntry(outcome);
	const { request, isReplay, quota } = outcome.value;
	const unstored = quota ?? (upload && !upload.ok ? upload.details.words : undefined);
	const words = receivedRequest(request, driver);
	return taken(unstored ? `${words}. The file is not stored: ${REFUSALS[unstored]}` : words, isReplay);
}

function refusedEntry(refusal: SubmitRefusal): Response {
	// A person reads it on his phone: what he can do about it, not what a program did wrong.
	if (refusal.reason === "key-reused") return apiRefusal(409, SENT_WITH_OTHER_VALUES);
	if (refusal.reason === "not-to-replace") return nothingToAmend(NOT_TO_REPLACE);
	return refusal.reason === "no-such-receipt" ? apiRefusal(409, NO_SUCH_RECEIPT) : refusedRequest(refusal);
}
