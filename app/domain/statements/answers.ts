/** What a statement's file doesn't say and a person has answered. */
import * as v from "valibot";
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";

/** The only currency that Milepost supports. */
export const FLEET_CURRENCY = "USD";

const date = v.custom<CalendarDate>((text) => typeof text === "string" && isCalendarDate(text));
const answersSchema = v.object({
	/** Users by the platform's id, or by name if the file has no ids. */
	drivers: v.optional(v.record(v.string(), v.string()), {}),
	from: v.optional(date),
	to: v.optional(date),
	/** Import it despite an overlapping period or an existing fee. */
	overlap: v.optional(v.boolean(), false),
	/** Treat its amounts as dollars. */
	currency: v.optional(v.literal(FLEET_CURRENCY)),
});
export type Answers = v.InferOutput<typeof answersSchema>;

export const NO_ANSWERS: Answers = { drivers: {}, overlap: false };

/** Parses stored answers. */
export const parseAnswers = (json: string): Answers => v.parse(answersSchema, JSON.parse(json));

/** Earlier answers, overridden by later ones. */
export function mergeAnswers(earlier: Answers, later: Partial<Answers>): Answers {
	return {
		...earlier,
		...later,
		drivers: { ...earlier.drivers, ...later.drivers },
	};
}

/** The answered period, once both ends are known. */
export function answeredPeriod({
	from,
	to,
}: Answers): { readonly from: CalendarDate; readonly to: CalendarDate } | undefined {
	return from && to && from <= to ? { from, to } : undefined;
}
