/** The addresses of this screen: a page of the list, a dialog over it, an anchor in it. */
import type { RequestCursor } from "../../domain/fund-requests/filters.ts";

const CURSOR = /^(\d{1,15})_([0-9a-f-]{36})$/;

/** Where `?after=` goes on; anything else is the first page. */
export function cursorIn(query: URLSearchParams): RequestCursor | undefined {
	const [, createdAt = "", id = ""] = CURSOR.exec(query.get("after") ?? "") ?? [];
	return id === "" ? undefined : { createdAt: Number(createdAt), id };
}

export function cursorText({ createdAt, id }: RequestCursor): string {
	return `${createdAt}_${id}`;
}

/** An address with the parameters that are there. */
export function listAddress(parameters: Readonly<Record<string, string | undefined>>, anchor: string): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
	return `/requests${query.size > 0 ? `?${query}` : ""}${anchor && `#${anchor}`}`;
}
