/** The fields of the forms that download a report. */
import type { FormFields } from "../../values/form-field.ts";

/** Generate Reports. */
export const REPORT_FIELDS = {
	type: { label: "Report Type", kind: "choice" },
	range: { label: "Date Range", kind: "choice" },
	startDate: { label: "Start Date", kind: "date" },
	endDate: { label: "End Date", kind: "date" },
	format: { label: "Format", kind: "choice" },
	paper: { label: "Paper Size", kind: "choice" },
} as const satisfies FormFields;

/** Mileage Log for the Tax Year. */
export const LOG_FIELDS = {
	driverId: { label: "Driver", kind: "person" },
	year: { label: "Tax Year", kind: "line" },
	// Both forms are on one screen, where 'Format' names the other's field.
	format: { label: "File Type", kind: "choice" },
	paper: { label: "Paper Size", kind: "choice" },
} as const satisfies FormFields;
