/** The fields of the forms about a trip, for the page, the phone's outbox and its drafts. */

import { inUnits } from "../../values/fleet-units.ts";
import type { FormFields } from "../../values/form-field.ts";

/** The messages for a missing date or missing readings (docs/product.md §5). */
export const TRIP_DATE = "Enter the trip date";
export const BOTH_READINGS = "Please fill in both odometer readings";

/** Log Daily Mileage. */
export const MILEAGE_FIELDS = {
	date: { label: "Date", kind: "date", missing: TRIP_DATE },
	startOdometer: {
		label: "Starting Odometer",
		kind: "line",
		keyboard: "numeric",
		missing: BOTH_READINGS,
		isFilledIn: true,
	},
	endOdometer: {
		label: "Ending Odometer",
		kind: "line",
		keyboard: "numeric",
		missing: BOTH_READINGS,
	},
	notes: { label: "Notes", kind: "long" },
	purpose: { label: "Purpose", kind: "line" },
	personalMiles: {
		get label() {
			return inUnits("Personal Miles");
		},
		kind: "line",
		keyboard: "numeric",
	},
} as const satisfies FormFields;

/** Why an administrator voids an entry. */
export const VOID_FIELDS = {
	reason: { label: "Reason", kind: "long", missing: "Enter a reason" },
} as const satisfies FormFields;
