/** The request that a URL refers to, by its number or id. */
import { isRowId } from "../../values/row-id.ts";

export type RequestReference =
	| { readonly number: number; readonly id?: undefined }
	| { readonly id: string; readonly number?: undefined };

/** Undefined for a text that can't refer to a request. */
export function parseRequestReference(text: string): RequestReference | undefined {
	const [, digits] = /^(?:fr-)?0*(\d{1,9})$/i.exec(text.trim()) ?? [];
	if (digits !== undefined) return { number: Number(digits) };
	return isRowId(text) ? { id: text } : undefined;
}
