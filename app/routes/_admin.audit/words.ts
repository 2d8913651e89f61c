/** The screens' words for values that the audit keeps as in the code. */
import { BASE_LABELS, TAX_YEAR_LABELS, TOLL_LABELS } from "../../domain/agreements/rules.ts";
import { DIRECTION_LABELS, KIND_LABELS } from "../../domain/charges/rules.ts";
import {
	STATUS_LABELS,
	SHORT_TYPE_LABELS as TYPE_LABELS,
} from "../../domain/fund-requests/rules.ts";
import { STATUS_LABELS as PAYOUT_LABELS } from "../../domain/payouts/rules.ts";
import { ROLE_NAMES } from "../../domain/people/rules.ts";
import { STATUS_LABELS as SETTLEMENT_LABELS } from "../../domain/settlements/rules.ts";
import { platformLabel } from "../../domain/statements/platforms.ts";
import { SCOPE_LABELS } from "../../domain/tokens/rules.ts";
import { categoryText, FEE_CATEGORIES } from "../../domain/uber-fees/rules.ts";

type Words = Readonly<Record<string, string>>;

const STATUSES: Words = { ...SETTLEMENT_LABELS, ...STATUS_LABELS, ...PAYOUT_LABELS };

/** By the name of the value. */
const WORDS: Readonly<Record<string, Words>> = {
	approvalStatus: STATUS_LABELS,
	base: BASE_LABELS,
	category: Object.fromEntries(FEE_CATEGORIES.map((each) => [each, categoryText(each)])),
	direction: DIRECTION_LABELS,
	kind: KIND_LABELS,
	platform: Object.fromEntries(
		["uber", "bolt", "columns"].map((each) => [each, platformLabel(each)]),
	),
	role: ROLE_NAMES,
	scope: SCOPE_LABELS,
	status: STATUSES,
	taxYearStart: TAX_YEAR_LABELS,
	tollsTo: TOLL_LABELS,
	type: TYPE_LABELS,
	weekStartsOn: { monday: "Monday", sunday: "Sunday" },
};

/** What to show for a value; undefined to show it as it is. */
export function wordsFor(name: string, value: string): string | undefined {
	const words = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
	return words && Object.hasOwn(words, value) ? words[value] : undefined;
}
