/**
 * Checks a form on the phone for missing or reversed values, which the server would refuse in any
 * case. It is part of the service worker, so it doesn't include the fields' labels.
 */
import { ANSWER_FIELDS } from "../domain/fund-requests/fields.ts";
import { BOTH_READINGS, TRIP_DATE } from "../domain/mileage/fields.ts";
import { END_AFTER_START } from "../domain/mileage/rules.ts";
import { parseMiles } from "../values/miles.ts";
import { REQUIRED_FIELDS } from "../values/required.ts";
import type { Fields, FormName } from "./database.ts";
import { fieldValue } from "./entry-labels.ts";

/** The server's own message, or `undefined` for a form that may be valid. */
export function findFault(form: FormName, fields: Fields, fileCount = 0): string | undefined {
	const isMissing = (...names: string[]) =>
		names.some((name) => fieldValue(fields, name).trim() === "");
	if (form === "requests")
		return isMissing("type", "amount", "description") ? REQUIRED_FIELDS : undefined;
	if (form === "answers")
		return isMissing("text") && fileCount === 0 ? ANSWER_FIELDS.text.missing : undefined;
	if (isMissing("startOdometer", "endOdometer")) return BOTH_READINGS;
	const [start, end] = [
		parseMiles(fieldValue(fields, "startOdometer")),
		parseMiles(fieldValue(fields, "endOdometer")),
	];
	if (start !== undefined && end !== undefined && end <= start) return END_AFTER_START;
	return isMissing("date") ? TRIP_DATE : undefined;
}
