/** The limits of a statement as a platform writes it. */
const MEGABYTES = 20;
export const MAX_STATEMENT_BYTES = MEGABYTES * 1024 * 1024;
/** Rows below the header that hold something. */
export const MAX_STATEMENT_ROWS = 50_000;
export const STATEMENT_LIMITS_TEXT = `At most ${MAX_STATEMENT_ROWS.toLocaleString("en-US")} rows and ${MEGABYTES} MB`;
