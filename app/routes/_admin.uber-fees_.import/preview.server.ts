/** The preview of a statement as this screen shows it, with all texts. */
import type { Preview } from "../../domain/fee-imports/preview.server.ts";
import { showMoment } from "../../domain/fund-requests/status-messages.ts";
import { categoryText } from "../../domain/uber-fees/rules.ts";
import { formatDate } from "../../values/calendar-date.ts";
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
	{ statement, missing, rows, possibleDuplicates, earlier }: Preview,
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
			total: formatDollars(added.reduce((sum, { amountCents }) => sum + amountCents, 0)),
		},
		hasProblems: problems > 0,
		isImportable: missing.length === 0 && problems === 0 && added.length > 0,
		button: pluralize(added.length, "Uber Fee", "Uber Fees"),
		earlier:
			earlier &&
			`These same fees were imported by ${earlier.by} on ${showMoment(timeZone, earlier.createdAt)}.`,
		unmarked:
			withoutReference > 0
				? `${pluralize(withoutReference, "fee has", "fees have")} no reference number, so duplicates can't be detected.`
				: undefined,
		rows: rows.map((row) => ({
			number: row.number,
			fate: row.fate,
			why:
				row.fate !== "add"
					? row.why
					: possibleDuplicates.has(row.number)
						? "The same fee was added before"
						: "",
			driver: row.driver ?? row.cells.driver,
			isInactive: row.isDriverInactive,
			category: row.fate === "add" ? categoryText(row.fee.category) : row.cells.category,
			amount: row.fate === "add" ? formatDollars(row.fee.amountCents) : row.cells.amount,
			date: row.fate === "add" ? formatDate(row.fee.date) : row.cells.date,
			reference: row.cells.reference || "-",
		})),
	};
}
export type PreviewView = ReturnType<typeof toPreviewView>;
