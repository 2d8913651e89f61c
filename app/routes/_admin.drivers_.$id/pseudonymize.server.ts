/**
 * Pseudonymizing a former driver and erasing an applicant: when it is offered, and what its form
 * does.
 */
import { json } from "@remix-run/cloudflare";
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext, UserRow } from "../../domain/kernel/context.ts";
import { pseudonymizeInput } from "../../domain/people/input.ts";
import { whyNotChanged } from "../../domain/people/refusals.ts";
import { displayName } from "../../domain/people/rules.ts";
import { driverPath } from "../../domain/people/search.ts";
import { applicantEnd, retentionEnd } from "../../domain/personal-data/retention.ts";
import { messagesOf, parseForm } from "../../http/form.server.ts";
import { seeOther } from "../../http/toast.server.ts";
import { driverFailure } from "../../messages.ts";
import { type CalendarDate, dateIn, formatDate } from "../../values/calendar-date.ts";
import type { ActionError } from "../_admin.drivers/actions.server.ts";

/** Whether a person can be pseudonymized, and when. */
export type Pseudonymizing =
	| { readonly kind: "never" }
	| { readonly kind: "later" | "done"; readonly on: string }
	| { readonly kind: "now" };

/**
 * @param years that former drivers' data is kept
 * @param decidedAt when their application was last decided
 */
export function pseudonymizingOf(
	user: UserRow,
	{
		timeZone,
		today,
		years,
		decidedAt,
	}: {
		readonly timeZone: string;
		readonly today: CalendarDate;
		readonly years: number;
		readonly decidedAt: number | null;
	},
): Pseudonymizing {
	if (user.pseudonymizedAt !== null)
		return { kind: "done", on: formatDate(dateIn(timeZone, user.pseudonymizedAt)) };
	if (user.role !== "driver" || user.deletedAt !== null) return { kind: "never" };
	const isApplicant = user.approvalStatus !== "approved";
	if (!isApplicant && (user.isActive || user.deactivatedAt === null)) return { kind: "never" };
	const end = isApplicant
		? applicantEnd(timeZone, decidedAt ?? user.appliedAt ?? user.createdAt)
		: retentionEnd(timeZone, user.deactivatedAt ?? 0, years);
	return end > today ? { kind: "later", on: formatDate(end) } : { kind: "now" };
}

/** Handles the dialog's form. */
export async function pseudonymizeAction(
	context: RequestContext,
	admin: AdminContext,
	id: string,
	years: number,
) {
	const submission = await parseForm(context, pseudonymizeInput);
	if (submission.status !== "success") {
		const toast = driverFailure("pseudonymize", messagesOf(submission)[0]);
		return json<ActionError>({ toast, form: submission.reply() }, { status: 400 });
	}
	// Loaded on demand, so that it doesn't slow the Worker's start.
	const { pseudonymizeDriver } = await import(
		"../../domain/personal-data/commands/pseudonymize.server.ts"
	);
	const outcome = await pseudonymizeDriver(admin, id, submission.value.code, years);
	if (outcome.ok)
		return seeOther(
			driverPath(id),
			context.settings,
			outcome.value.deletedAt === null
				? ["driverPseudonymized", displayName(outcome.value)]
				: "applicantErased",
		);
	const { status, message } = whyNotChanged(outcome, admin);
	const form = submission.reply(
		outcome.reason === "wrong-code" || outcome.reason === "wrong-name"
			? { fieldErrors: { code: [message] } }
			: {},
	);
	return json<ActionError>({ toast: driverFailure("pseudonymize", message), form }, { status });
}
