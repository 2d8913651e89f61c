/**
 * POST /api/outbox/mileage: a trip that waited on a phone. Nobody is there to answer, so a likely
 * mistake is stored and flagged.
 */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { checkSender } from "../auth/form-owner.server.ts";
import { requireDriver } from "../auth/guard.server.ts";
import { onPhone } from "../domain/kernel/refusal-table.ts";
import { logMileage } from "../domain/mileage/commands/log.server.ts";
import { logMileageInput } from "../domain/mileage/input.ts";
import { whyNotLogged } from "../domain/mileage/refusals.ts";
import { describeTrip } from "../domain/mileage/rules.ts";
import { capturedAt, entryReceived, parseEntry } from "../http/outbox.server.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { driver } = await requireDriver(args);
	await checkSender(args.context, driver);
	const trip = await parseEntry(args.context, logMileageInput(driver.today));
	const outcome = await logMileage(
		driver,
		trip,
		"outbox",
		capturedAt(args.request, args.context.now),
	);
	if (!outcome.ok) return refusedCall(onPhone(whyNotLogged(outcome, driver)));
	return entryReceived(describeTrip(outcome.value.log, driver), outcome.value.isReplay);
}
