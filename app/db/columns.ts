/**
 * The column kinds of the schema, so that every moment, date, flag and amount is declared alike.
 */
import { integer, text } from "drizzle-orm/sqlite-core";
import type { CalendarDate } from "../values/calendar-date.ts";

/** A moment: UTC milliseconds. */
export const moment = () => integer({ mode: "number" });
/** A calendar date, `YYYY-MM-DD`; a CHECK on the table proves that it exists. */
export const calendarDay = () => text().$type<CalendarDate>();
/** Whole cents. */
export const cents = () => integer({ mode: "number" });
/** Whole miles. */
export const miles = () => integer({ mode: "number" });
/** 0 or 1. */
export const flag = () => integer({ mode: "boolean" });
/** A random id (UUID), never a number, which reveals a count. */
export const id = () => text();
