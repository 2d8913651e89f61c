/** The limits of a platform's statement, and the name of a file without one. */
const MEGABYTES = 20;
export const MAX_STATEMENT_BYTES = MEGABYTES * 1024 * 1024;
/** Non-empty rows below the header. */
export const MAX_STATEMENT_ROWS = 50_000;
export const STATEMENT_LIMITS_TEXT = `At most ${MAX_STATEMENT_ROWS.toLocaleString("en-US")} rows and ${MEGABYTES} MB`;
/** Imports on one page. */
export const LISTED_IMPORTS = 20;
export const DEFAULT_FILE_NAME = "statement.csv";
