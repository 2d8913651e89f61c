/** Short messages under a field, for a sentence about the whole form that is shown above it. */
import type { SubmissionResult } from "@conform-to/react";
import { BOTH_READINGS } from "../../domain/mileage/fields.ts";
import { END_AFTER_START } from "../../domain/mileage/rules.ts";
import { REQUIRED_FIELDS } from "../../values/required.ts";

const AT_THE_FIELD: Readonly<Record<string, string>> = {
	[REQUIRED_FIELDS]: "Required",
	[BOTH_READINGS]: "Required",
	[END_AFTER_START]: "Must be more than the starting reading",
};

/**
 * A refused form whose general messages appear once above it, and in short under each of their
 * fields.
 */
export function moveErrorsToFields(result: SubmissionResult | undefined): SubmissionResult | null {
	if (!result?.error) return result ?? null;
	const error = Object.entries(result.error).map(([name, messages]) => [
		name,
		messages?.map((message) => AT_THE_FIELD[message] ?? message) ?? null,
	]);
	return { ...result, error: Object.fromEntries(error) };
}
