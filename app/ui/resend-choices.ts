/** What the selects of a form offer, for forms that are shown again on another page. */
import { TYPE_LABELS as REQUEST_TYPES } from "../domain/fund-requests/rules.ts";
import {
	FORMAT_LABELS,
	PAPER_LABELS,
	RANGE_LABELS,
	TYPE_LABELS as REPORT_TYPES,
} from "../domain/reports/rules.ts";
import { categoryText, FEE_CATEGORIES } from "../domain/uber-fees/rules.ts";

type Labels = Readonly<Record<string, string>>;

const FILE = { format: FORMAT_LABELS, paper: PAPER_LABELS };
/** The labels of the values by field, by the path of the form as routes.ts has it. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, Labels>>>> = {
	"/requests": { type: REQUEST_TYPES },
	"/uber-fees": {
		category: Object.fromEntries(FEE_CATEGORIES.map((each) => [each, categoryText(each)])),
	},
	"/reports/generate": { type: REPORT_TYPES, range: RANGE_LABELS, ...FILE },
	"/reports/mileage-log": FILE,
};

/** The values with their labels; undefined unless the field is a select that offers this value. */
export function choicesOf(path: string, name: string, value: string): Labels | undefined {
	const labels = CHOICES[path]?.[name];
	return labels && Object.hasOwn(labels, value) ? labels : undefined;
}
