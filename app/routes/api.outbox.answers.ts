/**
 * POST /api/outbox/answers: an answer about a fund request that waited on a phone, with text, the
 * receipt, or both.
 */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { checkSender } from "../auth/form-owner.server.ts";
import { requireDriver } from "../auth/guard.server.ts";
import { sendAnswer } from "../domain/fund-requests/commands/send-answer.server.ts";
import { answerForm } from "../domain/fund-requests/input.ts";
import { whyNoReceipt, whyNotSent } from "../domain/fund-requests/refusals.ts";
import { requestNumber } from "../domain/fund-requests/rules.ts";
import { onPhone } from "../domain/kernel/refusal-table.ts";
import { uploadedFile } from "../http/form.server.ts";
import { capturedAt, entryReceived, parseEntry } from "../http/outbox.server.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { context } = args;
	const { driver } = await requireDriver(args);
	await checkSender(context, driver);
	const answer = await parseEntry(context, answerForm);
	const outcome = await sendAnswer(
		driver,
		context.env.RECEIPTS,
		answer,
		await uploadedFile(context, ["receipt"]),
		"outbox",
		capturedAt(args.request, context.now),
	);
	if (!outcome.ok) return refusedCall(onPhone(whyNotSent(outcome, driver)));
	const { number, isReplay, unstored } = outcome.value;
	const words = `Answer about ${requestNumber(number)}`;
	return entryReceived(
		unstored
			? `${words}. The receipt wasn't saved: ${whyNoReceipt(unstored, driver).message}`
			: words,
		isReplay,
	);
}
