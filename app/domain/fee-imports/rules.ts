/** The limits of an imported fee statement, and the names of its columns. */

/** Bytes of a file, and rows below its headings. */
const MAX_MEGABYTES = 1;
export const MAX_BYTES = MAX_MEGABYTES * 1024 * 1024;
export const MAX_ROWS = 2000;
/** Columns of a file. */
export const MAX_COLUMNS = 60;
/** Takes the place of the platform for drivers who were chosen for a file with custom columns. */
export const OTHER_FILES = "columns";
/** How long the very same statement is remembered, in milliseconds: a year. */
export const SAME_WITHIN_MS = 366 * 86_400_000;
/** Imports on one page. */
export const LISTED_IMPORTS = 20;

export const COLUMNS = [
	"driver",
	"category",
	"amount",
	"date",
	"reference",
	"description",
] as const;
export type Column = (typeof COLUMNS)[number];
export const COLUMN_LABELS: Readonly<Record<Column, string>> = {
	driver: "Driver",
	category: "Fee Category",
	amount: "Amount",
	date: "Date",
	reference: "Reference Number",
	description: "Description",
};
/** Columns that a statement may lack. */
export const OPTIONAL_COLUMNS: readonly Column[] = ["reference", "description"];

const rows = MAX_ROWS.toLocaleString("en-US");
/** The limits as shown in the form. */
export const LIMITS_TEXT = `At most ${rows} rows and ${MAX_MEGABYTES} MB`;
export const FILE_REFUSALS = {
	missing: "Choose a CSV file",
	tooLarge: `This file is over ${MAX_MEGABYTES} MB. Split it and try again.`,
	notText: "This file isn't UTF-8 text. Save it as CSV UTF-8 and choose it again.",
	empty: "This file has no data rows",
	tooManyRows: `A statement can have up to ${rows} rows. Split it and try again.`,
	tooManyColumns: `This file has more than ${MAX_COLUMNS} columns. Is it a fee statement?`,
} as const;
