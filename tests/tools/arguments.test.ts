/** What a tool says about a command line that it can't use. */
import { expect, it } from "vitest";
import { readArguments } from "../../tools/arguments.ts";

const options = { to: { type: "string" }, remote: { type: "boolean" } } as const;
const told = (...args: string[]) => {
	try {
		return readArguments({ args, options }, (reason) => new Error(reason)).values;
	} catch (error) {
		return (error as Error).message;
	}
};

it.each([
	[["../milepost-2026.11"], "Unexpected argument '../milepost-2026.11'"],
	[["a. b"], "Unexpected argument 'a. b'"],
	[["--fro.b"], "Unknown option '--fro.b'"],
	[["--to"], "Option '--to <value>' argument missing"],
	[["--to", "--remote"], "Option '--to' argument is ambiguous"],
	[["--remote=yes"], "Option '--remote' does not take an argument"],
])("%j: %s", (args, words) => {
	expect(told(...args)).toBe(words);
});
