/** The payload of an agreement, with its messages. */
import * as v from "valibot";
import {
	addDays,
	type CalendarDate,
	formatDate,
	formatWeekday,
	isCalendarDate,
} from "../../values/calendar-date.ts";
import { dayOfMidnight } from "../../values/date-input.ts";
import { numeral, submissionKey } from "../../values/fields.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { MAX_MILES, parseWhole } from "../../values/miles.ts";
import { amountBetween } from "../../values/money-input.ts";
import { toPlainNumeral } from "../../values/numeral.ts";
import { FIRST_DATE } from "../../values/period.ts";
import { driverIdOr } from "../people/input.ts";
import { NO_SUCH_DRIVER } from "../people/rules.ts";
import { settlementWeek } from "../statements/settlement-week.ts";
import { AGREEMENT_FIELDS } from "./fields.ts";
import {
	BASES,
	MAX_DAYS_AHEAD,
	MAX_MILLS,
	MAX_WEEKLY_CENTS,
	TAX_YEAR_STARTS,
	TOLL_OWNERS,
	WHOLE,
} from "./rules.ts";

/** Why a day isn't the first of a week, with the nearest ones that are. */
function whyNotFirst(day: CalendarDate, weekStartsOn: number): string {
	const { from } = settlementWeek(day, weekStartsOn);
	return `A week starts on ${formatWeekday(from)}. Enter ${formatDate(from)} or ${formatDate(addDays(from, 7))}`;
}

/** The first day of a settlement week, past or up to a year ahead. */
function firstOfWeek(today: CalendarDate, weekStartsOn: number) {
	const last = addDays(today, MAX_DAYS_AHEAD);
	return v.pipe(
		v.optional(v.string(), ""),
		v.transform(dayOfMidnight),
		v.nonEmpty(AGREEMENT_FIELDS.from.missing),
		v.custom<CalendarDate>(
			(text) => isCalendarDate(String(text)),
			"Enter a valid date (YYYY-MM-DD)",
		),
		v.check((day) => day >= FIRST_DATE, `The date can't be before ${formatDate(FIRST_DATE)}`),
		v.check((day) => day <= last, `The date can't be after ${formatDate(last)}`),
		v.check(
			(day) => day < FIRST_DATE || day > last || settlementWeek(day, weekStartsOn).from === day,
			({ input }) => whyNotFirst(input, weekStartsOn),
		),
	);
}

/** An optional text, with a default if it is absent or blank. */
const orDefault = (byDefault: string) =>
	v.pipe(
		v.optional(v.string(), ""),
		numeral(),
		v.transform((text) => text.trim() || byDefault),
	);

const PERCENT = "Enter a percent from 0 to 100, with up to two decimals";
/** A typed percent, in hundredths. */
const percent = (byDefault: string) =>
	v.pipe(
		orDefault(byDefault),
		v.transform((text) => {
			const [, whole, fraction = ""] =
				/^(\d{1,3})(?:[.,](\d{1,2}))? ?%?$/.exec(toPlainNumeral(text)) ?? [];
			return whole === undefined ? Number.NaN : Number(`${whole}${fraction.padEnd(2, "0")}`);
		}),
		v.number(PERCENT),
		v.maxValue(WHOLE, PERCENT),
	);

const WEEKLY = "The amount must be from 0 to 100,000.00";
/** A typed amount a week, as cents; nothing if it is absent. */
const weekly = amountBetween(0, MAX_WEEKLY_CENTS, WEEKLY, "0");

const MILLS = `Enter tenths of a cent as a whole number, such as 725 for 72.5 cents, up to ${MAX_MILLS}`;
const mills = v.pipe(
	orDefault("0"),
	v.transform((text) => parseWhole(text) ?? Number.NaN),
	v.number(MILLS),
	v.maxValue(MAX_MILLS, MILLS),
);

/** A whole number that may be absent. */
const optionalWhole = (least: number, most: number, message: string | (() => string)) =>
	v.pipe(
		v.optional(v.string(), ""),
		numeral(),
		v.trim(),
		v.transform((text) => (text === "" ? undefined : (parseWhole(text) ?? Number.NaN))),
		v.optional(v.pipe(v.number(message), v.minValue(least, message), v.maxValue(most, message))),
	);

/** A choice, or its default. */
const choice = <const Options extends readonly [string, ...string[]]>(
	options: Options,
	message: string,
) =>
	v.pipe(
		v.optional(v.string(), ""),
		v.transform((text) => text.trim() || options[0]),
		v.picklist(options, message),
	);

const both = () => inUnits("A threshold needs the miles and the rate beyond them");

/** The terms of an agreement, from a form or JSON. */
const terms = {
	base: choice(BASES, "The base must be net or gross"),
	faresPercent: percent("100"),
	tipsPercent: percent("100"),
	promotionsPercent: percent("100"),
	tollsTo: choice(TOLL_OWNERS, "Tolls go to driver or fleet"),
	weeklyRent: weekly,
	weeklyFee: weekly,
	fleetPercent: percent("0"),
	perMileMills: mills,
	thresholdMiles: optionalWhole(1, MAX_MILES, () =>
		inUnits("The threshold must be a whole number of miles, 1 or more"),
	),
	thereafterMills: optionalWhole(0, MAX_MILLS, MILLS),
	taxYearStart: v.pipe(
		v.optional(v.string(), ""),
		v.transform((text) => text.trim() || undefined),
		v.optional(v.picklist(TAX_YEAR_STARTS, "A tax year starts on 01-01 or 04-06")),
	),
};

/**
 * An agreement from a form or JSON.
 * @param today in the fleet's time zone
 * @param weekStartsOn the weekday of a settlement week's first day, 0 for Sunday
 */
export function newAgreementInput(today: CalendarDate, weekStartsOn: number) {
	return v.pipe(
		v.object({
			driverId: driverIdOr(NO_SUCH_DRIVER),
			from: firstOfWeek(today, weekStartsOn),
			...terms,
			key: submissionKey,
		}),
		v.forward(
			v.partialCheck(
				[["thresholdMiles"], ["thereafterMills"]],
				({ thresholdMiles, thereafterMills }) =>
					thresholdMiles === undefined || thereafterMills !== undefined,
				both,
			),
			["thereafterMills"],
		),
		v.forward(
			v.partialCheck(
				[["thresholdMiles"], ["thereafterMills"]],
				({ thresholdMiles, thereafterMills }) =>
					thereafterMills === undefined || thresholdMiles !== undefined,
				both,
			),
			["thresholdMiles"],
		),
		// A threshold without a tax year goes by calendar years.
		v.transform(({ taxYearStart, ...given }) => ({
			...given,
			taxYearStart: taxYearStart ?? (given.thresholdMiles ? TAX_YEAR_STARTS[0] : undefined),
		})),
	);
}
export type NewAgreement = v.InferOutput<ReturnType<typeof newAgreementInput>>;
