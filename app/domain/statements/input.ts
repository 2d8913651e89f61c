/** What a request or a form says about a statement besides its file. */
import * as v from "valibot";
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";
import { dayOfMidnight } from "../../values/date-input.ts";
import { fleetUnits } from "../../values/fleet-units.ts";
import { ROW_ID } from "../../values/row-id.ts";
import type { Answers } from "./answers.ts";

const MODES = ["preview", "ready", "all"] as const;

const absent = v.transform((text: string) => (text.trim() === "" ? undefined : text.trim()));
const optional = (fault: string) => v.pipe(v.optional(v.string(fault), ""), absent);
const NO_PREVIEW = "id must be the id of a preview";
const NOT_PAIRS = "drivers must be a JSON object of platform id to driver id";
/** As JSON in a form, or as it is in a JSON body. */
const drivers = v.pipe(
	v.optional(v.unknown(), ""),
	v.transform((given) => (typeof given === "string" ? given : JSON.stringify(given))),
	v.transform((text) => (text.trim() === "" ? "{}" : text)),
	v.parseJson(undefined, NOT_PAIRS),
	// A list would pass for an object whose keys are its positions.
	v.check((pairs) => !Array.isArray(pairs), NOT_PAIRS),
	v.record(
		v.pipe(v.string(), v.nonEmpty(NOT_PAIRS)),
		v.pipe(v.string(NOT_PAIRS), v.regex(ROW_ID, "drivers must name drivers by their ids")),
		NOT_PAIRS,
	),
);
const date = (name: string) => {
	const message = `${name} must be a date as YYYY-MM-DD`;
	return v.pipe(
		optional(message),
		v.transform((text) => (text === undefined ? undefined : dayOfMidnight(text))),
		v.custom<CalendarDate | undefined>(
			(text) => text === undefined || (typeof text === "string" && isCalendarDate(text)),
			message,
		),
	);
};

/** The fields of POST /api/statements. */
export const statementInput = v.pipe(
	v.object({
		id: v.pipe(
			optional(NO_PREVIEW),
			v.custom<string | undefined>(
				(text) => text === undefined || (typeof text === "string" && ROW_ID.test(text)),
				NO_PREVIEW,
			),
		),
		mode: v.pipe(
			v.optional(v.picklist(["", ...MODES], "mode must be preview, ready or all"), ""),
			v.transform((mode) => mode || "preview"),
		),
		drivers,
		from: date("from"),
		to: date("to"),
		overlap: v.optional(v.picklist(["", "yes", "no"], "overlap must be yes or no"), ""),
		changed: v.optional(v.picklist(["", "replace", "keep"], "changed must be replace or keep"), ""),
		unproven: v.optional(v.picklist(["", "yes"], "unproven must be yes"), ""),
		/** Checked but no longer used: only the fleet's own currency is accepted. */
		currency: v.pipe(
			v.optional(v.string("currency must be text"), ""),
			v.check(
				(code) => code === "" || code === fleetUnits().currency,
				() => `currency must be ${fleetUnits().currency}`,
			),
		),
	}),
	v.forward(
		v.check(
			({ from, to }) => (from === undefined) === (to === undefined),
			"from and to go together",
		),
		["to"],
	),
	v.forward(
		v.check(({ from, to }) => !from || !to || from <= to, "from must not be after to"),
		["from"],
	),
);
export type StatementInput = v.InferOutput<typeof statementInput>;

/** The answers among them. */
export function answersIn({
	drivers,
	from,
	to,
	overlap,
	changed,
	unproven,
}: StatementInput): Partial<Answers> {
	return {
		...(Object.keys(drivers).length > 0 ? { drivers } : {}),
		...(from && to ? { from, to } : {}),
		...(overlap ? { overlap: overlap === "yes" } : {}),
		...(changed ? { changed } : {}),
		...(unproven ? { unproven: true as const } : {}),
	};
}
