/** The fields of the forms about settings. */

import { inUnits } from "../../values/fleet-units.ts";
import type { FormFields } from "../../values/form-field.ts";
import { REQUIRED_FIELDS } from "../../values/required.ts";

export const FLEET_FIELDS = {
	fleetName: { label: "Fleet name", kind: "line" },
} as const satisfies FormFields;

export const UNIT_FIELDS = {
	currency: { label: "Currency", kind: "line", missing: REQUIRED_FIELDS },
	distanceUnit: { label: "Distance", kind: "choice" },
} as const satisfies FormFields;

/** The switches of the fleet's reminders. */
export const REMINDER_LABELS = {
	remindOfMiles: () => inUnits("Missing miles"),
	remindOfReceipts: () => "Missing receipts",
	weeklyDigest: () => "Weekly digest",
} as const;
export type Reminder = keyof typeof REMINDER_LABELS;
export const isReminder = (name: string): name is Reminder => Object.hasOwn(REMINDER_LABELS, name);

export const THRESHOLD_FIELDS = {
	excellentUnderCents: { label: "Excellent under", kind: "line", missing: REQUIRED_FIELDS },
	goodUnderCents: { label: "Good under", kind: "line", missing: REQUIRED_FIELDS },
	targetCents: {
		get label() {
			return inUnits("Target cost per mile");
		},
		kind: "line",
		missing: REQUIRED_FIELDS,
	},
	aboveTargetOverCents: { label: "Above target over", kind: "line", missing: REQUIRED_FIELDS },
	fuelTargetPercent: { label: "Fuel share (%)", kind: "line", missing: REQUIRED_FIELDS },
	pendingAlertOver: {
		label: "Pending requests alert",
		kind: "line",
		missing: REQUIRED_FIELDS,
	},
	feeAlertOverCents: { label: "Uber fees alert", kind: "line", missing: REQUIRED_FIELDS },
} as const satisfies FormFields;

export const QUESTION_FIELDS = {
	longTripMiles: {
		get label() {
			return inUnits("Long trips over (miles)");
		},
		kind: "line",
		missing: REQUIRED_FIELDS,
	},
	sameRequestMinutes: {
		label: "Repeats within (minutes)",
		kind: "line",
		missing: REQUIRED_FIELDS,
	},
} as const satisfies FormFields;

export const RECEIPT_FIELDS = {
	receiptMegabytes: { label: "Largest receipt (MB)", kind: "line", missing: REQUIRED_FIELDS },
} as const satisfies FormFields;

export const ACCOUNTING_FIELDS = {
	accountCode: { label: "Account code", kind: "line", missing: "Account code is required" },
	settlementAccountCode: { label: "Account for settlements", kind: "line" },
	taxType: { label: "Tax type", kind: "line" },
	quickbooksTaxCode: { label: "QuickBooks tax code", kind: "line" },
} as const satisfies FormFields;

export const RETENTION_FIELDS = {
	keepDriverYears: {
		label: "Years after deactivation",
		kind: "line",
		missing: "Enter a number of years",
	},
} as const satisfies FormFields;

export const WEEK_FIELDS = {
	weekStartsOn: { label: "A week starts on", kind: "choice" },
} as const satisfies FormFields;

/** All of them, by the names of their settings. */
export const SETTING_FIELDS: FormFields = {
	...FLEET_FIELDS,
	...UNIT_FIELDS,
	...THRESHOLD_FIELDS,
	...QUESTION_FIELDS,
	...RECEIPT_FIELDS,
	...ACCOUNTING_FIELDS,
	...RETENTION_FIELDS,
	...WEEK_FIELDS,
};
