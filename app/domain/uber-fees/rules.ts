/** The words and limits of Uber fees (spec §2, §3; decisions.md 'Uber fees'). */
import type { FEE_CATEGORIES as STORED_CATEGORIES } from "../../db/schema.ts";
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";

export type FeeCategory = (typeof STORED_CATEGORIES)[number];
export const FEE_CATEGORIES = ["commission", "service_fee", "booking_fee", "other"] as const satisfies readonly FeeCategory[];

/** A category as screens say it: the underscore is a space, capitals are the stylesheet's. */
export function categoryWords(category: FeeCategory): string {
	return category.replaceAll("_", " ");
}

/** Where a page of the list goes on: after this fee. */
export type FeeCursor = { readonly chargedOn: CalendarDate; readonly createdAt: number; readonly id: string };

const CURSOR = /^(\d{4}-\d{2}-\d{2})_(\d{1,15})_([0-9a-f-]{36})$/;

/** The cursor an address carries; anything else is the first page. */
export function feeCursorFrom(text: string): FeeCursor | undefined {
	const [, chargedOn = "", createdAt = "", id = ""] = CURSOR.exec(text) ?? [];
	return isCalendarDate(chargedOn) ? { chargedOn, createdAt: Number(createdAt), id } : undefined;
}

export function feeCursorText({ chargedOn, createdAt, id }: FeeCursor): string {
	return `${chargedOn}_${createdAt}_${id}`;
}

export const NO_SUCH_FEE = "There is no such Uber fee";
export const NO_SUCH_DRIVER = "Please choose one of the approved drivers";
export const FEE_NOT_TO_REPLACE = "The fee that this one was to replace was deleted meanwhile";
