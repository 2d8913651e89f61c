/** What a statement's file doesn't say and a person answered. */
import * as v from "valibot";
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";

const date = v.custom<CalendarDate>((text) => typeof text === "string" && isCalendarDate(text));
const answersSchema = v.object({
	/** Users by the platform's id, or by name if the file has no ids. */
	drivers: v.optional(v.record(v.string(), v.string()), {}),
	from: v.optional(date),
	to: v.optional(date),
	/** Import it despite an overlapping period or an existing fee. */
	overlap: v.optional(v.boolean(), false),
	/** What happens to recorded fees that it states differently. */
	changed: v.optional(v.picklist(["replace", "keep"])),
	/** Keep money for which the file has no total. */
	unproven: v.optional(v.literal(true)),
	/** What each column is, as form fields. */
	columns: v.optional(v.record(v.string(), v.string())),
	/** Given these answers, all of it was imported before. */
	addsNothing: v.optional(v.literal(true)),
});
export type Answers = v.InferOutput<typeof answersSchema>;

export const NO_ANSWERS: Answers = { drivers: {}, overlap: false };

/** Parses stored answers. */
export const parseAnswers = (json: string): Answers => v.parse(answersSchema, JSON.parse(json));

/** Two ways to write the same platform's driver, with different drivers chosen for them. */
export type AmbiguousDrivers = Refused<"ambiguous", { readonly names: readonly [string, string] }>;

/**
 * Earlier answers, overridden by later ones.
 * @param identify what a platform's driver is remembered by, however the id or the name is written
 */
export function mergeAnswers(
	earlier: Answers,
	later: Partial<Answers>,
	identify: (key: string) => string,
): Outcome<Answers, AmbiguousDrivers> {
	const chosen = new Map<string, readonly [key: string, driverId: string]>();
	for (const [key, driverId] of Object.entries(later.drivers ?? {})) {
		const same = chosen.get(identify(key));
		if (same && same[1] !== driverId) return refused("ambiguous", { names: [same[0], key] });
		chosen.set(identify(key), [key, driverId]);
	}
	const kept = Object.entries(earlier.drivers).filter(([key]) => !chosen.has(identify(key)));
	const drivers = Object.fromEntries([...kept, ...chosen.values()]);
	return done({ ...earlier, ...later, drivers, addsNothing: undefined });
}

/** The answered period, once both ends are known. */
export function answeredPeriod({
	from,
	to,
}: Answers): { readonly from: CalendarDate; readonly to: CalendarDate } | undefined {
	return from && to && from <= to ? { from, to } : undefined;
}
