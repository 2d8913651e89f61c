/** The request that a URL opens, by the number people see or by its id. */
import { isRowId } from "../../values/row-id.ts";

export type Opened =
	| { readonly number: number; readonly id?: undefined }
	| { readonly id: string; readonly number?: undefined };

/** Undefined for a text that can't name a request. */
export function parseOpened(text: string): Opened | undefined {
	const [, digits] = /^(?:fr-)?0*(\d{1,9})$/i.exec(text.trim()) ?? [];
	if (digits !== undefined) return { number: Number(digits) };
	return isRowId(text) ? { id: text } : undefined;
}
