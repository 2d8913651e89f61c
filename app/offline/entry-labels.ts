/** The title of an outbox entry, and its fields. */
import { ANSWER_FIELDS, REQUEST_FIELDS } from "../domain/fund-requests/fields.ts";
import { TYPE_LABELS } from "../domain/fund-requests/rules.ts";
import { MILEAGE_FIELDS } from "../domain/mileage/fields.ts";
import {
	dateIn,
	formatDate,
	formatDay,
	formatTime,
	isCalendarDate,
} from "../values/calendar-date.ts";
import { fleetSign } from "../values/fleet-units.ts";
import type { FormField, FormFields } from "../values/form-field.ts";
import type { Entry, Fields } from "./database.ts";

export const fieldValue = (fields: Fields, name: string): string =>
	fields.find(([each]) => each === name)?.[1] ?? "";

const dateWords = (text: string) => (isCalendarDate(text) ? formatDate(text) : text);
const typeWords = (type: string) =>
	Object.hasOwn(TYPE_LABELS, type) ? TYPE_LABELS[type as keyof typeof TYPE_LABELS] : type;

/** How much of an answer is in its entry's title, in characters. */
const MAX_TITLE_LENGTH = 60;
const shorten = (text: string) =>
	text.length > MAX_TITLE_LENGTH ? `${[...text].slice(0, MAX_TITLE_LENGTH).join("")}…` : text;

/**
 * `Mileage, Nov 20, 2026: 45,210 to 45,285`, `Fund request, Gas/Fuel: $45.50` or `Answer about
 * FR-000012: The white one`; once sent, only its kind is known.
 */
export function describeEntry({ form, fields }: Pick<Entry, "form" | "fields">): string {
	const value = (name: string) => fieldValue(fields, name).trim();
	if (fields.length === 0) return KINDS[form];
	const orBlank = (text: string) => text || "(blank)";
	if (form === "mileage")
		return `Mileage, ${orBlank(dateWords(value("date")))}: ${orBlank(value("startOdometer"))} to ${orBlank(value("endOdometer"))}`;
	if (form === "answers")
		return [`Answer about ${value("number")}`, shorten(value("text"))].filter(Boolean).join(": ");
	// Someone may have typed a currency's sign or code.
	const amount = value("amount").replace(/^(?=[\d.,]+$)/, fleetSign);
	return `Fund request, ${orBlank(typeWords(value("type")))}: ${orBlank(amount)}`;
}

/** `Nov 20, 2:05 PM`: a moment in the fleet's time zone, like every other time on its pages. */
export const showMoment = (moment: number, timeZone: string): string =>
	`${formatDay(dateIn(timeZone, moment))}, ${formatTime(timeZone, moment)}`;

const EDITABLE = {
	mileage: MILEAGE_FIELDS,
	requests: REQUEST_FIELDS,
	answers: ANSWER_FIELDS,
} as const satisfies Readonly<Record<Entry["form"], FormFields>>;
const KINDS: Readonly<Record<Entry["form"], string>> = {
	mileage: "Mileage",
	requests: "Fund request",
	answers: "Answer",
};

/** What its driver can correct in an entry: the fields of its form, by their names. */
export const editableFields = (form: Entry["form"]): [name: string, field: FormField][] =>
	Object.entries(EDITABLE[form]);
