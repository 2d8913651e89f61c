/** What was read from a file, as lines of text: nothing else is kept under a preview. */
import * as v from "valibot";
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";
import { FEE_CATEGORIES } from "../uber-fees/rules.ts";
import {
	type AbsentLine,
	LEFT_OUT_REASONS,
	type LeftOutRow,
	type StatementLine,
} from "./statement.ts";

export type ReadEvent = StatementLine | AbsentLine | LeftOutRow;

const said = [
	v.number(),
	v.string(),
	v.string(),
	v.nullable(v.custom<CalendarDate>((text) => typeof text === "string" && isCalendarDate(text))),
	v.picklist(FEE_CATEGORIES),
] as const;
const more = v.nullish(v.string());
const lineSchema = v.tuple([
	v.literal("line"),
	v.nullable(v.string()),
	...said,
	v.number(),
	more,
	more,
]);
const absentSchema = v.tuple([v.literal("absent"), v.string(), ...said]);
const leftOutSchema = v.tuple([
	v.literal("left-out"),
	v.number(),
	v.picklist(LEFT_OUT_REASONS),
	v.nullable(v.number()),
	more,
]);
const eventSchema = v.union([lineSchema, absentSchema, leftOutSchema]);

/** An event as one line, without its terminator. */
export function formatEvent(event: ReadEvent): string {
	if (event.kind === "left-out")
		return JSON.stringify([event.kind, event.row, event.reason, event.cents, event.why]);
	const { kind, key, row, platformId, name, date, category } = event;
	const told = [kind, key, row, platformId, name, date, category];
	if (event.kind === "absent") return JSON.stringify(told);
	return JSON.stringify([...told, event.cents, event.reference, event.description]);
}

/** Parses a line. */
export function parseEvent(text: string): ReadEvent {
	const tuple = v.parse(eventSchema, JSON.parse(text));
	if (tuple[0] === "left-out") {
		const [kind, row, reason, cents, why] = tuple;
		return { kind, row, reason, cents, why: why ?? undefined };
	}
	if (tuple[0] === "absent") {
		const [kind, key, row, platformId, name, date, category] = tuple;
		return { kind, key, row, platformId, name, date, category };
	}
	const [kind, key, row, platformId, name, date, category, cents, reference, description] = tuple;
	const line = { kind, key, row, platformId, name, date, category, cents };
	return { ...line, reference: reference || undefined, description: description || undefined };
}
