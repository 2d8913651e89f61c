/** What the forms of this screen do: each saves its own settings and leaves the others alone. */
import type { SubmissionResult } from "@conform-to/react";
import type * as v from "valibot";
import { variableSettings } from "../../auth/guard.server.ts";
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import type { FleetSettings } from "../../domain/kernel/fleet-settings.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { changeSettings } from "../../domain/settings/commands/change.server.ts";
import { chooseUnits } from "../../domain/settings/commands/choose-units.server.ts";
import { chooseWeekStart } from "../../domain/settings/commands/choose-week-start.server.ts";
import {
	accountingInput,
	fleetInput,
	questionsInput,
	receiptsInput,
	remindersInput,
	retentionInput,
	setupInput,
	thresholdsInput,
	unitsInput,
	weekInput,
} from "../../domain/settings/input.ts";
import {
	whyNotChangedBack,
	whyUnitsStay,
	whyWeekStartStays,
} from "../../domain/settings/refusals.ts";
import { changedSince } from "../../domain/settings/shown.ts";
import { parseForm, textField } from "../../http/form.server.ts";
import { unknownAction } from "../../http/intent.server.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast, withReason } from "../../messages.ts";
import type { InputSchema } from "../../values/fields.ts";

/** What a refused post answers: the form as typed, with its errors. */
export type SettingsAnswer = {
	readonly status: number;
	/** The section whose form it is. */
	readonly section: string;
	readonly toast: Toast;
	readonly form: SubmissionResult;
	/** What the form was opened on, if it still is to be sent as such. */
	readonly seen?: string;
};

type SectionSchema = v.GenericSchema<unknown, Partial<FleetSettings>> &
	Pick<InputSchema, "entries">;

/**
 * The sections of text fields, whose names are those of the settings. One that the form doesn't have
 * keeps its value: a script may send an older form.
 */
const SECTIONS = new Map<string, SectionSchema>([
	["thresholds", thresholdsInput],
	["questions", questionsInput],
	["receipts", receiptsInput],
	["accounting", accountingInput],
	["retention", retentionInput],
]);

/**
 * The answer to a form that would change back what someone else has saved since it was shown. It is
 * shown again as typed, with what they are now; sent once more, it is saved.
 */
async function refuseOutdated(
	context: RequestContext,
	{ settings }: AdminContext,
	sent: Partial<FleetSettings>,
	submission: { readonly reply: (options: FieldErrors) => SubmissionResult },
): Promise<SettingsAnswer | undefined> {
	const theirs = changedSince(sent, settings, await textField(context, "seen"));
	if (theirs.length === 0) return undefined;
	const { status, message, fieldErrors } = whyNotChangedBack(theirs, settings);
	return {
		status,
		section: await textField(context, "intent"),
		toast: withReason(TOASTS.settingsFailed, message),
		form: submission.reply({ fieldErrors }),
	};
}
type FieldErrors = { readonly fieldErrors: Record<string, string[]> };

/** Saves the settings of the form that was sent. */
export async function saveAction(
	context: RequestContext,
	admin: AdminContext,
): Promise<Response | SettingsAnswer> {
	const section = await textField(context, "intent");
	const defaults = variableSettings(context);
	const schema = SECTIONS.get(section);
	const seen = await textField(context, "seen");
	const refuse = (form: SubmissionResult): SettingsAnswer => ({
		status: 400,
		section,
		toast: TOASTS.settingsFailed,
		form,
		...(seen ? { seen } : {}),
	});
	if (schema) {
		const submission = await parseForm(context, schema);
		if (submission.status !== "success") return refuse(submission.reply());
		const form = await context.form();
		const sent = Object.entries(submission.value).filter(([name]) => form.has(name));
		const wanted = Object.fromEntries(sent);
		const outdated = await refuseOutdated(context, admin, wanted, submission);
		if (outdated) return outdated;
		await changeSettings(admin, wanted, defaults);
		return savedResponse(context, section);
	}
	switch (section) {
		case "fleet": {
			const submission = await parseForm(context, fleetInput);
			if (submission.status !== "success") return refuse(submission.reply());
			const { fleetName = defaults.fleetName } = submission.value;
			const outdated = await refuseOutdated(context, admin, { fleetName }, submission);
			if (outdated) return outdated;
			await changeSettings(admin, { fleetName }, defaults);
			break;
		}
		case "units": {
			const submission = await parseForm(context, unitsInput);
			if (submission.status !== "success") return refuse(submission.reply());
			const { currency = admin.settings.currency, distanceUnit = admin.settings.distanceUnit } =
				submission.value;
			const wanted = { currency, distanceUnit };
			const outdated = await refuseOutdated(context, admin, wanted, submission);
			if (outdated) return outdated;
			const outcome = await chooseUnits(admin, wanted, defaults);
			if (outcome.ok) break;
			const { status, message } = onForm(whyUnitsStay(outcome, admin));
			const toast = withReason(TOASTS.settingsFailed, message);
			return { status, section, toast, form: submission.reply() };
		}
		case "week": {
			const submission = await parseForm(context, weekInput);
			if (submission.status !== "success") return refuse(submission.reply());
			const outdated = await refuseOutdated(context, admin, submission.value, submission);
			if (outdated) return outdated;
			const outcome = await chooseWeekStart(admin, submission.value.weekStartsOn, defaults);
			if (outcome.ok) break;
			const { status, message } = whyWeekStartStays(outcome, admin);
			const fieldErrors = { weekStartsOn: [message] };
			return { ...refuse(submission.reply({ fieldErrors })), status };
		}
		case "reminders": {
			const submission = await parseForm(context, remindersInput);
			if (submission.status !== "success") return refuse(submission.reply());
			const outdated = await refuseOutdated(context, admin, submission.value, submission);
			if (outdated) return outdated;
			await changeSettings(admin, submission.value, defaults);
			break;
		}
		case "setup": {
			const submission = await parseForm(context, setupInput);
			if (submission.status !== "success") return refuse(submission.reply());
			await changeSettings(admin, submission.value, defaults);
			return seeOther(
				"/",
				context.settings,
				submission.value.setupDismissed ? "setupDismissed" : "setupListed",
			);
		}
		default:
			throw unknownAction();
	}
	return savedResponse(context, section);
}

const savedResponse = ({ settings }: RequestContext, section: string) =>
	seeOther(`/settings#${section}`, settings, "settingsSaved");
