/** The ids of rows. */

/** The format of every row id: a lower-case UUID. */
export const ROW_ID = /^[0-9a-f-]{36}$/;

/** Whether a text from a URL or a form can be the id of a row. */
export function isRowId(text: string | null | undefined): text is string {
	return text !== null && text !== undefined && ROW_ID.test(text);
}
