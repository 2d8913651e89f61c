/** The hint under each number of the settings, followed by its default. */
import type {
	QUESTION_FIELDS,
	RECEIPT_FIELDS,
	THRESHOLD_FIELDS,
} from "../../domain/settings/fields.ts";

export const THRESHOLD_HINTS: Readonly<Record<keyof typeof THRESHOLD_FIELDS, string>> = {
	excellentUnderCents: "Dollars of fuel per mile.",
	goodUnderCents:
		"Dollars of fuel per mile. At or above this is 'Needs Improvement'; below it, the overview says 'Efficient'.",
	targetCents: "Dollars of fuel per mile, at most. Recommendations and charts measure against it.",
	aboveTargetOverCents: "Dollars of fuel per mile. Reports say 'Above target' over it.",
	fuelTargetPercent: "Fuel's share of fuel and Uber fees combined. Uber fees are the rest.",
	pendingAlertOver: "The overview shows an alert when more requests than this are waiting.",
	feeAlertOverCents: "In dollars. The overview shows an alert when Uber fees total more than this.",
};

export const QUESTION_HINTS: Readonly<Record<keyof typeof QUESTION_FIELDS, string>> = {
	longTripMiles: "Drivers are asked to confirm a longer trip, and it's flagged.",
	sameRequestMinutes:
		"Drivers are asked to confirm a request with the same type, amount and description, and it's flagged.",
};

export const RECEIPT_HINTS: Readonly<Record<keyof typeof RECEIPT_FIELDS, string>> = {
	receiptMegabytes:
		"From 1 to 8. Photos are shrunk before they're sent, unless JavaScript is off. Stored receipts aren't affected.",
};
