/** The payload of a charge, with its messages. */
import * as v from "valibot";
import {
	addDays,
	type CalendarDate,
	formatDate,
	isCalendarDate,
} from "../../values/calendar-date.ts";
import { dayOfMidnight, firstEntryDate } from "../../values/date-input.ts";
import { numeral, optionalText, submissionKey } from "../../values/fields.ts";
import { parseWhole } from "../../values/miles.ts";
import { amount } from "../../values/money-input.ts";
import { driverIdOr } from "../people/input.ts";
import { NO_SUCH_DRIVER } from "../people/rules.ts";
import { CHARGE_FIELDS } from "./fields.ts";
import { DIRECTIONS, KINDS, MAX_DAYS_AHEAD, MAX_INSTALMENTS, usualDirection } from "./rules.ts";

/** A day of this year or the two before it, or up to a year ahead. */
function chargeDate(today: CalendarDate) {
	const [first, last] = [firstEntryDate(today), addDays(today, MAX_DAYS_AHEAD)];
	return v.pipe(
		v.optional(v.string(), ""),
		v.transform(dayOfMidnight),
		v.nonEmpty(CHARGE_FIELDS.date.missing),
		v.custom<CalendarDate>(
			(text) => isCalendarDate(String(text)),
			"Enter a valid date (YYYY-MM-DD)",
		),
		v.check((day) => day >= first, `The date can't be before ${formatDate(first)}`),
		v.check((day) => day <= last, `The date can't be after ${formatDate(last)}`),
	);
}

const INSTALMENTS = `Installments must be a whole number from 1 to ${MAX_INSTALMENTS}`;

/**
 * A charge from a form or JSON. One that doesn't say is for the driver if it is a bonus, and otherwise
 * against them.
 * @param today in the fleet's time zone
 */
export function newChargeInput(today: CalendarDate) {
	return v.pipe(
		v.object({
			driverId: driverIdOr(NO_SUCH_DRIVER),
			kind: v.pipe(
				v.optional(v.string(), ""),
				v.trim(),
				v.nonEmpty(CHARGE_FIELDS.kind.missing),
				// `fuel card` as in prose, `fuel_card` as in fees' categories.
				v.transform((text) => text.replace(/[ _]/g, "-")),
				v.picklist(KINDS, CHARGE_FIELDS.kind.missing),
			),
			direction: v.pipe(
				v.optional(v.string(), ""),
				v.trim(),
				v.picklist(["", ...DIRECTIONS], "The direction must be against or for"),
			),
			amount,
			date: chargeDate(today),
			instalments: v.pipe(
				v.optional(v.string(), ""),
				numeral(),
				v.transform((text) => (text.trim() === "" ? 1 : (parseWhole(text) ?? Number.NaN))),
				v.number(INSTALMENTS),
				v.minValue(1, INSTALMENTS),
				v.maxValue(MAX_INSTALMENTS, INSTALMENTS),
			),
			note: optionalText(1000),
			key: submissionKey,
		}),
		v.forward(
			v.partialCheck(
				[["amount"], ["instalments"]],
				({ amount: cents, instalments }) => cents === 0 || instalments <= cents,
				"The amount is too small for so many installments",
			),
			["instalments"],
		),
		v.transform((charge) => ({
			...charge,
			direction: charge.direction || usualDirection(charge.kind),
		})),
	);
}
export type NewCharge = v.InferOutput<ReturnType<typeof newChargeInput>>;
