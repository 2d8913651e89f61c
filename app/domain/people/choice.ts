/**
 * Choosing one person: what a form asks, and what it offers. A fleet of up to 50 is a select, a
 * larger one is searched.
 */

import { fold } from "../../values/fold.ts";
import { isRowId } from "../../values/row-id.ts";
import { displayName, formatDriverCode } from "./rules.ts";

/** The most people in a select; with more there is a search instead. */
export const MAX_IN_SELECT = 50;
/** The most people that a search offers. */
export const MAX_FOUND = 20;
/** How many characters of a search count; fewer are enough to find the longest name. */
const MAX_SEARCH_LENGTH = 40;

/** The scope of a form: active drivers, everyone who ever drove, everyone with an account. */
export const PEOPLE_SCOPES = ["activeDrivers", "approvedDrivers", "everybody"] as const;
export type PeopleScope = (typeof PEOPLE_SCOPES)[number];

/**
 * What a form says about one person: who is chosen, and what was typed to find someone. Each may be
 * ''.
 */
export type PersonQuery = {
	readonly id: string;
	readonly text: string;
	/** The text that the form's offered people answer. */
	readonly answered: string;
};

/**
 * The names of the additional fields: `driverId` is searched by `driverSearch`, and
 * `driverSearched` says what the offered people answer.
 */
export function searchFieldNames(name: string): {
	readonly search: string;
	readonly searched: string;
} {
	const stem = name.replace(/Id$/, "");
	return { search: `${stem}Search`, searched: `${stem}Searched` };
}

/** The part of what was typed that is searched for; '' if it isn't text. */
export function searchText(value: unknown): string {
	return typeof value === "string"
		? value.replace(/\s+/g, " ").trim().slice(0, MAX_SEARCH_LENGTH)
		: "";
}

/**
 * A person in a URL or a posted form.
 * @param fields of the query or the form
 * @param name of the field with the id
 */
export function parsePerson(fields: { get(name: string): unknown }, name: string): PersonQuery {
	const text = (field: string) => searchText(fields.get(field));
	const { search, searched } = searchFieldNames(name);
	const id = text(name);
	return { id: isRowId(id) ? id : "", text: text(search), answered: text(searched) };
}

/**
 * Whether something was typed that the form hasn't answered yet: the chosen person may not be the
 * intended one.
 */
export function isSearchPending({ id, text, answered }: PersonQuery): boolean {
	return text !== "" && (id === "" || text !== answered);
}

/** One person as the form offers them. */
export type OfferedPerson = {
	readonly id: string;
	readonly label: string;
	readonly email: string | null;
};

export type PersonChoice = {
	/** The scope of the form. */
	readonly scope: PeopleScope;
	/** Whether there are too many people for a select. */
	readonly isSearch: boolean;
	/** Everyone in a select; whom a search found, or nobody before one. */
	readonly people: readonly OfferedPerson[];
	readonly chosen: OfferedPerson | undefined;
	/**
	 * The one person that the text can mean: the only one found, or the only one with exactly that
	 * name.
	 */
	readonly match: OfferedPerson | undefined;
	/** Whether something was typed that hasn't been answered yet. */
	readonly isOpen: boolean;
	readonly text: string;
	/**
	 * What was typed or, if nothing matches all of it, the part that the found names start with,
	 * folded.
	 */
	readonly matched: string;
	readonly hasMore: boolean;
};

/** A row of `selectPersonChoices`. */
export type ChoiceRow = {
	readonly part: "chosen" | "few" | "found" | "size";
	readonly id: string;
	readonly role: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly email: string | null;
	readonly driverNumber: number | null;
	readonly isActive: number;
	/**
	 * What the name starts with instead of all that was typed; null if it matches all of it, or was
	 * found by code or email.
	 */
	readonly matched: string | null;
	/** 1 if the scope has more people than fit into a select. */
	readonly isSearch: number;
};

/** What follows the name of someone without a code. */
const OFFICE_MARKS: Readonly<Record<string, string>> = {
	admin: " (administrator)",
	viewer: " (accountant)",
};

function toOfferedPerson(row: ChoiceRow): OfferedPerson {
	const code = formatDriverCode(row.driverNumber);
	const label = `${displayName(row)}${code ? ` (${code})` : (OFFICE_MARKS[row.role] ?? "")}${row.isActive ? "" : ", inactive"}`;
	return { id: row.id, label, email: row.email };
}

const byName = (one: ChoiceRow, other: ChoiceRow) =>
	one.lastName.localeCompare(other.lastName, "en") ||
	one.firstName.localeCompare(other.firstName, "en") ||
	(one.id < other.id ? -1 : 1);

/**
 * The one person that a text means. An exact name takes precedence over names that start with it.
 */
function findMatch(found: readonly ChoiceRow[], text: string): ChoiceRow | undefined {
	const [only, ...others] = found;
	if (others.length === 0) return only;
	const typed = fold(text);
	const named = found.filter(({ firstName, lastName, email }) =>
		[`${firstName} ${lastName}`, `${lastName} ${firstName}`, email ?? ""].some(
			(name) => fold(name) === typed,
		),
	);
	return named.length === 1 ? named[0] : undefined;
}

/** What a form offers, from the rows of `selectPersonChoices`. */
export function toPersonChoice(
	rows: readonly ChoiceRow[],
	asked: PersonQuery,
	scope: PeopleScope = "approvedDrivers",
): PersonChoice {
	const isSearch = rows.some((row) => row.isSearch === 1);
	const chosen = rows.find(({ part }) => part === "chosen");
	const every = rows.filter(({ part }) => part === "found");
	const exact = every.filter(({ matched }) => matched === null);
	const found = exact.length > 0 ? exact : every;
	const once = found.filter(
		({ id }, position) => found.findIndex((row) => row.id === id) === position,
	);
	const people = isSearch ? once.slice(0, MAX_FOUND) : rows.filter(({ part }) => part === "few");
	// A name that matches only part of what was typed is a guess.
	const match = isSearch && exact.length > 0 ? findMatch(once, asked.text) : undefined;
	return {
		scope,
		isSearch,
		match: match && toOfferedPerson(match),
		isOpen: isSearch && isSearchPending(asked),
		people: people.sort(byName).map(toOfferedPerson),
		chosen: chosen
			? toOfferedPerson(chosen)
			: asked.id
				? { id: asked.id, label: "Unknown person", email: null }
				: undefined,
		text: isSearch ? asked.text : "",
		matched: isSearch ? (found[0]?.matched ?? asked.text) : "",
		hasMore: isSearch && once.length > MAX_FOUND,
	};
}

/** The result of a search, as a sentence; '' before one. */
export function resultCount({ people, text, matched, hasMore }: PersonChoice): string {
	if (text === "") return "";
	if (people.length === 0) return `No matches for "${text}".`;
	if (matched !== text)
		return `No full matches for "${text}". These names start with "${matched}".`;
	if (hasMore)
		return `First ${people.length} matches for "${text}". Enter more of the name to narrow the list.`;
	return `${people.length === 1 ? "1 match" : `${people.length} matches`} for "${text}".`;
}

/**
 * Why a form doesn't know who is meant.
 * @param meanwhile what hasn't happened because of it, as a sentence
 */
export function unresolvedMessage(choice: PersonChoice, meanwhile: string): string {
	const { chosen, match, people, text } = choice;
	if (chosen && match)
		return `"${text}" matches ${match.label}, but ${chosen.label} is selected. Select one of them below. ${meanwhile}`;
	if (people.length === 0) return `${resultCount(choice)} ${meanwhile}`;
	return `${resultCount(choice)} Select one below. ${meanwhile}`;
}
