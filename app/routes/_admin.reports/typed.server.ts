/** The forms of this screen as they stand: what was typed and is wrong with it, or the defaults. */
import * as v from "valibot";
import { mileageLogInput, reportInput } from "../../domain/reports/input.ts";
import { LOG_TOO_LONG_FOR_PDF, NO_SUCH_REPORT_DRIVER, TOO_LONG_FOR_PDF, TOO_MANY_REPORTS, usualPaper } from "../../domain/reports/rules.ts";
import { type PersonChoice, unsettledWords } from "../../domain/users/choice.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { type LogFields, logFieldsIn, type Refused, type ReportFields, refusedIn, reportFieldsIn } from "./address.ts";
import { type Faults, NO_FAULTS } from "./faults.ts";

export type TypedForm<Fields> = { readonly values: Fields; readonly faults: Faults };

function faultsOf(result: v.SafeParseResult<v.GenericSchema>): Faults {
	if (result.success) return NO_FAULTS;
	const fields: Record<string, string[]> = {};
	for (const issue of result.issues) {
		const name = v.getDotPath(issue);
		if (name) fields[name] = [...(fields[name] ?? []), issue.message];
	}
	return { problems: [...new Set(result.issues.map(({ message }) => message))], fields };
}

/** Fields that are filled; what is empty is absent, as the forms' posts have it. */
const filled = (fields: Readonly<Record<string, string>>) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));

const faultOf = (problem: string, field: string): Faults => ({ problems: [problem], fields: { [field]: [problem] } });
const ONE_TOO_MANY: Faults = { problems: [TOO_MANY_REPORTS], fields: {} };

export function typedReport(query: URLSearchParams, today: CalendarDate, timeZone: string): TypedForm<ReportFields> {
	const refused = refusedIn(query, "report");
	const typed = reportFieldsIn(query);
	const paper = typed.paper || usualPaper(timeZone);
	if (!refused)
		return { values: { type: "weekly", range: "current_week", startDate: "", endDate: "", format: "pdf", paper }, faults: NO_FAULTS };
	if (refused === "too-long") return { values: { ...typed, paper }, faults: faultOf(TOO_LONG_FOR_PDF, "format") };
	if (refused === "limited") return { values: { ...typed, paper }, faults: ONE_TOO_MANY };
	return { values: { ...typed, paper }, faults: faultsOf(v.safeParse(reportInput(today), filled(typed))) };
}

export function typedLog(query: URLSearchParams, today: CalendarDate, timeZone: string, choice: PersonChoice): TypedForm<LogFields> {
	const refused = refusedIn(query, "log");
	const typed = logFieldsIn(query);
	const paper = typed.paper || usualPaper(timeZone);
	const lastYear = String(Number(today.slice(0, 4)) - 1);
	if (!refused) return { values: { driverId: "", driverSearch: "", year: lastYear, format: "pdf", paper }, faults: NO_FAULTS };
	return { values: { ...typed, paper }, faults: logFaults(refused, typed, today, choice) };
}

function logFaults(refused: Refused, typed: LogFields, today: CalendarDate, choice: PersonChoice): Faults {
	switch (refused) {
		case "find":
			return NO_FAULTS;
		case "too-long":
			return faultOf(LOG_TOO_LONG_FOR_PDF, "format");
		case "limited":
			return ONE_TOO_MANY;
		case "whose":
			return faultOf(unsettledWords(choice, "Nothing was downloaded."), "driverId");
		case "no-driver":
			return faultOf(NO_SUCH_REPORT_DRIVER, "driverId");
		case "invalid":
			return faultsOf(v.safeParse(mileageLogInput(today), filled(typed)));
	}
}
