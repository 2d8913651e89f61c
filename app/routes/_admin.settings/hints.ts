/** What is said under each number of the settings; its default follows. */
import type {
	QUESTION_FIELDS,
	RECEIPT_FIELDS,
	THRESHOLD_FIELDS,
} from "../../domain/settings/fields.ts";

export const THRESHOLD_HINTS: Readonly<Record<keyof typeof THRESHOLD_FIELDS, string>> = {
	excellentUnderCents: "Dollars of fuel per mile.",
	goodUnderCents:
		"Dollars of fuel per mile. From it on it's 'Needs Improvement'; below it the overview says 'Efficient'.",
	targetCents: "Dollars of fuel per mile, at most. Recommendations and charts measure against it.",
	aboveTargetOverCents: "Dollars of fuel per mile. Reports say 'Above target' over it.",
	fuelTargetPercent: "Fuel's share of fuel and Uber fees; the rest is the share of the fees.",
	pendingAlertOver: "The overview alerts when more requests wait.",
	feeAlertOverCents: "In dollars. The overview alerts when all Uber fees come to more.",
};

export const QUESTION_HINTS: Readonly<Record<keyof typeof QUESTION_FIELDS, string>> = {
	longTripMiles: "The mileage form asks about a longer trip, and it is flagged.",
	sameRequestMinutes:
		"The request form asks when type, amount and description are the same again, and it is flagged.",
};

export const RECEIPT_HINTS: Readonly<Record<keyof typeof RECEIPT_FIELDS, string>> = {
	receiptMegabytes:
		"From 1 to 8. Photos are made smaller before they are sent, except without JavaScript. What is stored stays.",
};
