import { isRowId } from "./row-id.ts";

/**
 * The dialog about a row that a query opens: a row's button sends `?approve=<id>`, a link says
 * `?dialog=approve&id=<id>`.
 * @returns the id is '' if it can't be one
 */
export function parseRowDialog<Name extends string>(
	query: URLSearchParams,
	names: readonly Name[],
): { readonly dialog: Name | undefined; readonly id: string } {
	const pressed = names.find((name) => query.has(name));
	const dialog = pressed ?? names.find((name) => name === query.get("dialog"));
	const id = query.get(pressed ?? "id") ?? "";
	return { dialog, id: isRowId(id) ? id : "" };
}
