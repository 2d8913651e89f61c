/** The messages when a report isn't generated. */
import type { Refused } from "../../values/outcome.ts";
import { answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import type { NoOwnYear } from "./input.ts";
import { NO_SUCH_REPORT_DRIVER } from "./rules.ts";

/** Its PDF would have too many rows, or too many reports were generated in the last minute. */
export type ReportRefusal = Refused<"too-long"> | Refused<"limited">;
export type LogRefusal = ReportRefusal | Refused<"no-driver">;

const rateLimited = () =>
	({
		status: 429,
		message: "Too many reports in the last minute. Please try again in a minute.",
		retryAfter: 60,
	}) as const;

export const whyNoReport = answersIn<ReasonsOf<ReportRefusal>>({
	limited: rateLimited,
	"too-long": () => ({
		status: 400,
		message:
			"A PDF can hold up to 5,000 rows, and this report has more. Choose Excel or CSV, or a shorter date range.",
		field: "format",
	}),
});

const longLog = () =>
	({
		status: 400,
		message: "A PDF can hold up to 5,000 rows, and this log has more. Choose Excel.",
		field: "format",
	}) as const;

/** The mileage log of a driver's year. */
export const whyNoLog = answersIn<ReasonsOf<LogRefusal>>({
	limited: rateLimited,
	"too-long": longLog,
	"no-driver": () => ({ status: 400, message: NO_SUCH_REPORT_DRIVER, field: "driverId" }),
});

/** A file of the driver's own year. */
export const whyNoOwnYear = answersIn<ReasonsOf<ReportRefusal | NoOwnYear>>({
	limited: rateLimited,
	"too-long": longLog,
	invalid: ({ message }) => ({ status: 400, message }),
});
