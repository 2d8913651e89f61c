/** The payload of an Uber fee, with its messages (docs/product.md §5). */
import * as v from "valibot";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { entryDate } from "../../values/date-input.ts";
import { numeral, optionalRowId, optionalText, rowId, submissionKey } from "../../values/fields.ts";
import { amount } from "../../values/money-input.ts";
import { driverIdOr } from "../people/input.ts";
import { FEE_FIELDS } from "./fields.ts";
import { FEE_CATEGORIES } from "./rules.ts";

const required = ({ missing }: { readonly missing: string }) =>
	v.pipe(v.optional(v.string(), ""), v.trim(), v.nonEmpty(missing));

/**
 * A fee from a form or JSON. The signed-in administrator adds it, so no field says who.
 * @param today in the fleet's time zone
 */
export function addFeeInput(today: CalendarDate) {
	return v.object({
		/** The driver's user id. */
		driverId: driverIdOr(FEE_FIELDS.driverId.missing),
		category: v.pipe(
			required(FEE_FIELDS.category),
			v.picklist(FEE_CATEGORIES, "Select a fee category"),
		),
		amount,
		date: entryDate(today, FEE_FIELDS.date.missing),
		referenceNumber: v.pipe(optionalText(100), numeral()),
		description: optionalText(1000),
		key: submissionKey,
		/** The fee this one replaces. */
		replacesId: optionalRowId,
	});
}
export type AddFee = v.InferOutput<ReturnType<typeof addFeeInput>>;

/** The fee of a row's form. */
export const feeIdInput = v.object({ id: rowId });
