/** POST /api/outbox/mileage: a trip that waited on a phone. Nobody is there to be asked, so what looks like a slip is stored and flagged. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { asDriver } from "../auth/guard.server.ts";
import { checkSender } from "../auth/sender.server.ts";
import { logMileage, type MileageRefusal } from "../domain/mileage/commands/log.server.ts";
import { logMileageInput } from "../domain/mileage/input.ts";
import { receivedTrip } from "../domain/mileage/rules.ts";
import { capturedAt, entryOf, nothingToAmend, taken } from "../http/outbox.server.ts";
import { apiRefusal } from "../http/refusal.ts";
import { NOT_TO_CORRECT, SENT_WITH_OTHER_VALUES } from "../messages.ts";
import { refusedTrip } from "./api.mileage/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { driver } = await asDriver(args);
	await checkSender(args.context, driver);
	const trip = await entryOf(args.context, logMileageInput(driver.today));
	const outcome = await logMileage(driver, trip, "outbox", capturedAt(args.request, args.context.now));
	if (!outcome.ok) return refusedEntry(outcome);
	return taken(receivedTrip(outcome.value.log, driver), outcome.value.isReplay);
}

function refusedEntry(refusal: MileageRefusal): Response {
	// A person reads it on his phone: what he can do about it, not what a program did wrong.
	if (refusal.reason === "key-reused") return apiRefusal(409, SENT_WITH_OTHER_VALUES);
	return refusal.reason === "not-to-correct" ? nothingToAmend(`${NOT_TO_CORRECT}.`) : refusedTrip(refusal);
}
