/** What the forms of this screen do: they make payouts. */
import * as v from "valibot";
import type { RequestContext } from "../../auth/request-context.ts";
import { payoutNumber } from "../../domain/fund-requests/payment.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { makePayout } from "../../domain/payouts/commands/make.server.ts";
import { type Gathering, makePayoutForm, sentIds, ticked } from "../../domain/payouts/input.ts";
import { whyNotMade } from "../../domain/payouts/refusals.ts";
import { parseForm } from "../../http/form.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast, withReason } from "../../messages.ts";

/** What a refused post of this screen answers. */
export type MakeAnswer = {
	readonly status: number;
	readonly toast: Toast;
	/** What prevents it, part by part. */
	readonly results?: readonly string[];
};

/** What the form asks for; an empty list says what to do. */
async function gatheringOf(context: RequestContext): Promise<Gathering | string> {
	const submission = await parseForm(context, makePayoutForm);
	if (submission.status !== "success")
		throw refusal({ kind: "bad-request", message: "This form doesn't say what to pay." }, 400);
	const { gather, driverId, shownCents } = submission.value;
	if (gather === "all") return { kind: "all", shownCents };
	if (gather === "driver") return { kind: "driver", driverId: driverId ?? "", shownCents };
	const form = await context.form();
	const chosen = v.safeParse(ticked, {
		ids: sentIds(form),
		settlementIds: sentIds(form, "settlementIds"),
	});
	return chosen.success ? { kind: "named", ...chosen.output } : chosen.issues[0].message;
}

/** Makes the payout and goes to its page. */
export async function makeAction(
	context: RequestContext,
	admin: AdminContext,
): Promise<Response | MakeAnswer> {
	const gathering = await gatheringOf(context);
	if (typeof gathering === "string")
		return { status: 400, toast: withReason(TOASTS.payoutFailed, gathering) };
	const key = (await context.form()).get("key");
	const outcome = await makePayout(
		admin,
		gathering,
		typeof key === "string" && key !== "" ? key : undefined,
	);
	if (outcome.ok) {
		const { row, isReplay } = outcome.value;
		const { payout } = row;
		return seeOther(`/payouts/${payout.id}`, context.settings, [
			isReplay ? "receivedBefore" : "payoutCreated",
			payoutNumber(payout.number),
		]);
	}
	const { status, message, requests, settlements } = onForm(whyNotMade(outcome, admin));
	return requests
		? {
				...{ status, toast: TOASTS.payoutFailed },
				results: [...requests, ...(settlements ?? [])].map(({ reason }) => reason),
			}
		: { status, toast: withReason(TOASTS.payoutFailed, message) };
}
