/** Runs the wrangler installed with Milepost. */
import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

const WRANGLER = "node_modules/wrangler/bin/wrangler.js";

/** The result of a command. */
export type WranglerRun = {
	readonly isDone: boolean;
	/** Its complete output. */
	readonly output: string;
	/** Why it failed, in one line. */
	readonly reason: string;
};

/**
 * Runs a command without prompts: its input isn't a terminal, so wrangler uses its defaults.
 * @param env the environment of wrangler.toml; the empty one is production
 * @param input for stdin, for secrets that must not appear in the process list
 */
export function wrangler(args: readonly string[], env: string, input = ""): Promise<WranglerRun> {
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, [WRANGLER, ...args, `--env=${env}`], {
			env: { ...process.env, WRANGLER_HIDE_BANNER: "true" },
		});
		let output = "";
		for (const stream of [child.stdout, child.stderr])
			stream.setEncoding("utf8").on("data", (text: string) => {
				output += text;
			});
		// It may exit without reading; its result is checked below.
		child.stdin.on("error", () => undefined);
		child.stdin.end(input);
		child.once("error", reject).once("close", (code) => {
			resolve({ isDone: code === 0, output, reason: reasonIn(output) });
		});
	});
}

/** A command as an operator types it. */
export const commandLine = (args: readonly string[], env: string): string =>
	["npx wrangler", ...args, ...(env ? [`--env ${env}`] : [])].join(" ");

/** wrangler's paragraphs about an error, as one line. */
export function reasonIn(output: string): string {
	const lines = stripVTControlCharacters(output)
		.split("\n")
		.map((line) => line.trim());
	// The first one; the later ones are about its attempts to diagnose the error.
	const coded = lines.find((line) => /\[code: \d+\]/.test(line));
	const [, ...errors] = lines.join("\n").split(/^.{0,3}\[ERROR\] /m);
	const text = coded ?? errors.at(-1)?.split("\n\n")[0] ?? lines.filter(Boolean).at(-1) ?? "";
	return text
		.replace(/^.{0,3}\[ERROR\] /, "")
		.replace(/\s+/g, " ")
		.replace(/[.:]$/, "")
		.slice(0, 400);
}
