/** POST /api/outbox/mileage: a trip that waited on a phone. Nobody is there to be asked, so what looks like a slip is stored and flagged. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { asDriver } from "../auth/guard.server.ts";
import { callRefusal } from "../auth/refusal.ts";
import { checkSender } from "../auth/sender.server.ts";
import { logMileage, type MileageRefusal } from "../domain/mileage/commands.server.ts";
import { logMileageInput } from "../domain/mileage/input.ts";
import { receivedTrip } from "../domain/mileage/rules.ts";
import { capturedAt, entryOf, taken } from "../http/outbox.server.ts";
import { ALREADY_LOGGED, NOT_TO_CORRECT, SENT_WITH_OTHER_VALUES, TOO_MANY_LOGS } from "../messages.ts";

export async function action(args: ActionFunctionArgs) {
	const { driver } = await asDriver(args);
	await checkSender(args.context, driver);
	const trip = await entryOf(args.context, logMileageInput(driver.today));
	const outcome = await logMileage(driver, trip, "outbox", capturedAt(args.request, args.context));
	if (!outcome.ok) return refusedEntry(outcome);
	return taken(receivedTrip(outcome.value.log, driver), outcome.value.isReplay);
}

function refusedEntry(refusal: MileageRefusal): Response {
	switch (refusal.reason) {
		case "already-logged":
			return callRefusal(409, ALREADY_LOGGED);
		case "key-reused":
			return callRefusal(409, SENT_WITH_OTHER_VALUES);
		case "too-many":
			return callRefusal(429, TOO_MANY_LOGS, undefined, { "Retry-After": "600" });
		case "not-to-correct":
			return callRefusal(409, NOT_TO_CORRECT);
		case "no-longer-active":
			return callRefusal(403, "Forbidden");
		case "check":
			throw new Error("an outbox is never asked to confirm");
	}
}
