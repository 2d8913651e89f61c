/** Choosing one person out of few or many: what a form asks, and what it offers. A fleet of up to 50 is a select, a larger one is searched. */

import { isRowId } from "../../values/row-id.ts";
import { driverCode, nameOf } from "./rules.ts";

/** People that a select names at most; with more there is a search instead. */
export const MOST_IN_SELECT = 50;
/** People that a search offers at most. */
export const MOST_FOUND = 20;
/** Characters of a search that count: the longest name is found by fewer. */
const LONGEST_SEARCH = 40;

/** What a form says about one person: who is chosen, and what was typed to find somebody. Each may be ''. */
export type AskedPerson = {
	readonly id: string;
	readonly text: string;
	/** The text whose answer the form showed when it was sent. */
	readonly answered: string;
};

/** The names of the fields beside a field: `driverId` is searched by `driverSearch`, and `driverSearched` says what the offered people answer. */
export function searchFieldsOf(name: string): { readonly search: string; readonly searched: string } {
	const stem = name.replace(/Id$/, "");
	return { search: `${stem}Search`, searched: `${stem}Searched` };
}

/**
 * What an address or a posted form asks about a person.
 * @param fields of the query or the form
 * @param name of the field that holds the id
 */
export function askedPerson(fields: { get(name: string): unknown }, name: string): AskedPerson {
	const text = (field: string) => {
		const value = fields.get(field);
		return typeof value === "string" ? value.replace(/\s+/g, " ").trim().slice(0, LONGEST_SEARCH) : "";
	};
	const { search, searched } = searchFieldsOf(name);
	const id = text(name);
	return { id: isRowId(id) ? id : "", text: text(search), answered: text(searched) };
}

/** True when something was typed that the form has not answered yet: whoever is still chosen above it may not be who is meant. */
export function isToSearch({ id, text, answered }: AskedPerson): boolean {
	return text !== "" && (id === "" || text !== answered);
}

/** One person as he is offered. */
export type OfferedPerson = { readonly id: string; readonly label: string; readonly email: string | null };

export type PersonChoice = {
	/** Whether there are too many people for a select. */
	readonly isSearch: boolean;
	/** Everybody of a select; who a search found, or '' and nobody before one. */
	readonly people: readonly OfferedPerson[];
	readonly chosen: OfferedPerson | undefined;
	readonly text: string;
	/** What was typed or, when nothing matches all of it, a part that the names found begin with. */
	readonly matched: string;
	readonly hasMore: boolean;
};

/** A row of `peopleToChoose`. */
export type ChoiceRow = {
	readonly part: "chosen" | "few" | "found" | "size";
	readonly id: string;
	readonly role: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly email: string | null;
	readonly driverNumber: number | null;
	readonly isActive: number;
	/** What the name begins with instead of all that was typed; null when it has all of it, or was found by code or e-mail. */
	readonly matched: string | null;
	/** 1 when the circle has more people than a select names. */
	readonly isSearch: number;
};

function offered(row: ChoiceRow): OfferedPerson {
	const code = driverCode(row.driverNumber);
	const label = `${nameOf(row)}${code ? ` (${code})` : row.role === "admin" ? " (administrator)" : ""}${row.isActive ? "" : ", inactive"}`;
	return { id: row.id, label, email: row.email };
}

const byName = (one: ChoiceRow, other: ChoiceRow) =>
	one.lastName.localeCompare(other.lastName, "en") || one.firstName.localeCompare(other.firstName, "en") || (one.id < other.id ? -1 : 1);

/** What a form offers, out of the rows of `peopleToChoose`. */
export function choiceFrom(rows: readonly ChoiceRow[], asked: AskedPerson): PersonChoice {
	const isSearch = rows.some((row) => row.isSearch === 1);
	const chosen = rows.find(({ part }) => part === "chosen");
	const every = rows.filter(({ part }) => part === "found");
	const exact = every.filter(({ matched }) => matched === null);
	const found = exact.length > 0 ? exact : every;
	const once = found.filter(({ id }, position) => found.findIndex((row) => row.id === id) === position);
	const people = isSearch ? once.slice(0, MOST_FOUND) : rows.filter(({ part }) => part === "few");
	return {
		isSearch,
		people: people.sort(byName).map(offered),
		chosen: chosen ? offered(chosen) : asked.id ? { id: asked.id, label: "Somebody who is not on record", email: null } : undefined,
		text: isSearch ? asked.text : "",
		matched: isSearch ? (found[0]?.matched ?? asked.text) : "",
		hasMore: isSearch && once.length > MOST_FOUND,
	};
}
