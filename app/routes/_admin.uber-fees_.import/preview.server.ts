/** The preview of a statement as this screen shows it, with all texts. */

import { signedCents } from "../../domain/fee-imports/netting.ts";
import type { Preview } from "../../domain/fee-imports/preview.server.ts";
import { showMoment } from "../../domain/fund-requests/status-messages.ts";
import { categoryText } from "../../domain/uber-fees/rules.ts";
import { formatDate, formatMonth, parseCalendarDate } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";

/** What the preview's form carries. */
export type CarriedForm = {
	readonly text: string;
	readonly fileName: string;
	readonly key: string;
	readonly fields: Readonly<Record<string, string>>;
};

export function toPreviewView(
	{ statement, missing, rows, possibleDuplicates, months, earlier }: Preview,
	form: CarriedForm,
	timeZone: string,
) {
	const added = rows.flatMap((row) => (row.fate === "add" ? [row.fee] : []));
	const problems = rows.filter(({ fate }) => fate === "problem").length;
	const skipped = rows.length - added.length - problems;
	const withoutReference = added.filter(({ reference }) => reference === undefined).length;
	return {
		...form,
		head: statement.head.map((name, position) => name || `Column ${position + 1}`),
		missing,
		counts: {
			added: pluralize(added.length, "fee will be added", "fees will be added"),
			skipped: pluralize(skipped, "row will be skipped", "rows will be skipped"),
			problems: pluralize(problems, "row has a problem", "rows have a problem"),
			total: formatDollars(added.reduce((sum, fee) => sum + signedCents(fee), 0)),
		},
		hasProblems: problems > 0,
		isImportable: missing.length === 0 && problems === 0 && added.length > 0,
		button: pluralize(added.length, "Uber Fee", "Uber Fees"),
		earlier:
			earlier &&
			`These same fees were imported by ${earlier.by} on ${showMoment(timeZone, earlier.createdAt)}.`,
		/** How dates were read that could be read in two ways. */
		dates:
			months.length > 0
				? `The month is taken to come first in its dates: ${months.map(monthName).join(", ")}.`
				: undefined,
		unmarked:
			withoutReference > 0
				? `${pluralize(withoutReference, "fee has", "fees have")} no reference number, so duplicates can't be detected.`
				: undefined,
		rows: rows.map((row) => ({
			number: row.number,
			fate: row.fate,
			why: row.fate !== "add" ? row.why : (possibleDuplicates.get(row.number) ?? ""),
			driver: row.driver ?? row.cells.driver,
			isInactive: row.isDriverInactive,
			category: row.fate === "add" ? categoryText(row.fee.category) : row.cells.category,
			amount: row.fate === "add" ? formatDollars(signedCents(row.fee)) : row.cells.amount,
			date: row.fate === "add" ? formatDate(row.fee.date) : row.cells.date,
			reference: row.cells.reference || "-",
		})),
	};
}

/** `September 2026` from `2026-09`. */
const monthName = (month: string) =>
	`${formatMonth(parseCalendarDate(`${month}-01`))} ${month.slice(0, 4)}`;
export type PreviewView = ReturnType<typeof toPreviewView>;
