/**
 * w3m, the text browser, in a terminal that tmux keeps: keys go in, and what a person would read
 * comes out. It only waits for what is on the screen.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** High enough for a driver's longest page: nothing has to be scrolled to. */
const SIZE = ["-x", "110", "-y", "400"];
const PATIENCE = 60_000;

/** The characters with a meaning in w3m's search. */
const literal = (words: string) => words.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

type Typed = { readonly keys: readonly string[] } | { readonly text: string };

/** Moves the cursor to words on the page, with w3m's search from the top; `place` precedes them. */
const toWords = (words: string, place?: string): Typed[] => [
	{ keys: ["g"] },
	...(place === undefined ? [words] : [place, words]).flatMap((each) => [
		{ keys: ["/"] },
		{ text: literal(each) },
		{ keys: ["Enter"] },
	]),
];

/** Opens the field after a label. */
const toField = (label: string): Typed[] => [...toWords(label), { keys: ["Tab", "Enter"] }];

export class Terminal {
	private readonly place = mkdtempSync(join(tmpdir(), "milepost-w3m-"));
	private readonly words = join(this.place, "words");

	/** @param address where w3m starts */
	constructor(address: string) {
		// Text of several lines is written in an editor: this one takes it from a file.
		const env = { ...process.env, HOME: this.place, TERM: "xterm", EDITOR: `cp ${this.words}` };
		const command = `w3m -cookie '${address}'`;
		this.tmux(["-f", "/dev/null", "new-session", "-d", ...SIZE, command], env);
	}

	private tmux(args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
		const { status, stdout, stderr } = spawnSync(
			"tmux",
			["-S", join(this.place, "tmux"), ...args],
			{ encoding: "utf8", env },
		);
		if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
		return stdout;
	}

	/** What is on the screen. */
	screen(): string {
		return this.tmux(["capture-pane", "-p"])
			.split("\n")
			.filter((line) => line.trim() !== "")
			.join("\n");
	}

	/** Waits until the screen shows it. */
	async sees(words: string | RegExp): Promise<void> {
		const until = performance.now() + PATIENCE;
		const isThere = () => {
			const screen = this.screen();
			return typeof words === "string" ? screen.includes(words) : words.test(screen);
		};
		while (!isThere()) {
			if (performance.now() > until)
				throw new Error(`w3m never showed ${words}, but:\n${this.screen()}`);
			await wait(50);
		}
	}

	/** Types what a person would in one go; the caller waits for the result. */
	private type(...typed: readonly Typed[]): void {
		const commands = typed.map((each) =>
			"keys" in each ? ["send-keys", ...each.keys] : ["send-keys", "-l", "--", each.text],
		);
		this.tmux(commands.flatMap((command, index) => (index === 0 ? command : [";", ...command])));
	}

	/** Follows a link or presses a button; the caller waits for the next page. */
	follow(words: string, place?: string): void {
		this.type(...toWords(words, place), { keys: ["Enter"] });
	}

	/** Fills in the field after a label. */
	async fill(label: string, text: string): Promise<void> {
		this.type(...toField(label), { keys: ["C-u"] }, { text }, { keys: ["Enter"] });
		await this.sees(`[${text}`);
	}

	/** Fills in a field of several lines, in the editor that w3m opens. */
	async write(label: string, text: string): Promise<void> {
		writeFileSync(this.words, `${text}\n`);
		this.type(...toField(label));
		await this.sees(`[${text}`);
	}

	/** Chooses a line of a list; `downs` is how many lines it is below the chosen one. */
	async choose(label: string, option: string, downs: number): Promise<void> {
		this.type(...toField(label));
		await this.sees(`│${option}`);
		this.type({ keys: [...Array.from({ length: downs }, () => "Down"), "Enter"] });
		await this.sees(`[${option}`);
	}

	/**
	 * Names a file in the field after a label. The field says which types it takes, and w3m submits
	 * such a field's form by itself.
	 */
	attach(label: string, path: string): void {
		this.type(...toField(label), { keys: ["C-u"] }, { text: path }, { keys: ["Enter"] });
	}

	/** Ends w3m and removes its files. */
	close(): void {
		this.tmux(["kill-server"]);
		rmSync(this.place, { recursive: true, force: true });
	}
}
