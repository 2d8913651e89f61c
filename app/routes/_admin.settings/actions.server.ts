/** What the forms of this screen do: each saves its own settings and leaves the others alone. */
import type { SubmissionResult } from "@conform-to/react";
import { fromVariables } from "../../auth/guard.server.ts";
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext } from "../../domain/context.ts";
import { changeSettings } from "../../domain/settings/commands/change.server.ts";
import {
	accountingInput,
	fleetInput,
	questionsInput,
	remindersInput,
	setupInput,
	thresholdsInput,
} from "../../domain/settings/input.ts";
import { parseForm, textField } from "../../http/form.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast } from "../../messages.ts";

/** What a refused post answers: the form as typed, and what is wrong with it. */
export type SettingsAnswer = {
	readonly status: number;
	/** The section whose form it is. */
	readonly section: string;
	/** Absent when the form itself says what is wrong. */
	readonly toast?: Toast;
	readonly form: SubmissionResult;
};

/** Saves the settings of the form that was sent. */
export async function saveAction(
	context: RequestContext,
	admin: AdminContext,
): Promise<Response | SettingsAnswer> {
	const section = await textField(context, "intent");
	const defaults = fromVariables(context);
	switch (section) {
		case "fleet": {
			const submission = await parseForm(context, fleetInput);
			if (submission.status !== "success")
				return { status: 400, section, form: submission.reply() };
			const { fleetName = defaults.fleetName } = submission.value;
			await changeSettings(admin, { fleetName }, defaults);
			break;
		}
		case "reminders": {
			const submission = await parseForm(context, remindersInput);
			if (submission.status !== "success")
				return { status: 400, section, toast: TOASTS.settingsFailed, form: submission.reply() };
			await changeSettings(admin, submission.value, defaults);
			break;
		}
		case "thresholds": {
			const submission = await parseForm(context, thresholdsInput);
			if (submission.status !== "success")
				return { status: 400, section, form: submission.reply() };
			await changeSettings(admin, submission.value, defaults);
			break;
		}
		case "questions": {
			const submission = await parseForm(context, questionsInput);
			if (submission.status !== "success")
				return { status: 400, section, form: submission.reply() };
			await changeSettings(admin, submission.value, defaults);
			break;
		}
		case "accounting": {
			const submission = await parseForm(context, accountingInput);
			if (submission.status !== "success")
				return { status: 400, section, form: submission.reply() };
			await changeSettings(admin, submission.value, defaults);
			break;
		}
		case "setup": {
			const submission = await parseForm(context, setupInput);
			if (submission.status !== "success")
				return { status: 400, section, toast: TOASTS.settingsFailed, form: submission.reply() };
			await changeSettings(admin, submission.value, defaults);
			return seeOther(
				"/",
				context.settings,
				submission.value.setupDismissed ? "setupDismissed" : "setupListed",
			);
		}
		default:
			throw refusal({ kind: "bad-request", message: "Those settings were not found." }, 400);
	}
	return seeOther(`/settings#${section}`, context.settings, "settingsSaved");
}
