import { MAX_COLUMNS } from "./columns.ts";
import { DOWNLOAD_EITHER } from "./other-files.ts";
import { MAX_STATEMENT_ROWS, STATEMENT_LIMITS_TEXT } from "./rules.ts";

/** A file that can't be read to its end; the message says what to do about it. */
export class UnreadableFile extends Error {}

export const UNREADABLE = {
	empty: `This file is empty. ${DOWNLOAD_EITHER}`,
	notText: `This file isn't UTF-8 text. If it is a fee statement, save it as 'CSV UTF-8' in Excel and choose that file. ${DOWNLOAD_EITHER}`,
	tooLarge: `This file is too large. ${STATEMENT_LIMITS_TEXT}: download a shorter period.`,
	tooManyRows: `This file has more than ${MAX_STATEMENT_ROWS.toLocaleString("en-US")} rows. Download a shorter period.`,
	noRows: "This file has no data rows.",
	tooManyColumns: `This file has more than ${MAX_COLUMNS} columns. Is it a fee statement?`,
	tornQuote: (row: number) =>
		`Row ${row} has a quotation mark that is not closed. Download the statement again and choose the new file.`,
	putTogether: (row: number) =>
		`Row ${row} names the columns of another file, and the rows below it can't be read with those above. Upload each file by itself.`,
} as const;
