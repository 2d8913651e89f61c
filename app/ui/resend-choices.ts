/** What a form's selects offer, for forms that are shown again on another page. */
import { BASE_LABELS, TAX_YEAR_LABELS, TOLL_LABELS } from "../domain/agreements/rules.ts";
import { DIRECTION_LABELS, KIND_LABELS } from "../domain/charges/rules.ts";
import { TYPE_LABELS as REQUEST_TYPES } from "../domain/fund-requests/rules.ts";
import { OFFICE_LABELS } from "../domain/people/rules.ts";
import {
	FORMAT_LABELS,
	PAPER_LABELS,
	RANGE_LABELS,
	TYPE_LABELS as REPORT_TYPES,
} from "../domain/reports/rules.ts";
import { categoryText, FEE_CATEGORIES } from "../domain/uber-fees/rules.ts";
import { EVENTS } from "../domain/webhooks/rules.ts";

type Labels = Readonly<Record<string, string>>;

const FILE = { format: FORMAT_LABELS, paper: PAPER_LABELS };
/** The labels of the values by field, by the path of the form as routes.ts has it. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, Labels>>>> = {
	"/requests": { type: REQUEST_TYPES },
	"/uber-fees": {
		category: Object.fromEntries(FEE_CATEGORIES.map((each) => [each, categoryText(each)])),
	},
	"/drivers": { role: OFFICE_LABELS },
	"/drivers/:id": {
		base: BASE_LABELS,
		tollsTo: TOLL_LABELS,
		taxYearStart: TAX_YEAR_LABELS,
		kind: KIND_LABELS,
		direction: DIRECTION_LABELS,
	},
	"/reports/generate": { type: REPORT_TYPES, range: RANGE_LABELS, ...FILE },
	"/reports/mileage-log": FILE,
	"/settings/webhooks": { events: EVENTS },
};

/**
 * The values with their labels, also if none was chosen; undefined unless the field is a select that
 * offers this value.
 */
export function choicesOf(path: string, name: string, value: string): Labels | undefined {
	const labels = CHOICES[path]?.[name];
	if (!labels || Object.hasOwn(labels, value)) return labels;
	return value === "" ? { "": "Select one", ...labels } : undefined;
}
