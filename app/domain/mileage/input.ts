/** The payload of a mileage log, with its messages (docs/product.md §5). */
import * as v from "valibot";
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";
import { dayOfMidnight, entryDate } from "../../values/date-input.ts";
import {
	numeral,
	optionalLine,
	optionalRowId,
	optionalText,
	type Parsed,
	requiredText,
	rowId,
	submissionKey,
} from "../../values/fields.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { parseMiles, parseWhole } from "../../values/miles.ts";
import { MILEAGE_FIELDS, VOID_FIELDS } from "./fields.ts";
import { END_AFTER_START, GRACE_DAYS } from "./rules.ts";

const WHOLE_MILES = "Odometer readings must be whole numbers from 0 to 9,999,999";

const reading = ({ missing }: { readonly missing: string }) =>
	v.pipe(
		v.optional(v.string(), ""),
		numeral(),
		v.trim(),
		v.nonEmpty(missing),
		v.transform(parseMiles),
		v.number(WHOLE_MILES),
	);

const personalMilesText = () =>
	inUnits("Personal miles must be a whole number from 0 to the trip's miles");
const personalMiles = v.pipe(
	v.optional(v.string(), ""),
	numeral(),
	v.trim(),
	v.transform((text) => (text === "" ? undefined : (parseWhole(text) ?? Number.NaN))),
	v.optional(v.number(personalMilesText)),
);

/**
 * A trip from a form or JSON.
 * @param today in the fleet's time zone
 */
export function logMileageInput(today: CalendarDate) {
	return v.pipe(
		v.object({
			// The readings first: of several errors, an API response gives the first.
			startOdometer: reading(MILEAGE_FIELDS.startOdometer),
			endOdometer: reading(MILEAGE_FIELDS.endOdometer),
			date: entryDate(today, MILEAGE_FIELDS.date.missing, GRACE_DAYS),
			notes: optionalText(1000),
			purpose: optionalLine(80),
			personalMiles,
			key: submissionKey,
			/** The fingerprint of what the form asked about and the driver confirms. */
			confirm: optionalText(64),
			/** The entry this one corrects. */
			correctsId: optionalRowId,
		}),
		v.forward(
			v.partialCheck(
				[["startOdometer"], ["endOdometer"]],
				({ startOdometer, endOdometer }) => endOdometer > startOdometer,
				END_AFTER_START,
			),
			["endOdometer"],
		),
		v.forward(
			v.partialCheck(
				[["startOdometer"], ["endOdometer"], ["personalMiles"]],
				({ startOdometer, endOdometer, personalMiles = 0 }) =>
					// Reversed readings have their own message.
					personalMiles <= Math.max(endOdometer - startOdometer, 0) || endOdometer <= startOdometer,
				personalMilesText,
			),
			["personalMiles"],
		),
	);
}
export type LogMileage = Parsed<ReturnType<typeof logMileageInput>>;

/** A day without a trip. */
export const dayOffInput = v.object({
	date: v.pipe(
		v.optional(v.string(), ""),
		v.transform(dayOfMidnight),
		v.custom<CalendarDate>((text) => isCalendarDate(String(text)), "Enter a valid date"),
	),
});

/** The entry of a row's form. */
export const voidMileageInput = v.object({ id: rowId });

/** The entry that an administrator voids, and the reason, which the driver sees. */
export const voidMileageAsAdminInput = v.object({
	id: rowId,
	reason: requiredText(VOID_FIELDS.reason.missing, 500),
});
export type VoidMileageAsAdmin = v.InferOutput<typeof voidMileageAsAdminInput>;
