/** Parses a pasted list of drivers to invite: emails, or the rows of a CSV or a spreadsheet. */
import * as v from "valibot";
import { requiredText, submissionKey } from "../../values/fields.ts";
import { email as anyEmail, firstName, lastName } from "../users/input.ts";

/** Invitations per post; further lines stay in the form for the next one. */
export const MAX_INVITATIONS = 50;
const MAX_PASTED = 20_000;

/** The form for many drivers at once. */
export const invitationsInput = v.object({
	people: requiredText(
		"Enter at least one email address",
		MAX_PASTED,
		"That's too much at once. Paste fewer lines",
	),
	key: submissionKey,
});

/** A driver of the list: whom to invite, or what is wrong with the line. */
export type Invitation = {
	/** The line as it was typed. */
	readonly line: string;
} & (
	| { readonly email: string; readonly firstName: string; readonly lastName: string }
	| { readonly fault: string }
);

type Name = { readonly firstName: string; readonly lastName: string };
type Column = "email" | "first" | "last" | "name";

const HEADS: readonly (readonly [Column, RegExp])[] = [
	["email", /e-?mail|address/i],
	["first", /first|given/i],
	["last", /last|family|surname/i],
	["name", /name|driver/i],
];

/** A line's cells. Separators inside quotes don't count. */
function cellsOf(line: string): string[] {
	const cells = [""];
	for (const [token] of line.matchAll(/"(?:[^"]|"")*"|[^,;\t"]+|[,;\t"]/g)) {
		if (/^[,;\t]$/.test(token)) cells.push("");
		else
			cells[cells.length - 1] += /^".*"$/.test(token)
				? token.slice(1, -1).replaceAll('""', '"')
				: token;
	}
	return cells.map((cell) => cell.trim());
}

/** The columns in a CSV's first line; undefined if that is already a driver. */
function headOf(line: string): (Column | undefined)[] | undefined {
	if (line.includes("@")) return undefined;
	const columns = cellsOf(line).map((cell) => HEADS.find(([, head]) => head.test(cell))?.[0]);
	return columns.includes("email") ? columns : undefined;
}

/** A full name: `Ana Maria Lima`, or `Lima, Ana Maria`. */
function splitName(text: string): Name {
	const [, family, given] = /^([^,]+),\s*([^,]+)$/.exec(text) ?? [];
	if (family && given) return { firstName: given.trim(), lastName: family.trim() };
	const words = text.split(/\s+/).filter(Boolean);
	const last = words.length > 1 ? words.pop() : "";
	return { firstName: words.join(" "), lastName: last ?? "" };
}

/** `Ana Lima <ana@example.com>`, `ana@example.com, Ana, Lima` and `ana@example.com Ana Lima`. */
function readFreely(line: string): Name & { email: string } {
	const [, before, inside] = /^([^<]*)<([^>]*)>$/.exec(line) ?? [];
	if (inside !== undefined)
		return { email: inside, ...splitName((before ?? "").replaceAll('"', "")) };
	const cells = cellsOf(line).filter(Boolean);
	if (cells.length === 1) {
		const words = line.replace(/[,;]+$/, "").split(/\s+/);
		const email = words.find((word) => word.includes("@")) ?? line;
		return { email, ...splitName(words.filter((word) => word !== email).join(" ")) };
	}
	const email = cells.find((cell) => cell.includes("@")) ?? cells[0] ?? "";
	const [first = "", last] = cells.filter((cell) => cell !== email);
	return {
		email,
		...(last === undefined ? splitName(first) : { firstName: first, lastName: last }),
	};
}

function readColumns(line: string, columns: readonly (Column | undefined)[]) {
	const cells = cellsOf(line);
	const cell = (column: Column) => cells[columns.indexOf(column)] ?? "";
	const name = { firstName: cell("first"), lastName: cell("last") };
	return {
		email: cell("email"),
		...(name.firstName || name.lastName ? name : splitName(cell("name"))),
	};
}

/** A line with several emails and nothing else counts as several lines. */
function piecesOf(line: string): string[] {
	const pieces = line.split(/[\s,;]+/).filter(Boolean);
	return pieces.length > 1 && pieces.every((piece) => piece.includes("@")) ? pieces : [line];
}

const longName = (text: string, schema: typeof firstName | typeof lastName) =>
	text === "" ? undefined : v.safeParse(schema, text).issues?.[0].message;

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
	const head = lines[0] ?? "";
	const columns = headOf(head);
	const seen = new Set<string>();
	const drivers = (columns ? lines.slice(1) : lines.flatMap(piecesOf)).map((line): Invitation => {
		const read = columns ? readColumns(line, columns) : readFreely(line);
		const { success, output } = v.safeParse(anyEmail, read.email);
		if (!success) return { line, fault: "No valid email address on this line." };
		if (seen.has(output)) return { line, fault: `${output} is on the list twice.` };
		seen.add(output);
		const fault = longName(read.firstName, firstName) ?? longName(read.lastName, lastName);
		if (fault) return { line, fault: `Name: ${fault}.` };
		return { line, email: output, firstName: read.firstName, lastName: read.lastName };
	});
	return { head: columns && head, drivers };
}
