/**
 * The drivers screen's URL parameters: who is searched for, the list that is shown, a page of each
 * long list, and a dialog about a person.
 */
import {
	type Position,
	type PositionNames,
	readPosition,
	setPosition,
} from "../../values/cursor.ts";
import { parseRowDialog } from "../../values/row-dialog.ts";
import { isRowId } from "../../values/row-id.ts";
import { searchText } from "./choice.ts";

/** The lists of people, in their order. */
export const PEOPLE_LISTS = [
	"pending",
	"active",
	"inactive",
	"rejected",
	"administrators",
] as const;
export type PeopleList = (typeof PEOPLE_LISTS)[number];

export type DriverSearch = {
	/** The beginning of a name, an email or a driver ID; absent without a search. */
	readonly search?: string | undefined;
	/** The only list that is shown. */
	readonly show?: PeopleList | undefined;
	/** A row's position is its id. */
	readonly active?: Position<string> | undefined;
	readonly inactive?: Position<string> | undefined;
	readonly dialog?: DialogName | undefined;
	readonly id?: string | undefined;
};

/** The dialogs about one person, on the lists and on the person's page. */
export const PERSON_DIALOGS = ["delete", "deactivate", "rename"] as const;
export type PersonDialogName = (typeof PERSON_DIALOGS)[number];

/** The dialogs about a driver's pay for a week. */
export const WEEK_DIALOGS = ["agreement", "charge", "remove-charge"] as const;
type PageDialogName = PersonDialogName | "pseudonymize" | (typeof WEEK_DIALOGS)[number];

/** The URL of a driver's page, with a dialog over it if one is named. */
export const driverPath = (id: string, dialog?: PageDialogName) =>
	`/drivers/${id}${dialog ? `?dialog=${dialog}` : ""}`;

const ACTIVE: PositionNames = { after: "active", before: "activeBefore" };
const INACTIVE: PositionNames = { after: "inactive", before: "inactiveBefore" };
const DIALOGS = ["add-driver", "add-many", "create-admin", ...PERSON_DIALOGS] as const;
type DialogName = (typeof DIALOGS)[number];

const parseId = (text: string | null) => (text !== null && isRowId(text) ? text : undefined);
const formatId = (id: string) => id;

/** Parses a URL; anything invalid falls back to the plain screen. */
export function parseSearch(query: URLSearchParams): DriverSearch {
	const { dialog, id } = parseRowDialog(query, DIALOGS);
	const show = query.get("show");
	return {
		search: searchText(query.get("search")) || undefined,
		show: PEOPLE_LISTS.find((each) => each === show),
		active: readPosition(query, parseId, ACTIVE),
		inactive: readPosition(query, parseId, INACTIVE),
		dialog,
		id: id || undefined,
	};
}

/** The URL of the screen in a state. */
export function driversUrl(view: DriverSearch): string {
	const { search, show, active, inactive, dialog, id } = view;
	const query = new URLSearchParams();
	if (search) query.set("search", search);
	if (show) query.set("show", show);
	setPosition(query, active, formatId, ACTIVE);
	setPosition(query, inactive, formatId, INACTIVE);
	if (dialog) query.set("dialog", dialog);
	if (id) query.set("id", id);
	return query.size > 0 ? `/drivers?${query}` : "/drivers";
}

/** The same lists and pages, without a dialog. */
export function withoutDialog({ dialog, id, ...lists }: DriverSearch): DriverSearch {
	return lists;
}
