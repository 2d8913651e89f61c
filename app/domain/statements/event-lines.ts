/** What was read from a file, as lines of text: a preview keeps nothing else. */
import * as v from "valibot";
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";
import { FEE_CATEGORIES } from "../uber-fees/rules.ts";
import { MONEY_KINDS, type MoneyCents, PROOFS } from "./money.ts";
import {
	type AbsentLine,
	LEFT_OUT_REASONS,
	type LeftOutRow,
	type MoneyRow,
	type StatementLine,
} from "./statement.ts";

export type ReadEvent = StatementLine | AbsentLine | LeftOutRow | MoneyRow;

const day = v.custom<CalendarDate>((text) => typeof text === "string" && isCalendarDate(text));

const said = [
	v.number(),
	v.string(),
	v.string(),
	v.nullable(day),
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
const moneySchema = v.tuple([
	v.literal("money"),
	v.number(),
	v.picklist(PROOFS),
	v.nullable(v.number()),
	v.nullable(v.number()),
	v.array(v.number()),
	v.nullable(
		v.tuple([v.nullable(v.string()), v.string(), v.string(), v.nullable(v.tuple([day, day]))]),
	),
]);
const eventSchema = v.union([lineSchema, moneySchema, absentSchema, leftOutSchema]);

/** An event as one line, without its terminator. */
export function formatEvent(event: ReadEvent): string {
	if (event.kind === "left-out")
		return JSON.stringify([event.kind, event.row, event.reason, event.cents, event.why]);
	if (event.kind === "money") return formatMoney(event);
	const { kind, key, row, platformId, name, date, category } = event;
	const told = [kind, key, row, platformId, name, date, category];
	if (event.kind === "absent") return JSON.stringify(told);
	return JSON.stringify([...told, event.cents, event.reference, event.description]);
}

function formatMoney({ kind, row, proof, stated, found, cents, whose }: MoneyRow): string {
	const told = [kind, row, proof, stated, found, MONEY_KINDS.map((each) => cents[each])];
	if (!whose) return JSON.stringify([...told, null]);
	const { key, platformId, name, period } = whose;
	const days = period && [period.from, period.to];
	return JSON.stringify([...told, [key, platformId, name, days]]);
}

/** Parses a line. */
export function parseEvent(text: string): ReadEvent {
	const tuple = v.parse(eventSchema, JSON.parse(text));
	if (tuple[0] === "left-out") {
		const [kind, row, reason, cents, why] = tuple;
		return { kind, row, reason, cents, why: why ?? undefined };
	}
	if (tuple[0] === "money") {
		const [kind, row, proof, stated, found, amounts, said] = tuple;
		const cents = Object.fromEntries(
			MONEY_KINDS.map((each, place) => [each, amounts[place] ?? 0]),
		) as MoneyCents;
		if (!said) return { kind, row, proof, stated, found, cents, whose: null };
		const [key, platformId, name, days] = said;
		const period = days && { from: days[0], to: days[1] };
		return { kind, row, proof, stated, found, cents, whose: { key, platformId, name, period } };
	}
	if (tuple[0] === "absent") {
		const [kind, key, row, platformId, name, date, category] = tuple;
		return { kind, key, row, platformId, name, date, category };
	}
	const [kind, key, row, platformId, name, date, category, cents, reference, description] = tuple;
	const line = { kind, key, row, platformId, name, date, category, cents };
	return { ...line, reference: reference || undefined, description: description || undefined };
}
