/** Parses a pasted list of drivers to invite: emails, or the rows of a CSV or a spreadsheet. */
import * as v from "valibot";
import { requiredText, submissionKey } from "../../values/fields.ts";
import { email as anyEmail, firstName, lastName } from "./input.ts";

/** Invitations per post; further lines stay in the form for the next one. */
export const MAX_INVITATIONS = 50;
const MAX_PASTED = 20_000;
const NOBODY = "Enter at least one email address";

/** The form for many drivers at once. */
export const invitationsInput = v.object({
	people: v.pipe(
		requiredText(
			NOBODY,
			MAX_PASTED,
			"That's too much at once. Only the first lines are kept here; paste the rest afterwards",
		),
		// Such as a line of column names.
		v.check((text) => text === "" || readInvitations(text).drivers.length > 0, NOBODY),
	),
	key: submissionKey,
});

/** A list without its last line if it was cut there: the beginning of an email is someone else's. */
export const wholeLines = (people: string): string =>
	people.length < MAX_PASTED ? people : people.slice(0, people.lastIndexOf("\n") + 1).trimEnd();

/** A driver of the list: whom to invite, or what is wrong with the line, such as being a repeat. */
export type Invitation = {
	/** The line as it was typed. */
	readonly line: string;
} & (
	| { readonly email: string; readonly firstName: string; readonly lastName: string }
	| { readonly fault: string; readonly isRepeated?: true }
);

type Name = { readonly firstName: string; readonly lastName: string };
type Column = "email" | "first" | "last" | "name";

/**
 * What the columns' names look like, best first. `Driver ID`, `Home address` and `Last trip` don't
 * match.
 */
const HEADS: readonly (readonly [Column, RegExp])[] = [
	["email", /e-?mail/i],
	[
		"name",
		/last.*first|first.*last|full.?name|vor.*nachname|imi[eę] i nazwisko|nombre y|nome completo/i,
	],
	["first", /^first$|first.?name|forename|given|vorname|pr[eé]nom|imi[eę]/i],
	["last", /^last$|last.?name|surname|family|nachname|nazwisko|ap[ei]ll?ido|cognome/i],
	["name", /^(drivers?('?s)?.?)?names?$/i],
	["name", /^drivers?$/i],
	// French for a last name, Spanish, Portuguese and Italian for a first or a full one.
	["name", /^(noms?|nombres?|nomes?)$/i],
	["name", /^(?!.*(company|vehicle|car|user|bank|account)).*name/i],
	["email", /^address(es)?$/i],
];

/** A line's cells. Separators inside quotes don't count. */
function cellsOf(line: string, separators = ",;\t"): string[] {
	const cells = [""];
	for (const [token] of line.matchAll(/"(?:[^"]|"")*"|[^,;\t"]+|[,;\t"]/g)) {
		if (token.length === 1 && separators.includes(token)) cells.push("");
		else
			cells[cells.length - 1] += /^".*"$/.test(token)
				? token.slice(1, -1).replaceAll('""', '"')
				: token;
	}
	return cells.map((cell) => cell.trim());
}

/** A table's columns, and what separates its cells. */
type Head = { readonly columns: readonly (Column | undefined)[]; readonly separator: string };

/** The columns in a table's first line; undefined if that is already a driver. */
function headOf(line: string): Head | undefined {
	if (line.includes("@")) return undefined;
	const separator = ["\t", ";"].find((each) => cellsOf(line, each).length > 1) ?? ",";
	const cells = cellsOf(line, separator);
	const columns: (Column | undefined)[] = cells.map(() => undefined);
	for (const [column, head] of HEADS) {
		const at = cells.findIndex((cell, each) => !columns[each] && head.test(cell));
		if (at !== -1 && !columns.includes(column)) columns[at] = column;
	}
	return columns.includes("email") ? { columns, separator } : undefined;
}

/** A full name: `Ana Maria Lima`, or `Lima, Ana Maria`. */
function splitName(text: string): Name {
	const [, family, given] = /^([^,]+),\s*([^,]+)$/.exec(text) ?? [];
	if (family && given) return { firstName: given.trim(), lastName: family.trim() };
	const words = text.split(/\s+/).filter(Boolean);
	const last = words.length > 1 ? words.pop() : "";
	return { firstName: words.join(" "), lastName: last ?? "" };
}

/** A line without what lists and web pages put around a name: `1. Ana Lima - mailto:ana@example.com`. */
const withoutMarks = (line: string) =>
	line
		.replace(/^(?:\d{1,3}[.)]|[-–—•*·])\s+/u, "")
		.replace(/mailto:/gi, "")
		.replace(/\s*[-–—:]\s+(?=\S+@)/u, " ")
		.replace(/(@[^\s,;:]+)(?:\s+[-–—]|:)\s+/u, "$1 ");

/**
 * `Ana Lima <ana@example.com>`, `ana@example.com (Ana Lima)`, `ana@example.com, Ana, Lima` and
 * `ana@example.com Ana Lima`.
 */
function readFreely(typed: string): Name & { email: string } {
	const line = withoutMarks(typed);
	const [, before = "", inside] = /^([^<]*)<([^>]*)>[\s,;]*$/.exec(line) ?? [];
	if (inside !== undefined) {
		// In single quotes, as some email programs write it.
		const name = before
			.replaceAll('"', "")
			.trim()
			.replace(/^'(.*)'$/, "$1");
		return { email: inside, ...splitName(name) };
	}
	const [, outer = "", comment = ""] = /^([^()]+)\(([^()]+)\)[\s,;]*$/.exec(line) ?? [];
	const [email = "", name = ""] = outer.includes("@") ? [outer, comment] : [comment, outer];
	if (/^[^\s,;]+@[^\s,;]+$/.test(email.trim())) return { email, ...splitName(name.trim()) };
	const cells = cellsOf(line).filter(Boolean);
	if (cells.length === 1) {
		const words = line.replace(/[,;]+$/, "").split(/\s+/);
		const address = words.find((word) => word.includes("@")) ?? line;
		const rest = words.filter((word) => word !== address);
		return { email: address, ...splitName(rest.join(" ")) };
	}
	const address = cells.find((cell) => cell.includes("@")) ?? cells[0] ?? "";
	// Leaves out numbers, such as a phone's.
	const [first = "", last] = cells.filter((cell) => cell !== address && /\p{L}/u.test(cell));
	return {
		email: address,
		...(last === undefined ? splitName(first) : { firstName: first, lastName: last }),
	};
}

/** The name in a table's row. Beside one half of it, a column called only a name is the other half. */
function nameOf(first: string, last: string, name: string): Name {
	if (name === "" || (first && last)) return { firstName: first, lastName: last };
	const words = ` ${name.replace(/[\s,]+/g, " ")} `;
	const isWhole = words.includes(` ${first || last} `) || (first || last) === "";
	return isWhole ? splitName(name) : { firstName: first || name, lastName: last || name };
}

/** A table's row. A `Last, First` without quotes fills two cells of a table with commas. */
function readColumns(line: string, { columns, separator }: Head): Name & { email: string } {
	const cells = cellsOf(line, separator);
	const at = columns.indexOf("name");
	if (at !== -1 && separator === "," && cells.length === columns.length + 1)
		cells.splice(at, 2, cells.slice(at, at + 2).join(", "));
	const cell = (column: Column) => cells[columns.indexOf(column)] ?? "";
	// Such as `Ana Lima <ana@example.com>` in a table.
	if (cells.length < columns.length && !cell("email").includes("@")) return readFreely(line);
	return { email: cell("email"), ...nameOf(cell("first"), cell("last"), cell("name")) };
}

const emailsIn = (text: string) => text.split("@").length - 1;

/**
 * A line with several people counts as several lines: emails and nothing else, or an email
 * program's list of recipients. What can't be told apart stays one line.
 */
function piecesOf(line: string): string[] {
	if (emailsIn(line) < 2) return [line];
	const words = line.split(/[\s,;]+/).filter(Boolean);
	if (words.every((word) => emailsIn(word) === 1 && !/[<(]/.test(word))) return words;
	const people: string[] = [];
	let person = "";
	for (const part of line.match(/(?:"(?:[^"]|"")*"|<[^>]*>|\([^)]*\)|[^,;"<(])+/g) ?? []) {
		person += (person && ",") + part.trim();
		if (!part.includes("@")) continue;
		people.push(person);
		person = "";
	}
	// `Lima, Ana <ana@example.com>` is one person, `Ana, ana@example.com` may be half of two.
	const areClear = people.every(
		(each) => emailsIn(each) === 1 && (!each.includes(",") || /[<(]/.test(each)),
	);
	return areClear && person === "" ? people : [line];
}

const SEVERAL =
	"There's more than one email address on this line. Put each driver on a line of their own.";

/** A name as it is stored, or what is wrong with it; none is fine, since the driver is asked. */
function readName(text: string, schema: typeof firstName | typeof lastName) {
	const { success, output, issues } = v.safeParse(schema, text);
	return text === "" || success
		? { name: success ? output : "" }
		: { name: "", fault: `Name: ${issues[0].message}.` };
}

/** A pasted list. */
export type InvitationList = {
	/** A CSV's line of column names, which its other lines need to be understood. */
	readonly head: string | undefined;
	readonly drivers: readonly Invitation[];
};

/** Reads the drivers of a list in order, without its empty lines. */
export function readInvitations(text: string): InvitationList {
	const lines = text
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => /[^\s,;"]/.test(line));
	const head = headOf(lines[0] ?? "");
	const seen = new Set<string>();
	const drivers = (head ? lines.slice(1) : lines.flatMap(piecesOf)).map((line): Invitation => {
		if (!head && emailsIn(line) > 1) return { line, fault: SEVERAL };
		const read = head ? readColumns(line, head) : readFreely(line);
		const { success, output } = v.safeParse(anyEmail, read.email);
		if (!success) return { line, fault: "No valid email address on this line." };
		if (seen.has(output))
			return { line, fault: `${output} is on the list twice.`, isRepeated: true };
		const [first, last] = [readName(read.firstName, firstName), readName(read.lastName, lastName)];
		const fault = first.fault ?? last.fault;
		if (fault) return { line, fault };
		seen.add(output);
		return { line, email: output, firstName: first.name, lastName: last.name };
	});
	return { head: head && lines[0], drivers };
}
