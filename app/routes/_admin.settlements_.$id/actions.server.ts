/** What the forms of a settlement's page do. */
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { publishSettlements } from "../../domain/settlements/commands/publish.server.ts";
import { voidSettlements } from "../../domain/settlements/commands/void.server.ts";
import { publishForm } from "../../domain/settlements/input.ts";
import { whyNotPublished, whyNotVoided } from "../../domain/settlements/refusals.ts";
import { settlementPath } from "../../domain/settlements/search.ts";
import { toSettlement } from "../../domain/settlements/settlement.ts";
import { settlementNumber } from "../../domain/statements/settlement-week.ts";
import { messagesOf, parseForm, textField } from "../../http/form.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast, withReason } from "../../messages.ts";
import { formatDollars } from "../../values/money.ts";
import type { RefusalAnswer } from "../../values/outcome.ts";

/** What a refused post of this page answers. */
export type SettlementAnswer = { readonly status: number; readonly toast: Toast };
type Answer = Promise<Response | SettlementAnswer>;

/** A refusal shown in the toast; for an unknown settlement, a 404. */
function failed(toast: Toast, { status, message }: RefusalAnswer): SettlementAnswer {
	if (status === 404) throw refusal({ kind: "not-found" }, 404);
	return { status, toast: withReason(toast, message) };
}

/** Publishes the draft, if its sum is the one that was shown. */
export async function publishAction(
	context: RequestContext,
	admin: AdminContext,
	id: string,
): Answer {
	const submission = await parseForm(context, publishForm);
	if (submission.status !== "success") {
		const [message] = messagesOf(submission);
		return { status: 400, toast: withReason(TOASTS.settlementsFailed, message) };
	}
	const outcome = await publishSettlements(admin, [id], { [id]: submission.value.result });
	if (!outcome.ok) return failed(TOASTS.settlementsFailed, onForm(whyNotPublished(outcome, admin)));
	const [settlement] = outcome.value.map(toSettlement);
	const { number = 0, payableCents = 0 } = settlement ?? {};
	return seeOther(settlementPath(id), context.settings, [
		"settlementsPublished",
		`${settlementNumber(number)}, ${formatDollars(payableCents)} payable`,
	]);
}

/** Voids the settlement. */
export async function voidAction(context: RequestContext, admin: AdminContext, id: string): Answer {
	const seen = (await textField(context, "seen")) === "draft" ? "draft" : undefined;
	const outcome = await voidSettlements(admin, [id], seen);
	if (!outcome.ok) return failed(TOASTS.settlementVoidFailed, onForm(whyNotVoided(outcome, admin)));
	const [settlement] = outcome.value.map(toSettlement);
	return seeOther(settlementPath(id), context.settings, [
		"settlementVoided",
		settlementNumber(settlement?.number ?? 0),
	]);
}
