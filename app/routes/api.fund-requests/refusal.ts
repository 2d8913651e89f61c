/** How a call is told that a request is not taken; the phone's outbox is told most of it the same. */

import type { SubmitRefusal } from "../../domain/fund-requests/commands/submit.server.ts";
import { apiRefusal } from "../../http/refusal.ts";
import { NOT_TO_REPLACE, RECEIPT_ON_OTHER, TOO_MANY_REQUESTS } from "../../messages.ts";
import { KEY_REUSED } from "../../values/fields.ts";

export function refusedRequest(refusal: SubmitRefusal): Response {
	switch (refusal.reason) {
		case "key-reused":
			return apiRefusal(422, KEY_REUSED);
		case "too-many":
			return apiRefusal(429, TOO_MANY_REQUESTS, undefined, { "Retry-After": "600" });
		case "no-such-receipt":
			return apiRefusal(400, RECEIPT_ON_OTHER, { receiptUrl: [RECEIPT_ON_OTHER] });
		case "not-to-replace":
			return apiRefusal(409, NOT_TO_REPLACE);
		case "ask-again":
			throw new Error("neither a call nor an outbox is asked to confirm");
	}
}
