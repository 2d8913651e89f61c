/** What a person fills in on each form, and whether they have. */
import { AGREEMENT_FIELDS } from "../domain/agreements/fields.ts";
import { CHARGE_FIELDS } from "../domain/charges/fields.ts";
import { DECISION_FIELDS, REQUEST_FIELDS } from "../domain/fund-requests/fields.ts";
import { MESSAGE_FIELDS } from "../domain/messages/fields.ts";
import { MILEAGE_FIELDS, VOID_FIELDS } from "../domain/mileage/fields.ts";
import { PAYMENT_FIELDS, REOPEN_FIELDS } from "../domain/payouts/fields.ts";
import { searchFieldNames } from "../domain/people/choice.ts";
import {
	ADMIN_FIELDS,
	INVITATION_FIELDS,
	PERSON_FIELDS,
	PSEUDONYMIZE_FIELDS,
} from "../domain/people/fields.ts";
import { LOG_FIELDS, REPORT_FIELDS } from "../domain/reports/fields.ts";
import { SETTING_FIELDS } from "../domain/settings/fields.ts";
import { TOKEN_FIELDS } from "../domain/tokens/fields.ts";
import { FEE_FIELDS } from "../domain/uber-fees/fields.ts";
import { WEBHOOK_FIELDS } from "../domain/webhooks/fields.ts";
import type { TypedForm } from "../http/refusal.ts";
import { findRule } from "../routing/routes.ts";
import type { FormField, FormFields } from "../values/form-field.ts";

/**
 * The fields that a person fills in, by the path of their form as routes.ts has it; any others are
 * control fields.
 */
const FORMS: Readonly<Record<string, FormFields>> = {
	"/mileage": MILEAGE_FIELDS,
	"/mileage-reports": VOID_FIELDS,
	"/earnings/:id": MESSAGE_FIELDS,
	"/settlements/:id": MESSAGE_FIELDS,
	"/requests": { ...REQUEST_FIELDS, ...MESSAGE_FIELDS },
	"/fund-requests": { ...DECISION_FIELDS, ...MESSAGE_FIELDS },
	"/uber-fees": FEE_FIELDS,
	"/reports/generate": REPORT_FIELDS,
	"/reports/mileage-log": LOG_FIELDS,
	"/payouts/:id": { ...PAYMENT_FIELDS, ...REOPEN_FIELDS },
	"/settings": SETTING_FIELDS,
	"/settings/tokens": TOKEN_FIELDS,
	"/settings/webhooks": WEBHOOK_FIELDS,
	"/drivers": { ...ADMIN_FIELDS, ...INVITATION_FIELDS },
	"/drivers/:id": {
		...PERSON_FIELDS,
		...PSEUDONYMIZE_FIELDS,
		...AGREEMENT_FIELDS,
		...CHARGE_FIELDS,
	},
	"/profile": PERSON_FIELDS,
	"/api/login": PERSON_FIELDS,
};

/** The fields of a form as they are shown; a person is chosen by id and searched by text. */
export function fieldsOf(path: string): ReadonlyMap<string, FormField> {
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

/** The field with the text of an imported file. */
const FILE_TEXT = "csv";

/** The path of a form as routes.ts has it. */
export const formPath = ({ action }: TypedForm): string =>
	findRule(action.replace(/[?#].*$/, "")).path;

/** Choices and ticks are quickly made again, and so are dates, which forms begin with. */
const isTyped = (field: FormField | undefined): boolean =>
	field !== undefined && field.kind !== "choice" && field.kind !== "date" && !field.isFilledIn;

/** Whether something would be lost with the form: text, or a file. */
export function hasTyped(typed: TypedForm): boolean {
	const known = fieldsOf(formPath(typed));
	return (
		typed.hadFile ||
		typed.fields.some(
			([name, value]) => value.trim() !== "" && (name === FILE_TEXT || isTyped(known.get(name))),
		)
	);
}
