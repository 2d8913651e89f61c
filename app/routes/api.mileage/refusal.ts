/** How a call is told that a trip is not taken; the phone's outbox is told the same. */

import type { MileageRefusal } from "../../domain/mileage/commands/log.server.ts";
import { apiRefusal } from "../../http/refusal.ts";
import { ALREADY_LOGGED, NOT_TO_CORRECT, TOO_MANY_LOGS } from "../../messages.ts";
import { KEY_REUSED } from "../../values/fields.ts";

export function refusedTrip(refusal: MileageRefusal): Response {
	switch (refusal.reason) {
		case "already-logged":
			return apiRefusal(409, ALREADY_LOGGED);
		case "key-reused":
			return apiRefusal(422, KEY_REUSED);
		case "too-many":
			return apiRefusal(429, TOO_MANY_LOGS, undefined, { "Retry-After": "600" });
		case "not-to-correct":
			return apiRefusal(409, NOT_TO_CORRECT);
		case "check":
			throw new Error("neither a call nor an outbox is asked to confirm");
	}
}
