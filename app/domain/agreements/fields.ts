/** The fields of the form for an agreement. */

import { inUnits } from "../../values/fleet-units.ts";
import type { FormFields } from "../../values/form-field.ts";

export const AGREEMENT_FIELDS = {
	from: { label: "From", kind: "date", missing: "Enter the first day of a week" },
	base: { label: "Fares counted", kind: "choice" },
	faresPercent: { label: "Fares (%)", kind: "line", keyboard: "decimal" },
	tipsPercent: { label: "Tips (%)", kind: "line", keyboard: "decimal" },
	promotionsPercent: { label: "Promotions (%)", kind: "line", keyboard: "decimal" },
	tollsTo: { label: "Tolls go to", kind: "choice" },
	weeklyRent: { label: "Weekly rent", kind: "line", keyboard: "decimal" },
	weeklyFee: { label: "Weekly fee", kind: "line", keyboard: "decimal" },
	fleetPercent: { label: "Fleet's share (%)", kind: "line", keyboard: "decimal" },
	perMileMills: {
		get label() {
			return inUnits("Rate per business mile (tenths of a cent)");
		},
		kind: "line",
		keyboard: "numeric",
	},
	thresholdMiles: {
		get label() {
			return inUnits("Miles per tax year at that rate");
		},
		kind: "line",
		keyboard: "numeric",
	},
	thereafterMills: {
		get label() {
			return inUnits("Rate beyond that (tenths of a cent)");
		},
		kind: "line",
		keyboard: "numeric",
	},
	taxYearStart: { label: "Tax year starts", kind: "choice" },
} as const satisfies FormFields;
