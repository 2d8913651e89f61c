/** What the forms of this screen do. */
import type { SubmissionResult } from "@conform-to/react";
import type { RequestContext } from "../../auth/request-context.ts";
import type { DriverContext } from "../../domain/context.ts";
import { logMileage } from "../../domain/mileage/commands/log.server.ts";
import { voidMileage } from "../../domain/mileage/commands/void.server.ts";
import { logMileageInput, voidMileageInput } from "../../domain/mileage/input.ts";
import { questionOf, receivedTrip } from "../../domain/mileage/rules.ts";
import { submitted } from "../../http/form.server.ts";
import { seeOther, type ToastRef } from "../../http/toast.server.ts";
import { ALREADY_LOGGED, NOT_TO_CORRECT, TOASTS, TOO_MANY_LOGS, type Toast } from "../../messages.ts";

/** What a refused post of this screen answers: the form as typed, and what is wrong with it. */
export type MileageAnswer = {
	readonly status: number;
	/** Absent when the form itself says what is wrong. */
	readonly toast?: Toast;
	readonly form?: SubmissionResult;
	readonly problems?: readonly string[];
	/** The form asks these before it accepts the trip; `confirm` is sent back with the answer. */
	readonly questions?: readonly string[];
	readonly confirm?: string;
	/** The key was used up by an earlier submission with other values. */
	readonly needsNewKey?: boolean;
	/** The entry that was to be corrected is no longer to be. */
	readonly isFresh?: boolean;
};

/** Logs the trip of the form. */
export async function logAction(context: RequestContext, driver: DriverContext): Promise<Response | MileageAnswer> {
	const submission = await submitted(context, logMileageInput(driver.today));
	if (submission.status !== "success") {
		const problems = [...new Set(Object.values(submission.error ?? {}).flatMap((messages) => messages ?? []))];
		return {
			status: 400,
			form: submission.reply(),
			problems,
		};
	}
	const outcome = await logMileage(driver, submission.value, "form");
	if (outcome.ok) {
		const { log, isReplay } = outcome.value;
		const toast: ToastRef = isReplay
			? ["mileageReceivedBefore", receivedTrip(log, driver)]
			: log.correctsId
				? "mileageCorrected"
				: "mileageLogged";
		return seeOther(`/mileage#log-${log.id}`, context.settings, toast);
	}
	const form = submission.reply();
	const failed = (status: number, problem: string, more: Partial<MileageAnswer> = {}): MileageAnswer => ({
		status,
		toast: TOASTS.mileageFailed,
		form,
		problems: [problem],
		...more,
	});
	switch (outcome.reason) {
		case "already-logged":
			return failed(409, ALREADY_LOGGED);
		case "key-reused":
			return failed(
				409,
				"You have already sent this form with other values, and that entry is logged. Press Log Mileage to log this one as well.",
				{ needsNewKey: true },
			);
		case "too-many":
			return failed(429, TOO_MANY_LOGS);
		case "not-to-correct":
			return failed(409, `${NOT_TO_CORRECT}. Press Log Mileage to log this as a new entry.`, { isFresh: true });
		case "check":
			return {
				status: 409,
				toast: { tone: "info", title: "Please check this entry" },
				form,
				questions: outcome.details.checks.map(questionOf),
				confirm: outcome.details.confirm,
			};
	}
}

/** Voids the entry of a row's form. */
export async function voidAction(context: RequestContext, driver: DriverContext): Promise<Response | MileageAnswer> {
	const submission = await submitted(context, voidMileageInput);
	const outcome = submission.status === "success" ? await voidMileage(driver, submission.value.id) : undefined;
	if (outcome?.ok) return seeOther(`/mileage#log-${outcome.value.id}`, context.settings, "mileageVoided");
	if (!outcome || outcome.reason === "not-found")
		return { status: 404, toast: { ...TOASTS.mileageVoidFailed, text: "There is no such entry of yours." } };
	return {
		status: 409,
		toast:
			outcome.reason === "too-late" ? TOASTS.mileageVoidTooLate : { ...TOASTS.mileageVoidFailed, text: "This entry is already voided." },
	};
}
