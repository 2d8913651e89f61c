/** What is said under a field instead of a sentence about its whole form, which stands above it. */
import type { SubmissionResult } from "@conform-to/react";
import { BOTH_READINGS } from "../../domain/mileage/fields.ts";
import { END_AFTER_START } from "../../domain/mileage/rules.ts";
import { REQUIRED_FIELDS } from "../../values/required.ts";

const AT_THE_FIELD: Readonly<Record<string, string>> = {
	[REQUIRED_FIELDS]: "Required",
	[BOTH_READINGS]: "Required",
	[END_AFTER_START]: "Must be more than the starting reading",
};

/** A refused form whose sentences stand above it once, and briefly under each of its fields. */
export function atTheFields(result: SubmissionResult | undefined): SubmissionResult | null {
	if (!result?.error) return result ?? null;
	const error = Object.entries(result.error).map(([name, messages]) => [
		name,
		messages?.map((message) => AT_THE_FIELD[message] ?? message) ?? null,
	]);
	return { ...result, error: Object.fromEntries(error) };
}
