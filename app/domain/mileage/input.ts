/** What a mileage log must contain, with which words (spec §5, 'Mileage'). */
import * as v from "valibot";
import { addDays, type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";
import { optionalRowId, optionalText, rowId, submissionKey } from "../../values/fields.ts";
import { milesFrom } from "../../values/miles.ts";
import { GRACE_DAYS } from "./rules.ts";

export const BOTH_READINGS = "Please fill in both odometer readings";
export const END_AFTER_START = "Ending odometer must be greater than starting odometer";
const WHOLE_MILES = "Odometer readings are whole numbers from 0 to 9,999,999";

const reading = v.pipe(v.optional(v.string(), ""), v.trim(), v.nonEmpty(BOTH_READINGS), v.transform(milesFrom), v.number(WHOLE_MILES));

/** A client that sends a date as a moment means the day it names: midnight in UTC. */
const dayOfMidnight = (text: string) => text.trim().replace(/T00:00(:00(\.0+)?)?(Z|\+00:00)$/, "");

const tripDate = (today: CalendarDate) =>
	v.pipe(
		v.optional(v.string(), ""),
		v.transform(dayOfMidnight),
		v.nonEmpty("Please enter the date of the trip"),
		v.custom<CalendarDate>((text) => isCalendarDate(String(text)), "Please enter a real date, as YYYY-MM-DD"),
		v.check((date) => date <= addDays(today, GRACE_DAYS), "The date cannot be in the future"),
		v.check((date) => date >= "2000-01-01", "Please check the year of the date"),
	);

/**
 * A trip as the form and the call send it.
 * @param today in the fleet's zone
 */
export function logMileageInput(today: CalendarDate) {
	return v.pipe(
		v.object({
			date: tripDate(today),
			startOdometer: reading,
			endOdometer: reading,
			notes: optionalText(1000),
			key: submissionKey,
			/** The fingerprint of what the form has asked about and the driver confirms. */
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
	);
}
export type LogMileage = v.InferOutput<ReturnType<typeof logMileageInput>>;

/** The entry a row's form names. */
export const voidMileageInput = v.object({ id: rowId });
