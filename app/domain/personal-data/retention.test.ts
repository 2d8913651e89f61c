/** The day from which a former driver can be pseudonymized. */
import { expect, it } from "vitest";
import { addDays, addMonths, dateIn, parseCalendarDate } from "../../values/calendar-date.ts";
import { retentionCutoff, retentionEnd } from "./retention.ts";

const ZONE = "America/New_York";

it.each(["2020-02-28", "2020-02-29", "2020-03-01", "2021-12-31"])(
	"of a driver who left on %s is the date on which the years end",
	(date) => {
		for (const years of [2, 7]) {
			const gone = Date.parse(`${date}T23:30:00-05:00`);
			const end = retentionEnd(ZONE, gone, years);
			expect(dateIn(ZONE, gone)).toBe(date);
			expect(end).toBe(addMonths(parseCalendarDate(date), years * 12));
			expect(gone < retentionCutoff(ZONE, end, years)).toBe(true);
			expect(gone < retentionCutoff(ZONE, addDays(end, -1), years)).toBe(false);
		}
	},
);
