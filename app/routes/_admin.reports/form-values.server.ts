/** The values of this screen's forms: what was typed with its errors, or the defaults. */
import * as v from "valibot";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { type PersonChoice, unresolvedMessage } from "../../domain/people/choice.ts";
import { mileageLogInput, reportInput } from "../../domain/reports/input.ts";
import { whyNoLog, whyNoReport } from "../../domain/reports/refusals.ts";
import { defaultPaper } from "../../domain/reports/rules.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { type RefusalAnswer, refused } from "../../values/outcome.ts";
import {
	type LogFields,
	logFieldsIn,
	parseRefused,
	type Refused,
	type ReportFields,
	reportFieldsIn,
} from "./address.ts";

/** A form's errors: every message once, and those of each invalid field by its name. */
type Faults = {
	readonly problems: readonly string[];
	readonly fields: Record<string, string[]>;
};
const NO_FAULTS: Faults = { problems: [], fields: {} };

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

/** Non-empty fields; empty ones are absent, as in the forms' posts. */
const withoutEmpty = (fields: Readonly<Record<string, string>>) =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));

const faultOf = ({ message, field }: Pick<RefusalAnswer, "message" | "field">): Faults => ({
	problems: [message],
	fields: field ? { [field]: [message] } : {},
});

export function typedReport(
	query: URLSearchParams,
	today: CalendarDate,
	timeZone: string,
): TypedForm<ReportFields> {
	const why = parseRefused(query, "report");
	const typed = reportFieldsIn(query);
	const paper = typed.paper || defaultPaper(timeZone);
	if (!why)
		return {
			values: {
				type: "weekly",
				range: "current_week",
				startDate: "",
				endDate: "",
				format: "pdf",
				paper,
			},
			faults: NO_FAULTS,
		};
	if (why === "too-long" || why === "limited")
		return {
			values: { ...typed, paper },
			faults: faultOf(onForm(whyNoReport(refused(why), { timeZone }))),
		};
	return {
		values: { ...typed, paper },
		faults: faultsOf(v.safeParse(reportInput(today), withoutEmpty(typed))),
	};
}

export function typedLog(
	query: URLSearchParams,
	today: CalendarDate,
	timeZone: string,
	choice: PersonChoice,
): TypedForm<LogFields> {
	const why = parseRefused(query, "log");
	const typed = logFieldsIn(query);
	const paper = typed.paper || defaultPaper(timeZone);
	const lastYear = String(Number(today.slice(0, 4)) - 1);
	if (!why)
		return {
			values: { driverId: "", driverSearch: "", year: lastYear, format: "pdf", paper },
			faults: NO_FAULTS,
		};
	return { values: { ...typed, paper }, faults: logFaults(why, typed, today, timeZone, choice) };
}

function logFaults(
	why: Refused,
	typed: LogFields,
	today: CalendarDate,
	timeZone: string,
	choice: PersonChoice,
): Faults {
	switch (why) {
		case "find":
			return NO_FAULTS;
		case "too-long":
		case "limited":
		case "no-driver":
			return faultOf(onForm(whyNoLog(refused(why), { timeZone })));
		case "whose":
			return faultOf({
				message: unresolvedMessage(choice, "Nothing was downloaded."),
				field: "driverId",
			});
		case "invalid":
			return faultsOf(v.safeParse(mileageLogInput(today), withoutEmpty(typed)));
	}
}
