/**
 * POST /api/outbox/requests: a fund request that waited on a phone, with its receipt. An
 * unacceptable file never prevents it.
 */

import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { checkSender } from "../auth/form-owner.server.ts";
import { requireDriver } from "../auth/guard.server.ts";
import { submitRequest } from "../domain/fund-requests/commands/submit.server.ts";
import { submitRequestInput } from "../domain/fund-requests/input.ts";
import { whyNotSubmitted } from "../domain/fund-requests/refusals.ts";
import { describeRequest } from "../domain/fund-requests/rules.ts";
import { onPhone } from "../domain/kernel/refusal-table.ts";
import { refusalSentence, whyNotStored } from "../domain/receipts/refusals.ts";
import { storeUpload } from "../domain/receipts/upload.server.ts";
import { uploadedFile } from "../http/form.server.ts";
import { capturedAt, entryReceived, parseEntry } from "../http/outbox.server.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { context } = args;
	const { driver } = await requireDriver(args);
	await checkSender(context, driver);
	const input = await parseEntry(context, submitRequestInput(driver.today));
	const chosen = await uploadedFile(context, ["receipt"]);
	const upload = chosen && (await storeUpload(context.env.RECEIPTS, driver, chosen, input.key));
	// The phone still has the file, so what couldn't be stored now is sent again.
	if (upload && !upload.ok && upload.reason === "store-down")
		return refusedCall(onPhone(whyNotStored(upload, driver)));
	const file = upload?.ok ? upload.value : undefined;
	const outcome = await submitRequest(
		driver,
		input,
		"outbox",
		file,
		capturedAt(args.request, context.now),
	);
	if (!outcome.ok) return refusedCall(onPhone(whyNotSubmitted(outcome, driver)));
	const { request, isReplay, quota, hasNamed } = outcome.value;
	const unstored = quota ?? (upload && !upload.ok ? upload.details.words : undefined);
	const reason = unstored && refusalSentence(unstored, driver.settings.receiptMegabytes);
	const missing =
		upload && hasNamed
			? "The new receipt wasn't saved, so it has the previous one"
			: reason && "The receipt wasn't saved";
	const about = [missing, reason].filter(Boolean).join(": ");
	const words = describeRequest(request, driver);
	return entryReceived(about ? `${words}. ${about}` : words, isReplay);
}
