/** The addresses of this screen: a page of the list, a dialog over it, the form filled with a fee that is replaced. */
import { type FeeCursor, feeCursors } from "../../domain/uber-fees/rules.ts";
import { isRowId } from "../../values/row-id.ts";

/** What the form's own button asks for: drivers to choose from, and nothing else. */
export const FIND_DRIVER = "find-driver";

export const DIALOGS = ["edit", "delete"] as const;
export type DialogName = (typeof DIALOGS)[number];

/** What an address asks for; what it cannot ask for is left out. */
export type View = {
	readonly after: FeeCursor | undefined;
	readonly dialog: DialogName | undefined;
	/** The fee that the dialog or the form is about; '' for none. */
	readonly named: string;
};

export function viewFrom(query: URLSearchParams): View {
	const dialog = DIALOGS.find((name) => name === query.get("dialog"));
	const named = query.get(dialog ? "id" : "replace") ?? "";
	return { after: feeCursors.parse(query.get("after")), dialog, named: isRowId(named) ? named : "" };
}

/** The address of a page of the list, with more to ask. */
export function listAddress(after: FeeCursor | undefined, more: Readonly<Record<string, string>> = {}): string {
	const query = new URLSearchParams(after ? { after: feeCursors.format(after), ...more } : more);
	return `/uber-fees${query.size > 0 ? `?${query}` : ""}`;
}
