/** What the forms of this screen do. */
import type { SubmissionResult } from "@conform-to/react";
import type { RequestContext } from "../../auth/request-context.ts";
import type { DriverContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { logMileage } from "../../domain/mileage/commands/log.server.ts";
import { takeDayOff } from "../../domain/mileage/commands/take-day-off.server.ts";
import { voidMileage } from "../../domain/mileage/commands/void.server.ts";
import { dayOffInput, logMileageInput, voidMileageInput } from "../../domain/mileage/input.ts";
import { whyNotLogged, whyNotOff, whyNotVoided } from "../../domain/mileage/refusals.ts";
import { describeTrip, formatQuestion } from "../../domain/mileage/rules.ts";
import { messagesOf, parseForm } from "../../http/form.server.ts";
import { seeOther, type ToastRef } from "../../http/toast.server.ts";
import { TOASTS, type Toast, withReason } from "../../messages.ts";
import { refused } from "../../values/outcome.ts";

/** What a refused post of this screen answers: the form as typed, with its errors. */
export type MileageAnswer = {
	readonly status: number;
	readonly toast: Toast;
	readonly form?: SubmissionResult;
	readonly problems?: readonly string[];
	/** The form asks these before it accepts the trip; `confirm` is sent back with the answer. */
	readonly questions?: readonly string[];
	readonly confirm?: string;
	/** The key was used by an earlier submission with other values. */
	readonly needsNewKey?: boolean;
	/** The entry to correct can no longer be corrected. */
	readonly isFresh?: boolean;
};

/** Logs the trip of the form. */
export async function logAction(
	context: RequestContext,
	driver: DriverContext,
): Promise<Response | MileageAnswer> {
	const submission = await parseForm(context, logMileageInput(driver.today));
	if (submission.status !== "success") {
		return {
			status: 400,
			toast: TOASTS.mileageFailed,
			form: submission.reply(),
			problems: messagesOf(submission),
		};
	}
	const outcome = await logMileage(driver, submission.value, "form");
	if (outcome.ok) {
		const { log, isReplay } = outcome.value;
		const toast: ToastRef = isReplay
			? ["receivedBefore", describeTrip(log, driver)]
			: log.correctsId
				? "mileageCorrected"
				: "mileageLogged";
		return seeOther(`/mileage#log-${log.id}`, context.settings, toast);
	}
	const form = submission.reply();
	const { status, message } = onForm(whyNotLogged(outcome, driver));
	if (outcome.reason === "check") {
		const { checks, confirm } = outcome.details;
		return {
			status,
			toast: { tone: "info", title: "Check this entry" },
			form,
			questions: checks.map(formatQuestion),
			confirm,
		};
	}
	return {
		status,
		toast: TOASTS.mileageFailed,
		form,
		problems: [message],
		needsNewKey: outcome.reason === "key-reused",
		isFresh: outcome.reason === "not-to-correct",
	};
}

/**
 * Voids the entry of a row's form.
 * @param here the URL without its dialog
 */
export async function voidAction(
	context: RequestContext,
	driver: DriverContext,
	here: string,
): Promise<Response | MileageAnswer> {
	const submission = await parseForm(context, voidMileageInput);
	const outcome =
		submission.status === "success"
			? await voidMileage(driver, submission.value.id)
			: refused("not-found");
	if (outcome.ok)
		return seeOther(`${here}#log-${outcome.value.id}`, context.settings, "mileageVoided");
	const { status, message } = onForm(whyNotVoided(outcome, driver));
	return { status, toast: withReason(TOASTS.mileageVoidFailed, message) };
}

/** Notes a day off, from the dashboard's list. */
export async function dayOffAction(
	context: RequestContext,
	driver: DriverContext,
): Promise<Response | MileageAnswer> {
	const submission = await parseForm(context, dayOffInput);
	const outcome =
		submission.status === "success"
			? await takeDayOff(driver, submission.value.date)
			: refused("not-missing");
	if (outcome.ok) return seeOther("/", context.settings, "dayOff");
	const { status, message } = onForm(whyNotOff(outcome, driver));
	return { status, toast: withReason(TOASTS.dayOffFailed, message) };
}
