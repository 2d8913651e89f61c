/** The ids of rows. */

/** What every id of a row looks like: a UUID in small letters. */
export const ROW_ID = /^[0-9a-f-]{36}$/;

/** Whether a text that came in an address or a form can be the id of a row. */
export function isRowId(text: string | null | undefined): text is string {
	return text !== null && text !== undefined && ROW_ID.test(text);
}
