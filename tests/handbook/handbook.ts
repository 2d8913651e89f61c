/** The commands of docs/operations.md, in the order in which an operator comes to them. */
import { readFileSync } from "node:fs";

export type Command = { readonly chapter: string; readonly words: string };

export const HANDBOOK = readFileSync("docs/operations.md", "utf8");

const COMMAND = /^(?:[A-Z_]+=\S+ )*(?:npm (?:run|start)|npx|node|curl|openssl|export)\b/;

/** Every command of a document, without repetitions within a chapter. */
export function commandsIn(text: string): Command[] {
	const found = new Map<string, Command>();
	for (const part of text.split(/^## /m).slice(1)) {
		const chapter = part.split("\n")[0] ?? "";
		// A command in running text may be wrapped onto a second line.
		for (const [, block, inline] of part.matchAll(/```\w*\n([\s\S]*?)```|`([^`]+)`/g))
			for (const line of block?.split("\n") ?? [(inline ?? "").replace(/\s*\n\s*/g, " ")]) {
				const words = line.replace(/\s+#.*$/, "").trim();
				if (COMMAND.test(words)) found.set(`${chapter}: ${words}`, { chapter, words });
			}
	}
	return [...found.values()];
}

/** The few commands that no test runs as they are written. */
export const NOT_PLAYED: readonly (Command & { readonly why: string })[] = [
	{
		chapter: "A new release",
		words: "npm run neighbors",
		why: "builds the previous release as well, and plays for minutes; tests/tools/neighbors.test.ts plays its working day",
	},
	{
		chapter: "Restoring a backup",
		words: "MILEPOST_STATE=../looked-at npm run restore -- --from ../october",
		why: "tests/tools/backup-tool.test.ts restores into a folder, and the deployed fleet's restore is played",
	},
	{
		chapter: "Restoring a backup",
		words: "npm start",
		why: "serves until somebody stops it; tests/tools/start.test.ts starts and stops it",
	},
];
