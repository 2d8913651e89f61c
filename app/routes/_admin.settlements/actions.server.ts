/** What the forms of the screen of a week do: they make its drafts, and publish the chosen ones. */
import * as v from "valibot";
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { draftWeek } from "../../domain/settlements/commands/draft.server.ts";
import { publishSettlements } from "../../domain/settlements/commands/publish.server.ts";
import { chosenInput, weekInput } from "../../domain/settlements/input.ts";
import { whyNotDrafted, whyNotPublished } from "../../domain/settlements/refusals.ts";
import { weekPath } from "../../domain/settlements/search.ts";
import { toSettlement } from "../../domain/settlements/settlement.ts";
import { startingWeekday } from "../../domain/statements/settlement-week.ts";
import { textField } from "../../http/form.server.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast, withReason } from "../../messages.ts";
import { pluralize } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";

/** What a refused post of this screen answers. */
export type WeekAnswer = { readonly status: number; readonly toast: Toast };
type Answer = Promise<Response | WeekAnswer>;

/** Makes the drafts that the week lacks. */
export async function draftAction(context: RequestContext, admin: AdminContext): Answer {
	const schema = weekInput(admin.today, startingWeekday(admin.settings));
	const week = v.safeParse(schema, await textField(context, "week"));
	if (!week.success) {
		const [{ message }] = week.issues;
		return { status: 400, toast: withReason(TOASTS.draftsFailed, message) };
	}
	const outcome = await draftWeek(admin, week.output);
	if (!outcome.ok) {
		const { status, message } = onForm(whyNotDrafted(outcome, admin));
		return { status, toast: withReason(TOASTS.draftsFailed, message) };
	}
	const { made } = outcome.value;
	return seeOther(
		weekPath(week.output.from),
		context.settings,
		made === 0 ? "noDraftsMade" : ["draftsMade", pluralize(made, "draft")],
	);
}

/** Publishes the chosen drafts, all or none, as their sums were shown. */
export async function publishAction(
	context: RequestContext,
	admin: AdminContext,
	here: string,
): Answer {
	const chosen = v.safeParse(chosenInput, (await context.form()).getAll("chosen"));
	if (!chosen.success) {
		const [{ message }] = chosen.issues;
		return { status: 400, toast: withReason(TOASTS.settlementsFailed, message) };
	}
	const { ids, results } = chosen.output;
	const outcome = await publishSettlements(admin, ids, results);
	if (!outcome.ok) {
		const { status, message } = onForm(whyNotPublished(outcome, admin));
		return { status, toast: withReason(TOASTS.settlementsFailed, message) };
	}
	const published = outcome.value.map(toSettlement);
	const payable = published.reduce((sum, { payableCents }) => sum + payableCents, 0);
	const figures = `${pluralize(published.length, "settlement")}, ${formatDollars(payable)} payable`;
	return seeOther(here, context.settings, ["settlementsPublished", figures]);
}
