/** The labels of the filters' values. */
export const BAND_LABELS = { "0-50": "$0 - $50", "50-100": "$50 - $100", "100+": "$100+" } as const;
export const QUESTION_FILTER_LABELS = {
	asked: "Question asked",
	answered: "Question answered",
} as const;
export const FLAG_LABELS = {
	"no-receipt": "No receipt",
	duplicate: "Possible duplicate",
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
