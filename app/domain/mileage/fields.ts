/** The fields of the forms about a trip: the page, the phone's outbox and its drafts show the same ones. */
import type { FormFields } from "../../values/form-field.ts";
import { BOTH_READINGS, TRIP_DATE } from "./rules.ts";

/** Log Daily Mileage. */
export const MILEAGE_FIELDS = {
	date: { label: "Date", kind: "date", missing: TRIP_DATE },
	startOdometer: { label: "Starting Odometer", kind: "line", missing: BOTH_READINGS },
	endOdometer: { label: "Ending Odometer", kind: "line", missing: BOTH_READINGS },
	notes: { label: "Notes", kind: "long" },
} as const satisfies FormFields;

/** Why an administrator voids an entry. */
export const VOID_FIELDS = {
	reason: { label: "Reason", kind: "long", missing: "Please give a reason" },
} as const satisfies FormFields;
