/**
 * What was typed into a form that couldn't be accepted, ready to be sent again: no text is lost to
 * an expired session or a database that is down.
 */
import { DECISION_FIELDS, MESSAGE_FIELDS, REQUEST_FIELDS } from "../domain/fund-requests/fields.ts";
import { MILEAGE_FIELDS, VOID_FIELDS } from "../domain/mileage/fields.ts";
import { PAYMENT_FIELDS, REOPEN_FIELDS } from "../domain/payouts/fields.ts";
import { LOG_FIELDS, REPORT_FIELDS } from "../domain/reports/fields.ts";
import { SETTING_FIELDS } from "../domain/settings/fields.ts";
import { FEE_FIELDS } from "../domain/uber-fees/fields.ts";
import { searchFieldNames } from "../domain/users/choice.ts";
import { INVITATION_FIELDS, PERSON_FIELDS, PSEUDONYMIZE_FIELDS } from "../domain/users/fields.ts";
import type { TypedForm } from "../http/refusal.ts";
import { findRule } from "../routing/routes.ts";
import { isCalendarDate } from "../values/calendar-date.ts";
import type { FormField, FormFields } from "../values/form-field.ts";
import { PlainField } from "./forms/plain-fields.tsx";
import { Button } from "./primitives/button.tsx";
import { Input } from "./primitives/input.tsx";
import { NativeSelect } from "./primitives/native-select.tsx";
import { Textarea } from "./primitives/textarea.tsx";
import { choicesOf } from "./resend-choices.ts";

/**
 * The fields that a person fills in, by the path of their form as routes.ts has it; any others are
 * control fields.
 */
const FORMS: Readonly<Record<string, FormFields>> = {
	"/mileage": MILEAGE_FIELDS,
	"/mileage-reports": VOID_FIELDS,
	"/requests": { ...REQUEST_FIELDS, ...MESSAGE_FIELDS },
	"/fund-requests": { ...DECISION_FIELDS, ...MESSAGE_FIELDS },
	"/uber-fees": FEE_FIELDS,
	"/reports/generate": REPORT_FIELDS,
	"/reports/mileage-log": LOG_FIELDS,
	"/payouts/:id": { ...PAYMENT_FIELDS, ...REOPEN_FIELDS },
	"/settings": SETTING_FIELDS,
	"/drivers": { ...PERSON_FIELDS, ...INVITATION_FIELDS },
	"/drivers/:id": { ...PERSON_FIELDS, ...PSEUDONYMIZE_FIELDS },
	"/profile": PERSON_FIELDS,
	"/api/login": PERSON_FIELDS,
};

/** The fields of a form as they are shown; a person is chosen by id and searched by text. */
function fieldsOf(path: string): ReadonlyMap<string, FormField> {
	const fields = Object.hasOwn(FORMS, path) ? (FORMS[path] ?? {}) : {};
	return new Map(
		Object.entries(fields).map(([name, field]) =>
			field.kind === "person"
				? [
						searchFieldNames(name).search,
						{ kind: "line", label: `Find ${field.label.toLowerCase()}` },
					]
				: [name, field],
		),
	);
}

/** A larger form than this fits into a post only in the encoding for files. */
const LARGE = 30_000;

export function ResendForm({ typed, button }: { typed: TypedForm; button: string }) {
	const { path } = findRule(typed.action.replace(/[?#].*$/, ""));
	const known = fieldsOf(path);
	const isLarge = typed.fields.reduce((size, [, value]) => size + value.length, 0) > LARGE;
	return (
		<form
			method="post"
			action={typed.action}
			{...(isLarge ? { encType: "multipart/form-data" } : {})}
			className="grid gap-4"
		>
			{typed.fields.map(([name, value], position) => {
				const id = `typed-${position}`;
				const field = known.get(name);
				if (!field) return <input key={id} type="hidden" name={name} value={value} />;
				const choices = choicesOf(path, name, value);
				return (
					<PlainField key={id} id={id} label={field.label}>
						{(control) =>
							choices ? (
								<NativeSelect {...control} name={name} defaultValue={value}>
									{Object.entries(choices).map(([each, words]) => (
										<option key={each} value={each}>
											{words}
										</option>
									))}
								</NativeSelect>
							) : value.length > 60 || value.includes("\n") ? (
								<Textarea {...control} name={name} defaultValue={value} />
							) : (
								<Input
									{...control}
									// A date field would drop anything else that was typed.
									type={field.kind === "date" && isCalendarDate(value) ? "date" : "text"}
									inputMode={field.keyboard}
									name={name}
									defaultValue={value}
								/>
							)
						}
					</PlainField>
				);
			})}
			{typed.hadFile ? <p>The file wasn't included. Add it again after you send this.</p> : null}
			<Button pending="Sending..." size="wide">
				{button}
			</Button>
		</form>
	);
}
