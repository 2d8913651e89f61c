/** The payloads of settlements and their changes, with their messages. */
import * as v from "valibot";
import {
	addDays,
	type CalendarDate,
	formatDate,
	isCalendarDate,
} from "../../values/calendar-date.ts";
import { dayOfMidnight } from "../../values/date-input.ts";
import { FIRST_DATE, type Period } from "../../values/period.ts";
import { settlementWeek } from "../statements/settlement-week.ts";
import { MAX_AT_ONCE } from "./rules.ts";

const UNBEGUN = "This week hasn't begun";
/** Days too early or too far ahead for a week to be worked out. */
const isFar = (day: CalendarDate, today: CalendarDate) =>
	day < FIRST_DATE || day > addDays(today, 6);

/**
 * A day of the week to settle.
 * @param today in the fleet's time zone
 * @param startsOn the weekday of a week's first day, 0 for Sunday
 */
export const weekInput = (today: CalendarDate, startsOn: number) =>
	v.pipe(
		v.optional(v.string("week must be a date"), ""),
		v.transform(dayOfMidnight),
		v.custom<CalendarDate>(
			(text) => isCalendarDate(String(text)),
			"Enter a day of the week (YYYY-MM-DD)",
		),
		v.check((day) => day >= FIRST_DATE, `The date can't be before ${formatDate(FIRST_DATE)}`),
		v.check((day) => day <= addDays(today, 6), UNBEGUN),
		v.check((day) => isFar(day, today) || settlementWeek(day, startsOn).from <= today, UNBEGUN),
		v.transform((day): Period => settlementWeek(day, startsOn)),
	);

const ids = (name: string) => {
	const message = `${name} must be a list of ids`;
	return v.pipe(
		v.array(v.pipe(v.string(message), v.maxLength(100, "is no id")), message),
		v.minLength(1, `${name} must name at least one`),
		v.maxLength(MAX_AT_ONCE, `At most ${MAX_AT_ONCE} at once`),
		v.transform((given) => [...new Set(given)]),
	);
};

/** The JSON body that drafts a week, for everyone or for some. */
export const draftWeekBody = (today: CalendarDate, startsOn: number) =>
	v.object({
		week: weekInput(today, startsOn),
		driverIds: v.optional(ids("driverIds")),
	});

const CHANGED_STATUSES = ["published", "void"] as const;
const NO_STATUS = `status must be one of ${CHANGED_STATUSES.join(", ")}`;
const status = v.pipe(v.optional(v.string(NO_STATUS), ""), v.picklist(CHANGED_STATUSES, NO_STATUS));

const NOT_A_RESULT = "A result is a decimal such as 123.45 or -6.00";
/** A result as it was shown, in cents. */
const result = v.pipe(
	v.union([v.string(), v.number()], NOT_A_RESULT),
	v.transform(String),
	v.regex(/^-?\d{1,10}(\.\d{1,2})?$/, NOT_A_RESULT),
	v.metadata({ isNumeral: true }),
	v.transform((text) => Math.round(Number(text) * 100) || 0),
);

/** A PUT of one settlement. */
export const changeSettlementBody = v.object({ status, result: v.optional(result) });

/** A PUT of several, all or none. */
export const changeSettlementsBody = v.object({
	ids: v.optional(ids("ids"), []),
	status,
	results: v.optional(
		v.record(v.string(), result, "results must be an object of a result for each id"),
	),
});

/** A chosen row of the screen of a week: a settlement and the result beside it, in cents. */
export const formatChosen = (id: string, resultCents: number): string => `${id}:${resultCents}`;

export type Chosen = { readonly ids: readonly string[]; readonly results: Record<string, number> };

/** The chosen rows of a form, each with the result that was shown. */
export const chosenInput = v.pipe(
	v.array(v.unknown()),
	v.transform((fields) =>
		fields.flatMap((text) => {
			const [, id, cents] = /^([0-9a-f-]{36}):(-?\d{1,12})$/.exec(String(text)) ?? [];
			return id !== undefined && cents !== undefined ? [[id, Number(cents)] as const] : [];
		}),
	),
	v.nonEmpty("Select the settlements to publish"),
	v.maxLength(MAX_AT_ONCE, `At most ${MAX_AT_ONCE} at once`),
	v.transform(
		(rows): Chosen => ({
			ids: [...new Set(rows.map(([id]) => id))],
			results: Object.fromEntries(rows),
		}),
	),
);

/** The form that publishes one settlement, with the result that was shown. */
export const publishForm = v.object({
	result: v.pipe(
		v.optional(v.string(), ""),
		v.regex(/^-?\d{1,12}$/, "Reload the page and check the settlement again"),
		v.transform(Number),
	),
});
