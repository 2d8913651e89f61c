/** The fees screen's URL parameters: a page of the list, a dialog over it, a fee being replaced. */
import { cursors, type Position, readPosition, setPosition } from "../../values/cursor.ts";
import { parseRowDialog } from "../../values/row-dialog.ts";
import { isRowId } from "../../values/row-id.ts";
import { type PersonQuery, parsePerson } from "../people/choice.ts";

/** A fee's position in the list: latest day first, and within a day last added first. */
export const feeCursors = cursors({ chargedOn: "date", createdAt: "number", id: "id" });
export type FeeCursor = NonNullable<ReturnType<typeof feeCursors.parse>>;

const DIALOGS = ["edit", "delete"] as const;
export type DialogName = (typeof DIALOGS)[number];

/** The parameters; invalid ones are left out. */
export type FeeSearch = {
	/** Whose fees are listed; the id is '' for everyone's. */
	readonly driver: PersonQuery;
	readonly position: Position<FeeCursor> | undefined;
	readonly dialog: DialogName | undefined;
	/** The fee in the dialog or the form; '' for none. */
	readonly named: string;
};

/** Parses a URL. */
export function parseSearch(query: URLSearchParams): FeeSearch {
	const { dialog, id } = parseRowDialog(query, DIALOGS);
	const replaced = query.get("replace");
	const named = dialog ? id : replaced;
	return {
		driver: parsePerson(query, "driver"),
		position: readPosition(query, feeCursors.parse),
		dialog,
		named: isRowId(named) ? named : "",
	};
}

/** A page of everyone's list, or of one driver's. */
export type FeePlace = {
	readonly driverId: string;
	readonly position: Position<FeeCursor> | undefined;
};

/** The URL of a page of the list, plus more parameters. */
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
