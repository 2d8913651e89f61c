/**
 * The fees screen's search, as its URL has it: a page of the list, a dialog over it, a fee being
 * replaced.
 */
import { cursors, type Position, readPosition, setPosition } from "../../values/cursor.ts";
import { isRowId } from "../../values/row-id.ts";
import { type PersonQuery, parsePerson } from "../users/choice.ts";

/** The place of a fee in the list: the latest day first, and of a day what was added last. */
export const feeCursors = cursors({ chargedOn: "date", createdAt: "number", id: "id" });
export type FeeCursor = NonNullable<ReturnType<typeof feeCursors.parse>>;

export const DIALOGS = ["edit", "delete"] as const;
export type DialogName = (typeof DIALOGS)[number];

/** What a URL asks for; what it can't ask for is left out. */
export type FeeSearch = {
	/** Whose fees are listed; the id is '' for everybody's. */
	readonly driver: PersonQuery;
	readonly position: Position<FeeCursor> | undefined;
	readonly dialog: DialogName | undefined;
	/** The fee that the dialog or the form is about; '' for none. */
	readonly named: string;
};

/** The search that a URL asks for. */
export function parseSearch(query: URLSearchParams): FeeSearch {
	const dialog = DIALOGS.find((name) => name === query.get("dialog"));
	const named = query.get(dialog ? "id" : "replace") ?? "";
	return {
		driver: parsePerson(query, "driver"),
		position: readPosition(query, feeCursors.parse),
		dialog,
		named: isRowId(named) ? named : "",
	};
}

/** A page of everybody's list, or of one driver's. */
export type FeePlace = {
	readonly driverId: string;
	readonly position: Position<FeeCursor> | undefined;
};

/** The address of a page of the list, with more to ask. */
export function listUrl(
	{ driverId, position }: Partial<FeePlace> = {},
	more: Readonly<Record<string, string>> = {},
): string {
	const query = new URLSearchParams();
	if (driverId) query.set("driver", driverId);
	setPosition(query, position, feeCursors.format);
	for (const [name, value] of Object.entries(more)) query.set(name, value);
	return `/uber-fees${query.size > 0 ? `?${query}` : ""}`;
}
