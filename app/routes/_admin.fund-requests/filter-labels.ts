/** The labels of the filters' values. */
import { LATE } from "../../domain/fund-requests/rules.ts";
import { inUnits } from "../../values/fleet-units.ts";

/** Of the bands of amounts, in the fleet's currency. */
export const bandLabels = () => ({
	"0-50": inUnits("$0 - $50"),
	"50-100": inUnits("$50 - $100"),
	"100+": inUnits("$100+"),
});
export const QUESTION_FILTER_LABELS = {
	asked: "Question asked",
	answered: "Question answered",
} as const;
export const FLAG_LABELS = {
	"no-receipt": "No receipt",
	duplicate: "Possible duplicate",
	late: LATE,
} as const;
export const PAYMENT_LABELS = {
	unpaid: "Approved, not in a payout",
	open: "In an open payout",
	paid: "Paid",
} as const;
export const ORDER_LABELS = {
	newest: "Newest first",
	oldest: "Oldest first",
	largest: "Largest amount first",
	smallest: "Smallest amount first",
} as const;
