/** The URL of this screen after a form was refused, which carries what was typed. */
import { LOG_FIELDS, REPORT_FIELDS } from "../../domain/reports/fields.ts";

const REPORT_NAMES = Object.keys(REPORT_FIELDS);
const LOG_NAMES = [...Object.keys(LOG_FIELDS), "driverSearch"];

/** The intent of the button that only searches for a driver. */
export const FIND_DRIVER = "find-driver";

export type ReportFields = Readonly<Record<keyof typeof REPORT_FIELDS, string>>;
export type LogFields = Readonly<Record<keyof typeof LOG_FIELDS | "driverSearch", string>>;

type Fields = { get(name: string): unknown };
const textOf = (fields: Fields, name: string) => {
	const value = fields.get(name);
	return typeof value === "string" ? value.slice(0, 100) : "";
};

/** The contents of a report's form. */
export function reportFieldsIn(fields: Fields): ReportFields {
	return Object.fromEntries(
		REPORT_NAMES.map((name) => [name, textOf(fields, name)]),
	) as ReportFields;
}
/** The contents of a mileage log's form. */
export function logFieldsIn(fields: Fields): LogFields {
	return Object.fromEntries(LOG_NAMES.map((name) => [name, textOf(fields, name)])) as LogFields;
}

/**
 * Why a form came back: it has errors, its PDF would be too long, it is one too many, its driver is
 * unknown or ambiguous, or it searches for someone.
 */
const REFUSALS = ["invalid", "too-long", "limited", "no-driver", "whose", "find"] as const;
export type Refused = (typeof REFUSALS)[number];

const queryOf = (fields: Readonly<Record<string, string>>) =>
	Object.entries(fields).filter(([, value]) => value !== "");

export function refusedReportAddress(fields: ReportFields, refused: Refused): string {
	return `/reports?${new URLSearchParams([["report", refused], ...queryOf(fields)])}#generate`;
}
export function refusedLogAddress(fields: LogFields, refused: Refused): string {
	return `/reports?${new URLSearchParams([["log", refused], ...queryOf(fields)])}#mileage-log`;
}

/** The refused form in a URL; nothing if there is none. */
export function parseRefused(query: URLSearchParams, form: "report" | "log"): Refused | undefined {
	return REFUSALS.find((each) => each === query.get(form));
}
