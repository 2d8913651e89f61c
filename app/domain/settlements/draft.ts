/** What a draft follows from, as `draftOf` reads it (facts.server.ts). */
import { addDays, type CalendarDate, weekdayOf } from "../../values/calendar-date.ts";
import type { Terms } from "../agreements/rules.ts";
import { instalmentIn } from "../charges/instalments.ts";
import { type Charge, KIND_LABELS } from "../charges/rules.ts";
import { MONEY_KINDS, type MoneyCents } from "../statements/money.ts";
import type { DueCharge, PublishedWeek, WeekFacts } from "./week.ts";

type Told = {
	readonly money: readonly (readonly [platform: string, left: number, ...cents: number[]])[];
	readonly terms: Terms | null;
	readonly miles: readonly (readonly [on: CalendarDate, miles: number])[];
	readonly before: number;
	readonly charges: readonly (readonly [
		id: string,
		kind: Charge["kind"],
		chargedOn: CalendarDate,
		amountCents: number,
		direction: Charge["direction"],
		instalments: number,
	])[];
};

/** The instalment of a charge that is due in a week, with its place among them. */
function dueOf(
	[chargeId, kind, chargedOn, amountCents, direction, instalments]: Told["charges"][number],
	from: CalendarDate,
): DueCharge[] {
	const charge = { chargedOn, amountCents, direction, instalments };
	const due = instalmentIn(charge, from, weekdayOf(from));
	const place = due && instalments > 1 ? `, ${due.number} of ${instalments}` : "";
	return due ? [{ chargeId, text: `${KIND_LABELS[kind]}${place}`, cents: due.cents }] : [];
}

/** @param from the week's first day */
function toFacts(told: Told, from: CalendarDate): WeekFacts {
	return {
		week: { from, to: addDays(from, 6) },
		money: told.money.map(([platform, , ...cents]) => ({
			platform,
			cents: Object.fromEntries(
				MONEY_KINDS.map((kind, place) => [kind, cents[place] ?? 0]),
			) as MoneyCents,
		})),
		terms: told.terms ?? undefined,
		miles: told.miles.map(([on, miles]) => ({ on, miles })),
		milesBefore: told.before,
		charges: told.charges.flatMap((charge) => dueOf(charge, from)),
	};
}

type ToldDraft = {
	readonly own: Told;
	readonly carried: readonly Carried[];
	readonly earlier: readonly ToldWeek[];
};
/** A published week as `publishedOf` reads it. */
export type ToldWeek = {
	readonly from: CalendarDate;
	readonly facts: Told;
	readonly published: number;
	readonly corrected: number;
};
/** A published settlement below zero, and its result. */
type Carried = readonly [id: string, cents: number];

/** What a draft follows from. */
export type Draft = {
	readonly facts: WeekFacts;
	readonly carried: readonly Carried[];
	readonly earlier: readonly PublishedWeek[];
	/** Rows of the week's statements that don't add up, or whose days lie in two weeks. */
	readonly rowsLeftOut: number;
};

export const toPublishedWeek = (week: ToldWeek): PublishedWeek => ({
	facts: toFacts(week.facts, week.from),
	publishedCents: week.published,
	correctedCents: week.corrected,
});

/** @param from the week's first day */
export function readDraft(text: string, from: CalendarDate): Draft {
	const { own, carried, earlier } = JSON.parse(text) as ToldDraft;
	return {
		facts: toFacts(own, from),
		carried,
		earlier: earlier.map(toPublishedWeek),
		rowsLeftOut: own.money.reduce((sum, [, left]) => sum + left, 0),
	};
}
