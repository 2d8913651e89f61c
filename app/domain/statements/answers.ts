/** What a statement's file doesn't say and a person has answered. */
import * as v from "valibot";
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";

/** The one currency that Milepost keeps. */
export const FLEET_CURRENCY = "USD";

const date = v.custom<CalendarDate>((text) => typeof text === "string" && isCalendarDate(text));
const answersSchema = v.object({
	/** Users by the platform's id of them; by name where the file has no ids. */
	drivers: v.optional(v.record(v.string(), v.string()), {}),
	from: v.optional(date),
	to: v.optional(date),
	/** Yes, import it although an overlapping period or the same fee is there. */
	overlap: v.optional(v.boolean(), false),
	/** Yes, take its amounts for dollars. */
	currency: v.optional(v.literal(FLEET_CURRENCY)),
});
export type Answers = v.InferOutput<typeof answersSchema>;

export const NO_ANSWERS: Answers = { drivers: {}, overlap: false };

/** The answers as they are stored. */
export const parseAnswers = (json: string): Answers => v.parse(answersSchema, JSON.parse(json));

/** Earlier answers with later ones on top. */
export function mergeAnswers(earlier: Answers, later: Partial<Answers>): Answers {
	return {
		...earlier,
		...later,
		drivers: { ...earlier.drivers, ...later.drivers },
		overlap: earlier.overlap || (later.overlap ?? false),
	};
}

/** The period that was answered, once both ends of it were. */
export function answeredPeriod({
	from,
	to,
}: Answers): { readonly from: CalendarDate; readonly to: CalendarDate } | undefined {
	return from && to && from <= to ? { from, to } : undefined;
}
