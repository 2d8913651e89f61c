/** docs/operations.md names commands that are there, and each of them is played by a test. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FIRST_DAYS } from "./handbook/first-days.ts";
import { commandsIn, HANDBOOK, NOT_PLAYED } from "./handbook/handbook.ts";
import { INCIDENTS } from "./handbook/incidents.ts";
import { UPKEEP } from "./handbook/upkeep.ts";

const commands = commandsIn(HANDBOOK);
const named = ({ chapter, words }: { chapter: string; words: string }) => `${chapter}: ${words}`;

it("each is played by tests/tools/operations.test.ts in its order, but for the few that say why not", () => {
	expect(commands.length).toBeGreaterThan(40);
	const left = new Set(NOT_PLAYED.map(named));
	expect(commands.filter((each) => !left.has(named(each))).map(named)).toEqual(
		[...FIRST_DAYS, ...UPKEEP, ...INCIDENTS].map(named),
	);
	expect(commands.map(named)).toEqual(expect.arrayContaining([...left]));
	for (const { why } of NOT_PLAYED) expect(why.length).toBeGreaterThan(20);
});

it("each npm run is a script", () => {
	const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
		scripts: Record<string, string>;
	};
	for (const { words } of commands)
		for (const [, name = ""] of words.matchAll(/npm run ([\w:-]+)/g))
			expect(Object.keys(scripts), words).toContain(name);
});

it("whatever begins like a command is taken for one, wherever it stands", () => {
	const text = [
		"## One",
		"Run `npm run a -- --b` or `NAME=x npx wrangler c`, not `--d` or `/healthz`.",
		"```sh",
		"openssl rand 1 | npx wrangler e   # why",
		"npm run a -- --b",
		"```",
		"## Two",
		"Again `npm run a -- --b`.",
	].join("\n");
	expect(commandsIn(text).map(named)).toEqual([
		...["One: npm run a -- --b", "One: NAME=x npx wrangler c"],
		...["One: openssl rand 1 | npx wrangler e", "Two: npm run a -- --b"],
	]);
});
