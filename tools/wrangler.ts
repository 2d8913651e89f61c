/** Runs the wrangler that is installed with Milepost. */
import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

const WRANGLER = "node_modules/wrangler/bin/wrangler.js";

/** How one of its commands ended. */
export type WranglerRun = {
	readonly isDone: boolean;
	/** Everything it wrote. */
	readonly output: string;
	/** Why it failed, in a line. */
	readonly reason: string;
};

/**
 * Runs a command without questions: its input is no terminal, so wrangler takes its defaults.
 * @param env the environment of wrangler.toml; the empty one is production
 * @param input what it reads, for what must not be seen in the list of processes
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
		// It may end without reading; how it ended is told below.
		child.stdin.on("error", () => undefined);
		child.stdin.end(input);
		child.once("error", reject).once("close", (code) => {
			resolve({ isDone: code === 0, output, reason: reasonIn(output) });
		});
	});
}

/** A command as an operator types it. */
export const typed = (args: readonly string[], env: string): string =>
	["npx wrangler", ...args, ...(env ? [`--env ${env}`] : [])].join(" ");

/** What wrangler's paragraphs about an error say, as one line. */
export function reasonIn(output: string): string {
	const lines = stripVTControlCharacters(output)
		.split("\n")
		.map((line) => line.trim());
	// The first: later ones are of what wrangler tried to find out about it.
	const coded = lines.find((line) => /\[code: \d+\]/.test(line));
	const [, ...errors] = lines.join("\n").split(/^.{0,3}\[ERROR\] /m);
	const text = coded ?? errors.at(-1)?.split("\n\n")[0] ?? lines.filter(Boolean).at(-1) ?? "";
	return text
		.replace(/^.{0,3}\[ERROR\] /, "")
		.replace(/\s+/g, " ")
		.replace(/[.:]$/, "")
		.slice(0, 400);
}
