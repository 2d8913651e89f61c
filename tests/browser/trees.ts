/** The accessibility trees that are compared with files, without what moves with the day. */

/** The file of a screen; the ids of fixtures are in its name by their number. */
export function treeName(who: string | undefined, path: string): string {
	const short = path
		.replace(/\d0000000-0000-4000-8000-0*(\d+)/g, "$1")
		.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id")
		.replace(/&range=custom.*$/, "");
	const words = `${who?.split("@")[0] ?? "visitor"} ${short}`;
	return words
		.replace(/[^a-z0-9]+/gi, "-")
		.replace(/-$/, "")
		.toLowerCase();
}

const MONTHS = "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?";
const MORE_MONTHS = "Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?";
const DAYS = "(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?";

/** A line with `#` for numbers and the same words for each date; the level of a heading stays. */
const mask = (line: string) =>
	line
		.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id")
		.replace(/x{9,}/g, "xxx")
		.replace(/(?<!level=)\d(?:[\d,.:]*\d)?/g, "#")
		.replace(new RegExp(`\\b(?:${MONTHS}|${MORE_MONTHS})\\b`, "g"), "Month")
		.replace(new RegExp(`\\b${DAYS}\\b`, "g"), "Weekday")
		.replace(/\b[AP]M\b/g, "AM")
		// Of this year or another, one or several.
		.replaceAll("Month #, #", "Month #")
		.replace(/# ([a-z]+)s\b/g, "# $1")
		.replace('option "#" [selected]', 'option "#"');

/** The blocks of a level: a line with the deeper ones below it. */
function blocksOf(lines: readonly string[]): string[][] {
	const blocks: string[][] = [];
	const depth = lines[0]?.search(/\S/) ?? 0;
	for (const line of lines)
		if (line.search(/\S/) > depth) blocks.at(-1)?.push(line);
		else blocks.push([line]);
	return blocks;
}

/** Neighbors that read the same once they are masked stand once: how many there are moves. */
const withoutRepeats = (lines: readonly string[]): string[] =>
	blocksOf(lines)
		.map(([first = "", ...rest]) =>
			[first, ...(rest.length > 0 ? withoutRepeats(rest) : [])].join("\n"),
		)
		// Whether a day was missed depends on the day of the week.
		.filter((block, at, all) => block !== all[at - 1] && !/^ *- region "Not logged"/.test(block));

export const maskTree = (tree: string): string =>
	`${withoutRepeats(tree.split("\n").map(mask)).join("\n")}\n`;

/** What stands around the screens of a person: all but `main`. */
export const shellOf = (masked: string): string[] =>
	blocksOf(masked.trimEnd().split("\n"))
		.map((block) => block.join("\n"))
		.filter((block) => !block.startsWith("- main"));

/** A tree with one line for the shell around it, in which a toast may stand. */
export function withoutShell(masked: string, shell: readonly string[]): string {
	const blocks = blocksOf(masked.trimEnd().split("\n")).map((block) => block.join("\n"));
	const found = blocks.filter((block) => shell.includes(block));
	if (shell.length === 0 || found.join("\n") !== shell.join("\n")) return masked;
	return `${["- shell", ...blocks.filter((block) => !found.includes(block))].join("\n")}\n`;
}
