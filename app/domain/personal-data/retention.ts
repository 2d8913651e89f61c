/** How long the data of a former driver, and of an applicant who never became one, is kept. */
import {
	addDays,
	addMonths,
	type CalendarDate,
	dateIn,
	startOfDay,
} from "../../values/calendar-date.ts";

/** The first day on which someone deactivated at a given moment may be pseudonymized. */
export const retentionEnd = (timeZone: string, deactivatedAt: number, years: number) =>
	addMonths(dateIn(timeZone, deactivatedAt), 12 * years);

/** Anyone deactivated before this moment has been inactive for that many years today. */
export function retentionCutoff(timeZone: string, today: CalendarDate, years: number): number {
	const anniversary = addMonths(today, -12 * years);
	// Years from a February 29 end on a February 28.
	const next = addDays(anniversary, 1);
	const last = addMonths(next, 12 * years) <= today ? next : anniversary;
	return startOfDay(timeZone, addDays(last, 1));
}

/** How many days an applicant's data is kept after the last decision, or the application. */
export const APPLICANT_DAYS = 30;

/** The first day on which an applicant whose last decision was at that moment may be erased. */
export const applicantEnd = (timeZone: string, decidedAt: number) =>
	addDays(dateIn(timeZone, decidedAt), APPLICANT_DAYS);

/** An applicant whose last decision was before this moment may be erased today. */
export const applicantCutoff = (timeZone: string, today: CalendarDate): number =>
	startOfDay(timeZone, addDays(today, 1 - APPLICANT_DAYS));
