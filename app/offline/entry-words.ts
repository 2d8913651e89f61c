/** What an entry of the outbox is called, and what its fields are. */
import { TYPE_LABELS } from "../domain/fund-requests/rules.ts";
import { dateIn, isCalendarDate, showDate, showDay, showTime } from "../values/calendar-date.ts";
import type { Entry, Fields } from "./store.ts";

export const fieldIn = (fields: Fields, name: string): string => fields.find(([each]) => each === name)?.[1] ?? "";

const dateWords = (text: string) => (isCalendarDate(text) ? showDate(text) : text);
const typeWords = (type: string) => (Object.hasOwn(TYPE_LABELS, type) ? TYPE_LABELS[type as keyof typeof TYPE_LABELS] : type);

/** `Mileage, Nov 20, 2026: 45,210 to 45,285` or `Fund request, Gas/Fuel: $45.50`; of what is sent only its kind is left. */
export function nameOf({ form, fields }: Pick<Entry, "form" | "fields">): string {
	const value = (name: string) => fieldIn(fields, name).trim();
	if (fields.length === 0) return form === "mileage" ? "Mileage" : "Fund request";
	const shown = (text: string) => text || "(nothing)";
	if (form === "mileage")
		return `Mileage, ${shown(dateWords(value("date")))}: ${shown(value("startOdometer"))} to ${shown(value("endOdometer"))}`;
	const amount = value("amount").replace(/^\$/, "");
	return `Fund request, ${shown(typeWords(value("type")))}: ${amount ? `$${amount}` : shown("")}`;
}

/** `Nov 20, 2:05 PM`: a moment of the phone's clock as the fleet's clock shows it, like every other time on its pages. */
export const showMoment = (moment: number, timeZone: string): string =>
	`${showDay(dateIn(timeZone, moment))}, ${showTime(timeZone, moment)}`;

export type EditableField = { readonly name: string; readonly label: string; readonly kind: "text" | "date" | "long" | "type" };

const EDITABLE: Readonly<Record<Entry["form"], readonly EditableField[]>> = {
	mileage: [
		{ name: "date", label: "Date", kind: "date" },
		{ name: "startOdometer", label: "Starting Odometer", kind: "text" },
		{ name: "endOdometer", label: "Ending Odometer", kind: "text" },
		{ name: "notes", label: "Notes", kind: "long" },
	],
	requests: [
		{ name: "type", label: "Request Type", kind: "type" },
		{ name: "amount", label: "Amount", kind: "text" },
		{ name: "description", label: "Description", kind: "long" },
	],
};

/** What its driver can mend of an entry. */
export const editableFields = (form: Entry["form"]): readonly EditableField[] => EDITABLE[form];
