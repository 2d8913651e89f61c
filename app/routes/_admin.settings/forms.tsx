/** The forms of reminders, accounting, retention and weeks: plain HTML. */
import { getFormProps, useForm } from "@conform-to/react";
import { DEFAULT_SETTINGS } from "../../domain/kernel/fleet-settings.ts";
import { APPLICANT_DAYS } from "../../domain/personal-data/retention.ts";
import {
	ACCOUNTING_FIELDS,
	REMINDER_LABELS,
	RETENTION_FIELDS,
	type Reminder,
	WEEK_FIELDS,
} from "../../domain/settings/fields.ts";
import { accountingInput, retentionInput, weekInput } from "../../domain/settings/input.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { SelectField, TextField } from "../../ui/forms/fields.tsx";
import { SwitchField } from "../../ui/forms/switch-field.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { inUnits } from "../../values/fleet-units.ts";
import type { SettingsAnswer } from "./actions.server.ts";
import { Seen } from "./seen.tsx";
import type { SettingsData } from "./view.server.ts";

const ACCOUNTING = Object.keys(ACCOUNTING_FIELDS) as (keyof typeof ACCOUNTING_FIELDS)[];
const REMINDERS = Object.keys(REMINDER_LABELS) as Reminder[];

export function RemindersForm({
	data,
	answer,
}: {
	data: SettingsData;
	answer: SettingsAnswer | undefined;
}) {
	const { settings, timeZone } = data;
	const refused = answer?.section === "reminders" ? (answer.form.initialValue ?? {}) : undefined;
	const isOn = (name: Reminder) => (refused ? refused[name] === "on" : settings[name]);
	return (
		<form method="post" action="/settings" className="grid gap-4">
			<input type="hidden" name="intent" value="reminders" />
			<Seen section="reminders" names={REMINDERS} data={data} answer={answer} />
			<SwitchField
				name="remindOfMiles"
				label={REMINDER_LABELS.remindOfMiles()}
				hint="Reminds drivers who haven't logged a trip for three working days, Monday to Friday, and again each week."
				isOn={isOn("remindOfMiles")}
			/>
			<SwitchField
				name="remindOfReceipts"
				label={REMINDER_LABELS.remindOfReceipts()}
				hint="Reminds drivers whose pending request has had no receipt for a day, and again each week."
				isOn={isOn("remindOfReceipts")}
			/>
			<SwitchField
				name="weeklyDigest"
				label={REMINDER_LABELS.weeklyDigest()}
				hint={`Tells administrators on Mondays at 7:00 AM (${timeZone}) which requests are waiting, and last week's ${inUnits("miles")}, fuel and fees.`}
				isOn={isOn("weeklyDigest")}
			/>
			<div>
				<Button variant="outline" pending="Saving..." size="wide">
					Save reminders
				</Button>
			</div>
		</form>
	);
}

export function AccountingForm({
	data,
	answer,
}: {
	data: SettingsData;
	answer: SettingsAnswer | undefined;
}) {
	const { accountCode, settlementAccountCode, taxType, quickbooksTaxCode } = data.settings;
	const [form, fields] = useForm<Record<keyof typeof ACCOUNTING_FIELDS, string>>({
		id: "accounting-form",
		lastResult: answer?.section === "accounting" ? answer.form : null,
		defaultValue: { accountCode, settlementAccountCode, taxType, quickbooksTaxCode },
		constraint: constraintOf(accountingInput),
		defaultNoValidate: false,
	});
	return (
		<form {...getFormProps(form)} method="post" action="/settings" className="grid gap-4">
			<input type="hidden" name="intent" value="accounting" />
			<Seen section="accounting" names={ACCOUNTING} data={data} answer={answer} />
			<div className="grid gap-4 sm:grid-cols-2">
				<TextField
					field={fields.accountCode}
					label={ACCOUNTING_FIELDS.accountCode.label}
					hint="In Xero the account's code, such as 449; in QuickBooks its name"
				/>
				<TextField
					field={fields.settlementAccountCode}
					label={ACCOUNTING_FIELDS.settlementAccountCode.label}
					hint={`Drivers' weeks, booked apart from requests; empty for ${DEFAULT_SETTINGS.settlementAccountCode}`}
				/>
				<TextField
					field={fields.taxType}
					label={ACCOUNTING_FIELDS.taxType.label}
					hint="In Xero the tax rate's name, such as Tax Exempt (0%)"
				/>
				<TextField
					field={fields.quickbooksTaxCode}
					label={ACCOUNTING_FIELDS.quickbooksTaxCode.label}
					hint="The code's name in QuickBooks, such as Exempt; usually empty in the United States"
				/>
			</div>
			<div>
				<Button variant="outline" pending="Saving..." size="wide">
					Save accounting
				</Button>
			</div>
		</form>
	);
}

export function RetentionForm({
	data,
	answer,
}: {
	data: SettingsData;
	answer: SettingsAnswer | undefined;
}) {
	const [form, fields] = useForm<Record<keyof typeof RETENTION_FIELDS, string>>({
		id: "retention-form",
		lastResult: answer?.section === "retention" ? answer.form : null,
		defaultValue: { keepDriverYears: String(data.settings.keepDriverYears) },
		constraint: constraintOf(retentionInput),
		defaultNoValidate: false,
	});
	return (
		<form {...getFormProps(form)} method="post" action="/settings" className="grid gap-4">
			<input type="hidden" name="intent" value="retention" />
			<Seen section="retention" names={["keepDriverYears"]} data={data} answer={answer} />
			<TextField
				field={fields.keepDriverYears}
				label={RETENTION_FIELDS.keepDriverYears.label}
				hint={`Ask your accountant how long records have to be kept. Seven years is usual. Applicants who were never approved can be erased ${APPLICANT_DAYS} days after the last decision.`}
				inputMode="numeric"
				className="max-w-md"
			/>
			<div>
				<Button variant="outline" pending="Saving..." size="wide">
					Save retention
				</Button>
			</div>
		</form>
	);
}

export function WeekForm({
	data,
	answer,
}: {
	data: SettingsData;
	answer: SettingsAnswer | undefined;
}) {
	const [form, fields] = useForm<Record<keyof typeof WEEK_FIELDS, string>>({
		id: "week-form",
		lastResult: answer?.section === "week" ? answer.form : null,
		defaultValue: { weekStartsOn: data.settings.weekStartsOn },
		constraint: constraintOf(weekInput),
		defaultNoValidate: false,
	});
	return (
		<form {...getFormProps(form)} method="post" action="/settings" className="grid gap-4">
			<input type="hidden" name="intent" value="week" />
			<Seen section="week" names={["weekStartsOn"]} data={data} answer={answer} />
			<SelectField
				field={fields.weekStartsOn}
				label={WEEK_FIELDS.weekStartsOn.label}
				options={[
					["monday", "Monday"],
					["sunday", "Sunday"],
				]}
				className="max-w-48"
			/>
			<div>
				<Button variant="outline" pending="Saving..." size="wide">
					Save week
				</Button>
			</div>
		</form>
	);
}
