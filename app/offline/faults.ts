/**
 * What a phone can say of a form without asking: what is missing or turned round, which the server
 * would refuse whatever it knows. It stands in the service worker, so the fields' labels stay out.
 */
import { BOTH_READINGS, TRIP_DATE } from "../domain/mileage/fields.ts";
import { END_AFTER_START } from "../domain/mileage/rules.ts";
import { milesFrom } from "../values/miles.ts";
import { REQUIRED_FIELDS } from "../values/required.ts";
import { fieldIn } from "./entry-words.ts";
import type { Fields, FormName } from "./store.ts";

/** The server's own sentence, or `undefined` for a form that may be right. */
export function faultIn(form: FormName, fields: Fields): string | undefined {
	const isMissing = (...names: string[]) => names.some((name) => fieldIn(fields, name).trim() === "");
	if (form === "requests") return isMissing("type", "amount", "description") ? REQUIRED_FIELDS : undefined;
	if (isMissing("startOdometer", "endOdometer")) return BOTH_READINGS;
	const [start, end] = [milesFrom(fieldIn(fields, "startOdometer")), milesFrom(fieldIn(fields, "endOdometer"))];
	if (start !== undefined && end !== undefined && end <= start) return END_AFTER_START;
	return isMissing("date") ? TRIP_DATE : undefined;
}
